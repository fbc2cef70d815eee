// Tests of `switchyard export` and `switchyard import`: round trip, and rejected input.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/command_line.h"
#include "tests/support/test_sizes.h"

namespace import_test {

using nlohmann::json;

class ImportCommand : public CommandLine {
  protected:
    // Imports a binary export and compares the result with that of importing the text export. The import of
    // the binary export needs `program`; skips the test if `program` is not installed.
    void expect_the_same_as_of_the_text(const std::string& program, const std::string& format) {
        if (std::system(("command -v " + program + " > /dev/null").c_str()) != 0)
            GTEST_SKIP() << "there is no " << program << " here";
        for (const char* scenario : {"interactive-vs-hog", "create-process", "lazy-tlb", "php-fpm"}) {
            output({"export", scenario, "--until", "50ms", "--output", "run.txt"});
            output({"export", scenario, "--until", "50ms", "--format", format, "--output", "run.bin"});
            const Finished import = switchyard({"import", "run.bin"});
            EXPECT_EQ(import.out, output({"import", "run.txt"})) << scenario;
            EXPECT_EQ(import.err, "") << scenario;
        }
    }
};

// Returns the values of a summary that do not depend on the names of program steps.
json counts(const std::string& summary) {
    const json all = json::parse(summary);
    return {{"switches", all.at("switches")}, {"schedule", all.at("schedule")}};
}

TEST_F(ImportCommand, ExportedRunRoundTrips) {
    const char* const until = rounds("1s", "400ms", "20ms");
    for (const char* scenario : {"two-hogs", "interactive-vs-hog", "yield-processes", "token-pipe"}) {
        output({"export", scenario, "--until", until, "--output", "run.txt"});
        output({"import", "run.txt", "--output", "again.json"});
        const json first = counts(output({"run", scenario, "--until", until, "--format", "json"})),
                   again = counts(output({"run", "again.json", "--format", "json"}));
        EXPECT_EQ(first.at("switches"), again.at("switches")) << scenario;
        EXPECT_EQ(first.at("schedule"), again.at("schedule")) << scenario;
    }
}

TEST_F(ImportCommand, ReportsWrittenFile) {
    EXPECT_EQ(output({"export", "two-hogs", "--until", "1s", "--output", "run.txt"}),
              "run.txt: ftrace, 5 switches from 0 ns to 1 s, 6,126 bytes\n");
    EXPECT_NE(output({"import", "run.txt", "--output", "again.json"})
                  .find("again.json: 2 tasks on 1 CPU, 5 switches and 0 wake-ups in 1 s; 4 steps, "),
              std::string::npos);
    EXPECT_EQ(output({"import", "run.txt", "-o", "again.json", "--quiet"}), "");
}

// Exports of earlier versions call a recalculation "refill".
TEST_F(ImportCommand, OldNameOfRecalculationIsRead) {
    for (const std::string format : {"csv", "ftrace", "chrome"}) {
        output({"export", "recalc-storm", "--until", "5ms", "--format", format, "--output", "new"});
        std::string text = content_of(folder() / "new");
        std::size_t replaced = 0;
        for (std::size_t at = 0; (at = text.find("recalculation", at)) != std::string::npos; ++replaced)
            text.replace(at, std::string("recalculation").size(), "refill");
        EXPECT_GT(replaced, 10u) << format;
        write_file(folder() / "old", text);
        const std::string imported = output({"import", "new", "--output", "run.json"});
        const std::string scenario = content_of(folder() / "run.json");
        EXPECT_EQ(output({"import", "old", "--output", "run.json"}), imported) << format;
        EXPECT_EQ(content_of(folder() / "run.json").substr(scenario.find("\"tasks\"")),
                  scenario.substr(scenario.find("\"tasks\"")))
            << format;
    }
}

TEST_F(ImportCommand, ReplayOptionSelectsArrivalKind) {
    output({"export", "interactive-vs-hog", "--until", "1s", "--output", "run.txt"});
    EXPECT_NE(output({"import", "run.txt"}).find("\"arrival\": "), std::string::npos);
    const std::string open = output({"import", "run.txt", "--replay", "open"});
    EXPECT_NE(open.find("\"arrival_at\": "), std::string::npos);
    write_file(folder() / "open.json", open);
    const json first = counts(output({"run", "interactive-vs-hog", "--until", "1s", "--format", "json"})),
               again = counts(output({"run", "open.json", "--format", "json"}));
    EXPECT_EQ(first.at("switches"), again.at("switches"));
}

TEST_F(ImportCommand, AffinityOptionKeepsRecordedCpus) {
    const auto entry = [](const json& scenario, const std::string& name) {
        for (const json& task : scenario.at("tasks"))
            if (task.at("name") == name) return task;
        ADD_FAILURE() << name;
        return json();
    };
    const Words words{"import", "tests/recordings/work/nice.txt", "--quiet"};
    const json free = json::parse(output(words));
    Words recorded_words = words;
    recorded_words.insert(recorded_words.end(), {"--affinity", "recorded"});
    const json recorded = json::parse(output(recorded_words));
    // In this trace three threads were pinned to CPU 1. The name of a per-CPU kernel thread contains the
    // number of its CPU; other threads have no affinity.
    for (const char* name : {"sleeper"}) {
        EXPECT_FALSE(entry(free, name).contains("affinity")) << name;
        EXPECT_EQ(entry(recorded, name).at("affinity"), json({1})) << name;
    }
    EXPECT_EQ(entry(free, "kworker/1:2").at("affinity"), json({1}));
    EXPECT_FALSE(entry(free, "rcu_preempt").contains("affinity"));
    expect_refused({"import", "tests/recordings/work/nice.txt", "--affinity", "fre"}, "did you mean 'free'?");
}

// Only the texts that accompany the trace are handwritten: question, tour and assertions.
TEST_F(ImportCommand, Lesson13ScenarioMatchesImportedTrace) {
    const json imported = json::parse(output({"import", "tests/recordings/three-on-one-cpu.txt", "--affinity",
                                              "recorded", "--hz", "10000", "--quiet"}));
    const json shipped =
        json::parse(content_of(SWITCHYARD_SOURCE_DIR "/scenarios/lesson-13-your-machine.json"), nullptr, true,
                    /*ignore_comments=*/true);
    for (const char* key : {"machine", "cpus", "policy", "until", "max_tasks", "tasks"})
        EXPECT_EQ(shipped.at(key), imported.at(key)) << key;
}

TEST_F(ImportCommand, ReadsCompressedTraces) {
    output({"export", "two-hogs", "--until", "1s", "--output", "run.txt"});
    const std::string plain = output({"import", "run.txt"});
    ASSERT_EQ(std::system(("gzip -kf " + (folder() / "run.txt").string()).c_str()), 0);
    EXPECT_EQ(output({"import", "run.txt.gz"}), plain);
    const std::string whole = content_of(folder() / "run.txt.gz");
    write_file(folder() / "few.gz", whole.substr(0, 100));
    expect_refused({"import", "few.gz"}, "few.gz: gzip could not read the whole file: ");
    // If the beginning of a damaged file is readable, that part is imported.
    output({"export", "yield-processes", "--until", "100ms", "--output", "long.txt"});
    ASSERT_EQ(std::system(("gzip -f " + (folder() / "long.txt").string()).c_str()), 0);
    const std::string longer = content_of(folder() / "long.txt.gz");
    write_file(folder() / "half.gz", longer.substr(0, longer.size() / 2));
    const Finished half = switchyard({"import", "half.gz"});
    EXPECT_EQ(half.exit_code, 0);
    EXPECT_NE(half.err.find("half.gz: gzip could not read the whole file: "), std::string::npos) << half.err;
}

// Under the recorded policy, all values equal those of the trace; under another policy they do not.
TEST_F(ImportCommand, RescheduleUnderRecordedPolicyReproducesTrace) {
    for (const char* scenario : {"interactive-vs-hog", "create-process", "lesson-7-who-is-to-blame"}) {
        output({"export", scenario, "--until", "3s", "--output", "run.txt"});
        const json sides = json::parse(output({"reschedule", "run.txt", "--policy", "linux-2.0", "--policy",
                                               "sorted-queue", "--format", "json"}))
                               .at("sides");
        ASSERT_EQ(sides.size(), 3U);
        EXPECT_EQ(sides[0].at("side"), "recorded");
        EXPECT_EQ(sides[0].at("on_recorded_cpu"), 1.0);
        EXPECT_EQ(sides[1].at("on_recorded_cpu"), 1.0) << scenario;
        EXPECT_EQ(sides[1].at("all"), sides[0].at("all")) << scenario;
        EXPECT_EQ(sides[1].at("tasks"), sides[0].at("tasks")) << scenario;
        EXPECT_NE(sides[2].at("all"), sides[0].at("all")) << scenario;
        EXPECT_LT(sides[2].at("on_recorded_cpu"), 1.0) << scenario;
        EXPECT_EQ(sides[1].at("switches_in_the_same_order"), sides[0].at("all").at("switches"));
        // The waits equal those in the summary of the exported run.
        const json run = json::parse(output({"run", scenario, "--until", "3s", "--format", "json"}));
        for (const json& task : run.at("tasks"))
            if (const auto w = sides[0].at("tasks").find(task.at("name"));
                w != sides[0].at("tasks").end() && task.at("state") != "ready") {
                EXPECT_EQ(w->at("waits").at("sum_ns"), task.at("ready_ns")) << task.at("name");
            }
    }
    expect_refused({"reschedule", "run.txt", "--policy", "linux-2.1"}, "linux-2.1");
}

// Compares a trace with two policies: the one that produced it, and one that diverges.
TEST_F(ImportCommand, ComparesTraceWithPolicyRuns) {
    output({"export", "lazy-tlb", "--until", "1s", "--output", "run.txt"});
    const Words words{"compare", "run.txt", "--policy", "linux-2.4.22", "--policy", "linux-6.6"};
    const std::string text = output(words);
    EXPECT_NE(text.find("linux-2.4.22 makes all recorded switches in the same order."), std::string::npos)
        << text;
    // The reported mismatch is the first difference between the two traces.
    const json compared = json::parse(output(
        {"compare", "run.txt", "--policy", "linux-2.4.22", "--policy", "linux-6.6", "--format", "json"}));
    ASSERT_EQ(compared.at("first_differences").size(), 2U);
    EXPECT_EQ(compared.at("first_differences")[0].at("switch"), nullptr);
    const json parting = compared.at("first_differences")[1].at("switch");
    const auto switches_of = [&](const std::string& file) {
        std::vector<std::pair<std::int64_t, std::string>> list;
        for (const std::string& line : lines_of(content_of(folder() / file)))
            if (const std::size_t at = line.find("sched_switch:"); at != std::string::npos) {
                const std::size_t next = line.find("next_comm=") + 10;
                const std::string name = line.substr(next, line.find(' ', next) - next);
                if (name.starts_with("swapper")) continue;
                const double seconds = std::stod(line.substr(line.rfind(' ', at - 3)));
                list.emplace_back(std::llround(seconds * 1e9), name);
            }
        return list;
    };
    output({"import", "run.txt", "--output", "again.json"});
    output({"export", "again.json", "--policy", "linux-6.6", "--output", "other.txt"});
    const auto recorded = switches_of("run.txt"), made = switches_of("other.txt");
    std::size_t first = 0;
    while (recorded[first].second == made[first].second) ++first;
    EXPECT_EQ(parting.at("number"), first + 1);
    EXPECT_EQ(parting.at("recorded"),
              json({{"time_ns", recorded[first].first}, {"chosen", recorded[first].second}}));
    EXPECT_EQ(parting.at("run").at("time_ns"), made[first].first);
    EXPECT_EQ(parting.at("run").at("chosen"), made[first].second);
    EXPECT_EQ(compared.at("sides"), json::parse(output({"reschedule", "run.txt", "--policy", "linux-2.4.22",
                                                        "--policy", "linux-6.6", "--format", "json"}))
                                        .at("sides"));

    EXPECT_EQ(switchyard({"compare", "run.txt", "--policy", "linux-2.4.22", "--exit-code"}).exit_code, 0);
    EXPECT_EQ(switchyard({"compare", "run.txt", "--policy", "linux-6.6", "--exit-code"}).exit_code, 1);
    // --set changes the imported scenario. Without --policy, the policy of the imported scenario is used.
    EXPECT_NE(output({"compare", "run.txt", "--set", "/tasks/0/nice=19"}), output({"compare", "run.txt"}));
    expect_refused({"compare", "run.txt", "--policy", "linux-2.1"}, "linux-2.1");
    expect_refused({"compare", "run.txt", "--set", "/tasks/99/nice=1"}, "/tasks/99");
    expect_refused({"run", "run.txt"},
                   "run.txt is a trace, not a scenario; convert it with 'switchyard import run.txt --output "
                   "scenario.json'");
}

TEST_F(ImportCommand, NeverOverwritesInputFile) {
    output({"export", "two-hogs", "--until", "1s", "--output", "run.txt"});
    const std::string before = content_of(folder() / "run.txt");
    expect_refused({"import", "run.txt", "--output", "run.txt"}, "run.txt");
    expect_refused({"reschedule", "run.txt", "--output", "./run.txt"}, "run.txt");
    EXPECT_EQ(content_of(folder() / "run.txt"), before);
}

// The trace contains the options of the policy and the tasks without an address space.
TEST_F(ImportCommand, PolicyOptionsAndKernelThreadsRoundTrip) {
    output({"export", "lesson-11-gaming", "--output", "run.txt"});
    output({"import", "run.txt", "--output", "again.json"});
    EXPECT_EQ(counts(output({"run", "again.json", "--format", "json"})).at("switches"),
              counts(output({"run", "lesson-11-gaming", "--format", "json"})).at("switches"));
    output({"export", "lazy-tlb", "--output", "lazy.txt"});
    EXPECT_NE(output({"import", "lazy.txt"}).find("\"kthread\", \"mm\": null"), std::string::npos);
}

// A trace contains no information about the time after its end: a task that sleeps at the end sleeps
// forever.
TEST_F(ImportCommand, TaskSleepingAtEndStaysAsleep) {
    output({"export", "interactive-vs-hog", "--until", "500ms", "--output", "run.txt"});
    output({"import", "run.txt", "--output", "again.json"});
    const json longer = json::parse(output({"run", "again.json", "--until", "30s", "--format", "json"}));
    EXPECT_EQ(longer.at("simulated_ns"), 30'000'000'000);
    for (const json& task : longer.at("tasks"))
        EXPECT_EQ(task.at("state"), task.at("name") == "editor" ? "sleeping" : "exited") << task;
}

TEST_F(ImportCommand, TaskNamesKeepWholeCharacters) {
    write_file(folder() / "names.json",
               R"({"format": "switchyard-scenario/1", "machine": "ideal", "until": "10ms", "tasks": [
                   {"name": "überlänge", "program": [{"run": "20ms"}]},
                   {"name": "編集者編集者編集者編集者編集者", "program": [{"run": "20ms"}]}]})");
    output({"export", "names.json", "--output", "run.txt"});
    const std::string again = output({"import", "run.txt"});
    EXPECT_NE(again.find("\"überlänge\""), std::string::npos) << again;
    // The text is shortened to at most 40 bytes, without an incomplete character at the end.
    EXPECT_NE(again.find("\"編集者編集者編集者編集者編\""), std::string::npos) << again;
}

