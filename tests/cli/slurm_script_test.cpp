// Tests the job script of `switchyard sweep --slurm` with a fake sbatch. `./run check-cluster` tests it with
// Slurm itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/support/command_line.h"

namespace slurm_script_test {

namespace fs = std::filesystem;

// A fake sbatch. It runs the tasks of a job array one after the other, except those in $LOST, and then the
// job that depends on the array. Like Slurm, it runs a copy of the script in the directory where sbatch was
// called.
constexpr const char* kSbatch = R"bash(#!/bin/bash
set -eu
array='' after=''
while [[ $1 == -* ]]; do
    case $1 in
        --array=*) array=${1#*=} ;;
        --dependency=afterany:*) after=yes ;;
    esac
    shift
done
id=$(($(cat bin/id 2>/dev/null || echo 0) + 1))
echo "$id" >bin/id
cp "$1" "bin/script-$id"
shift
[ -n "$array" ] || array=$(sed -n 's/^#SBATCH --array=//p' "bin/script-$id")
echo "$array $*" >>bin/log
if [ -n "$after" ]; then
    [ ! -e bin/closed ] || exit 1
    echo "$id $*" >bin/waiting
    exit
fi
for range in ${array//,/ }; do
    for ((task = ${range%-*}; task <= ${range#*-}; task++)); do
        [[ " ${LOST-} " != *" $task "* ]] || continue
        SLURM_CPUS_PER_TASK=1 SLURM_ARRAY_JOB_ID=$id SLURM_ARRAY_TASK_ID=$task bash "bin/script-$id" "$@" || true
    done
done
if [ -e bin/waiting ]; then
    read -r id word <bin/waiting
    rm bin/waiting
    SLURM_CPUS_PER_TASK=1 SLURM_ARRAY_JOB_ID=$id SLURM_ARRAY_TASK_ID=0 bash "bin/script-$id" "$word"
fi
)bash";

class SlurmScript : public CommandLine {
  protected:
    void SetUp() override {
        CommandLine::SetUp();
        if (shell("bash -c 'complete && mapfile </dev/null'").exit_code != 0)
            GTEST_SKIP() << "there is no bash here";
        fs::create_directory(folder() / "bin");
        write_file(folder() / "bin/sbatch", kSbatch);
        fs::permissions(folder() / "bin/sbatch", fs::perms::owner_all);
        fs::copy_file(folder() / "scenarios/yield-processes.json", folder() / kScenario);
    }
    std::string file(const std::string& name) const { return content_of(folder() / name); }
    Finished with_sbatch(const std::string& line) const { return shell("PATH=$PWD/bin:$PATH; " + line); }
    void write_script() const { output(kSlurm); }
    // Runs the sweep without shards to whole.jsonl. Returns its tables.
    std::string whole_sweep() const {
        Words words = kSweep;
        words.insert(words.end(), {"--results", "whole.jsonl"});
        return output(words);
    }

    // Contains characters that are special in a shell.
    const std::string kScenario = "it's $(touch bad) `touch worse`\n\"own\" *.json";
    const Words kSweep{"sweep",     kScenario,
                       "--vary",    "/tasks/0/count=2,4,8",
                       "--set",     "/machine/hz=200",
                       "--seeds",   "2",
                       "--until",   "5ms",
                       "--policy",  "linux-2.0",
                       "--policy",  "sorted-queue:insert=head",
                       "--measure", "us-per-yield",
                       "--refine"};
    const Words kSlurm = [this] {
        Words words = kSweep;
        words.insert(words.end(),
                     {"--results", "the results.jsonl", "--shards", "5", "--slurm", "a job's.sh", "--quiet"});
        return words;
    }();
};

TEST_F(SlurmScript, JobWritesSameResultsAsUnshardedSweep) {
    const std::string table = whole_sweep();
    write_script();
    EXPECT_FALSE(fs::exists(folder() / "the results.jsonl"));
    const Finished job = with_sbatch("sbatch a*.sh");
    EXPECT_EQ(job.exit_code, 0) << job;
    EXPECT_EQ(job.out, table);
    EXPECT_EQ(job.err, "");
    EXPECT_EQ(file("the results.jsonl"), file("whole.jsonl"));
    EXPECT_EQ(file("bin/log"), "1-5 \n0 merge\n");
    EXPECT_FALSE(fs::exists(folder() / "bad"));
    EXPECT_FALSE(fs::exists(folder() / "worse"));
    // All shards are complete and are not run again.
    const Finished again = with_sbatch("sbatch a*.sh");
    EXPECT_EQ(again.exit_code, 0) << again;
    EXPECT_EQ(again.out, table);
    EXPECT_EQ(file("the results.jsonl"), file("whole.jsonl"));
}

TEST_F(SlurmScript, PrintedCommandRunsOnlyLostShards) {
    write_script();
    const Finished lost = with_sbatch("LOST='1 3 4' sbatch a*.sh");
    EXPECT_EQ(lost.exit_code, 1) << lost;
    EXPECT_EQ(lost.out, "");
    EXPECT_EQ(
        lost.err,
        "of 5 shards, these are missing: 1,3-4; the results.jsonl was not written. To run them and then "
        "the merge:\n  sbatch --array=1,3-4 a\\ job\\'s.sh\n");
    EXPECT_FALSE(fs::exists(folder() / "the results.jsonl"));
    const std::string second = file("the results.jsonl.shards/2-of-5.jsonl");
    // A partial shard left by a kill is continued.
    whole_sweep();
    Words third = kSweep;
    third.pop_back();  // --refine
    third.insert(third.end(), {"--results", "third.jsonl", "--shard", "3/5"});
    output(third);
    std::string begun = file("third.jsonl");
    begun.resize(begun.size() - 100);
    write_file(folder() / "the results.jsonl.shards/3-of-5.jsonl.part", begun);
    const Finished again = with_sbatch(lines_of(lost.err).back());
    EXPECT_EQ(again.exit_code, 0) << again;
    EXPECT_EQ(file("the results.jsonl"), file("whole.jsonl"));
    EXPECT_EQ(file("the results.jsonl.shards/2-of-5.jsonl"), second);
    EXPECT_EQ(file("bin/log"), "1-5 \n0 merge\n1,3-4 \n0 merge\n");
}

TEST_F(SlurmScript, RunsWithoutSlurmOrQueuePermission) {
    write_script();
    const Finished alone = shell("bash a*.sh");
    EXPECT_EQ(alone.exit_code, 2);
    EXPECT_EQ(alone.err,
              "submit this script to Slurm: sbatch a\\ job\\'s.sh\n"
              "or run it without Slurm: bash a\\ job\\'s.sh SHARD..., then: bash a\\ job\\'s.sh merge\n");
    EXPECT_EQ(shell("bash a*.sh 6").exit_code, 2);
    EXPECT_EQ(shell("bash a*.sh 2 5").exit_code, 0);
    EXPECT_EQ(shell("bash a*.sh merge").exit_code, 1);
    write_file(folder() / "bin/closed", "");
    const Finished job = with_sbatch("sbatch a*.sh");
    EXPECT_NE(
        job.err.find("the merge could not be queued; when all shards are there: bash a\\ job\\'s.sh merge\n"),
        std::string::npos)
        << job;
    EXPECT_EQ(shell("bash a*.sh merge").exit_code, 0);
    whole_sweep();
    EXPECT_EQ(file("the results.jsonl"), file("whole.jsonl"));
}

TEST_F(SlurmScript, RefusesToReplaceResultsOfOtherSweep) {
    write_script();
    EXPECT_EQ(with_sbatch("sbatch a*.sh").exit_code, 0);
    const std::string first = file("the results.jsonl");
    Words other = kSlurm;
    *(std::find(other.begin(), other.end(), "--seeds") + 1) = "3";
    output(other);
    const Finished old_shards = with_sbatch("sbatch a*.sh");
    EXPECT_EQ(old_shards.exit_code, 2) << old_shards;
    EXPECT_NE(old_shards.err.find("1-of-5.jsonl: the file contains the results of a different sweep: the "
                                  "seeds are 1 to 2, not 1 to 3"),
              std::string::npos)
        << old_shards;
    EXPECT_EQ(file("the results.jsonl"), first);
    fs::remove_all(folder() / "the results.jsonl.shards");
    const Finished old_results = with_sbatch("sbatch a*.sh");
    EXPECT_EQ(old_results.exit_code, 1) << old_results;
    EXPECT_EQ(old_results.err,
              "the results.jsonl contains results of another sweep; move it away, then run: bash a\\ "
              "job\\'s.sh merge\n");
    EXPECT_EQ(file("the results.jsonl"), first);
}

TEST_F(SlurmScript, PassesBashAndShellcheck) {
    write_script();
    EXPECT_EQ(shell("bash -n a*.sh").exit_code, 0);
    if (shell("command -v shellcheck").exit_code != 0) GTEST_SKIP() << "there is no shellcheck here";
    const Finished checked = shell("shellcheck a*.sh");
    EXPECT_EQ(checked.exit_code, 0) << checked;
}

TEST_F(SlurmScript, ProgramPathComesFromEnvironmentVariable) {
    write_script();
    EXPECT_EQ(
        shell(fmt::format("PATH=/usr/bin:/bin SWITCHYARD={} bash a*.sh 1", SWITCHYARD_BINARY)).exit_code, 0);
    const Finished nowhere = shell("SWITCHYARD=no/such/program bash a*.sh 2");
    EXPECT_EQ(nowhere.exit_code, 127);
    EXPECT_TRUE(nowhere.err.starts_with("no/such/program not found on ")) << nowhere;
    EXPECT_NE(nowhere.err.find("SWITCHYARD=/path/to/switchyard sbatch a\\ job\\'s.sh\n"), std::string::npos)
        << nowhere;
}

TEST_F(SlurmScript, DefaultShardsEqualRunsUpTo100) {
    const Words few{"sweep",     "two-hogs", "--vary",  "/machine/hz=50,100,200",
                    "--results", "r.jsonl",  "--slurm", "job.sh"};
    EXPECT_EQ(output(few), "3 runs in 3 shards: sbatch job.sh\n");
    Words many = few;
    many.insert(many.end(), {"--seeds", "2000", "--jobs", "4"});
    EXPECT_EQ(output(many), "6,000 runs in 100 shards: sbatch job.sh\n");
    EXPECT_NE(file("job.sh").find("\n#SBATCH --array=1-100\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=4\n"),
              std::string::npos);
}

TEST_F(SlurmScript, BadOptionsAreRefusedWithoutWriting) {
    const auto before = listing();
    const Words job{"sweep", "two-hogs", "--results", "r.jsonl", "--slurm", "job.sh"};
    const auto refused = [&](const Words& more, const std::string& message) {
        Words words = job;
        words.insert(words.end(), more.begin(), more.end());
        expect_refused(words, message);
    };
    refused({"--shards", "2"}, "--shards 2: there is only 1 run");
    refused({"--shards", "0"}, "--shards");
    refused({"--shards", "10001"}, "--shards");
    refused({"--shard", "1/2"}, "--slurm adds --shard itself; leave out --shard");
    refused({"--policy", "linux-2.1"}, "did you mean 'linux-2.0'?");
    refused({"--refine"}, "--refine needs an axis of whole numbers");
    refused({"--output", "job.sh"}, "the same file is used twice");
    expect_refused({"sweep", "two-hogs", "--slurm", "job.sh"}, "--slurm needs --results");
    expect_refused({"sweep", "two-hogs", "--shards", "2"}, "--shards needs --slurm");
    expect_refused({"sweep", "-", "--results", "r.jsonl", "--slurm", "job.sh"}, "a file or a name", "{}");
    expect_refused({"sweep", "--results-from", "r.jsonl", "--slurm", "job.sh"}, "leave out --slurm");
    expect_refused({"sweep", "--merge", "r.jsonl", "--shards", "2"}, "leave out --shards");
    expect_refused({"sweep", "two-hogs", "--results", "r.jsonl", "--slurm", "no/such/job.sh"},
                   "no/such/job.sh");
    expect_refused({"sweep", "two-hogs", "--results", "r.jsonl", "--slurm", ""},
                   "the value must not be empty");
    EXPECT_EQ(listing(), before);
}

}  // namespace slurm_script_test
