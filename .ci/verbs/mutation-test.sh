# shellcheck shell=bash
# group: deep
# order: 4
# usage: ./run mutation-test [OPTION...]
# help: change 300 lines, one at a time, and report which changes the tests detect (docs/how-to/testing.md)
# formerly: mutants
# example: ./run mutation-test --only sim/policies/nt4.cpp --all
# example: ./run mutation-test --count 20 --quick
# more: /usr/bin/python3 tests/mutation/mutants.py --help
# check: ./run mutation-test --only sim/base/rng.cpp --count 3 --quick
# ci: no needs a build of its own
need "${build_needs[@]}" "${window_needs[@]}" "${test_needs[@]}" pandoc python-clang
/usr/bin/python3 tests/mutation/mutants.py "$@"
