# shellcheck shell=bash
# group: maintain
# order: 9
# usage: ./run build-times [--from FILE] [--check]
# help: print the CPU seconds that each library takes to compile, also as a multiple of those of one fixed file, so that
# help: the speed of the machine cancels out; --check: fail if a library is over its budget in .ci/build_budgets.txt;
# help: --from: do not build, but read the log of a build that compiled everything: of `./run demo` and `./run test`
# help: in a tree where nothing was built, both with SWITCHYARD_CPU_LOG=FILE and the absolute path of FILE
# example: ./run build-times --check
# check: ./run build-times --check
# ci: no CI checks the budgets with the log of its first build
# needs: network, when packages are missing
times_log='' times_check=false times_build=build/release
while [ $# -gt 0 ]; do
    case "$1" in
        --from)
            [ $# -ge 2 ] || wrong_usage build-times "--from needs a file"
            times_log=$2
            shift
            ;;
        --check) times_check=true ;;
        *) wrong_usage build-times "unknown argument: $1" ;;
    esac
    shift
done
need "${build_needs[@]}" "${window_needs[@]}" "${test_needs[@]}"
if [ -z "$times_log" ]; then
    times_log=$PWD/build/build-times.log times_build=build/build-times
    export SWITCHYARD_CPU_LOG=$times_log
    rm -rf build/build-times "$times_log"
    mkdir -p build
    progress_run "configuring" build-times cmake -S . -B build/build-times -G Ninja -DCMAKE_BUILD_TYPE=Release \
        "-DCMAKE_CXX_COMPILER_LAUNCHER=$PWD/.ci/checks/cpu-seconds" || exit 1
    progress_run "building everything" build-times cmake --build build/build-times --target all yield-table-program || exit 1
fi
[ -s "$times_log" ] || wrong_usage build-times "$times_log is empty or missing"

# Compiles the fixed file six times, two at a time like the files of a build on two cores. The unit is the median.
times_files=$(mktemp -d)
# shellcheck disable=SC2064 # the name is expanded now
trap "rm -rf '$times_files'" EXIT
times_fixed=$times_files/fixed
for _ in 1 2 3; do
    for _ in 1 2; do
        (SWITCHYARD_CPU_LOG=$times_fixed .ci/checks/cpu-seconds "${CXX:-g++}" -std=c++20 -O1 -c .ci/checks/fixed_file.cpp -o /dev/null) &
    done
    wait
done
times_unit=$(awk '{ print $1 + $2 }' "$times_fixed" | sort -n | sed -n 3p)

# times_compare LOG: prints the table and the result; writes the objects of libraries over their budget to a file.
times_compare() {
    awk -v unit="$times_unit" -v check="$times_check" -v over="$times_files/over" '
    FNR == NR { if ($1 !~ /^#/ && NF >= 2) budget[$1] = $2; next }
    !($3 in object) || $1 + $2 < object[$3] { object[$3] = $1 + $2 } # of a file that was compiled twice: the shorter time
    END {
        printf "" >over
        for (file in object) {
            if (!match(file, /CMakeFiles\/[^\/]+\.dir/)) continue
            name = substr(file, RSTART + 11, RLENGTH - 15)
            library[file] = name
            seconds[name] += object[file]
            files[name]++
            all += object[file]
        }
        printf "The fixed file takes %.2f CPU seconds.\n\n%-26s %6s %12s %9s %7s\n", unit, "library", "files", "CPU seconds", "multiple", "budget"
        order = "sort -k3 -rn"
        for (name in seconds)
            printf "%-26s %6d %12.1f %9.1f %7s\n", name, files[name], seconds[name], seconds[name] / unit, (name in budget) ? budget[name] : "-" | order
        close(order)
        printf "%-26s %6s %12.1f %9.1f\n", "all", "", all, all / unit
        if (check != "true") exit 0
        for (name in seconds) {
            if (!(name in budget)) {
                printf "%s has no budget in .ci/build_budgets.txt\n", name
                wrong = 1
            } else if (seconds[name] / unit > budget[name]) {
                printf "%s is over its budget: %.1f times the fixed file, expected at most %s\n", name, seconds[name] / unit, budget[name]
                wrong = 1
                for (file in library)
                    if (library[file] == name) print file >over
            }
        }
        for (name in budget)
            if (!(name in seconds)) {
                printf "%s has a budget in .ci/build_budgets.txt, but is not built\n", name
                wrong = 1
            }
        if (!wrong) print "Every library is within its budget."
        exit wrong
    }' .ci/build_budgets.txt "$1"
}

# Compiles the objects of the libraries over their budget once more, with the same commands, two at a time. A busy machine only
# adds CPU time, so the shorter of two measurements counts.
times_measure_again() {
    cp "$times_log" "$times_files/log"
    while read -r object; do
        command=$(ninja -C "$times_build" -t commands -s "$object" | tail -n 1)
        command=${command/#*cpu-seconds /}
        printf 'cd %q && %q %s\0' "$times_build" "$PWD/.ci/checks/cpu-seconds" \
            "${command/" -o $object "/" -o $object.again "}"
    done <"$times_files/over" | SWITCHYARD_CPU_LOG=$times_files/again xargs -0 -n 1 -P 2 bash -c || return 1
    while read -r object; do rm -f "$times_build/$object.again"; done <"$times_files/over"
    sed 's/\.again$//' "$times_files/again" >>"$times_files/log"
}

times_code=0
times_compare "$times_log" || times_code=$?
if [ -s "$times_files/over" ] && [ -f "$times_build/build.ninja" ]; then
    printf '\nThe libraries over their budget are compiled once more.\n'
    times_measure_again || exit 1
    times_code=0
    times_compare "$times_files/log" || times_code=$?
fi
[ "$times_code" = 0 ] || exit "$times_code"
