# shellcheck shell=bash
# group: check
# order: 1
# usage: ./run check-all [--only NAME...] [--ci] [--list] [--fail-fast]
# help: test everything that is advertised: every verb of this list with a short recipe, every example of the programs' --help,
# help: and every console block of the documents; prints one line per check and a table (docs/how-to/testing.md)
# help: --only: test only these verbs, `examples` or `docs`; --ci: skip the verbs that take long; --list: only print
# help: the checks; --fail-fast: stop at the first failure
# example: ./run check-all --list
# example: ./run check-all --only format examples docs
# check: ./run check-all --list
# ci: yes

check_logs=${SWITCHYARD_CHECK_LOGS:-build/check-all}

# A check: its name, its command, and the verb whose header may allow that it cannot run.
check_names=() check_commands=() check_verbs=()
add_check() {
    check_names+=("$1")
    check_commands+=("$2")
    check_verbs+=("$3")
}

# Fills the lists. Exits with 1 if a verb has no recipe.
collect_checks() {
    local verb number command wrong=0 verbs
    verbs=$(verb_names)
    for verb in $verbs; do
        read_header "$verb"
        if [ -z "${header[check]-}" ]; then
            echo "$(verb_file "$verb"): no line '# check: COMMAND': ./run check-all cannot test './run $verb'" >&2
            wrong=1
        fi
        case "${header[ci]-}" in
            yes | 'no '?*) ;;
            *)
                echo "$(verb_file "$verb"): expected '# ci: yes' or '# ci: no REASON'" >&2
                wrong=1
                ;;
        esac
        case " ${verb_groups[*]} " in *" ${header[group]-} "*) ;; *)
            echo "$(verb_file "$verb"): expected '# group:' with one of: ${verb_groups[*]}" >&2
            wrong=1
            ;;
        esac
        if [ -z "${header[usage]-}" ] || [ -z "${header[help]-}" ]; then
            echo "$(verb_file "$verb"): no line '# usage:' or no line '# help:'" >&2
            wrong=1
        fi
        if ! is_wanted "$verb" || { $only_ci && [[ ${header[ci]} != yes ]]; }; then continue; fi
        number=1
        while IFS= read -r command; do
            if [ "$number" -eq 1 ]; then add_check "$verb" "$command" "$verb"; else add_check "$verb ($number)" "$command" "$verb"; fi
            number=$((number + 1))
        done <<<"${header[check]-}"
    done
    [ "$wrong" -eq 0 ] || exit 1
    if is_wanted examples; then
        add_check 'examples: switchyard' "./run test --only '^CommandLine\\.EveryExampleOfEveryHelpTextRuns\$'" ''
        add_check 'examples: switchyard-ui' \
            'cmake --build --preset release --target switchyard-ui && .ci/checks/window-examples build/release/ui/switchyard-ui' ''
    fi
    if is_wanted docs; then
        add_check 'docs: console blocks' "./run test --only '^All/Document\\.|^Documents\\.|^All/Lesson\\.|^Lessons\\.'" ''
        add_check 'docs: all blocks are replayed' '.ci/checks/console-blocks build/release' ''
    fi
}

is_wanted() { # is_wanted VERB
    [ ${#only[@]} -eq 0 ] || [[ " ${only[*]} " == *" $1 "* ]]
}

# run_check NUMBER: sets result (ok, FAILED or "not run here"), took and why.
run_check() {
    local name=${check_names[$1]} verb=${check_verbs[$1]} log code=0 since=$SECONDS
    log=$check_logs/$(printf '%02d' $(($1 + 1)))-${name//[^a-zA-Z0-9-]/_}.txt
    printf '$ %s\n' "${check_commands[$1]}" >"$log"
    # In the foreground, so that Ctrl+C reaches it.
    timeout --foreground --kill-after=30 "${SWITCHYARD_CHECK_TIMEOUT:-5400}" bash -c "${check_commands[$1]}" >>"$log" 2>&1 </dev/null || code=$?
    took=$((SECONDS - since)) why='' result=FAILED
    if [ "$code" -eq 0 ]; then
        result=ok
    elif [ "$code" -eq 77 ] && [ -n "$verb" ]; then
        why=$(sed -n 's/^cannot run here: //p' "$log" | tail -n 1)
        read_header "$verb"
        if [ -n "${header[may-not-run]-}" ]; then result='not run here'; else
            why="it printed that it cannot run here, but $(verb_file "$verb") has no line '# may-not-run:'"
        fi
    elif [ "$code" -eq 124 ]; then
        why="it took longer than ${SWITCHYARD_CHECK_TIMEOUT:-5400} s"
    fi
    [ "$result" = ok ] || why+="${why:+; }all output: $log"
    [ "$result" != FAILED ] || failed_log=$log
}

only=() only_ci=false list=false fail_fast=false
while [ $# -gt 0 ]; do
    case "$1" in
        --ci) only_ci=true ;;
        --list) list=true ;;
        --fail-fast) fail_fast=true ;;
        --only)
            while [ $# -gt 1 ] && [[ $2 != --* ]]; do
                case "$2" in examples | docs) ;; *) is_verb "$2" || unknown_verb "$2" ;; esac
                only+=("$2")
                shift
            done
            [ ${#only[@]} -gt 0 ] || wrong_usage check-all "--only needs a verb, 'examples' or 'docs'"
            ;;
        *) wrong_usage check-all "unknown argument: $1" ;;
    esac
    shift
done

collect_checks
if $list; then
    for i in "${!check_names[@]}"; do printf '%-30s %s\n' "${check_names[i]}" "${check_commands[i]}"; done
    exit 0
fi

trap 'echo; echo "interrupted; the checks so far are in $check_logs" >&2; exit 130' INT
rm -rf "$check_logs"
mkdir -p "$check_logs"
summary=$check_logs/summary.txt
failed=0 skipped=0 passed=0 started=$SECONDS
total=${#check_names[@]}
for i in "${!check_names[@]}"; do
    printf '[%d/%d] %-30s ' $((i + 1)) "$total" "${check_names[i]}"
    failed_log=''
    run_check "$i"
    printf '%s  %s%s\n' "$(duration "$took")" "$result" "${why:+ ($why)}"
    printf '%-12s %8s  %-30s %s\n' "$result" "$(duration "$took")" "${check_names[i]}" "$why" >>"$summary"
    case "$result" in
        ok) passed=$((passed + 1)) ;;
        FAILED)
            failed=$((failed + 1))
            tail -n 60 "$failed_log" | sed 's/^/    /'
            ! $fail_fast || break
            ;;
        *) skipped=$((skipped + 1)) ;;
    esac
done

printf '\n%-12s %8s  %s\n' result time check
cat "$summary"
printf '\n%d passed, %d failed, %d not run here; %s\n' "$passed" "$failed" "$skipped" "$(duration $((SECONDS - started)))"
if $only_ci; then
    echo "Not in --ci:"
    for verb in $(verb_names); do
        read_header "$verb"
        [[ ${header[ci]} == yes ]] || printf '  %-14s %s\n' "$verb" "${header[ci]#no }"
    done
fi
[ "$failed" -eq 0 ]