// The files of one trace may be named in any order: one file per CPU, or consecutive parts.
TEST_F(ImportCommand, SeveralFilesFormOneTrace) {
    output({"export", "php-fpm", "--until", "10ms", "--output", "run.txt"});
    std::vector<std::string> words{"import"};
    for (int cpu = 7; cpu >= 0; --cpu) {
        const std::string name = "cpu" + std::to_string(cpu) + ".txt";
        std::istringstream in(content_of(folder() / "run.txt"));
        std::string part;
        for (std::string line; std::getline(in, line);)
            if (line.starts_with('#') || line.find("[00" + std::to_string(cpu) + "]") != std::string::npos)
                part += line + "\n";
        write_file(folder() / name, part);
        words.push_back(name);
    }
    EXPECT_EQ(output(words), output({"import", "run.txt"}));

    output({"export", "two-hogs", "--until", "500ms", "--output", "a.txt"});
    output({"export", "two-hogs", "--from", "500ms", "--until", "1s", "--output", "b.txt"});
    const std::string both = output({"import", "a.txt", "b.txt"});
    EXPECT_NE(both.find("\"until\": \"1s\""), std::string::npos) << both;
    EXPECT_EQ(output({"import", "b.txt", "a.txt"}), both);
    const Finished twice = switchyard({"import", "a.txt", "a.txt"});
    EXPECT_EQ(twice.exit_code, 0);
    EXPECT_NE(twice.err.find("in this file after events of the same CPU in another file"), std::string::npos)
        << twice.err;
    expect_refused({"import", "a.txt", "run.txt"},
                   "run.txt: an export of a different run than a.txt: all files must be parts of one trace");
    output({"export", "two-hogs", "--until", "500ms", "--format", "csv", "--output", "a.csv"});
    expect_refused({"import", "a.txt", "a.csv"},
                   "a.csv: a table of events (csv), but a.txt is the text of a tracer: all files must be "
                   "parts of one trace");
    expect_refused({"import", "-", "-"}, "standard input can be read only once");
    EXPECT_EQ(output({"reschedule", "a.txt", "b.txt", "--format", "json"}).find("\"recorded\"") ==
                  std::string::npos,
              false);
}

