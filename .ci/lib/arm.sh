# shellcheck shell=bash
# Libraries of Debian for 64-bit ARM, for programs that QEMU runs (./run check-arm, release).

# The libraries. The headers of SDL are unpacked without the many packages that libsdl2-dev depends on.
arm_libraries=(nlohmann-json3-dev libcli11-dev libfmt-dev liblua5.4-dev libgtest-dev libimgui-dev fonts-dejavu-core libsdl2-2.0-0)

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
