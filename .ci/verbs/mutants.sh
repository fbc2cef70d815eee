# shellcheck shell=bash
# group: deep
# order: 4
# usage: ./run mutants [OPTION...]
# help: change 300 lines, one at a time, and report which changes a test notices (docs/testing.md)
# example: ./run mutants --only sim/policies/nt4.cpp --all
# example: ./run mutants --count 20 --quick
# more: /usr/bin/python3 tests/mutants/mutants.py --help
# check: ./run mutants --only sim/base/rng.cpp --count 3 --quick
# ci: no needs a build of its own
need "${build_needs[@]}" "${window_needs[@]}" "${test_needs[@]}" pandoc python-clang
/usr/bin/python3 tests/mutants/mutants.py "$@"
