# shellcheck shell=bash
# group: check
# order: 3
# usage: ./run check-package [RELEASE...] [--mirror URL]
# help: install the packages of the last `./run package` in a bare Debian of this release, use them, remove them, and run lintian,
# help: which may report no error and no warning; needs root. RELEASE: 12, 13 or testing; check the packages of
# help: `./run package RELEASE`. Packages are made if there are none
# example: ./run check-package
# example: ./run check-package 12 13
# check: ./run check-package
# check: ./run check-package 13
# ci: no needs the network, and the packages
# needs: root, network
# may-not-run: without root, debootstrap or a Debian mirror

# check_packages RELEASE DIRECTORY [ARGUMENT...]: the arguments are those of ./run package, if it must make the packages.
check_packages() {
    local tree
    tree=$(bare_tree "$1" "$mirror") || cannot_run_here "Debian $1 could not be made from $mirror; see build/log for the reasons"
    compgen -G "$2/*.deb" >/dev/null || ./run package "${@:3}" || exit
    tests/package/check "$tree" "$2"
}

parse_releases check-package "$@"
[ "$(id -u)" -eq 0 ] || cannot_run_here "check-package needs root, for chroot"
try_need debootstrap || cannot_run_here "debootstrap is missing"
for release in "${releases[@]}"; do
    printf '\n==== Debian %s\n' "$release"
    check_packages "$release" "build/package/debian-$release" "$release" --mirror "$mirror"
done
if [ ${#releases[@]} -eq 0 ]; then
    # shellcheck source=/dev/null # assignments only
    release=$(. /etc/os-release && echo "${VERSION_ID:-testing}")
    debian_codename "$release" >/dev/null || cannot_run_here "this is not Debian 12 or 13; name a release: ./run check-package 13"
    check_packages "$release" build/package
fi
