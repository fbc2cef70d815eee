# shellcheck shell=bash
# group: deep
# order: 3
# usage: ./run inject-faults [--runs N] [--jobs J] [WORD...]
# help: make each system call and each allocation of the commands fail, fill disks, kill processes (docs/how-to/testing.md);
# help: --runs: only N of these runs, at even intervals; WORD: only the commands with this word in their name
# formerly: faults
# example: ./run inject-faults
# example: ./run inject-faults 'quiz --save-answers'
# check: ./run inject-faults --runs 300
# ci: no the tests do a thousand of these runs
need "${build_needs[@]}" "${window_needs[@]}" "${test_needs[@]}"
configure release -DSWITCHYARD_TESTS=ON
build release switchyard_faults
build/release/tests/faults/switchyard_faults "$@"
