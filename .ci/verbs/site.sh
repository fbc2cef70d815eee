# shellcheck shell=bash
# group: build
# order: 3
# usage: ./run site
# help: make build/site: README, documents and lessons as pages, for any web server; the simulator runs in each figure
# help: of a lesson, or below it (docs/how-to/browser.md)
# example: ./run site && python3 -m http.server -d build/site
# check: ./run site
# ci: yes
# needs: network, when packages or sources are missing
need pandoc
web_page
make_site
echo "build/site is a directory for any web server: python3 -m http.server -d build/site"
