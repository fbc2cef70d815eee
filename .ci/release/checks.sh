# shellcheck shell=bash disable=SC2317 # the functions of the parts are called by name
# The checks of the files that ./run release has made. Each unpacks the file as a user would.

oldest_debian=11 # the oldest release that debootstrap can make from the usual mirror

# unpack FILE: below build/release-check. Sets `unpacked` to the one directory in it.
unpack() {
    local place=build/release-check/${1##*/}
    rm -rf "$place"
    mkdir -p "$place"
    case "$1" in
        *.zip) python3 -m zipfile -e "$1" "$place" ;;
        *) tar -C "$place" -xzf "$1" ;;
    esac
    unpacked=$(echo "$place"/*)
}

# check_libraries FILE...: needs only the C library, and no newer version of it than $oldest_glibc.
check_libraries() {
    local file needed newest
    for file in "$@"; do
        needed=$(objdump -p "$file" | awk '$1 == "NEEDED" { print $2 }' | grep -Ev '^(libc|libm|libdl|libpthread|librt|ld-linux[-a-z0-9_]*)\.so' || true)
        newest=$(objdump -T "$file" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -uV | tail -n 1)
        echo "${file##*/}: glibc $newest${needed:+, and $needed}"
        [ -z "$needed" ] || return 1
        [ "$(printf '%s\n%s\n' "$newest" "$oldest_glibc" | sort -V | tail -n 1)" = "$oldest_glibc" ] || return 1
    done
}

check_linux-x86_64() {
    unpack "$release_files/switchyard-$version-linux-x86_64.tar.gz"
    check_libraries "$unpacked"/bin/* "$unpacked"/lib/switchyard/*.so.0 || return
    "$unpacked/bin/switchyard" --version | grep -F "switchyard $version" || return
    .ci/checks/portable-programs "$unpacked" build/release/sim/cli/switchyard || return
    check_in_old_debian "$unpacked"
}

# check_in_old_debian DIRECTORY: in a bare system without SDL the programs run, with the archive's SDL; without that, too, the window
# says what is missing.
check_in_old_debian() {
    local tree place
    if [ "$(id -u)" -ne 0 ] || ! try_need debootstrap; then
        echo "not checked in Debian $oldest_debian: this needs root and debootstrap"
        return 0
    fi
    tree=$(bare_tree "$oldest_debian" "$default_mirror") || return
    place=$tree/root/${1##*/}
    rm -rf "$place"
    cp -a "$1" "$place"
    # shellcheck disable=SC2016 # the shell in the tree expands it
    in_tree "$tree" bash -c '
        cd "$1" && set -e
        bin/switchyard run yield-processes --until 1s | grep "^hash"
        # Found by its name, through a link, from another directory.
        ln -sf "$PWD/bin/switchyard-ui" /usr/local/bin/switchyard-ui
        (cd / && switchyard-ui --headless --scenario yield-processes --screenshot /tmp/picture.png && test -s /tmp/picture.png)
        rm -r lib
        code=0 && bin/switchyard-ui --headless --scenario yield-processes --screenshot /tmp/picture.png 2>/tmp/message || code=$?
        cat /tmp/message
        [ "$code" -eq 2 ] && grep -q "libsdl2-2.0-0" /tmp/message && bin/switchyard-ui --help >/dev/null' check "/root/${1##*/}" || return
    rm -rf "$place"
    echo "the programs run in Debian $oldest_debian"
}

check_linux-aarch64() {
    unpack "$release_files/switchyard-$version-linux-aarch64.tar.gz"
    check_libraries "$unpacked"/bin/* "$unpacked"/lib/switchyard/*.so.0 || return
    .ci/checks/portable-programs "$unpacked" build/release/sim/cli/switchyard --few qemu-aarch64 -L build/arm/debian
}

check_windows-x86_64() {
    unpack "$release_files/switchyard-$version-windows-x86_64.zip"
    .ci/checks/windows-programs "$unpacked" build/release/sim/cli/switchyard
}

# The other checks of the page are those of ./run check-web.
check_page() {
    cmp build/web/switchyard.html "$release_files/switchyard-$version.html" &&
        node build/wasm/tests/web/switchyard_golden.js --gtest_brief=1
}

# The unpacked sources build without git, and the program knows its commit.
check_source() {
    local commit
    unpack "$release_files/switchyard-$version.tar.gz"
    commit=$(git rev-parse --short=7 HEAD)
    mkdir -p build/release-check/no-git
    printf '#!/bin/sh\nexit 127\n' >build/release-check/no-git/git
    chmod +x build/release-check/no-git/git
    (
        PATH=$PWD/build/release-check/no-git:$PATH
        cd "$unpacked"
        cmake --preset release -DSWITCHYARD_TESTS=OFF && cmake --build --preset release --target switchyard
    ) || return
    "$unpacked/build/release/sim/cli/switchyard" --version | grep -F "switchyard $version ($commit)"
    rm -rf "$unpacked/build"
}

check_deb-12() { ./run check-package 12; }
check_deb-13() { ./run check-package 13; }
check_macos-aarch64() { file build/portable/macos-aarch64/sim/cli/switchyard | grep 'Mach-O 64-bit arm64 executable'; }
