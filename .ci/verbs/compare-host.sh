# shellcheck shell=bash
# group: deep
# order: 5
# usage: ./run compare-host [--at-least N] [POLICY]
# help: run a few programs on the kernel of this machine (6.6 or later) and under linux-6.6, and compare shares,
# help: switches and the order of tasks (docs/reference/published_tables.md); --at-least: succeed if the shares agree in at least N of the 8 cases;
# help: POLICY: compare with this policy instead of linux-6.6 with the options that fit this kernel
# formerly: judge
# example: ./run compare-host
# check: ./run compare-host --at-least 5
# ci: no measures the machine, and other work on it disturbs the measurement
# may-not-run: on a kernel before 6.6, which does not schedule by EEVDF; with --at-least, while other programs use the CPUs
host_least=8
# The load by other programs, in hundredths: measured before the programs of this comparison start.
IFS=' .' read -r host_load host_hundredths _ </proc/loadavg
host_load=$((host_load * 100 + 10#$host_hundredths))
host_policy=()
while [ $# -gt 0 ]; do
    case "$1" in
        --at-least)
            [[ ${2:-} =~ ^[1-8]$ ]] || wrong_usage compare-host "--at-least: expected a number from 1 to 8"
            host_least=$2
            shift
            ;;
        -*) wrong_usage compare-host "unknown argument: $1" ;;
        *) host_policy=("$1") ;;
    esac
    shift
done
need "${build_needs[@]}" "${test_needs[@]}"
IFS=. read -r kernel_major kernel_minor _ <<<"$(uname -r)"
if [ "$kernel_major" -lt 6 ] || { [ "$kernel_major" -eq 6 ] && [ "${kernel_minor%%[!0-9]*}" -lt 6 ]; }; then
    cannot_run_here "this is Linux $(uname -r), which does not schedule by EEVDF; 6.6 or later is needed"
fi
configure release -DSWITCHYARD_TESTS=ON
build release switchyard_host_kernel
host_code=0
build/release/tests/host_kernel/switchyard_host_kernel "${host_policy[@]}" | tee build/compare-host.txt || host_code=$?
host_good=$(sed -n 's/^Shares within .* in \([0-9]*\) of 8 cases\.$/\1/p' build/compare-host.txt)
# Exit code 1: some shares differ. Any other nonzero code: no result.
if [ "$host_code" -eq 1 ] && [ "${host_good:-0}" -ge "$host_least" ]; then host_code=0; fi
if [ "$host_code" -eq 1 ] && [ "$host_least" -lt 8 ] && [ "$host_load" -ge 50 ]; then
    cannot_run_here "other programs use the CPUs (load $((host_load / 100)).$(printf '%02d' $((host_load % 100)))), and shares agree in only ${host_good:-0} of 8 cases"
fi
exit "$host_code"
