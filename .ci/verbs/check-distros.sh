# shellcheck shell=bash
# group: check
# order: 2
# usage: ./run check-distros [RELEASE...] [--mirror URL] [--old-mirror] [--keep] [--only demo|test]
# help: run `./run demo` and `./run test` in fresh Debian systems (12, 13 and testing), on a clone of the last commit;
# help: print results and times, keep logs in build/check-distros; needs root. The bare systems stay in
# help: /var/cache/switchyard-chroots for the next run. --keep: also keep the used systems in build/check-distros;
# help: --old-mirror: accept a mirror whose package lists have expired
# example: ./run check-distros
# example: ./run check-distros 13 testing --mirror http://ftp.debian.org/debian
# check: ./run check-distros 12 --only demo
# ci: no builds everything again for each release
# needs: root, network
# may-not-run: without root, debootstrap or a Debian mirror
releases=() mirror=$default_mirror apt_option='' keep=false commands=(demo test)
while [ $# -gt 0 ]; do
    case "$1" in
        --mirror | --only)
            [ $# -ge 2 ] || wrong_usage check-distros "$1 needs a value"
            if [ "$1" = --mirror ]; then mirror=$2; else
                case "$2" in demo | test) commands=("$2") ;; *) wrong_usage check-distros "--only: expected demo or test, got $2" ;; esac
            fi
            shift
            ;;
        --keep) keep=true ;;
        --old-mirror) apt_option='Acquire::Check-Valid-Until "false";' ;;
        *)
            debian_codename "$1" >/dev/null || wrong_usage check-distros "expected a release (12, 13 or testing), got $1"
            releases+=("$1")
            ;;
    esac
    shift
done
[ ${#releases[@]} -gt 0 ] || releases=(12 13 testing)
[ "$(id -u)" -eq 0 ] || cannot_run_here "check-distros needs root, for debootstrap and chroot"
try_need debootstrap git || cannot_run_here "debootstrap or git is missing"

logs=$PWD/build/check-distros
mkdir -p "$logs"
used='' # the system in use; removed at the end
remove_used() {
    [ -z "$used" ] || $keep || rm -rf --one-file-system "$used"
    used=''
}
trap remove_used EXIT

failed=0 prepared=0
table=()
for release in "${releases[@]}"; do
    used=$logs/debian-$release
    if ! tree_with_clone "$release" "$mirror" "$used" "$apt_option"; then
        table+=("$(printf '%-10s %-8s %-8s' "$release" - 'no system')")
        failed=1
        remove_used
        continue
    fi
    prepared=$((prepared + 1))
    for command in "${commands[@]}"; do
        name=check-distros-$release-$command
        log=$log_directory/$name.txt
        rm -f "$log"
        result=ok
        # The last line of the log has the times in seconds: wall, user, system.
        # shellcheck disable=SC2016 # the inner shell expands it
        progress_run "Debian $release: ./run $command" "$name" in_tree "$used" \
            bash -c 'cd /root/switchyard && TIMEFORMAT="%0R %0U %0S" && time ./run "$1"' time "$command" || result=FAILED
        read -r wall user system < <(tail -n 1 "$log") || true
        [[ $wall$user$system =~ ^[0-9]+$ ]] || wall=0 user=0 system=0
        cp "$log" "$logs/debian-$release-$command.txt"
        [ "$result" = ok ] || failed=1
        table+=("$(printf '%-10s %-8s %-8s %9s %9s  %s' "$release" "$command" "$result" \
            "$(duration "$wall")" "$(duration $((user + system)))" "build/check-distros/debian-$release-$command.txt")")
    done
    rm -rf "$logs/debian-$release-log"
    cp -r "$used/root/switchyard/build/log" "$logs/debian-$release-log" 2>/dev/null || true
    remove_used
done
[ "$prepared" -gt 0 ] || cannot_run_here "no system could be made from $mirror; see build/log for the reasons"
printf '\n%-10s %-8s %-8s %9s %9s  %s\n' Debian command result wall CPU log
printf '%s\n' "${table[@]}"
exit $failed
