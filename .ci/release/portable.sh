# shellcheck shell=bash
# The archives of ./run release: both programs for systems of one kind, with everything that they need.

# The targets of the archives, and the directory of SDL among the release tools.
declare -A portable_target=(
    [linux-x86_64]=x86_64-linux-gnu.2.28
    [linux-aarch64]=aarch64-linux-gnu.2.28
    [windows-x86_64]=x86_64-windows-gnu
    [macos-aarch64]=aarch64-macos
)
declare -A portable_sdl=(
    [linux-x86_64]=sdl-manylinux2014_x86_64/sdl2dll/dll/libSDL2-2.0.so
    [linux-aarch64]=sdl-manylinux_2_28_aarch64/sdl2dll/dll/libSDL2-2.0.so
    [windows-x86_64]=sdl-win_amd64/sdl2dll/dll/SDL2.dll
)
oldest_glibc=2.28

# build_portable SYSTEM: builds both programs in build/portable/SYSTEM.
build_portable() {
    local directory=build/portable/$1
    mkdir -p "$log_directory"
    progress_run "configuring ($1)" "configure-$1" cmake -S . -B "$directory" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_TOOLCHAIN_FILE="$PWD/.ci/zig.cmake" -DSWITCHYARD_TARGET="${portable_target[$1]}" -DSWITCHYARD_ZIG="$zig" \
        -DSWITCHYARD_PORTABLE=ON -DSWITCHYARD_TESTS=OFF -DSWITCHYARD_LIBRARY_SOURCES="$PWD/build/library-sources" || exit 1
    : >"$log_directory/build-$1.txt"
    progress_run "building both programs ($1)" "build-$1" cmake --build "$directory" --target switchyard switchyard-ui || exit 1
}

# copy_licences SYSTEM DIRECTORY: the licences of the libraries that are parts of the programs.
copy_licences() {
    local library package sources=build/library-sources
    mkdir -p "$2"
    for package in libfmt-dev nlohmann-json3-dev libcli11-dev libstb-dev fonts-dejavu-core; do
        cp "/usr/share/doc/$package/copyright" "$2/${package%-dev}.txt"
    done
    cp "$sources/imgui/LICENSE.txt" "$2/imgui.txt"
    cp "$sources/lua/debian/copyright" "$2/lua.txt"
    cp "$sources/sdl/usr/share/doc/libsdl2-dev/copyright" "$2/sdl2.txt"
    for library in libcxx libcxxabi libunwind; do cp "${zig%/zig}/lib/$library/LICENSE.TXT" "$2/$library.txt"; done
    case "$1" in
        windows-*) cp "${zig%/zig}/lib/libc/mingw/COPYING" "$2/mingw-w64.txt" ;;
        linux-*) cp "${zig%/zig}/lib/libc/glibc/LICENSES" "$2/glibc.txt" ;;
    esac
    chmod 644 "$2"/*
}

# stage_linux SYSTEM DIRECTORY: the files of the archive, as `cmake --install` lays them out.
stage_linux() {
    local built=build/portable/$1 component
    for component in commands window; do
        cmake -DCMAKE_INSTALL_PREFIX="$2" -DCMAKE_INSTALL_COMPONENT=$component -P "$built/cmake_install.cmake" >/dev/null || exit 1
    done
    mkdir -p "$2/lib/switchyard" "$2/share/man/man1"
    install -m 644 "$release_tools_directory/${portable_sdl[$1]}" "$2/lib/switchyard/libSDL2-2.0.so.0"
    local program runner=()
    [ "$1" != linux-aarch64 ] || runner=(qemu-aarch64 -L build/arm/debian)
    for program in switchyard switchyard-ui; do "${runner[@]}" "$2/bin/$program" manual "$2/share/man/man1"; done
    gzip -9nr "$2/share/man/man1"
    copy_licences "$1" "$2/share/doc/switchyard/licences"
}

# stage_windows SYSTEM DIRECTORY: the programs beside the documents, as users of Windows expect.
stage_windows() {
    local built=build/portable/$1
    mkdir -p "$2"
    cp "$built/sim/cli/switchyard.exe" "$built/ui/switchyard-ui.exe" "$2"
    cp "$release_tools_directory/${portable_sdl[$1]}" "$2/SDL2.dll"
    cp README.md "$2"
    cp -R docs scenarios "$2"
    rm -f "$2"/docs/{changelog.Debian,copyright}
    copy_licences "$1" "$2/licences"
}

# pack NAME: makes NAME.tar.gz or NAME.zip of build/release-stage/NAME. The same files give the same bytes.
pack() {
    local stage=build/release-stage
    find "$stage/$1" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    case "$1" in
        *-windows-*) .ci/release/zip.py "$stage/$1" "$release_files/$1.zip" ;;
        *)
            tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" \
                -cf - "$1" | gzip -9n >"$release_files/$1.tar.gz"
            ;;
    esac
}

make_portable() { # make_portable SYSTEM
    local name=switchyard-$version-$1
    build_portable "$1"
    rm -rf "build/release-stage/$name"
    mkdir -p build/release-stage
    "stage_${1%%-*}" "$1" "$PWD/build/release-stage/$name"
    archive_readme "$1" >"build/release-stage/$name/README.txt"
    cp LICENSE "build/release-stage/$name"
    pack "$name"
}
