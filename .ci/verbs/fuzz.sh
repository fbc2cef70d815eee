# shellcheck shell=bash
# group: deep
# order: 1
# usage: ./run fuzz [--seconds S] [--keep] [TARGET...]
# help: run each fuzz target for S seconds (300), and print executions and coverage; --keep: copy new inputs into
# help: tests/fuzz/corpus
# example: ./run fuzz --seconds 30 scenario link
# check: ./run fuzz --seconds 5
# ci: no needs a build of its own with clang++
need "${build_needs[@]}" "${test_needs[@]}" clang llvm python
configure fuzz
build fuzz switchyard_fuzz
tests/fuzz/fuzz.py build/fuzz "$@"
