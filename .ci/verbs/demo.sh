# shellcheck shell=bash
# group: start
# order: 1
# usage: ./run demo
# help: install what is missing, build, and open the window; without a display, run the headline experiment
# help: (the yield table of 1997) in the terminal and write pictures
# example: ./run demo
# example: DISPLAY= ./run demo  |  as on a machine without a display
# check: DISPLAY= WAYLAND_DISPLAY= ./run demo
# ci: yes
# needs: network, when packages are missing
need "${build_needs[@]}" "${window_needs[@]}"
configure release -DSWITCHYARD_TESTS=OFF
build release switchyard switchyard-ui
echo
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    echo "The window opens, paused at the first decision that refills all counters. Right and Left step,"
    echo "I looks inside schedule(), C compares with the patched yield, ? shows all keys."
    build/release/ui/switchyard-ui yield-processes
else
    build/release/sim/cli/switchyard reproduce yield-table --picture build/yield-table.svg
    build/release/ui/switchyard-ui --headless yield-processes --size 1920x1080 --screenshot build/window.png
    echo
    echo "The same as a picture: build/yield-table.svg"
    echo "There is no display here; the window would look like build/window.png."
fi
echo "The programs are build/release/sim/cli/switchyard and build/release/ui/switchyard-ui. In your PATH:"
echo "  export PATH=\"\$PWD/build/release/sim/cli:\$PWD/build/release/ui:\$PATH\""
