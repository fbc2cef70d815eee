# shellcheck shell=bash
# group: deep
# order: 5
# usage: ./run judge [POLICY]
# help: run a few programs on the kernel of this machine (6.6 or later) and under linux-6.6, and compare shares,
# help: switches and the order of tasks (docs/model.md)
# example: ./run judge
# check: ./run judge
# ci: no measures the machine, which other work disturbs
# may-not-run: on a kernel before 6.6, which does not schedule by EEVDF
need "${build_needs[@]}" "${test_needs[@]}"
IFS=. read -r kernel_major kernel_minor _ <<<"$(uname -r)"
if [ "$kernel_major" -lt 6 ] || { [ "$kernel_major" -eq 6 ] && [ "${kernel_minor%%[!0-9]*}" -lt 6 ]; }; then
    cannot_run_here "this is Linux $(uname -r), which does not schedule by EEVDF; 6.6 or later is needed"
fi
configure release -DSWITCHYARD_TESTS=ON
build release switchyard_judge
build/release/tests/judge/switchyard_judge "$@"
