# shellcheck shell=bash
# group: build
# order: 1
# usage: ./run package [RELEASE...] [--mirror URL]
# help: make build/package/*.deb for this Debian release (docs/how-to/install.md). RELEASE: 12, 13 or testing; make the
# help: packages of each release from the last commit, in a copy of a bare Debian, in build/package/debian-RELEASE/; needs root.
# help: The bare Debian stays in /var/cache/switchyard-chroots
# example: ./run package && sudo apt-get install ./build/package/switchyard*.deb
# example: ./run package 12 13
# check: ./run package
# ci: yes
# needs: network, when packages are missing; root, for RELEASE
# may-not-run: RELEASE without root, debootstrap or a Debian mirror

# package_release RELEASE: runs ./run package in a copy of the bare system and takes its files. Sets `tree` to the copy.
package_release() {
    local made=build/package/debian-$1
    tree=$PWD/build/package/tree-$1
    mkdir -p build/package
    rm -rf "$made"
    tree_with_clone "$1" "$mirror" "$tree" || cannot_run_here "Debian $1 could not be made from $mirror; see build/log for the reasons"
    : >"$log_directory/package-debian-$1.txt"
    progress_run "Debian $1: ./run package" "package-debian-$1" in_tree "$tree" \
        bash -c 'cd /root/switchyard && ./run package' || exit 1
    mkdir "$made"
    cp -p "$tree"/root/switchyard/build/package/*.deb "$made"
    rm -rf --one-file-system "$tree"
    ls -l "$made"/*
}

parse_releases package "$@"
if [ ${#releases[@]} -gt 0 ]; then
    [ "$(id -u)" -eq 0 ] || cannot_run_here "./run package RELEASE needs root, for debootstrap and chroot"
    try_need debootstrap git || cannot_run_here "debootstrap or git is missing"
    trap 'rm -rf --one-file-system "${tree:-}"' EXIT
    for release in "${releases[@]}"; do package_release "$release"; done
    exit
fi

need "${build_needs[@]}" "${window_needs[@]}" gtest deb
# The same commit gives the same bytes: files in packages have the date of the commit.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CMakeLists.txt)
export SOURCE_DATE_EPOCH
rm -f build/package/*.deb
configure release
build release switchyard switchyard-ui manual-switchyard manual-switchyard-ui changelog
mkdir -p build/package
: >"$log_directory/package.txt"
progress_run 'making the packages' package cpack --config build/release/CPackConfig.cmake -B build/package || exit 1
ls -l build/package/*.deb
