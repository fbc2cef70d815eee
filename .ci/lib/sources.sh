# shellcheck shell=bash
# Sources of libraries, for programs that are built for another system (./run web, ./run release): Debian's compiled libraries cannot
# be used there.

# Unpacks the sources of Dear ImGui and Lua and the headers of SDL below build/library-sources. The package lists of this machine
# may contain no sources: a copy of these lists adds them.
library_sources() {
    local root=$PWD/build/library-sources apt=$PWD/build/library-sources/apt
    [ -f "$root/complete" ] && return
    echo "unpacking the sources of Dear ImGui and Lua and the headers of SDL in build/library-sources" >&2
    rm -rf "$root"
    mkdir -p "$apt/sources" "$apt/lists/partial" "$apt/archives/partial"
    local list
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
        [ -f "$list" ] || continue
        sed 's/^deb /deb-src /; s/^Types:.*/Types: deb deb-src/; s/^deb-src \(.*\)/deb \1\n&/' "$list" >"$apt/sources/${list##*/}"
    done
    local get=(apt-get -qq -o APT::Sandbox::User=root -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$apt/sources"
        -o "Dir::State=$apt" -o "Dir::Cache=$apt" -o "Dir::Log=$apt" -o Dir::State::status=/var/lib/dpkg/status
        -o Debug::NoLocking=1)
    "${get[@]}" update
    (cd "$apt" && "${get[@]}" source --download-only imgui lua5.4 && "${get[@]}" download libsdl2-dev)
    dpkg-source --no-check -x "$apt"/imgui_*.dsc "$root/imgui" >/dev/null
    dpkg-source --no-check -x "$apt"/lua5.4_*.dsc "$root/lua" >/dev/null
    rm -f "$root"/imgui_* "$root"/lua5.4_*
    dpkg -x "$apt"/libsdl2-dev_*.deb "$root/sdl"
    rm -r "$apt"
    touch "$root/complete"
}
