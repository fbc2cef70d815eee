# shellcheck shell=bash
# group: maintain
# order: 4
# usage: ./run texts [--style] [--count] [PATH...]
# help: list the texts that users see (string literals of sim/ and ui/) with file and line; --style: list only those that
# help: break a rule of docs/reference/style.md that a program can check, and fail if there are any; --count: print only
# help: the number of texts of each directory
# example: ./run texts ui/panels
# example: ./run texts --style
# check: ./run texts --style
# ci: yes
for word in "$@"; do
    case "$word" in
        --style | --count) ;;
        -*) wrong_usage texts "unknown argument: $word" ;;
        *) [ -e "$word" ] || wrong_usage texts "no such file or directory: $word" ;;
    esac
done
need python
.ci/checks/texts "$@"
