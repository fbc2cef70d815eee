# shellcheck shell=bash
# group: maintain
# order: 3
# usage: ./run update-golden [--unoptimised]
# help: rewrite the tables of golden hashes, after a change that is meant to change results or texts;
# help: --unoptimised: write nothing; build with g++ -O0 and compare the hashes of its runs with the tables
# formerly: golden
# example: ./run update-golden && git diff --stat tests/golden
# example: ./run update-golden --unoptimised
# check: ./run update-golden
# check: git diff --exit-code --stat -- tests/golden
# check: ./run update-golden --unoptimised
# ci: no the tests compare the hashes of runs and texts; with g++ -O0 they take minutes
need "${build_needs[@]}" "${test_needs[@]}"
[ $# -le 1 ] || wrong_usage update-golden "unknown argument: $2"
case "${1:-}" in
    '') ;;
    --unoptimised)
        progress_run "configuring" O0 cmake -S . -B build/O0 -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O0 \
            -DCMAKE_CXX_COMPILER=g++ -DCMAKE_UNITY_BUILD_BATCH_SIZE=64 || exit 1
        progress_run "building switchyard_golden (g++ -O0)" O0 cmake --build build/O0 --target switchyard_golden || exit 1
        build/O0/tests/switchyard_golden --gtest_brief=1
        exit
        ;;
    *) wrong_usage update-golden "unknown argument: $1" ;;
esac
configure release -DSWITCHYARD_TESTS=ON
build release switchyard_golden switchyard_tests
SWITCHYARD_WRITE_GOLDEN=1 build/release/tests/switchyard_golden --gtest_brief=1
SWITCHYARD_WRITE_GOLDEN=1 build/release/tests/switchyard_tests --gtest_filter='*Golden*' --gtest_brief=1
git diff --stat tests/golden
