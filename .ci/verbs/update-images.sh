# shellcheck shell=bash
# group: maintain
# order: 2
# usage: ./run update-images
# help: redraw the pictures of the documents, after a change that is meant to change them
# formerly: pictures
# example: ./run update-images && git diff --stat docs
# check: ./run update-images
# check: git diff --exit-code --stat -- docs/pictures docs/figures docs/yield-table.svg tests/pictures
# ci: no the tests compare the same pictures
need "${build_needs[@]}" "${window_needs[@]}" gtest
configure release
build release switchyard switchyard-ui
while read -r name arguments; do
    case "$name" in '' | '#'*) continue ;; esac
    # shellcheck disable=SC2086 # the arguments are words
    build/release/ui/switchyard-ui --headless $arguments --screenshot "docs/pictures/$name" --dump-text \
        >"tests/pictures/${name%.png}.txt"
done <docs/pictures/pictures.txt
while read -r name arguments; do
    case "$name" in
        '' | '#'*) continue ;;
        *.jsonl)
            rm -f "docs/figures/$name"
            eval "build/release/sim/cli/switchyard sweep $arguments --quiet --results docs/figures/$name" >/dev/null
            ;;
        *) eval "build/release/sim/cli/switchyard figure $arguments --output docs/figures/$name" ;;
    esac
done <docs/figures/figures.txt
build/release/sim/cli/switchyard reproduce yield-table --quiet --picture docs/yield-table.svg >/dev/null
git status --short docs tests/pictures
