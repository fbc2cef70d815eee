# shellcheck shell=bash
# group: deep
# order: 2
# usage: ./run fuzz-ui [EVENTS] [SEED]
# help: send EVENTS (20000) random inputs to the window, over all scenarios and under sanitizers; after every few
# help: of them the window must become idle and free its memory
# formerly: storm
# example: ./run fuzz-ui 2000 7
# check: ./run fuzz-ui 300
# ci: no needs a build under sanitizers
need "${build_needs[@]}" "${window_needs[@]}" "${test_needs[@]}" clang
configure clang-dev
build clang-dev switchyard_ui_fuzz
# In a directory of its own, where the window saves its files.
rm -rf build/ui-fuzz
mkdir -p build/ui-fuzz
cd build/ui-fuzz || exit 1
UBSAN_OPTIONS=print_stacktrace=1 ../clang-dev/tests/ui_fuzz/switchyard_ui_fuzz "$@"
