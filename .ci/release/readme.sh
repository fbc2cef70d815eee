# shellcheck shell=bash

# archive_readme SYSTEM: prints the text that a user of an archive reads first.
archive_readme() {
    local bin=bin/ end='' documents=share/doc/switchyard/docs scenarios=share/switchyard/scenarios licences=share/doc/switchyard/licences
    case "$1" in windows-*) bin='' end=.exe documents=docs scenarios=scenarios licences=licences ;; esac
    cat <<EOF
Switchyard $version

The window:     ${bin}switchyard-ui$end
The commands:   ${bin}switchyard$end --help
A first run:    ${bin}switchyard$end run yield-processes
Documents:      $documents/index.md, with thirteen lessons in $documents/tutorials
Scenarios:      $scenarios; the programs contain them, too
Licence:        MIT (LICENSE); those of the libraries are in $licences

Nothing has to be installed, and the programs run from any directory. In the documents, commands begin with "switchyard": add the
directory of the programs to PATH, or write it before the name.
EOF
}
