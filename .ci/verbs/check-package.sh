# shellcheck shell=bash
# group: check
# order: 3
# usage: ./run check-package [--tree DIRECTORY] [MIRROR]
# help: install the packages of `./run package` in a bare Debian of this release, use them, and remove them; needs root;
# help: --tree: copy the bare Debian in DIRECTORY instead of making one with debootstrap (which must be installed anyway);
# help: the packages are those of the last `./run package`
# example: ./run check-package
# example: ./run check-package --tree /srv/bookworm  |  a tree that debootstrap --variant=minbase has made
# check: ./run check-package
# ci: no needs the network, and the packages
# needs: root, network
# may-not-run: without root or debootstrap
[ "$(id -u)" -eq 0 ] || cannot_run_here "check-package needs root, for chroot"
try_need debootstrap || cannot_run_here "debootstrap is missing"
tests/package/check "$@"
