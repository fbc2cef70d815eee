# shellcheck shell=bash
# group: build
# order: 4
# usage: ./run api
# help: make build/api: the reference of the headers in sim/, by Doxygen; fails if Doxygen prints a warning
# example: ./run api && xdg-open build/api/html/index.html
# check: ./run api
# ci: no the comments of headers are read by people more often than by Doxygen; half a minute
need doxygen python
make_api
echo "build/api/html/index.html is the first page"
