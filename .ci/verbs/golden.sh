# shellcheck shell=bash
# group: maintain
# order: 3
# usage: ./run golden
# help: write the tables of golden hashes again, after a change that is meant to change results or texts
# example: ./run golden && git diff --stat tests/golden
# check: ./run golden
# check: git diff --exit-code --stat -- tests/golden
# ci: no the tests compare the same hashes
need "${build_needs[@]}" "${test_needs[@]}"
configure release -DSWITCHYARD_TESTS=ON
build release switchyard_golden switchyard_tests
SWITCHYARD_WRITE_GOLDEN=1 build/release/tests/switchyard_golden --gtest_brief=1
SWITCHYARD_WRITE_GOLDEN=1 build/release/tests/switchyard_tests --gtest_filter='*Golden*' --gtest_brief=1
git diff --stat tests/golden
