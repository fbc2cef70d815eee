# shellcheck shell=bash
# Tools of ./run release that Debian does not have: zig, whose compiler builds for other systems and for an older C library, and
# SDL for the archives. They are wheels of fixed versions with fixed hashes; `pip` downloads them once into build/release-tools.
release_tools_directory=${SWITCHYARD_RELEASE_TOOLS:-$PWD/build/release-tools}

# Installs them, and sets `zig` to the program.
release_tools() {
    local directory=$release_tools_directory found
    if [ ! -f "$directory/complete" ]; then
        need python-venv
        rm -rf "$directory"
        mkdir -p "$directory"
        progress_run 'installing zig and SDL' release-tools get_release_tools "$directory" || exit 1
        touch "$directory/complete"
    fi
    found=("$directory"/venv/lib/python3*/site-packages/ziglang/zig)
    zig=${found[0]}
}

get_release_tools() { # get_release_tools DIRECTORY
    local pip=$1/venv/bin/pip platform
    python3 -m venv "$1/venv" || return
    "$pip" install --quiet --require-hashes --no-deps --only-binary :all: --requirement .ci/release/zig.txt || return
    for platform in win_amd64 manylinux2014_x86_64 manylinux_2_28_aarch64; do
        "$pip" download --quiet --require-hashes --no-deps --only-binary :all: --platform "$platform" \
            --requirement .ci/release/sdl.txt --dest "$1/sdl-$platform" || return
        (cd "$1/sdl-$platform" && python3 -m zipfile -e ./*.whl . && rm ./*.whl) || return
    done
}
