# shellcheck shell=bash
# group: check
# order: 6
# usage: ./run bench [window] [BENCHMARK-OPTION...]
# help: the benchmarks (docs/benchmarks.md): those of the engine and then, without options, those of the window;
# help: `./run bench window` runs only the latter
# example: ./run bench
# example: ./run bench --benchmark_filter=Yield  |  some of the engine
# example: ./run bench window
# check: ./run bench --benchmark_filter=Yield --benchmark_min_time=0.01
# check: ./run bench window --benchmark_min_time=0.01
# ci: no measures time, which other work on the machine disturbs
need "${build_needs[@]}" "${window_needs[@]}" "${test_needs[@]}" benchmark
configure bench
build bench switchyard_bench switchyard_ui_bench
if [ "${1:-}" = window ]; then
    build/bench/tests/bench/switchyard_ui_bench "${@:2}"
else
    build/bench/tests/bench/switchyard_bench "$@"
    [ $# -gt 0 ] || build/bench/tests/bench/switchyard_ui_bench
fi