TEST_F(ImportCommand, TraceDatMatchesText) { expect_the_same_as_of_the_text("trace-cmd", "trace.dat"); }
TEST_F(ImportCommand, PerfDataMatchesText) { expect_the_same_as_of_the_text("perf", "perf.data"); }

TEST_F(ImportCommand, ReportsPerfErrorForDamagedFile) {
    if (std::system("command -v perf > /dev/null") != 0) GTEST_SKIP() << "there is no perf here";
    write_file(folder() / "cut.data", "PERFILE2");
    expect_refused({"import", "cut.data"},
                   "cut.data: perf could not read the whole file: incompatible file format");
}

TEST_F(ImportCommand, RtAppWorkloadBecomesScenario) {
    write_file(folder() / "work.json",
               R"({"tasks": {"T": {"run": 1000, "sleep": 4000, "mem": 1}}, "global": {"duration": 1}})");
    const Finished import = switchyard({"import", "work.json", "--output", "s.json"});
    EXPECT_EQ(import.exit_code, 0);
    EXPECT_NE(import.out.find("s.json: 1 task group of a workload on 1 CPU; "), std::string::npos)
        << import.out;
    EXPECT_EQ(import.err, "work.json: 1 mem event, omitted: scenarios have no step for it (/tasks/T/mem)\n");
    // The task runs exactly 1 ms of each 5 ms, because timers are exact.
    const json run = json::parse(output({"run", "s.json", "--format", "json"}));
    EXPECT_EQ(run.at("tasks").at(0).at("user_ns"), 200'000'000);
    expect_refused({"reschedule", "work.json"}, "work.json:1:1: an rt-app workload, not a trace");
    expect_refused({"import", "work.json", "work.json"}, "work.json:1:1: an rt-app workload");
    write_file(folder() / "bad.json", R"({"tasks": {"T": {"rnu": 1000}}})");
    expect_refused({"import", "bad.json"},
                   "bad.json:1:18: /tasks/T/rnu: rt-app has no such event or property; did you mean 'run'?");
}

