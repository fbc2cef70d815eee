# shellcheck shell=bash disable=SC2317 # the functions of the parts are called by name
# group: build
# order: 2
# usage: ./run release [--only PART...] [--no-check] [--twice] [--list]
# help: make the files of a release from the last commit in build/release-files, with checksums and a page that tells which file is
# help: for whom, and check each: archives for Linux and Windows, Debian packages, the page as one file, the sources
# help: (docs/how-to/releases.md); for macOS, both programs are only built. --only: only these parts; --list: print the parts;
# help: --no-check: only make the files; --twice: make them again in another directory, and compare the bytes
# example: ./run release
# example: ./run release --only windows-x86_64 source
# check: ./run release
# ci: no builds everything for five systems
# needs: root, for packages of other Debian releases; network
# may-not-run: on another processor than x86-64, or a system other than Debian
for file in .ci/release/*.sh; do
    # shellcheck source=/dev/null # all files of .ci/release
    . "$file"
done
all_parts=(source linux-x86_64 linux-aarch64 windows-x86_64 macos-aarch64 page deb-12 deb-13)
parts=() checks=true twice=false
while [ $# -gt 0 ]; do
    case "$1" in
        --no-check) checks=false ;;
        --twice) twice=true ;;
        --list)
            printf '%s\n' "${all_parts[@]}"
            exit 0
            ;;
        --only)
            while [ $# -gt 1 ] && [[ $2 != --* ]]; do
                [[ " ${all_parts[*]} " == *" $2 "* ]] || wrong_usage release "expected one of ${all_parts[*]}, got $2"
                parts+=("$2")
                shift
            done
            [ ${#parts[@]} -gt 0 ] || wrong_usage release '--only needs a part'
            ;;
        *) wrong_usage release "unknown argument: $1" ;;
    esac
    shift
done
[ ${#parts[@]} -gt 0 ] || parts=("${all_parts[@]}")
is_part() { [[ " ${parts[*]} " == *" $1 "* ]]; }

[ "$(uname -m)" = x86_64 ] || cannot_run_here 'the tools of a release are those of x86-64'
[ -f /etc/debian_version ] || cannot_run_here 'the sources of the libraries are those of Debian packages'
need git "${build_needs[@]}" "${window_needs[@]}" python deb
[ -z "$(git status --porcelain --untracked-files=no)" ] || {
    echo 'A release is made from a commit: commit or discard the changes first.' >&2
    exit 1
}

version=$(sed -n 's/^project(switchyard VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
release_files=build/release-files
rm -rf "$release_files"
mkdir -p "$release_files"

make_source() {
    git -c tar.umask=0022 archive --format=tar --prefix="switchyard-$version/" HEAD | gzip -9n >"$release_files/switchyard-$version.tar.gz"
}
make_page() {
    web_page
    build web switchyard_golden
    cp build/web/switchyard.html "$release_files/switchyard-$version.html"
}
make_deb() { # make_deb DEBIAN-RELEASE
    ./run package "$1"
    cp -p "build/package/debian-$1"/*.deb "$release_files"
}
make_part() {
    case "$1" in
        deb-*) make_deb "${1#deb-}" ;;
        macos-*) build_portable "$1" ;;
        linux-* | windows-*) make_portable "$1" ;;
        *) "make_$1" ;;
    esac
}

! is_part linux-aarch64 || {
    need arm
    arm_debian
}
! is_part windows-x86_64 || ! $checks || need wine
case " ${parts[*]}" in *' linux-'* | *' windows-'* | *' macos-'*)
    release_tools
    library_sources
    ;;
esac
# The checks compare the programs with those of this system.
if $checks; then
    configure release
    build release switchyard switchyard-ui
fi

table=() failed=0
for part in "${parts[@]}"; do
    since=$SECONDS
    make_part "$part"
    result=made
    if $checks; then
        : >"$log_directory/check-$part.txt"
        if progress_run "checking $part" "check-$part" "check_$part"; then result='made and checked'; else
            result=FAILED
            failed=1
        fi
    fi
    table+=("$(printf '%-16s %-17s %6s' "$part" "$result" "$(duration $((SECONDS - since)))")")
done
.ci/release/describe.py "$release_files" "$version"

if $twice; then
    again=build/release-again
    rm -rf "$again"
    git clone --quiet --no-hardlinks . "$again"
    SWITCHYARD_RELEASE_TOOLS=$release_tools_directory "$again/run" release --no-check --only "${parts[@]}"
    if diff <(cat "$release_files/SHA256SUMS") "$again/$release_files/SHA256SUMS"; then
        table+=('made twice: the same bytes')
    else
        table+=('made twice: the files above DIFFER')
        failed=1
    fi
fi
cat "$release_files/README.md"
printf '\n%-16s %-17s %6s\n' part result time
printf '%s\n' "${table[@]}"
exit $failed
