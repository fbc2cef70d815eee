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

# The libraries of the site's pages, from npm, with the versions of ui/web/package-lock.json; and the scripts that contain them.
site_bundle() {
    local bundle=build/site-bundle
    command -v npm >/dev/null || need npm  # Node.js of another source has its own
    mkdir -p "$bundle"
    if ! cmp -s ui/web/package-lock.json "$bundle/complete"; then
        cp ui/web/package.json ui/web/package-lock.json "$bundle"
        progress_run "installing the libraries of the site" npm npm ci --prefix "$bundle" --ignore-scripts --no-audit --no-fund || exit 1
        cp ui/web/package-lock.json "$bundle/complete"
    fi
    bundle_script commands/worker.mjs worker.js iife
    bundle_script commands/index.mjs shell.mjs esm  # for the tests
    bundle_script site/editor.mjs editor.js iife
}

# bundle_script SOURCE OUTPUT FORMAT
bundle_script() {
    NODE_PATH=$PWD/build/site-bundle/node_modules build/site-bundle/node_modules/.bin/esbuild "ui/web/$1" --bundle --minify \
        "--format=$3" --alias:node:zlib=./ui/web/commands/no_zlib.mjs --legal-comments=none --log-level=warning \
        "--outfile=build/site-bundle/$2"
}

# make_site [OPTION...]: build/site from the page; the options are those of make.py
make_site() {
    need pandoc rsvg
    site_bundle
    build web switchyard-commands
    ui/web/site/make.py build/site --window build/web --glue build/wasm/ui/switchyard.js \
        --commands build/wasm/sim/cli/switchyard-commands.js --bundle build/site-bundle "$@"
}

make_api() {
    rm -rf build/api
    mkdir -p build
    progress_run "reading the headers" api doxygen .ci/Doxyfile || exit 1
}
