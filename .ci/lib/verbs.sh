# shellcheck shell=bash
# The verbs of ./run. Each file of .ci/verbs/ begins with a header. A header line is "# FIELD: VALUE". A field may have several
# lines. The header ends at the first line that does not begin with '#'. The fields:
#
#   group    one of the groups below
#   order    a number; the help prints the verbs of a group in this order
#   usage    how the verb is called
#   help     the text of `./run help`
#   example  COMMAND  or  COMMAND  |  what it does
#   more     a command that prints further options
#   check    a command by which ./run check-all tests the verb; several commands run one after the other
#   ci       "yes", or "no" and the reason: whether `./run check-all --ci` runs it
#   needs    what the verb needs in addition to packages: root, network
#   formerly an old name of the verb, which still works and prints a notice
#   may-not-run  when the verb cannot run on a machine (cannot_run_here in .ci/lib/common.sh)

verb_groups=(start build check deep maintain)
declare -A verb_group_title=(
    [start]='First steps'
    [build]='Packages and web pages'
    [check]='Checks'
    [deep]='Long tests: random inputs, injected failures, mutated lines, other machines'
    [maintain]='Maintaining the sources'
)
# The tests use another directory.
verbs_directory=${SWITCHYARD_VERBS:-.ci/verbs}

verb_file() { echo "$verbs_directory/$1.sh"; }
is_verb() { [[ $1 =~ ^[a-z][a-z-]*$ ]] && [ -f "$(verb_file "$1")" ]; }

# verb_formerly NAME: the verb that once had this name; fails if there is none.
verb_formerly() {
    local file
    [[ $1 =~ ^[a-z][a-z-]*$ ]] || return 1
    file=$(grep -lx "# formerly: $1" "$verbs_directory"/*.sh) || return 1
    basename "$file" .sh
}

# read_header VERB: sets the associative array `header`. Lines of the same field are joined by newlines.
declare -A header=()
read_header() {
    local line field
    header=()
    while IFS= read -r line && [[ $line == '#'* ]]; do
        [[ $line =~ ^'# '([a-z-]+)': '*(.*)$ ]] || continue
        field=${BASH_REMATCH[1]}
        header[$field]+=${header[$field]+$'\n'}${BASH_REMATCH[2]}
    done <"$(verb_file "$1")"
}

# Whether the usage line of the verb has nothing but its name.
takes_no_arguments() {
    read_header "$1"
    [ "${header[usage]}" = "./run $1" ]
}

# All verbs, one per line, in the order of the help.
verb_names() {
    local file verb group number
    for file in "$verbs_directory"/*.sh; do
        verb=${file##*/}
        verb=${verb%.sh}
        read_header "$verb"
        number=0
        for group in "${verb_groups[@]}"; do
            [ "$group" != "${header[group]-}" ] || break
            number=$((number + 1))
        done
        printf '%d %03d %s\n' "$number" "$((10#${header[order]-999}))" "$verb"
    done | sort | while read -r _ _ verb; do echo "$verb"; done
}

# A line of usage, followed by the help: on the same line if the usage is short.
verb_summary() {
    local usage line first=true
    read_header "$1"
    usage=${header[usage]-./run $1}
    while IFS= read -r line; do
        if $first && [ ${#usage} -le 19 ] && [[ $usage != *$'\n'* ]]; then
            printf '  %-19s %s\n' "$usage" "$line"
        else
            ! $first || printf '  %s\n' "${usage//$'\n'/$'\n'  }"
            printf '  %-19s %s\n' '' "$line"
        fi
        first=false
    done <<<"${header[help]-}"
}

# The text of `./run help`.
all_verbs_help() {
    local group verb verbs
    verbs=$(verb_names)
    echo "Usage: ./run VERB [ARGUMENT...]; ./run VERB --help describes one verb, with examples."
    for group in "${verb_groups[@]}"; do
        printf '\n%s\n' "${verb_group_title[$group]}"
        for verb in $verbs; do
            read_header "$verb"
            [ "${header[group]-}" != "$group" ] || verb_summary "$verb"
        done
    done
}

# The text of `./run VERB --help`.
verb_help() {
    local line
    read_header "$1"
    printf 'Usage: %s\n\n' "${header[usage]//$'\n'/$'\n       '}"
    printf '%s\n' "${header[help]}"
    [ -z "${header[needs]-}" ] || printf '\nNeeds: %s.\n' "${header[needs]}"
    [ -z "${header[may-not-run]-}" ] || printf '\nCannot run: %s.\n' "${header[may-not-run]}"
    if [ -n "${header[example]-}" ]; then
        printf '\nExamples:\n'
        while IFS= read -r line; do
            case "$line" in
                *'  |  '*) printf '  %-45s %s\n' "${line%%  |  *}" "${line#*  |  }" ;;
                *) printf '  %s\n' "$line" ;;
            esac
        done <<<"${header[example]}"
    fi
    if [ -n "${header[more]-}" ]; then
        printf '\nFrom %s:\n\n' "${header[more]}"
        bash -c "${header[more]}" 2>/dev/null || echo '  (not available: a package is missing; the first run of this verb installs it)'
    fi
}

# distance A B: the number of letters to insert, delete or replace.
distance() {
    local a=$1 b=$2 i j cost previous=() current=()
    for ((j = 0; j <= ${#b}; ++j)); do previous[j]=$j; done
    for ((i = 1; i <= ${#a}; ++i)); do
        current[0]=$i
        for ((j = 1; j <= ${#b}; ++j)); do
            cost=1
            [ "${a:i-1:1}" != "${b:j-1:1}" ] || cost=0
            current[j]=$((previous[j - 1] + cost))
            [ $((previous[j] + 1)) -ge "${current[j]}" ] || current[j]=$((previous[j] + 1))
            [ $((current[j - 1] + 1)) -ge "${current[j]}" ] || current[j]=$((current[j - 1] + 1))
        done
        previous=("${current[@]}")
    done
    echo "${previous[${#b}]}"
}

# Prints the most similar verb, and exits with 2.
unknown_verb() {
    local verb best='' least=4 d
    for verb in $(verb_names); do
        d=$(distance "${1:0:30}" "$verb")
        # A verb that begins with the word, or the other way round, counts as one wrong letter.
        [[ $verb != "$1"* || -z $1 ]] || d=1
        if [ "$d" -lt "$least" ] && [ "$d" -lt ${#verb} ]; then
            best=$verb
            least=$d
        fi
    done
    [ -z "$best" ] || best=" Did you mean '$best'?"
    echo "./run: unknown verb '$1'.$best ./run help lists all verbs." >&2
    exit 2
}
