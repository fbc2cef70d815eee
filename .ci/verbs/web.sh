# shellcheck shell=bash
# group: build
# order: 2
# usage: ./run web
# help: make build/web: the window as a page, for any web server, or as one file, switchyard.html (docs/how-to/browser.md)
# example: ./run web && python3 -m http.server -d build/web
# check: ./run web
# ci: yes
# needs: network, when packages or sources are missing
web_page
ls -l build/web
echo "build/web/switchyard.html opens from disk; the other files together are a page for any web server:"
echo "  python3 -m http.server -d build/web"
