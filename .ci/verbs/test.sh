# shellcheck shell=bash
# group: start
# order: 2
# usage: ./run test [--thorough] [--only REGEX]
# help: install what is missing, build everything, run all tests; --thorough: more random inputs, minutes longer;
# help: --only: run only the tests whose names match REGEX; --thorough applies to them, too
# example: ./run test
# example: ./run test --only '^Documents'  |  the tests of the documents
# example: ./run test --thorough
# check: ./run test --thorough --only '^Links?\.|^Text'
# check: ./run test
# ci: yes
# needs: network, when packages are missing
test_thorough=OFF
test_only=()
while [ $# -gt 0 ]; do
    case "$1" in
        --thorough) test_thorough=ON ;;
        --only)
            [ $# -ge 2 ] || wrong_usage test "--only needs a regular expression"
            test_only=(-R "$2" --no-tests=error)
            shift
            ;;
        *) wrong_usage test "unknown argument: $1" ;;
    esac
    shift
done
need "${build_needs[@]}" "${window_needs[@]}" "${test_needs[@]}"
configure release -DSWITCHYARD_TESTS=ON -DSWITCHYARD_THOROUGH_TESTS=$test_thorough
build release
: >"$log_directory/test.txt"
progress_run "running the tests" test ctest --preset release -j "$(nproc)" "${test_only[@]}" || {
    echo "The output of the failed tests:" >&2
    awk '/^ *(Start +[0-9]+:|[0-9]+\/[0-9]+ Test +#)/ { show = /\*\*\*/ } /tests passed,/ { show = 0 } show' "$log_directory/test.txt" | head -n 300 >&2
    exit 1
}
grep -E 'tests passed|Total Test time' "$log_directory/test.txt"
