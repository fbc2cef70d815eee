# shellcheck shell=bash
# The page for browsers (./run web, site, check-web). Debian's libraries cannot run there, so the page is built
# from the headers and sources of SDL, Dear ImGui and Lua.
web_needs=(emscripten cmake ninja json fmt stb fonts python)

web_page() {
    need "${web_needs[@]}"
    library_sources
    configure web
    build web switchyard_page
}

# make_site [API-DIRECTORY]
make_site() { python3 ui/web/site/make.py build/web build/wasm/ui/switchyard.js build/site "$@"; }

make_api() {
    rm -rf build/api
    mkdir -p build
    progress_run "reading the headers" api doxygen .ci/Doxyfile || exit 1
}
