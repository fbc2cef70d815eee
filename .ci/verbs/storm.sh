# shellcheck shell=bash
# group: deep
# order: 2
# usage: ./run storm [EVENTS] [SEED]
# help: send EVENTS (20000) random inputs to the window, over all scenarios and under sanitizers; after every few
# help: of them the window must become idle and free its memory
# example: ./run storm 2000 7
# check: ./run storm 300
# ci: no needs a build under sanitizers
need "${build_needs[@]}" "${window_needs[@]}" "${test_needs[@]}" clang
configure clang-dev
build clang-dev switchyard_storm
# In a directory of its own, where the window saves its files.
rm -rf build/storm
mkdir -p build/storm
cd build/storm || exit 1
UBSAN_OPTIONS=print_stacktrace=1 ../clang-dev/tests/storm/switchyard_storm "$@"
