# shellcheck shell=bash disable=SC2317 # report() calls the functions
# group: deep
# order: 6
# usage: ./run check-arm
# help: compare the golden hashes and three pictures with those of a 64-bit ARM program, run by QEMU
# example: ./run check-arm
# check: ./run check-arm
# ci: no builds everything for ARM, and QEMU is slow
# needs: network
# may-not-run: without a cross compiler for ARM, QEMU and the ARM libraries of Debian
try_need arm cmake ninja pkg-config || cannot_run_here "the cross compiler for ARM or QEMU is missing"

arm_pictures=(laboratory.png compare.png timeline-and-decision.png)

emulated=(qemu-aarch64 -L build/arm/debian)
result=0
report() { # report NAME COMMAND...: one line per check
    local name=$1
    shift
    if "$@"; then echo "same on ARM: $name"; else
        echo "DIFFERS on ARM: $name" >&2
        result=1
    fi
}
hashes() {
    "${emulated[@]}" build/arm/tests/switchyard_golden --gtest_brief=1 >build/arm/golden.txt 2>&1 && return
    cat build/arm/golden.txt >&2
    return 1
}
picture() { # picture NAME
    local arguments
    arguments=$(sed -n "s/^$1 //p" docs/pictures/pictures.txt)
    # shellcheck disable=SC2086 # the arguments are words
    "${emulated[@]}" build/arm/ui/switchyard-ui --headless $arguments --screenshot "build/arm/$1" &&
        cmp "docs/pictures/$1" "build/arm/$1"
}

arm_debian
configure arm
build arm switchyard_golden switchyard-ui
report "the golden hashes" hashes
for name in "${arm_pictures[@]}"; do report "docs/pictures/$name" picture "$name"; done
exit $result
