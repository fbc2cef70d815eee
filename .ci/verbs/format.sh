# shellcheck shell=bash
# group: maintain
# order: 1
# usage: ./run format [--check]
# help: format the sources; --check: only report the files that are not formatted
# example: ./run format
# example: ./run format --check
# check: ./run format --check
# ci: yes
need clang-format
format_mode=(-i)
for word in "$@"; do
    [ "$word" = --check ] || wrong_usage format "unknown argument: $word"
    format_mode=(--dry-run -Werror)
done
git ls-files '*.h' '*.cpp' | xargs clang-format "${format_mode[@]}"
