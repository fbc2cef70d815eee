# shellcheck shell=bash
# group: start
# order: 3
# usage: ./run help [VERB]
# help: print this list; `./run VERB --help` describes one verb
# example: ./run help
# example: ./run fuzz --help
# check: ./run help
# check: ./run help fuzz
# ci: yes
if [ $# -eq 0 ]; then all_verbs_help; else
    is_verb "$1" || unknown_verb "$1"
    verb_help "$1"
fi
