# shellcheck shell=bash
# group: start
# order: 1
# usage: ./run demo
# help: install what is missing, build the headline experiment (the yield table of 1997) and print it, then build
# help: and open the window, and meanwhile build the commands; without a display, write pictures
# example: ./run demo
# example: DISPLAY= WAYLAND_DISPLAY= ./run demo  |  as on a machine without a display
# check: DISPLAY= WAYLAND_DISPLAY= ./run demo
# ci: yes
# needs: network, when packages are missing
need "${build_needs[@]}" "${window_needs[@]}"
configure release -DSWITCHYARD_TESTS=OFF
build release yield-table-program
yield_table=build/release/sim/cli/yield-table-program
$yield_table build/yield-table.svg
echo "The table as a picture: build/yield-table.svg"

demo_window=build/release/ui/switchyard-ui
if ! grep -qs ' switchyard-ui: phony' build/release/build.ninja; then
    echo "The window is not built here: see above for the missing parts."
    build release switchyard
elif [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    build release switchyard-ui
    echo
    $yield_table --rules
    echo
    echo "The window opens, paused at the first decision that recalculates all counters. Right and Left step,"
    echo "I pressed twice shows the inside of schedule(), Space plays, C compares with the patched yield, ? shows all keys,"
    echo "Ctrl+Q closes it. The commands are built while the window is open."
    nice ninja -C build/release switchyard >"$log_directory/build-while-window.txt" 2>&1 &
    demo_rest=$!
    demo_result=0
    $demo_window yield-processes || demo_result=$?
    kill "$demo_rest" 2>/dev/null || true # the build below continues
    wait "$demo_rest" || true
    build release switchyard
    # 2: no window can be opened, for example on a DISPLAY that is gone.
    [ "$demo_result" -eq 0 ] || [ "$demo_result" -eq 2 ] || exit "$demo_result"
else
    build release switchyard switchyard-ui
    demo_result=2
fi
if [ "${demo_result:-0}" -eq 2 ]; then
    $demo_window --headless yield-processes --size 1920x1080 --screenshot build/window.png
    echo "No window was opened here; build/window.png shows what it looks like."
fi
echo "The programs are build/release/sim/cli/switchyard and $demo_window. To have them in your PATH, in each terminal:"
echo "  export PATH=\"$PWD/build/release/sim/cli:$PWD/build/release/ui:\$PATH\""
echo "Next: \`switchyard-ui interactive-vs-hog\` starts the tour of lesson 1; \`switchyard lesson\` lists the lessons."
if [ "${demo_result:-2}" -eq 2 ]; then
    echo
    $yield_table --rules
fi
