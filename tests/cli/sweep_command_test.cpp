// Tests of `switchyard sweep`: tables, crossovers, kills and shards.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "sim/base/rng.h"
#include "sim/os/posix/spawn.h"
#include "tests/support/command_line.h"

extern char** environ;

namespace sweep_command_test {

namespace fs = std::filesystem;
using nlohmann::json;

class SweepCommand : public CommandLine {
  protected:
    fs::path in_folder(const std::string& name) const { return folder() / name; }
    std::string file(const std::string& name) const { return content_of(in_folder(name)); }
};

const Words kTwoPolicies{"--policy", "linux-2.0", "--policy", "sorted-queue"};

Words with(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

const Words kSmall =
    with({"sweep", "yield-processes", "--vary", "/tasks/0/count=2,4,8", "--seeds", "2", "--until", "5ms"},
         kTwoPolicies);

TEST_F(SweepCommand, YieldCostMatchesRunCommand) {
    const auto report =
        json_output({"sweep", "yield-processes", "--vary", "/tasks/0/count=4", "--until", "1s"});
    const auto run = json_output({"run", "yield-processes", "--set", "/tasks/0/count=4", "--until", "1s"});
    ASSERT_EQ(report["measures"].size(), 1u);
    EXPECT_EQ(report["measures"][0]["name"], "us-per-yield");
    EXPECT_DOUBLE_EQ(report["measures"][0]["points"][0]["mean"].get<double>(),
                     run["simulated_ns"].get<double>() / run["yields"]["calls"].get<double>() / 1000);
}

TEST_F(SweepCommand, WorkloadWithoutYieldsMeasuresSwitchCost) {
    const auto report = json_output({"sweep", "two-hogs", "--vary", "/machine/hz=100,200", "--until", "2s"});
    ASSERT_EQ(report["measures"].size(), 2u);
    EXPECT_EQ(report["measures"][0]["name"], "kernel-us-per-switch");
    EXPECT_EQ(report["measures"][1]["name"], "switches-per-second");
    const std::string text =
        output({"sweep", "two-hogs", "--until", "2s", "--measure", "us-per-yield", "--measure", "/ticks"});
    EXPECT_NE(text.find("\n        -\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\n      199\n"), std::string::npos) << text;
}

TEST_F(SweepCommand, RefinedCrossoverMatchesRunOnBothSides) {
    const Words words =
        with({"sweep", "yield-processes", "--vary", "/tasks/0/count=2,40", "--until", "200ms"}, kTwoPolicies);
    const auto interpolated = json_output(words)["crossovers"];
    ASSERT_EQ(interpolated.size(), 1u);
    EXPECT_FALSE(interpolated[0]["exact"]);
    const auto report = json_output(with(words, {"--refine"}));
    const auto crossover = report["crossovers"][0];
    EXPECT_TRUE(crossover["exact"]);
    // With several measures, the crossover is that of the first measure.
    const auto of_two = json_output(
        with(words, {"--refine", "--measure", "us-per-yield", "--measure", "switches-per-second"}));
    EXPECT_EQ(of_two["crossovers"], report["crossovers"]);
    EXPECT_EQ(crossover["below"], "sorted-queue");
    EXPECT_EQ(crossover["above"], "linux-2.0");
    for (const char* side : {"left", "right"})
        for (const char* which : {"below", "above"}) {
            const auto run =
                json_output({"run", "yield-processes", "--until", "200ms", "--set",
                             fmt::format("/tasks/0/count={}", crossover[side]["x"].get<double>()), "--policy",
                             crossover[which].get<std::string>()});
            EXPECT_DOUBLE_EQ(crossover[side][which].get<double>(),
                             run["simulated_ns"].get<double>() / run["yields"]["calls"].get<double>() / 1000);
        }
    EXPECT_GE(crossover["left"]["below"].get<double>(), crossover["left"]["above"].get<double>());
    EXPECT_LT(crossover["right"]["below"].get<double>(), crossover["right"]["above"].get<double>());
}

TEST_F(SweepCommand, CsvMatchesJson) {
    const auto report = json_output(kSmall);
    const Words csv = lines_of(output(with(kSmall, {"--format", "csv"})));
    ASSERT_EQ(csv.size(), 7u);
    EXPECT_EQ(csv[0], "measure,unit,/tasks/0/count,policy,n,mean,half_width");
    for (std::size_t i = 0; i < 6; ++i) {
        const auto& point = report["measures"][0]["points"][i];
        EXPECT_EQ(csv[i + 1], fmt::format("us-per-yield,us,{},{},2,{:.10g},{:.10g}",
                                          point["values"]["/tasks/0/count"].get<std::string>(),
                                          point["policy"].get<std::string>(), point["mean"].get<double>(),
                                          point["half_width"].get<double>()));
    }
}

TEST_F(SweepCommand, ResultsDoNotDependOnJobCount) {
    for (const char* jobs : {"1", "2", "7"})
        output(with(kSmall, {"--results", fmt::format("r{}.jsonl", jobs), "--output",
                             fmt::format("r{}.txt", jobs), "--jobs", jobs}));
    EXPECT_EQ(lines_of(file("r1.jsonl")).size(), 13u);
    EXPECT_EQ(file("r1.jsonl"), file("r2.jsonl"));
    EXPECT_EQ(file("r1.jsonl"), file("r7.jsonl"));
    EXPECT_EQ(file("r1.txt"), file("r7.txt"));
    // The results can be shown without the scenario, and a complete sweep is not run again.
    EXPECT_EQ(output({"sweep", "--results-from", "r1.jsonl"}), file("r1.txt"));
    EXPECT_EQ(output(with(kSmall, {"--results", "r1.jsonl"})), file("r1.txt"));
    EXPECT_EQ(file("r1.jsonl"), file("r2.jsonl"));
    EXPECT_NE(output({"sweep", "--results-from", "r1.jsonl", "--measure", "considered"})
                  .find("considered per schedule()"),
              std::string::npos);
}

// Rows contain waits only if a measure needs them. The waits equal those of a run.
TEST_F(SweepCommand, WaitsAreMeasuredOnlyOnRequest) {
    const Words sweep{"sweep",    "interactive-vs-hog", "--vary",  "/machine/hz=100,1000",
                      "--policy", "linux-6.6",          "--until", "2s"};
    const auto with = [&](Words words, const Words& more) {
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    output(with(sweep, {"--measure", "wakeup-latency-max@editor", "--measure", "wait-mean", "--results",
                        "with.jsonl", "--output", "table.txt"}));
    const json run = json::parse(output({"run", "interactive-vs-hog", "--policy", "linux-6.6", "--until",
                                         "2s", "--latency", "--format", "json"}));
    const json row = json::parse(lines_of(content_of(folder() / "with.jsonl")).at(1));
    EXPECT_EQ(row.at("summary").at("latency"), run.at("latency"));
    EXPECT_NE(
        output({"sweep", "--results-from", "with.jsonl", "--measure", "wakeup-latency-max@editor"})
            .find(fmt::format(
                "{:.4g}",
                run.at("latency").at("entries").at("editor").at("wakeup").at("max_ns").get<double>() * 1e-3)),
        std::string::npos);
    output(with(sweep, {"--measure", "switches", "--results", "without.jsonl", "--output", "table.txt"}));
    EXPECT_EQ(content_of(folder() / "without.jsonl").find("\"latency\""), std::string::npos);
    // A results file without waits cannot be continued by a sweep that measures waits.
    expect_refused(with(sweep, {"--measure", "wait-mean", "--results", "without.jsonl"}),
                   "the waits for a CPU are missing, but a measure needs them");
    expect_refused(with(sweep, {"--measure", "wait-p50@edtor"}), "did you mean 'editor'?");
    expect_refused(with(sweep, {"--measure", "wait-p51"}), "did you mean 'wait-p50'?");
    EXPECT_NE(output({"sweep", "--results-from", "without.jsonl", "--measure", "wait-p50"}).find(" -\n"),
              std::string::npos);
}

TEST_F(SweepCommand, MergedShardsEqualWholeSweep) {
    const std::string table = output(with(kSmall, {"--results", "all.jsonl"}));
    for (const char* shard : {"1", "2", "3"})
        output(with(kSmall,
                    {"--results", fmt::format("s{}.jsonl", shard), "--shard", fmt::format("{}/3", shard)}));
    EXPECT_EQ(output({"sweep", "--merge", "s3.jsonl", "s1.jsonl", "s2.jsonl", "--results", "m.jsonl"}),
              table);
    EXPECT_EQ(file("m.jsonl"), file("all.jsonl"));
    const auto before = listing();
    expect_refused({"sweep", "--merge", "s3.jsonl", "s1.jsonl", "--results", "n.jsonl"},
                   "shard 2/3 is missing");
    expect_refused({"sweep", "--merge", "s3.jsonl", "s1.jsonl", "s1.jsonl"},
                   "s1.jsonl: shard 1/3 is also in s1.jsonl");
    EXPECT_EQ(listing(), before);
}

// Starts the program. Waits until the file has at least `bytes` bytes, and kills the program `later` after
// that. Returns true if the program was killed before it exited.
bool kill_when_file_reaches(const Words& words, const fs::path& folder, const fs::path& file,
                            std::uintmax_t bytes, std::chrono::microseconds later) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    const std::vector<char*> arguments = sim::os::argv_of(words);
    pid_t child = 0;
    EXPECT_EQ(posix_spawn(&child, SWITCHYARD_BINARY, &actions, nullptr, arguments.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    for (;;) {
        std::error_code error;
        const std::uintmax_t size = fs::file_size(file, error);
        if (!error && size >= bytes) break;
        if (waitpid(child, &status, WNOHANG) == child) return false;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    std::this_thread::sleep_for(later);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return WIFSIGNALED(status);
}

TEST_F(SweepCommand, KilledSweepResumesToSameBytes) {
    const Words words = with({"sweep", "yield-processes", "--vary", "/tasks/0/count=2..31", "--seeds", "5",
                              "--until", "20ms", "--results"},
                             kTwoPolicies);
    const auto to = [&](const std::string& name) {
        Words all = words;
        all.insert(std::find(all.begin(), all.end(), "--results") + 1, name);
        return all;
    };
    const std::string table = output(to("undisturbed.jsonl"));
    const std::string whole = file("undisturbed.jsonl");
    std::uint64_t stream = 1;
    int killed = 0;
    for (std::uint64_t kill = 0; kill < 20; ++kill) {
        // The complete file is divided into 21 equal parts. Kills the program up to 3 ms after its file has
        // reached a random position in the part with the number `kill`.
        const std::uintmax_t bytes = (whole.size() * kill + sim::next_random(stream) % whole.size()) / 21;
        const auto later = std::chrono::microseconds(sim::next_random(stream) % 3000);
        Words all = to("killed.jsonl");
        all.insert(all.begin(), "switchyard");
        killed += kill_when_file_reaches(all, folder(), in_folder("killed.jsonl"), bytes, later) ? 1 : 0;
        const std::string now = fs::exists(in_folder("killed.jsonl")) ? file("killed.jsonl") : "";
        ASSERT_EQ(now, whole.substr(0, now.size())) << "after kill " << kill;
    }
    EXPECT_GT(killed, 0);
    EXPECT_EQ(output(to("killed.jsonl")), table);
    EXPECT_EQ(file("killed.jsonl"), whole);
}

TEST_F(SweepCommand, BadOptionsAreRefusedWithoutWriting) {
    const auto before = listing();
    expect_refused({"sweep"}, "SCENARIO");
    expect_refused({"sweep", "yield-processes", "--vary", "/tasks/0/count=2,x", "--results", "r.jsonl"},
                   "--vary /tasks/0/count=x: /tasks/0/count: expected a whole number");
    expect_refused({"sweep", "yield-processes", "--vary", "/tasks/0/cuont=2", "--measure", "us-per-yeild"},
                   "did you mean 'count'?");
    expect_refused({"sweep", "yield-processes", "--vary", "/tasks/0/cuont=2", "--measure", "us-per-yeild"},
                   "did you mean 'us-per-yield'?");
    expect_refused({"sweep", "yield-processes", "--policy", "linux-2.1"}, "did you mean 'linux-2.0'?");
    expect_refused({"sweep", "yield-proceses"}, "did you mean 'yield-processes'?");
    expect_refused({"sweep", "two-hogs", "--shard", "3/2"}, "with 2 shards, expected 1/2 to 2/2");
    expect_refused({"sweep", "two-hogs", "--shard", "1"}, "such as 1/4");
    expect_refused({"sweep", "two-hogs", "--shard", "0/2"}, "1/2 to 2/2");
    expect_refused({"sweep", "two-hogs", "--refine"}, "--refine needs an axis of whole numbers");
    expect_refused({"sweep", "two-hogs", "--x-axis", "/x"}, "no such axis");
    expect_refused({"sweep", "two-hogs", "--jobs", "0"}, "--jobs");
    expect_refused({"sweep", "two-hogs", "--results-from", "r.jsonl"}, "leave out the scenario");
    expect_refused({"sweep", "--results-from", "r.jsonl"}, "r.jsonl: no such file");
    expect_refused({"sweep", "--results-from", "."}, ".: expected a file, got a directory");
    expect_refused({"sweep", "--merge", "r.jsonl"}, "r.jsonl: no such file");
    EXPECT_EQ(listing(), before);
}

}  // namespace sweep_command_test
