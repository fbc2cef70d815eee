# shellcheck shell=bash
# group: build
# order: 1
# usage: ./run package [RELEASE...] [--mirror URL]
# help: make build/package/*.deb for this Debian release, and a .tar.gz of the commands that runs from any directory
# help: (docs/how-to/install.md). RELEASE: 12, 13 or testing; make the packages of each release from the last commit, in a copy of
# help: a bare Debian, in build/package/debian-RELEASE/; needs root. The bare Debian stays in /var/cache/switchyard-chroots
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
    cp -p "$tree"/root/switchyard/build/package/*.{deb,tar.gz} "$made"
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
rm -f build/package/*.deb build/package/*.tar.gz
configure release
build release switchyard switchyard-ui switchyard-static manual-switchyard manual-switchyard-ui changelog
mkdir -p build/package
: >"$log_directory/package.txt"
progress_run 'making the packages' package cpack --config build/release/CPackConfig.cmake -B build/package || exit 1
archive=$(sed -n 's/^set(CPACK_PACKAGE_VERSION "\(.*\)")/switchyard-\1/p' build/release/CPackConfig.cmake)-linux-$(uname -m)
rm -rf "build/package/$archive"
cmake --install build/release --component commands --prefix "build/package/$archive" >/dev/null
strip -o "build/package/$archive/bin/switchyard" build/release/sim/cli/switchyard-static
tar -C build/package --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    --mtime="@$SOURCE_DATE_EPOCH" -cf - "$archive" | gzip -9n >"build/package/$archive.tar.gz"
rm -rf "build/package/$archive"
ls -l build/package/*.deb build/package/*.tar.gz
