# shellcheck shell=bash
# Long work as one line: the step, its progress and the time it has taken. On a terminal the line is rewritten while the step
# runs. In a pipe or a file there is one line per step. All that the step prints is in build/log/NAME.txt; if the step fails,
# the last lines of that file are printed.

log_directory=${SWITCHYARD_LOGS:-$PWD/build/log}
log_tail=40

duration() { # duration SECONDS: "1:05"
    printf '%d:%02d' $(($1 / 60)) $(($1 % 60))
}

# progress_of LINE: sets `progress` if the line has the form of Ninja or of ctest: "[12/90] ..." or " 12/90 Test ...".
progress_of() {
    if [[ $1 =~ ^\[([0-9]+)/([0-9]+)\] ]] || [[ $1 =~ ^\ *([0-9]+)/([0-9]+)\ Test ]]; then
        progress="${BASH_REMATCH[1]}/${BASH_REMATCH[2]}"
        return 0
    fi
    return 1
}

# progress_watch TEXT LOG SINCE: reads the output of a step, and keeps the line up to date.
progress_watch() {
    local line partial='' progress='' width=${COLUMNS:-0} status text state space
    [ "$width" -gt 0 ] || width=$(tput cols 2>/dev/null || echo 80)
    while true; do
        # A line that is not complete after a second is continued by the next read.
        if IFS= read -r -t 1 line; then
            printf '%s\n' "$partial$line" >>"$2"
            progress_of "$partial$line" || true
            partial=''
        else
            status=$?
            partial+=$line
            [ "$status" -gt 128 ] || break
        fi
        $progress_terminal || continue
        # A long text is cut, not the progress and the time after it.
        state="${progress:+  $progress}  $(duration $((SECONDS - $3)))"
        space=$((width - 1 - ${#state}))
        text=$1
        [ ${#text} -le "$space" ] || text="${text:0:$((space > 3 ? space - 3 : 0))}..."
        printf '\r\e[K%s%s' "$text" "$state" >&2
    done
    [ -z "$partial" ] || printf '%s\n' "$partial" >>"$2"
}

progress_terminal=false
if [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; then progress_terminal=true; fi

# progress_run TEXT NAME COMMAND...: runs the command with its output in build/log/NAME.txt. Returns its exit code.
progress_run() {
    local text=$1 log=$log_directory/$2.txt since=$SECONDS code=0
    shift 2
    mkdir -p "$log_directory"
    rm -f "$log.code"
    printf '== %s: %s\n' "$text" "$*" >>"$log"
    $progress_terminal || printf '%s ... ' "$text" >&2
    { "$@" 2>&1 </dev/null || echo $? >"$log.code"; } | progress_watch "$text" "$log" "$since"
    if [ -f "$log.code" ]; then
        code=$(cat "$log.code")
        rm "$log.code"
    fi
    ! $progress_terminal || printf '\r\e[K%s ... ' "$text" >&2
    if [ "$code" -eq 0 ]; then
        printf 'done, %s\n' "$(duration $((SECONDS - since)))" >&2
    else
        printf 'FAILED, %s\n' "$(duration $((SECONDS - since)))" >&2
        tail -n "$log_tail" "$log" >&2
        printf 'All output: %s\n' "${log#"$PWD"/}" >&2
    fi
    return "$code"
}
