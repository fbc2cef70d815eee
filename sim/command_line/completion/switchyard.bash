# Completion for switchyard and switchyard-ui in bash: the programs print the candidates (sim/command_line/completion.h).
# Loaded by bash-completion when it is installed, or by `source` in ~/.bashrc.

_switchyard() {
    # Bash splits words at '=', ':' and '@', too (COMP_WORDBREAKS). This loop joins the pieces of each word, up to the cursor.
    local words=() rest=${COMP_LINE:0:COMP_POINT} piece i
    rest=${rest#*"${COMP_WORDS[0]}"}
    for ((i = 1; i <= COMP_CWORD; ++i)); do
        if [[ $rest == [[:blank:]]* || ${#words[@]} -eq 0 ]]; then
            words+=('')
            rest=${rest#"${rest%%[![:blank:]]*}"}
        fi
        piece=${COMP_WORDS[i]}
        [[ $i -lt $COMP_CWORD ]] || piece=$rest
        words[-1]+=$piece
        rest=${rest#"$piece"}
    done
    words=("${words[@]//[\"\'\\]/}")

    COMPREPLY=()
    local candidates
    candidates=$("${COMP_WORDS[0]/#\~/$HOME}" complete -- "${words[@]}" 2>/dev/null | cut -f 1)
    [[ -n $candidates ]] || return
    mapfile -t COMPREPLY <<<"$candidates"
    [[ ${COMPREPLY[0]} == *[/=:,@] ]] && compopt -o nospace  # incomplete

    # Bash replaces only the piece of the word after its last split, unless the word is quoted. So the text before is removed.
    [[ ${COMP_WORDS[COMP_CWORD]} == [\"\']* ]] && return
    local kept=${words[-1]}
    [[ $COMP_WORDBREAKS == *:* ]] || kept=${kept//:/.}
    [[ $COMP_WORDBREAKS == *=* ]] || kept=${kept//=/.}
    [[ $COMP_WORDBREAKS == *@* ]] || kept=${kept//@/.}
    kept=${kept%"${kept##*[=:@]}"}
    kept=${words[-1]:0:${#kept}}
    COMPREPLY=("${COMPREPLY[@]#"$kept"}")
}

complete -F _switchyard switchyard switchyard-ui