TEST_F(ImportCommand, InvalidInputOrOptionIsRejected) {
    write_file(folder() / "empty.txt", "");
    expect_refused({"import", "empty.txt"}, "empty.txt");
    expect_refused({"import", "nowhere.txt"}, "nowhere.txt: no such file");
    write_file(folder() / "letter.txt", "Dear Sir,\nthis is no recording.\n");
    expect_refused({"import", "letter.txt"}, "letter.txt:1");
    output({"export", "two-hogs", "--until", "1s", "--output", "run.txt"});
    expect_refused({"import", "empty.txt", "--output", "again.json"}, "empty.txt");
    expect_refused({"import", "letter.txt", "--output", "again.json"}, "letter.txt:1");
    expect_refused({"import", "run.txt", "--machine", "pentium", "--output", "again.json"},
                   "--machine:1:48: /machine: ");
    expect_refused({"import", "run.txt", "--policy", "linux-2.1", "--output", "again.json"}, "linux-2.1");
    expect_refused({"export", "two-hogs", "--from", "5h", "--output", "again.json"},
                   "--from 5h: the run ends at ");
    expect_refused({"import", "run.txt", "--machine", "pentium"}, "--machine:1:48: /machine: ");
    expect_refused({"import", "run.txt", "--machine", "pentium"}, "did you mean");
    output({"export", "two-hogs", "--until", "1s", "--format", "schedule", "--output", "run.json"});
    expect_refused({"import", "run.json"},
                   "run.json:1:1: an export in the format schedule, which cannot be read: ");
    output({"export", "two-hogs", "--until", "1s", "--format", "perfetto", "--output", "run.pb"});
    expect_refused({"import", "run.pb"}, "run.pb:1:1: a Perfetto trace in Protocol Buffers: ");
    expect_refused({"import", "run.txt", "--policy", "linux-2.1"}, "linux-2.1");
    expect_refused({"import", "run.txt", "--replay", "opened"}, "did you mean 'open'?");
    expect_refused({"export", "two-hogs", "--format", "ftrce"}, "did you mean 'ftrace'?");
    expect_refused({"export", "two-hogs", "--from", "5h"}, "--from 5h: the run ends at ");
    // The rejected commands left neither again.json nor a temporary file.
    EXPECT_EQ(listing(), (std::set<std::string>{"empty.txt", "letter.txt", "run.json", "run.pb", "run.txt",
                                                "scenarios", "tests"}));
}

}  // namespace import_test
