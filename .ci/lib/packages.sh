# shellcheck shell=bash
# The packages that a verb needs, by distribution.
#
# Tried: Debian 12, 13 and testing. Ubuntu 24.04 and later have the same names as Debian, and have not been tried. The names for
# Fedora and Arch are from their documentation, not tried. On other systems `need` prints what is missing in words.
#
# Columns: the need | Debian and Ubuntu | Fedora | Arch | how to find it on another system | in words
# A package of "-" does not exist there. A '?' before the need: the programs are built without it, with fewer features.
package_table='
compiler    | g++                   | gcc-c++             | gcc              | c++                         | a compiler for C++20: g++ 12 or clang 14, or later
cmake       | cmake                 | cmake               | cmake            | cmake                       | CMake 3.22 or later
ninja       | ninja-build           | ninja-build         | ninja            | ninja                       | Ninja
json        | nlohmann-json3-dev    | json-devel          | nlohmann-json    | nlohmann/json.hpp           | the library nlohmann/json 3.11 or later
cli11       | libcli11-dev          | cli11-devel         | cli11            | CLI/CLI.hpp                 | the library CLI11 2.1 or later
fmt         | libfmt-dev            | fmt-devel           | fmt              | fmt/format.h                | the library {fmt} 9 or later
lua         | liblua5.4-dev         | lua-devel           | lua54            | lua.hpp                     | the library Lua 5.4
?pkg-config | pkg-config            | pkgconf-pkg-config  | pkgconf          | pkg-config                  | pkg-config
?sdl2       | libsdl2-dev           | SDL2-devel          | sdl2             | SDL2/SDL.h                  | SDL 2, for the window
?imgui      | libimgui-dev          | imgui-devel         | imgui            | imgui/imgui.h               | Dear ImGui, for the window
?stb        | libstb-dev            | stb-devel           | stb              | stb/stb_image_write.h       | the library stb, for pictures
?fonts      | fonts-dejavu-core     | dejavu-sans-fonts dejavu-sans-mono-fonts | ttf-dejavu | -            | the fonts DejaVu Sans and DejaVu Sans Mono, for pictures and the window
gtest       | libgtest-dev          | gtest-devel         | gtest            | gtest/gtest.h               | GoogleTest
xvfb        | xvfb xauth            | xorg-x11-server-Xvfb xorg-x11-xauth | xorg-server-xvfb xorg-xauth | xvfb-run | Xvfb and xvfb-run
wine        | wine wine64 xvfb xauth xdotool | wine xorg-x11-server-Xvfb xorg-x11-xauth xdotool | wine xorg-server-xvfb xorg-xauth xdotool | wine | Wine for 64-bit programs, Xvfb and xdotool
benchmark   | libbenchmark-dev      | google-benchmark-devel | benchmark     | benchmark/benchmark.h       | Google Benchmark
git         | git                   | git                 | git              | git                         | git
clang       | clang libclang-rt-dev | clang compiler-rt   | clang compiler-rt | clang++                    | clang++ with its sanitizers and libFuzzer
clang-format | clang-format         | clang-tools-extra   | clang            | clang-format                | clang-format
llvm        | llvm                  | llvm                | llvm             | llvm-profdata               | the tools of LLVM
python      | python3               | python3             | python           | python3                     | Python 3.11 or later
python-venv | python3-venv          | python3             | python           | -                           | the Python module venv
python-clang | python3-clang        | python3-clang       | python-clang     | -                           | the Python interface to libclang
doxygen     | doxygen               | doxygen             | doxygen          | doxygen                     | Doxygen
pandoc      | pandoc                | pandoc-cli          | pandoc-cli       | pandoc                      | pandoc
rsvg        | librsvg2-bin          | librsvg2-tools      | librsvg          | rsvg-convert                | rsvg-convert
npm         | npm                   | nodejs-npm          | npm              | npm                         | npm
ffmpeg      | ffmpeg                | ffmpeg-free         | ffmpeg           | ffmpeg                      | ffmpeg
chromium    | chromium              | chromium            | chromium         | chromium                    | Chromium
debootstrap | debootstrap           | debootstrap         | debootstrap      | debootstrap                 | debootstrap
shellcheck  | shellcheck            | ShellCheck          | shellcheck       | shellcheck                  | shellcheck
deb         | dpkg-dev file         | -                   | -                | dpkg-shlibdeps              | dpkg-shlibdeps, which only Debian and its relatives have
arm         | g++-aarch64-linux-gnu qemu-user | -         | -                | aarch64-linux-gnu-g++       | a cross compiler for ARM and QEMU, with the ARM libraries of Debian
emscripten  | emscripten googletest dpkg-dev | -          | -                | emcc                        | Emscripten, with the sources of Dear ImGui, Lua and GoogleTest from Debian
slurm       | slurmctld slurmd slurm-client munge procps | - | -           | slurmctld                   | Slurm and munge
'
build_needs=(compiler cmake ninja json cli11 fmt lua)
window_needs=(pkg-config sdl2 imgui stb fonts)
test_needs=(gtest xvfb)

# Sets `distribution`: debian, fedora, arch or other, and `distribution_name`, for messages.
find_distribution() {
    local file=${SWITCHYARD_OS_RELEASE:-/etc/os-release} ID='' ID_LIKE='' VERSION_ID='' PRETTY_NAME=''
    # shellcheck source=/dev/null # assignments only
    [ ! -f "$file" ] || . "$file"
    distribution_name=${PRETTY_NAME:-${ID:-this system}}
    distribution=other
    local id=$ID version=${VERSION_ID%%.*}
    case "$id" in
        debian) [ "${version:-99}" -lt 12 ] || distribution=debian ;;
        ubuntu) [ "${version:-0}" -lt 24 ] || distribution=debian ;;
        fedora | arch) distribution=$id ;;
        *)
            # Derivatives have the packages of their parent.
            case " $ID_LIKE " in
                *' debian '* | *' ubuntu '*) distribution=debian ;;
                *' fedora '*) distribution=fedora ;;
                *' arch '*) distribution=arch ;;
            esac
            ;;
    esac
}

