# shellcheck shell=bash
# group: check
# order: 4
# usage: ./run check-web [--thorough] [--only MODULE]...
# help: compare the page in Chromium with the pictures of the program, WebAssembly with the golden hashes, and check the
# help: pages of the site and its console blocks; MODULE: pictures, inputs, keeping, reading, speed or disk, of the checks of the page
# example: ./run check-web
# example: ./run check-web --only disk  |  only one module of the page's checks, and the pages of the site
# check: ./run check-web --only pictures --only disk
# ci: no takes seven minutes
# needs: network, when packages or sources are missing
need "${build_needs[@]}" "${window_needs[@]}" gtest pandoc chromium
web_page
build web switchyard_golden switchyard_run_speed
configure release -DSWITCHYARD_TESTS=ON
build release switchyard switchyard-ui switchyard_run_speed
node build/wasm/tests/web/switchyard_golden.js --gtest_brief=1
here=$(build/release/tests/switchyard_run_speed)
there=$(node build/wasm/tests/web/switchyard_run_speed.js)
echo "run web-server: $here switches a second here, $there in WebAssembly by node: $((100 * there / here)) %"
tests/web/check_page.py build/web build/release/ui/switchyard-ui "$@"
make_site
.ci/checks/site-links build/site
node tests/web/replay_blocks.mjs build/site-bundle/shell.mjs build/wasm/sim/cli/switchyard-commands.js
tests/web/check_site.py build/site build/release/ui/switchyard-ui build/release/sim/cli/switchyard \
    --axe build/site-bundle/node_modules/axe-core/axe.min.js
