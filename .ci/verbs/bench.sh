# shellcheck shell=bash
# group: check
# order: 6
# usage: ./run bench [window] [BENCHMARK-OPTION...]
# help: run the benchmarks (docs/how-to/benchmarks.md): those of the engine and, without options, those of the window;
# help: `./run bench window` runs only those of the window
# example: ./run bench
# example: ./run bench --benchmark_filter=Yield  |  only some benchmarks of the engine
# example: ./run bench window
# check: ./run bench --benchmark_filter=Yield --benchmark_min_time=0.01
# check: ./run bench window --benchmark_min_time=0.01
# ci: no measures time, and other work on the machine disturbs the measurement
need "${build_needs[@]}" "${window_needs[@]}" "${test_needs[@]}" benchmark
configure bench
build bench switchyard_bench switchyard_ui_bench
if [ "${1:-}" = window ]; then
    build/bench/tests/bench/switchyard_ui_bench "${@:2}"
else
    build/bench/tests/bench/switchyard_bench "$@"
    [ $# -gt 0 ] || build/bench/tests/bench/switchyard_ui_bench
fi