trim() {
    local text=$1
    text=${text#"${text%%[![:space:]]*}"}
    echo "${text%"${text##*[![:space:]]}"}"
}

# read_need NEED: sets need_packages (of `distribution`), need_probe, need_words and need_optional.
read_need() {
    local name debian fedora arch probe words
    while IFS='|' read -r name debian fedora arch probe words; do
        name=$(trim "$name")
        need_optional=false
        [[ $name != '?'* ]] || need_optional=true
        [ "${name#\?}" = "$1" ] || continue
        case "$distribution" in
            debian) need_packages=$(trim "$debian") ;;
            fedora) need_packages=$(trim "$fedora") ;;
            arch) need_packages=$(trim "$arch") ;;
            *) need_packages='' ;;
        esac
        need_probe=$(trim "$probe")
        need_words=$(trim "$words")
        return 0
    done <<<"$package_table"
    echo "packages.sh: unknown need '$1'" >&2
    exit 2
}

is_installed() { # is_installed PACKAGE
    case "$distribution" in
        debian) dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed' ;;
        fedora) rpm -q --whatprovides "$1" >/dev/null 2>&1 ;;
        arch) [ -z "$(pacman -T "$1" 2>/dev/null)" ] ;;
    esac
}

# is_present PROBE: a command, or a header in a usual directory.
is_present() {
    local directory
    case "$1" in
        -) return 0 ;;
        *.h | *.hpp)
            for directory in /usr/include /usr/local/include /usr/include/lua5.4 /usr/include/lua54 "${CMAKE_PREFIX_PATH:-/usr}/include"; do
                [ ! -f "$directory/$1" ] || return 0
            done
            return 1
            ;;
        c++) command -v c++ >/dev/null || command -v g++ >/dev/null || command -v clang++ >/dev/null ;;
        *) command -v "$1" >/dev/null ;;
    esac
}

install_command() { # prints the command that installs packages on this distribution
    case "$distribution" in
        debian) echo apt-get install ;;
        fedora) echo dnf install ;;
        arch) echo pacman -S --needed ;;
    esac
}

# A system without known package names: prints what seems to be missing, and how to continue. Returns 1 if something is missing.
need_in_words() {
    local missing=0 need first=true
    for need in "$@"; do
        read_need "$need"
        is_present "$need_probe" && continue
        ! $first || printf 'The package names of %s are not known here. These seem to be missing:\n' "$distribution_name" >&2
        first=false
        if $need_optional; then
            printf '  %s (optional)\n' "$need_words" >&2
        else
            printf '  %s\n' "$need_words" >&2
            missing=1
        fi
    done
    [ "$missing" -ne 0 ] || return 0
    printf 'Install them, and run this again. If they are installed where this script does not look:\n  SWITCHYARD_PACKAGES=skip ./run ...\n' >&2
    return 1
}

install_packages() { # install_packages PACKAGE...
    local sudo=()
    [ "$distribution" = debian ] || echo "The package names for $distribution_name are from its documentation, not tried." >&2
    if [ "${SWITCHYARD_PACKAGES:-}" = print ]; then
        echo "$(install_command) $*"
        return 0
    fi
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "missing packages; as root: $(install_command) $*" >&2
            echo "Then run this again." >&2
            return 1
        fi
        sudo=(sudo)
        # Ask for the password here, since the question would be lost in the progress line.
        if ! sudo -n true 2>/dev/null; then
            echo "Packages are missing; sudo installs them: $*" >&2
            sudo -v || return 1
        fi
    fi
    case "$distribution" in
        debian)
            # shellcheck disable=SC2016 # the inner shell expands it
            progress_run "installing $*" packages "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive sh -c \
                'apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"' apt "$@"
            ;;
        fedora) progress_run "installing $*" packages "${sudo[@]}" dnf install -y "$@" ;;
        arch) progress_run "installing $*" packages "${sudo[@]}" pacman -S --needed --noconfirm "$@" ;;
    esac
}

# need NEED...: installs the packages that are missing, if any. Optional ones may fail, but not on Debian. Exits with 1 if something required is
# missing. SWITCHYARD_PACKAGES=skip: checks and installs nothing. SWITCHYARD_PACKAGES=print: prints the command instead.
need() { try_need "$@" || exit 1; }

# The same, but returns 1.
try_need() {
    local need package missing=() optional=()
    [ "${SWITCHYARD_PACKAGES:-}" != skip ] || return 0
    find_distribution
    if [ "$distribution" = other ]; then
        need_in_words "$@"
        return
    fi
    for need in "$@"; do
        read_need "$need"
        if [ "$need_packages" = - ]; then
            echo "$distribution_name has no package for: $need_words" >&2
            $need_optional || return 1
            continue
        fi
        for package in $need_packages; do
            is_installed "$package" && continue
            if $need_optional && [ "$distribution" != debian ]; then optional+=("$package"); else missing+=("$package"); fi
        done
    done
    # A package name that was never tried may be wrong: continue without an optional package.
    for package in "${optional[@]}"; do
        install_packages "$package" || echo "$package could not be installed; continuing without it" >&2
    done
    [ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
}
