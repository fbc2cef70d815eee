# shellcheck shell=bash
# Debian releases as directories, for chroot (./run check-distros, package and check-package).

tree_cache=/var/cache/switchyard-chroots
default_mirror=http://deb.debian.org/debian

debian_codename() { # debian_codename 11|12|13|testing
    case "$1" in
        11) echo bullseye ;;
        12) echo bookworm ;;
        13) echo trixie ;;
        testing) echo testing ;;
        *) return 1 ;;
    esac
}

# bare_tree RELEASE MIRROR: a bare system below $tree_cache, made once by debootstrap. Prints its directory.
bare_tree() {
    local codename tree
    codename=$(debian_codename "$1")
    tree=$tree_cache/$codename
    if [ ! -f "$tree.complete" ]; then
        rm -rf --one-file-system "$tree"
        mkdir -p "$tree"
        progress_run "debootstrap $codename" "debootstrap-$codename" \
            debootstrap --variant=minbase "$codename" "$tree" "$2" || return 1
        touch "$tree.complete"
    fi
    echo "$tree"
}

# parse_releases VERB ARGUMENT...: sets the array `releases`, and `mirror`, from RELEASE... and --mirror URL.
parse_releases() {
    local verb=$1
    shift
    releases=() mirror=$default_mirror
    while [ $# -gt 0 ]; do
        if [ "$1" = --mirror ]; then
            [ $# -ge 2 ] || wrong_usage "$verb" "--mirror needs a value"
            mirror=$2
            shift
        else
            [[ $1 =~ ^(12|13|testing)$ ]] || wrong_usage "$verb" "expected a release (12, 13 or testing), got $1"
            releases+=("$1")
        fi
        shift
    done
}

# tree_with_clone RELEASE MIRROR DIRECTORY [APT-OPTION]: a copy of the bare system with git, and with a clone of the last commit in
# /root/switchyard, as on a machine on which the project was just cloned. APT-OPTION: a line for the configuration of apt.
tree_with_clone() {
    local bare
    bare=$(bare_tree "$1" "$2") || return 1
    rm -rf --one-file-system "$3"
    cp -a --one-file-system "$bare" "$3" && git clone --quiet --no-hardlinks "$PWD" "$3/root/switchyard" || return 1
    [ ! -f /etc/resolv.conf ] || cp -L /etc/resolv.conf "$3/etc/resolv.conf"
    [ -z "${4-}" ] || echo "$4" >"$3/etc/apt/apt.conf.d/99switchyard"
    progress_run "Debian $1: installing git" "debian-$1-git" in_tree "$3" \
        sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends git'
}

# in_tree DIRECTORY COMMAND...: runs the command in the tree, with /proc, /sys and /dev in a mount namespace of its own, so that
# nothing stays mounted.
in_tree() {
    local tree=$1
    shift
    # shellcheck disable=SC2016 # the inner shell expands it
    unshare --mount --pid --fork --kill-child bash -c '
        tree=$1
        shift
        mount --make-rprivate /
        mount -t proc proc "$tree/proc" && mount --rbind /sys "$tree/sys" && mount --rbind /dev "$tree/dev"
        exec chroot "$tree" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
            ${CMAKE_BUILD_PARALLEL_LEVEL:+CMAKE_BUILD_PARALLEL_LEVEL="$CMAKE_BUILD_PARALLEL_LEVEL"} \
            ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "$@"' in_tree "$tree" "$@"
}
