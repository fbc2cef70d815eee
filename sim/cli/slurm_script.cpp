#include "sim/cli/slurm_script.h"

#include <fmt/format.h>

#include "sim/lab/command_line.h"

namespace sim::cli {
namespace {

// The common part of all scripts. A complete shard gets its final file name, so that finished shards can be
// listed without reading them. A sweep rejects the file of another sweep.
constexpr const char* kBody = R"bash(
parts=$results.shards
part() { printf '%s/%s-of-%s.jsonl' "$parts" "$1" "$shards"; }
jobs=(${SLURM_CPUS_PER_TASK:+--jobs "$SLURM_CPUS_PER_TASK"})

# A killed shard leaves its finished runs in its .part file; the next try continues from there.
run_shard() {
    local whole file
    whole=$(part "$1")
    file=$whole
    [ -e "$whole" ] || file=$whole.part
    "$switchyard" "${sweep[@]}" "${jobs[@]}" --shard "$1/$shards" --results "$file" --output /dev/null
    [ "$file" = "$whole" ] || mv "$file" "$whole"
}

# The task that starts first queues the merge, to run after all tasks of the array have ended, failed or not.
queue_merge() {
    local mark=$parts/merge-of-$SLURM_ARRAY_JOB_ID
    mkdir "$mark" 2>/dev/null || return 0
    sbatch --array=0 --dependency="afterany:$SLURM_ARRAY_JOB_ID" --job-name=sweep-merge \
        ${SLURM_JOB_ACCOUNT:+--account="$SLURM_JOB_ACCOUNT"} ${SLURM_JOB_QOS:+--qos="$SLURM_JOB_QOS"} \
        ${SLURM_JOB_PARTITION:+--partition="$SLURM_JOB_PARTITION"} "$0" merge && return
    rmdir "$mark"
    printf 'the merge could not be queued; when all shards are there: bash %q merge\n' "$script" >&2
}

# The missing shards, in the notation of sbatch --array: 2,5-7
missing() {
    local i first='' list=''
    for ((i = 1; i <= shards + 1; i++)); do
        if ((i <= shards)) && [ ! -e "$(part "$i")" ]; then
            first=${first:-$i}
        elif [ -n "$first" ]; then
            list+=,$first
            ((first == i - 1)) || list+=-$((i - 1))
            first=
        fi
    done
    printf '%s' "${list#,}"
}

merge() {
    local lost i files=()
    lost=$(missing)
    if [ -n "$lost" ]; then
        printf 'of %s shards, these are missing: %s; %s was not written. To run them and then the merge:\n' \
            "$shards" "$lost" "$results"
        printf '  sbatch --array=%s %q\n' "$lost" "$script"
        return 1
    fi >&2
    for ((i = 1; i <= shards; i++)); do files+=("$(part "$i")"); done
    ulimit -S -n "$(ulimit -H -n)"
    "$switchyard" sweep --merge "${files[@]}" --results "$parts/merged.jsonl" --output /dev/null
    if [ -s "$results" ] && [ "$(head -n 1 "$results")" != "$(head -n 1 "$parts/merged.jsonl")" ]; then
        printf '%s contains results of another sweep; move it away, then run: bash %q merge\n' "$results" "$script" >&2
        return 1
    fi
    # All runs are done: this prints the tables, and rejects results of another sweep.
    "$switchyard" "${sweep[@]}" "${tables[@]}" "${jobs[@]}" --results "$parts/merged.jsonl"
    mv "$parts/merged.jsonl" "$results"
}

if ! command -v "$switchyard" >/dev/null; then
    printf '%s not found on %s; specify its path: SWITCHYARD=/path/to/switchyard sbatch %q\n' \
        "$switchyard" "$(uname -n)" "$script" >&2
    exit 127
fi
case ${1-} in
    '')
        if [ -z "${SLURM_ARRAY_TASK_ID-}" ]; then
            printf 'submit this script to Slurm: sbatch %q\n' "$script" >&2
            printf 'or run it without Slurm: bash %q SHARD..., then: bash %q merge\n' "$script" "$script" >&2
            exit 2
        fi
        mkdir -p "$parts"
        queue_merge
        run_shard "$SLURM_ARRAY_TASK_ID"
        ;;
    merge) merge ;;
    *)
        mkdir -p "$parts"
        for shard; do run_shard "$shard"; done
        ;;
esac
)bash";

std::string shell_array(const char* name, const std::vector<std::string>& words) {
    std::string text = fmt::format("{}=(", name);
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i > 0 ? " " : "") + lab::quote_for_shell(words[i]);
    return text + ")\n";
}

}  // namespace

std::string non_option_path(const std::string& path) { return path.starts_with('-') ? "./" + path : path; }

std::string slurm_script(const SlurmJob& job) {
    std::vector<std::string> sweep = job.sweep;
    sweep.insert(sweep.begin(), "sweep");
    std::string text = fmt::format(
        "#!/bin/bash\n"
        "# A sweep of {} runs as a job array of Slurm: a task for each shard, and a merge when all have "
        "ended.\n"
        "# These options apply to the shards and to the merge; add others here (--time, --mem, --partition, "
        "--account).\n"
        "#SBATCH --job-name=sweep\n"
        "#SBATCH --array=1-{}\n"
        "#SBATCH --ntasks=1\n"
        "#SBATCH --cpus-per-task={}\n"
        "#SBATCH --requeue\n"
        "#SBATCH --open-mode=append\n"
        "# shellcheck disable=SC2016,SC2054 # words may have dollar signs and commas\n"
        "set -euo pipefail\n\n"
        "switchyard=${{SWITCHYARD:-switchyard}}\n",
        job.runs, job.shards, job.cpus);
    text +=
        fmt::format("script={}\nresults={}\nshards={}\n", lab::quote_for_shell(non_option_path(job.script)),
                    lab::quote_for_shell(non_option_path(job.results)), job.shards);
    return text + shell_array("sweep", sweep) + shell_array("tables", job.tables) + kBody;
}

}  // namespace sim::cli
