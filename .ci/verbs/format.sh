# shellcheck shell=bash
# group: maintain
# order: 1
# usage: ./run format [--check]
# help: format the sources; --check only reports what is not formatted, and changes nothing
# example: ./run format
# example: ./run format --check
# check: ./run format --check
# ci: yes
need clang-format
format_mode=(-i)
[ "${1:-}" != --check ] || format_mode=(--dry-run -Werror)
git ls-files '*.h' '*.cpp' | xargs clang-format "${format_mode[@]}"
