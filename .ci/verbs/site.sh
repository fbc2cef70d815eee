# shellcheck shell=bash
# group: build
# order: 3
# usage: ./run site [--api]
# help: make build/site: README, documents and lessons as pages, for any web server; the simulator runs in each figure
# help: of a lesson, or below it (docs/how-to/browser.md); --api: with the reference of the headers (./run api)
# example: ./run site && python3 -m http.server -d build/site
# check: ./run site
# ci: yes
# needs: network, when packages or sources are missing
site_api=()
for word in "$@"; do
    [ "$word" = --api ] || wrong_usage site "unknown argument: $word"
    need doxygen python
    make_api
    site_api=(build/api/html)
done
need pandoc
web_page
make_site "${site_api[@]}"
echo "build/site is a directory for any web server: python3 -m http.server -d build/site"
