# shellcheck shell=bash
# group: check
# order: 7
# usage: ./run check-library
# help: build and run the two examples of docs/how-to/library.md: find_package after an installation, and add_subdirectory
# example: ./run check-library
# check: ./run check-library
# ci: yes
need "${build_needs[@]}"
configure release
build release
library_directory=$(mktemp -d)
# shellcheck disable=SC2064 # the name of now
trap "rm -rf '$library_directory'" EXIT
cmake --install build/release --component development --prefix "$library_directory/installed" >/dev/null
for example in find_package add_subdirectory; do
    cmake -S "docs/how-to/library/$example" -B "$library_directory/$example" -G Ninja \
        -DCMAKE_PREFIX_PATH="$library_directory/installed" >"$library_directory/log" 2>&1 || {
        cat "$library_directory/log"
        exit 1
    }
    progress_run "building the example of $example" "library-$example" cmake --build "$library_directory/$example" || exit 1
    printed=$("$library_directory/$example/yield_cost")
    echo "$example: $printed"
    [ "$printed" = '19.02 us per yield' ] || {
        echo "expected 19.02 us per yield" >&2
        exit 1
    }
done
