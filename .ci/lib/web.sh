# shellcheck shell=bash
# The page for browsers (./run web, site, check-web). Debian's libraries cannot run there, so the page is built
# from the headers and sources of SDL, Dear ImGui and Lua.
web_needs=(emscripten cmake ninja json fmt stb fonts python)

web_page() {
    local fixed_addresses=()
    need "${web_needs[@]}"
    library_sources
    # The compiler orders some code by the addresses of its data. With random addresses two builds can differ. Some containers
    # forbid to turn random addresses off.
    ! setarch -R true 2>/dev/null ||
        fixed_addresses=('-DCMAKE_CXX_COMPILER_LAUNCHER=setarch;-R' '-DCMAKE_C_COMPILER_LAUNCHER=setarch;-R')
    configure web "${fixed_addresses[@]}"
    build web switchyard_page
}

# make_site [API-DIRECTORY]
make_site() { python3 ui/web/site/make.py build/web build/wasm/ui/switchyard.js build/site "$@"; }

make_api() {
    rm -rf build/api
    mkdir -p build
    progress_run "reading the headers" api doxygen .ci/Doxyfile || exit 1
}
