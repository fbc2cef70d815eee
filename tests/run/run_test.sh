#!/usr/bin/env bash
# Tests ./run itself: the headers of the verbs, check-all, package names and the status line. Builds nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SWITCHYARD_LOGS=$work/log SWITCHYARD_CHECK_LOGS=$work/check-all
failures=0

# expect CODE TEXT COMMAND...: the exit code, and a text that the output contains.
expect() {
    local code=$1 text=$2 got=0
    shift 2
    "$@" >"$work/out" 2>&1 </dev/null || got=$?
    if [ "$got" -ne "$code" ] || ! grep -qF -- "$text" "$work/out"; then
        printf 'FAILED: %s\n  expected exit code %d and "%s"; got %d and:\n' "$*" "$code" "$text" "$got"
        sed 's/^/    /' "$work/out"
        failures=$((failures + 1))
    fi
}
# refuse TEXT: the output of the last command does not contain it.
refuse() {
    ! grep -qF -- "$1" "$work/out" || {
        printf 'FAILED: the output contains "%s"\n' "$1"
        failures=$((failures + 1))
    }
}

# Every verb is in the list, and has help with examples. Nothing else is a verb.
expect 0 './run demo' ./run help
for file in .ci/verbs/*.sh; do
    verb=${file##*/}
    verb=${verb%.sh}
    expect 0 "./run $verb" ./run help
    expect 0 'Examples:' ./run "$verb" --help
done
expect 0 './run demo' ./run
expect 2 "Did you mean 'test'?" ./run tesst
expect 2 "Did you mean 'mutation-test'?" ./run mutation-tests
expect 0 "./run mutants is now ./run mutation-test" ./run mutants --help
expect 2 "unknown verb '../lib/common'" ./run ../lib/common
expect 2 "./run site: unknown argument: --quick" ./run site --quick
expect 2 "./run format: unknown argument: --chek" ./run format --chek
expect 2 'Usage: ./run test' ./run test --thorogh
expect 2 './run package: expected a release (12, 13 or testing), got 11' ./run package 11
expect 2 './run check-package: --mirror needs a value' ./run check-package 13 --mirror

# Every script that names its interpreter can be executed.
while IFS= read -r script; do
    [ "$(head -c 2 "$script")" != '#!' ] || [ -x "$script" ] || {
        echo "FAILED: $script is not executable"
        failures=$((failures + 1))
    }
done < <(find run .ci tests ui sim docs -type f \( -name run -o -path '.ci/checks/*' -o -name '*.py' -o -name '*.sh' \))

# check-all: a verb without a recipe is an error before anything runs.
expect 0 './run fuzz --seconds 5' ./run check-all --list
expect 0 'docs: console blocks' ./run check-all --list --only docs
refuse './run fuzz'
expect 2 "Did you mean 'fuzz'?" ./run check-all --list --only fuz
export SWITCHYARD_VERBS=$work/verbs
for verb in demo fuzz check-all; do
    rm -rf "$work/verbs"
    cp -r .ci/verbs "$work/verbs"
    sed -i '/^# check:/d' "$work/verbs/$verb.sh"
    expect 1 "$work/verbs/$verb.sh: no line '# check: COMMAND'" ./run check-all --list
    expect 1 "$work/verbs/$verb.sh: no line '# check: COMMAND'" ./run check-all --only format
    refuse '[1/'
done

# Results: a small set of verbs.
rm -rf "$work/verbs"
mkdir "$work/verbs"
cp .ci/verbs/check-all.sh "$work/verbs"
make_verb() { # make_verb NAME COMMAND [HEADER-LINE]
    printf '# group: check\n# usage: ./run %s\n# help: a verb of a test\n# ci: yes\n# check: %s\n%s\n' "$1" "$2" "${3-}" >"$work/verbs/$1.sh"
}
make_verb good true
expect 0 '1 passed, 0 failed, 0 not run here' ./run check-all --only good
make_verb bad 'echo the reason; exit 3'
make_verb absent 'echo cannot run here: no such device; exit 77' '# may-not-run: without the device'
expect 1 '1 passed, 1 failed, 1 not run here' ./run check-all --only good bad absent
expect 1 'the reason' ./run check-all --only good bad absent
expect 0 'no such device' ./run check-all --only good absent
make_verb absent 'echo cannot run here: no such device; exit 77'
expect 1 "no line '# may-not-run:'" ./run check-all --only good absent
make_verb slow 'sleep 20'
expect 1 'it took longer than 1 s' env SWITCHYARD_CHECK_TIMEOUT=1 ./run check-all --only slow
unset SWITCHYARD_VERBS

# Package names by distribution.
need_on() { # need_on OS-RELEASE NEED...
    local release=$1
    shift
    printf '%b' "$release" >"$work/os-release"
    SWITCHYARD_OS_RELEASE=$work/os-release SWITCHYARD_PACKAGES=print PATH=$work/none:$PATH bash -c '
        for library in .ci/lib/*.sh; do . "$library"; done
        is_installed() { false; }
        is_present() { false; }
        need "$@"' need_on "$@"
}
expect 0 'apt-get install g++ libimgui-dev' need_on 'ID=debian\nVERSION_ID="12"\n' compiler imgui
expect 0 'apt-get install g++' need_on 'ID=debian\nVERSION_CODENAME=forky\n' compiler
expect 0 'apt-get install liblua5.4-dev' need_on 'ID=ubuntu\nVERSION_ID="24.04"\n' lua
expect 0 'dnf install gcc-c++ json-devel' need_on 'ID=fedora\nVERSION_ID=42\n' compiler json
expect 0 'from its documentation, not tried' need_on 'ID=fedora\nVERSION_ID=42\n' compiler
expect 1 'has no package for: dpkg-shlibdeps' need_on 'ID=fedora\nVERSION_ID=42\n' deb
expect 0 'pacman -S --needed gcc' need_on 'ID=arch\n' compiler
expect 1 'a compiler for C++20' need_on 'ID=haiku\nPRETTY_NAME=Haiku\n' compiler cmake imgui
expect 1 'Dear ImGui, for the window (optional)' need_on 'ID=haiku\nPRETTY_NAME=Haiku\n' compiler cmake imgui
expect 1 'The package names of Debian 11 are not known' need_on 'ID=debian\nVERSION_ID=11\nPRETTY_NAME="Debian 11"\n' cmake

# The status line: one line per step in a pipe, all output in the log, the end of it after a failure, the same exit code.
step() {
    bash -c 'for library in .ci/lib/*.sh; do . "$library"; done; progress_run "a step" step bash -c "$1"' step "$1"
}
expect 0 'a step ... done, 0:0' step 'echo "[1/2] one"; echo "[2/2] two"'
refuse '[2/2]'
expect 5 'a step ... FAILED, 0:0' step 'echo first; echo the reason; exit 5'
expect 5 'the reason' step 'echo the reason; exit 5'
expect 0 'first' cat "$work/log/step.txt"

[ "$failures" -eq 0 ] && echo 'all is well'
