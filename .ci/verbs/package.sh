# shellcheck shell=bash
# group: build
# order: 1
# usage: ./run package
# help: make build/package/*.deb for this Debian release, and a .tar.gz of the commands that runs from any directory
# help: (docs/how-to/install.md)
# example: ./run package && sudo apt-get install ./build/package/switchyard*.deb
# check: ./run package
# ci: yes
# needs: network, when packages are missing
need "${build_needs[@]}" "${window_needs[@]}" gtest deb
# The same commit gives the same bytes: files in packages have the date of the commit.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CMakeLists.txt)
export SOURCE_DATE_EPOCH
rm -f build/package/*.deb build/package/*.tar.gz
configure release
build release switchyard switchyard-ui switchyard-static manual-switchyard manual-switchyard-ui changelog
mkdir -p build/package
: >"$log_directory/package.txt"
progress_run 'making the packages' package cpack --config build/release/CPackConfig.cmake -B build/package || exit 1
archive=$(sed -n 's/^set(CPACK_PACKAGE_VERSION "\(.*\)")/switchyard-\1/p' build/release/CPackConfig.cmake)-linux-$(uname -m)
rm -rf "build/package/$archive"
cmake --install build/release --component commands --prefix "build/package/$archive" >/dev/null
strip -o "build/package/$archive/bin/switchyard" build/release/sim/cli/switchyard-static
tar -C build/package --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    --mtime="@$SOURCE_DATE_EPOCH" -cf - "$archive" | gzip -9n >"build/package/$archive.tar.gz"
rm -rf "build/package/$archive"
ls -l build/package/*.deb build/package/*.tar.gz
