# shellcheck shell=bash
# group: deep
# order: 3
# usage: ./run inject-faults [--runs N] [--jobs J] [WORD...]
# help: make every system call and every allocation of the commands fail, fill disks, kill (docs/testing.md);
# help: --runs: N of these runs, taken evenly; WORD: only the commands that have this word in their name
# formerly: faults
# example: ./run inject-faults
# example: ./run inject-faults 'quiz --save'
# check: ./run inject-faults --runs 300
# ci: no the tests run a thousand of these runs
need "${build_needs[@]}" "${window_needs[@]}" "${test_needs[@]}"
configure release -DSWITCHYARD_TESTS=ON
build release switchyard_faults
build/release/tests/faults/switchyard_faults "$@"
