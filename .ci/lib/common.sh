# shellcheck shell=bash
# Functions that several verbs use.

# cannot_run_here WHY: ends a verb that this machine cannot run. Its header must have a line "# may-not-run: ..."; then
# ./run check-all lists the verb as not run, with the reason, and does not count it as failed.
cannot_run_here() {
    echo "cannot run here: $*" >&2
    exit 77
}

# configure PRESET [OPTION...]: prints only the messages of the build files about missing parts, and everything if it fails. With
# SWITCHYARD_CPU_LOG=FILE the build appends the CPU seconds of each compiler run to the file: ./run build-times reads it.
configure() {
    local log=$log_directory/configure-$1.txt
    local launcher=()
    mkdir -p "$log_directory"
    [ -z "${SWITCHYARD_CPU_LOG:-}" ] || launcher=("-DCMAKE_CXX_COMPILER_LAUNCHER=$PWD/.ci/checks/cpu-seconds")
    if ! cmake --preset "$@" "${launcher[@]}" >"$log" 2>&1; then
        cat "$log" >&2
        exit 1
    fi
    grep -- '-- switchyard' "$log" >&2 || true
}

# build PRESET [TARGET...]: all targets if none is named.
build() {
    local preset=$1 log=build-$1
    shift
    : >"$log_directory/$log.txt"
    progress_run "building ${*:-everything} ($preset)" "$log" \
        cmake --build --preset "$preset" ${1+--target "$@"} || exit 1
}

# wrong_usage VERB MESSAGE: prints both, and exits with 2.
wrong_usage() {
    read_header "$1"
    printf './run %s: %s\nUsage: %s\n' "$1" "$2" "${header[usage]}" >&2
    exit 2
}
