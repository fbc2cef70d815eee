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

# The libraries. The headers of SDL are unpacked without the many packages that libsdl2-dev depends on.
arm_libraries=(nlohmann-json3-dev libcli11-dev libfmt-dev liblua5.4-dev libgtest-dev libimgui-dev fonts-dejavu-core libsdl2-2.0-0)
arm_pictures=(laboratory.png compare.png timeline-and-decision.png)

# Unpacks the ARM libraries of Debian below build/arm/debian. Nothing is installed: apt-get gets an empty package database.
arm_debian() {
    local root=$PWD/build/arm/debian apt=$PWD/build/arm/apt
    [ -f "$root/complete" ] && return
    echo "unpacking the libraries for ARM in build/arm/debian" >&2
    rm -rf "$root"
    mkdir -p "$root" "$apt/lists/partial" "$apt/archives/partial"
    : >"$apt/status"
    local get=(apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root
        -o "Dir::State=$apt" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt" -o "Dir::Log=$apt"
        -o Debug::NoLocking=1)
    "${get[@]}" update
    "${get[@]}" install -y --download-only --no-install-recommends "${arm_libraries[@]}" >/dev/null
    (cd "$apt/archives" && "${get[@]}" download libsdl2-dev)
    local package
    rm -f "$apt"/archives/libc6-dev_* # the cross compiler has its own; this one's libc.so names files of a whole system
    for package in "$apt"/archives/*.deb; do dpkg -x "$package" "$root"; done
    rm -r "$apt"
    touch "$root/complete"
}

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
