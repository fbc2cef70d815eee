# shellcheck shell=bash
# Debian releases as directories, for chroot (./run check-distros).

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
            ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "$@"' in_tree "$tree" "$@"
}
