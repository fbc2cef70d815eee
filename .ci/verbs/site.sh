# shellcheck shell=bash
# group: build
# order: 3
# usage: ./run site [--api] [--address URL] [--source URL]
# help: make build/site: the documents and lessons as pages, for any web server; figures are live, commands can be run
# help: (docs/how-to/browser.md); --api: with the reference of the headers (./run api); --address: where the site will
# help: be, for links that must be absolute; --source: where the source code is
# example: ./run site && python3 -m http.server -d build/site
# check: ./run site
# ci: yes
# needs: network, when packages or sources are missing
site_options=()
while [ $# -gt 0 ]; do
    case "$1" in
        --api)
            need doxygen python
            make_api
            site_options+=(--api build/api/html)
            ;;
        --address | --source)
            [ $# -ge 2 ] || wrong_usage site "$1 needs a URL"
            site_options+=("$1" "$2")
            shift
            ;;
        *) wrong_usage site "unknown argument: $1" ;;
    esac
    shift
done
web_page
make_site "${site_options[@]}"
echo "build/site is a directory for any web server: python3 -m http.server -d build/site"
