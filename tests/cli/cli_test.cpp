// Tests of the program from outside: command lines, output and exit codes.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/support/command_line.h"
#include "tests/support/fake_perf.h"
#include "tests/support/schema_check.h"
#include "tests/support/test_sizes.h"
#include "tests/support/xml_check.h"

namespace cli_test {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* kRecorded = "tests/decisions/linux-2.0.jsonl";
constexpr const char* kRecordedOneTick = "tests/decisions/linux-2.0-yield-one-tick.jsonl";

// --- help ---

// Returns the examples at the end of a help text; empty if it does not end with examples.
Words examples_of(const std::string& help) {
    const std::string title = "\nExamples:\n";
    const std::size_t begin = help.rfind(title);
    if (begin == std::string::npos) return {};
    Words examples;
    for (const std::string& line : lines_of(help.substr(begin + title.size()))) {
        if (!line.starts_with("  ")) return {};
        examples.push_back(line.substr(2));
    }
    return examples;
}

TEST_F(CommandLine, StepHasRoomForTenThousandTasks) {
    std::string lines;
    for (int i = 0; i < 10'000; ++i) lines += fmt::format("task t{}\n", i);
    const Finished full = switchyard({"step"}, lines + "start\nfork child\n");
    EXPECT_NE(full.err.find("10002: there can be at most 10000 tasks"), std::string::npos) << full.err;
    EXPECT_NE(switchyard({"step"}, lines + "task more\n").err.find("at most 10000 tasks"), std::string::npos);
}

TEST_F(CommandLine, ListCostsShowsAllKinds) {
    const std::string costs = output({"list", "costs"});
    for (const char* cost :
         {" syscall ", " wake_up ", " idle_exit ", " timer_interrupt ", " ipi ", " cache/prefetched_refill "})
        EXPECT_NE(costs.find(cost), std::string::npos) << cost;
}

TEST_F(CommandLine, SummaryListsUpToTenTasks) {
    const auto summary = [&](const char* count) {
        return output(
            {"run", "two-hogs", "--set", fmt::format("/tasks/0/count={}", count), "--until", "1ms"});
    };
    EXPECT_EQ(summary("10").find("more tasks"), std::string::npos);
    EXPECT_NE(summary("12").find("... and 2 more tasks"), std::string::npos);
}

TEST_F(CommandLine, HelpEndsWithThreeExamples) {
    EXPECT_EQ(examples_of(output({"--help"})).size(), 3u);
    for (const std::string& command : commands()) {
        const std::string help = output({command, "--help"});
        const Words examples = examples_of(help);
        EXPECT_EQ(examples.size(), 3u) << help;
        for (const std::string& example : examples)
            EXPECT_NE(example.find("switchyard " + command), std::string::npos) << example;
    }
}

TEST_F(CommandLine, EveryExampleOfEveryHelpTextRuns) {
    std::set<std::string> examples;
    Words all = commands();
    all.insert(all.begin(), "");
    for (const std::string& command : all)
        for (const std::string& example :
             examples_of(output(command.empty() ? Words{"--help"} : Words{command, "--help"})))
            examples.insert(example);
    EXPECT_GE(examples.size(), 20u);
    // Fakes of external programs, which need not be installed.
    std::filesystem::create_directory(folder() / "others");
    write_fake_perf(folder() / "others");
    for (const auto& [program, does] :
         {std::pair{"pandoc", "cat"}, {"weasyprint", "cat"}, {"make", "true"}}) {
        write_file(folder() / "others" / program, fmt::format("#!/bin/sh\n{}\n", does));
        std::filesystem::permissions(folder() / "others" / program, std::filesystem::perms::owner_all);
    }
    for (const std::string& example : examples) {
        // Without optimisation, the 24 simulations of 100,000 yields take a minute, and a fit takes seconds.
        if (!kOptimised && (example.find("reproduce") != std::string::npos ||
                            example.find("figure yield-table") != std::string::npos ||
                            example.find("switchyard calibrate") != std::string::npos))
            continue;
        const auto begin = std::chrono::steady_clock::now();
        const Finished f = shell("PATH=\"$PWD/others:$PATH\"; " + example);
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        EXPECT_EQ(f.exit_code, 0) << example << "\n" << f;
        const bool into_a_file =
            (example.starts_with("switchyard lesson") || example.starts_with("switchyard save")) &&
            example.find("--output") != std::string::npos;
        EXPECT_EQ(f.out.empty(), into_a_file) << example;
        EXPECT_EQ(f.err, "") << example;
        if (seconds > 1) std::cout << fmt::format("{:.1f} s: {}\n", seconds, example);
    }
}

TEST_F(CommandLine, VersionHasNumberAndOptionalCommit) {
    const std::regex version(R"(switchyard \d+\.\d+\.\d+( \([0-9a-f]{7}(-dirty)?\))?\n)");
    EXPECT_TRUE(std::regex_match(output({"--version"}), version)) << output({"--version"});
}

// --- exit codes ---

TEST_F(CommandLine, ExitCodeIsZeroOneOrTwo) {
    const Words compare{"compare", "interactive-vs-hog", "--policy", "linux-2.0", "--policy", "round-robin"};
    EXPECT_EQ(switchyard(compare).exit_code, 0);
    Words same = compare;
    same.emplace_back("--exit-code");
    EXPECT_EQ(switchyard(same).exit_code, 1);
    same[2] = "--polisee";
    EXPECT_EQ(switchyard(same).exit_code, 2);

    EXPECT_EQ(switchyard({"run", "two-hogs", "--expect"}).exit_code, 0);
    EXPECT_EQ(switchyard({"run", "two-hogs", "--expect", "--set", "/expect/0/equals=101"}).exit_code, 1);
    EXPECT_EQ(switchyard({"run", "two-hogs", "--expect", "--set", "/expect/0/equals=many"}).exit_code, 2);
}

TEST_F(CommandLine, MissingOrRepeatedArgumentIsRejected) {
    expect_refused({}, "a command is required");
    expect_refused({"run"}, "SCENARIO");
    expect_refused({"check"}, "SCENARIO");
    expect_refused({"verify"}, "FILE");
    expect_refused({"list"}, "WHAT");
    expect_refused({"compare", "two-hogs", "--policy"}, "--policy");
    expect_refused({"run", "two-hogs", "--policy", "linux-2.0", "--policy", "round-robin"}, "one --policy");
    expect_refused({"step", "--policy", "linux-2.0", "--policy", "round-robin"}, "one --policy");
    expect_refused({"verify", kRecorded, "--policy", "linux-2.0", "--policy", "round-robin"}, "one --policy");
    expect_refused({"reproduce", "--picture", "a.svg"}, "--picture");
}

// The library that parses command lines changes the wording of these messages between versions.
TEST_F(CommandLine, ParserErrorsUseOwnMessages) {
    const std::vector<std::pair<Words, const char*>> messages{
        {{}, "a command is required (`switchyard --help` lists the commands)"},
        {{"run"}, "SCENARIO is required"},
        {{"run", "a", "b"}, "unexpected argument: b"},
        {{"run", "a", "b", "c", "d"}, "unexpected arguments: d c b"},
        {{"run", "a", "--seed"}, "--seed: 1 required N missing"},
        {{"run", "a", "--format"}, "--format: 1 required TEXT:{text|json} missing"},
        {{"run", "a", "--seed", "1", "--seed", "2"}, "--seed: expected one value, got 2"},
        {{"run", "a", "--seed", "x"}, "--seed: invalid value 'x'"},
        {{"run", "a", "--seed", "1x"}, "--seed: invalid value '1x'"},
        {{"run", "a", "--quiet=x"}, "--quiet: invalid value 'x'"},
        {{"run", "a", "--freq", "0"}, "--freq: expected a value from 1 to 100000, got 0"},
        {{"run", "a", "--freq", "{}"}, "--freq: expected a value from 1 to 100000, got {}"},
        {{"run", "a", "--until", ""}, "--until: the value must not be empty"},
        {{"lesson", "1", "--html", "--pdf"}, "--html excludes --pdf"},
        // If there are several errors, an invalid value is reported first.
        {{"new", "policy"}, "NAME is required"},
        {{"run", "--seed", "x"}, "--seed: invalid value 'x'"},
        {{"run", "--freq", "0", "--help"}, "--freq: expected a value from 1 to 100000, got 0"},
        {{"quiz", "--grade", "x", "--count", "1", "--seed", "1"}, "--seed excludes --grade"},
        {{"link", "--measure", "x", "--lab-policy", "y"}, "--lab-policy requires --vary"},
    };
    for (const auto& [words, message] : messages) {
        const Finished f = switchyard(words);
        EXPECT_EQ(f.exit_code, 2) << joined(words) << "\n" << f;
        EXPECT_EQ(f.err, fmt::format("switchyard: {}\n", message)) << joined(words);
    }
}

TEST_F(CommandLine, NumbersMayBeOctalOrHexadecimal) {
    const Words line{"run", "interactive-vs-hog", "--until", "200ms", "--format", "json", "--quiet"};
    const auto with = [&](const char* word) {
        Words words = line;
        words.emplace_back(word);
        return output(words);
    };
    EXPECT_EQ(with("--seed=0x10"), with("--seed=16"));
    EXPECT_EQ(with("--seed=010"), with("--seed=8"));
    EXPECT_EQ(with("--expect=no"), output(line));
    // If an option may be repeated, several values may also follow one occurrence of it.
    EXPECT_EQ(output({"compare", "two-hogs", "--until", "1ms", "--policy", "linux-2.0", "round-robin"}),
              output({"compare", "two-hogs", "--until", "1ms", "--policy", "linux-2.0", "--policy",
                      "round-robin"}));
}

TEST_F(CommandLine, UnwritableStandardOutputIsError) {
    const Finished f = shell("switchyard list policies > /dev/full");
    EXPECT_EQ(f.exit_code, 2) << f;
    EXPECT_NE(f.err.find("standard output"), std::string::npos) << f;
}

// --- suggestions ---

TEST_F(CommandLine, AnUnknownCommandGetsASuggestion) {
    expect_refused({"rnu", "two-hogs"}, "did you mean 'run'?");
    expect_refused({"verfiy"}, "did you mean 'verify'?");
    expect_refused({"repro"}, "did you mean 'reproduce'?");
}

TEST_F(CommandLine, AnUnknownOptionGetsASuggestion) {
    expect_refused({"run", "two-hogs", "--polcy", "linux-2.0"}, "did you mean '--policy'?");
    expect_refused({"run", "--unitl", "2s", "two-hogs"}, "did you mean '--until'?");
    expect_refused({"verify", kRecorded, "--quite"}, "did you mean '--quiet'?");
    expect_refused({"list", "policies", "--fromat", "json"}, "did you mean '--format'?");
}

TEST_F(CommandLine, UnknownPolicyOrOptionGetsSuggestion) {
    const std::vector<Words> commands{
        {"run", "two-hogs"}, {"compare", "two-hogs"}, {"step"}, {"verify", kRecorded}};
    for (Words words : commands) {
        words.insert(words.end(), {"--policy", "linux-2.1"});
        expect_refused(words, "did you mean 'linux-2.0'?");
        words.back() = "linux-2.0:yeild=one_tick";
        expect_refused(words, "did you mean 'yield'?");
        words.back() = "linux-2.0:yield=one_tik";
        expect_refused(words, "did you mean 'one_tick'?");
    }
}

TEST_F(CommandLine, UnknownTableScenarioOrListGetsSuggestion) {
    expect_refused({"reproduce", "yield-tabel"}, "did you mean 'yield-table'?");
    for (const char* command : {"run", "compare", "step", "check"})
        expect_refused({command, "two-hgs"}, "did you mean 'two-hogs'?");
    expect_refused({"list", "policis"}, "did you mean 'policies'?");
}

TEST_F(CommandLine, UnknownOptionValueGetsSuggestion) {
    expect_refused({"run", "two-hogs", "--format", "jsn"}, "did you mean 'json'?");
    expect_refused({"run", "two-hogs", "--view", "vmsta"}, "did you mean 'vmstat'?");
    expect_refused({"run", "two-hogs", "--set", "/tasks/0/cuont=3"}, "did you mean 'count'?");
}

TEST_F(CommandLine, ScenarioErrorsAreReportedTogetherWithPositions) {
    write_file(folder() / "bad.json", R"({
    "format": "switchyard-scenario/1",
    "machin": {},
    "tasks": [{"name": "a", "program": [{"run": "5mss"}]}]
})");
    for (const char* command : {"run", "check", "compare", "step"}) {
        const Finished f = switchyard({command, "bad.json"});
        EXPECT_EQ(f.exit_code, 2) << f;
        EXPECT_EQ(f.out, "");
        EXPECT_GE(lines_of(f.err).size(), 2u) << f;
        EXPECT_NE(f.err.find("bad.json:3:5: /machin: "), std::string::npos) << f;
        EXPECT_NE(f.err.find("did you mean 'machine'?"), std::string::npos) << f;
        EXPECT_NE(f.err.find("bad.json:4:49: /tasks/0/program/0/run: "), std::string::npos) << f;
    }
}

// --- --output ---

TEST_F(CommandLine, BadInputLeavesOutputFilesUntouched) {
    write_file(folder() / "result", "from before");
    write_file(folder() / "broken.jsonl", content_of(folder() / kRecorded).substr(0, 20'000));
    write_file(folder() / "bad.json", R"({"format": "switchyard-scenario/1"})");
    const std::set<std::string> before = listing();
    const std::vector<Words> calls{
        {"run", "bad.json"},
        {"run", "two-hogs", "--policy", "no-such-policy"},
        {"run", "two-hogs", "--until", "soon"},
        {"run", "two-hogs", "--set", "/tasks/0/count=-1"},
        {"run", "two-hogs", "--view", "vmstat", "--interval", "0s"},
        {"run", "two-hogs", "--expect", "--policy", "linux-2.0:yield=all"},
        {"run", "two-hogs", "--surely-no-option"},
        {"compare", "bad.json", "--policy", "linux-2.0"},
        {"compare", "two-hogs", "--policy", "linux-2.0", "--policy", "no-such-policy"},
        {"check", "two-hogs", "bad.json"},
        {"verify", kRecorded, "broken.jsonl"},
        {"verify", kRecorded, "no-such-file"},
        {"list", "dishes"},
        {"reproduce", "no-such-table"},
    };
    for (Words words : calls) {
        for (const char* file : {"result", "new"}) {
            Words with_output = words;
            with_output.insert(with_output.end(), {"--output", file});
            const Finished f = switchyard(with_output);
            EXPECT_EQ(f.exit_code, 2) << joined(with_output) << "\n" << f;
            EXPECT_EQ(f.out, "") << joined(with_output);
            EXPECT_NE(f.err, "") << joined(with_output);
        }
    }
    EXPECT_EQ(switchyard({"step", "--output", "result"}, "task A\nstart\ngo\n").exit_code, 2);
    EXPECT_EQ(content_of(folder() / "result"), "from before");
    EXPECT_EQ(listing(), before);
}

TEST_F(CommandLine, OutputOptionWritesStandardOutputBytes) {
    std::vector<Words> calls{
        {"run", "two-hogs"},
        {"run", "two-hogs", "--format", "json"},
        {"run", "two-hogs", "--expect"},
        {"run", "two-hogs", "--view", "pidstat"},
        {"compare", "two-hogs", "--policy", "round-robin"},
        {"step", "two-hogs"},
        {"verify", kRecorded},
        {"check", "two-hogs", "--format", "json"},
        {"list", "policies"},
    };
    if (kOptimised) calls.push_back({"reproduce", "yield-table"});
    for (Words words : calls) {
        const std::string input = words[0] == "step" ? "start\nshow\n" : "";
        const std::string expected = output(words, input);
        EXPECT_NE(expected, "") << joined(words);
        words.insert(words.end(), {"--output", "result"});
        EXPECT_EQ(output(words, input), "") << joined(words);
        EXPECT_EQ(content_of(folder() / "result"), expected) << joined(words);
        EXPECT_EQ(listing(), (std::set<std::string>{"result", "scenarios", "tests"})) << joined(words);
    }
}

TEST_F(CommandLine, UnwritableOutputFileIsErrorWithoutLeftovers) {
    fs::create_directory(folder() / "taken");
    const std::set<std::string> before = listing();
    expect_refused({"list", "policies", "--output", "no-such-folder/result"}, "no-such-folder/result");
    expect_refused({"list", "policies", "--output", "taken"}, "taken");
    EXPECT_EQ(listing(), before);
}

TEST_F(CommandLine, OutputWritesThroughPipesAndLinks) {
    const std::string expected = output({"list", "policies"});
    write_file(folder() / "target", "from before");
    fs::create_symlink("target", folder() / "link");
    output({"list", "policies", "--output", "link"});
    EXPECT_TRUE(fs::is_symlink(folder() / "link"));
    EXPECT_EQ(content_of(folder() / "target"), expected);

    const Finished f = shell(
        "mkfifo pipe; timeout 5 cat pipe > got & timeout 5 switchyard list policies --output pipe; wait");
    EXPECT_EQ(f.err, "");
    EXPECT_TRUE(fs::is_fifo(folder() / "pipe")) << "as for /dev/null, which must not be replaced by a file";
    EXPECT_EQ(content_of(folder() / "got"), expected);
}

// --- run ---

Words keys_of(const ordered_json& object) {
    Words keys;
    for (const auto& [key, value] : object.items()) keys.push_back(key);
    return keys;
}

TEST_F(CommandLine, RunSummaryHasDocumentedMembers) {
    const ordered_json s = ordered_json::parse(output({"run", "two-hogs", "--format", "json"}));
    EXPECT_EQ(keys_of(s),
              (Words{"format",      "scenario", "policy",     "seed",     "cpus",    "simulated_ns",
                     "stop_reason", "switches", "yields",     "schedule", "time_ns", "tlb",
                     "cache",       "smp",      "interrupts", "per_cpu",  "forks",   "exits",
                     "ticks",       "waits",    "runqueue",   "tasks",    "jobs",    "hash"}));
    EXPECT_EQ(keys_of(s["switches"]), (Words{"total", "voluntary", "involuntary", "from_idle", "to_idle",
                                             "same_mm", "other_mm", "kernel_thread"}));
    EXPECT_EQ(keys_of(s["yields"]), (Words{"calls", "switched"}));
    EXPECT_EQ(keys_of(s["schedule"]),
              (Words{"calls", "considered", "recalculations", "recalculated", "queue_steps"}));
    EXPECT_EQ(keys_of(s["time_ns"]), (Words{"user", "system", "search", "recalc", "switch", "address_space",
                                            "cache_refill", "stolen", "interrupts", "idle"}));
    EXPECT_EQ(keys_of(s["tlb"]), (Words{"flushes", "loads", "lazy_avoided", "same_mm_avoided", "flush_ipis",
                                        "lazy_mms_dropped", "entries_refilled"}));
    EXPECT_EQ(keys_of(s["runqueue"]),
              (Words{"mean", "max", "share_over_10", "share_20_or_more", "histogram", "load_average"}));
    ASSERT_EQ(s["tasks"].size(), 2u);
    EXPECT_EQ(keys_of(s["tasks"][0]),
              (Words{"pid", "name", "state", "user_ns", "system_ns", "ready_ns", "voluntary", "involuntary",
                     "yields", "arrival_ns", "first_run_ns", "finish_ns", "response_ns", "turnaround_ns",
                     "waiting_ns", "normalised_turnaround"}));
    EXPECT_EQ(keys_of(s["jobs"]),
              (Words{"finished", "mean_response_ns", "mean_turnaround_ns", "mean_waiting_ns",
                     "mean_normalised_turnaround", "max_response_ns", "max_turnaround_ns", "max_waiting_ns",
                     "throughput_per_s", "jain_index"}));
}

Schema published_schema() {
    return Schema(json::parse(content_of(SWITCHYARD_SOURCE_DIR "/docs/run_summary.schema.json")));
}

TEST_F(CommandLine, RunSummaryConformsToSchema) {
    const Schema schema = published_schema();
    for (const std::string& name : scenarios())
        EXPECT_EQ(schema.fault(json_output({"run", name, "--until", kOptimised ? "3s" : "300ms"})), "")
            << name;
    for (const char* name : {"two-hogs", "create-process"})  // some group has no waits
        EXPECT_EQ(schema.fault(json_output({"run", name, "--until", "300ms", "--latency"})), "") << name;
    // Runs that end for another reason than a time limit.
    EXPECT_EQ(schema.fault(json_output({"run", "two-hogs", "--switches", "3"})), "");
    EXPECT_EQ(schema.fault(json_output({"run", "two-hogs", "--set", R"(/tasks/0/program=[{"run": "1ms"}])"})),
              "");
    EXPECT_EQ(schema.fault(json_output({"run", "two-hogs", "--set", R"(/tasks/0/program=[{"wait": "c"}])"})),
              "");
    EXPECT_EQ(schema.fault(json_output({"run", "two-hogs", "--set", "/tasks=[]"})), "");
}

TEST_F(CommandLine, RunSummarySchemaRejectsInvalidSummaries) {
    const Schema schema = published_schema();
    const json good = json_output({"run", "two-hogs"});
    ASSERT_EQ(schema.fault(good), "");
    const auto changed = [&](const char* pointer, const json& value) {
        json bad = good;
        bad[json::json_pointer(pointer)] = value;
        return bad;
    };
    EXPECT_NE(schema.fault(changed("/more", 1)), "");
    EXPECT_NE(schema.fault(changed("/switches/more", 1)), "");
    EXPECT_NE(schema.fault(changed("/format", "switchyard-run/2")), "");
    EXPECT_NE(schema.fault(changed("/stop_reason", "tired")), "");
    EXPECT_NE(schema.fault(changed("/time_ns/user", -1)), "");
    EXPECT_NE(schema.fault(changed("/time_ns/user", 1.5)), "");
    EXPECT_NE(schema.fault(changed("/runqueue/share_over_10", 1.5)), "");
    EXPECT_NE(schema.fault(changed("/tasks/1/state", "awake")), "");
    EXPECT_NE(schema.fault(changed("/hash", "0x12")), "");
    json bad = good;
    bad["tlb"].erase("flushes");
    EXPECT_NE(schema.fault(bad), "");
}

std::int64_t sum_of(const json& values) {
    std::int64_t sum = 0;
    for (const json& value : values) sum += value.get<std::int64_t>();
    return sum;
}

TEST_F(CommandLine, SummaryValuesAddUpInEveryScenario) {
    for (const std::string& name : scenarios()) {
        for (const char* policy : {"linux-2.0", "sorted-queue", "linux-2.0:yield=one_tick", "round-robin"}) {
            if (!kOptimised && policy == std::string_view("linux-2.0:yield=one_tick")) break;
            SCOPED_TRACE(fmt::format("{} under {}", name, policy));
            // An uneven end time, so that the run ends in the middle of an activity.
            const std::int64_t until = kOptimised ? 1'234'567'891 : 34'567'891;
            const json s =
                json_output({"run", name, "--policy", policy, "--until", fmt::format("{}ns", until)});
            if (s["stop_reason"] == "until") {
                EXPECT_EQ(s["simulated_ns"], until);
            }
            EXPECT_EQ(sum_of(s["time_ns"]),
                      s["cpus"].get<std::int64_t>() * s["simulated_ns"].get<std::int64_t>());
            const json& w = s["switches"];
            const auto n = [&](const char* key) { return w[key].get<std::int64_t>(); };
            EXPECT_GT(n("total"), 0);
            EXPECT_EQ(n("total"), n("voluntary") + n("involuntary") + n("from_idle"));
            EXPECT_EQ(n("total"), n("to_idle") + n("same_mm") + n("other_mm") + n("kernel_thread"));
            EXPECT_EQ(sum_of(s["runqueue"]["histogram"]), s["schedule"]["calls"].get<std::int64_t>());
            EXPECT_EQ(s["runqueue"]["histogram"].size(), s["runqueue"]["max"].get<std::size_t>() + 1);
            const json& tlb = s["tlb"];
            EXPECT_EQ(tlb["loads"].get<std::int64_t>() + tlb["lazy_avoided"].get<std::int64_t>() +
                          tlb["same_mm_avoided"].get<std::int64_t>(),
                      n("total"));
            std::int64_t by_cause = 0, by_cpu = 0, idle = 0;
            for (const json& wait : s["waits"]) by_cause += wait["switches"].get<std::int64_t>();
            for (const json& cpu : s["per_cpu"]) {
                by_cpu += cpu["switches"].get<std::int64_t>();
                idle += cpu["idle_ns"].get<std::int64_t>();
            }
            EXPECT_EQ(by_cause, n("voluntary"));
            EXPECT_EQ(by_cpu, n("total"));
            EXPECT_EQ(idle, s["time_ns"]["idle"].get<std::int64_t>());
            EXPECT_LE(s["yields"]["switched"], s["yields"]["calls"]);

            // The sums over the tasks equal the values of the machine.
            const json& t = s["time_ns"];
            std::int64_t user = 0, system = 0, voluntary = 0, involuntary = 0, yields = 0;
            for (const json& task : s["tasks"]) {
                user += task["user_ns"].get<std::int64_t>();
                system += task["system_ns"].get<std::int64_t>();
                voluntary += task["voluntary"].get<std::int64_t>();
                involuntary += task["involuntary"].get<std::int64_t>();
                yields += task["yields"].get<std::int64_t>();
            }
            // The list omits tasks that have exited, so its sums lack their values.
            const bool all_there = s["exits"] == 0;
            const auto compare = [&](std::int64_t of_tasks, std::int64_t of_all, const char* what) {
                EXPECT_LE(of_tasks, of_all) << what;
                if (all_there) {
                    EXPECT_EQ(of_tasks, of_all) << what;
                }
            };
            compare(user, t["user"].get<std::int64_t>(), "user time");
            compare(voluntary, n("voluntary"), "voluntary");
            compare(involuntary, n("involuntary"), "involuntary");
            compare(yields, s["yields"]["calls"].get<std::int64_t>(), "yields");
            // Kernel time is attributed to tasks, except for interrupts and schedule() called by the idle
            // task.
            const std::int64_t kernel = sum_of(t) - t["user"].get<std::int64_t>() -
                                        t["idle"].get<std::int64_t>() - t["stolen"].get<std::int64_t>() -
                                        t["interrupts"].get<std::int64_t>();
            EXPECT_LE(system, kernel);
            if (n("from_idle") == 1 && all_there) {
                EXPECT_LT(kernel - system, 1'000'000) << "one search, and perhaps a refill";
            }
        }
    }
}

TEST_F(CommandLine, RepeatedRunGivesSameBytes) {
    for (const Words& words : {Words{"run", "web-server", "--until", "20s"},
                               Words{"run", "web-server", "--until", "20s", "--format", "json"},
                               Words{"run", "interactive-vs-hog", "--view", "vmstat"},
                               Words{"compare", "web-server", "--until", "20s", "--policy", "round-robin"}}) {
        const std::string first = output(words);
        EXPECT_GT(first.size(), 500u);
        EXPECT_EQ(output(words), first) << joined(words);
    }
}

TEST_F(CommandLine, SeedChangesOnlyRandomRuns) {
    const auto run = [&](const char* name, const char* seed) {
        return json_output({"run", name, "--until", "20s", "--seed", seed});
    };
    json random_1 = run("interactive-vs-hog", "1"), random_2 = run("interactive-vs-hog", "2");
    EXPECT_EQ(random_1["seed"], 1);
    EXPECT_EQ(random_2["seed"], 2);
    EXPECT_NE(random_1["hash"], random_2["hash"]);
    EXPECT_NE(random_1["time_ns"], random_2["time_ns"]);

    // The hash covers the entire state, which includes each task's random number stream, even if unused.
    json fixed_1 = run("two-hogs", "1"), fixed_2 = run("two-hogs", "2");
    for (json* summary : {&fixed_1, &fixed_2}) {
        summary->erase("seed");
        summary->erase("hash");
    }
    EXPECT_EQ(fixed_1, fixed_2);
}

TEST_F(CommandLine, ScenarioCanBeFileInputOrName) {
    const json by_name = json_output({"run", "two-hogs"});
    EXPECT_EQ(json_output({"run", "scenarios/two-hogs.json"})["hash"], by_name["hash"]);
    const std::string text = content_of(folder() / "scenarios/two-hogs.json");
    const json from_input = json::parse(output({"run", "-", "--format", "json"}, text));
    EXPECT_EQ(from_input["hash"], by_name["hash"]);
}

TEST_F(CommandLine, SetChangesValueAndUntilChangesEnd) {
    const json s = json_output(
        {"run", "two-hogs", "--set", "/tasks/0/count=5", "--set", "/title=Five", "--until", "420ms"});
    EXPECT_EQ(s["tasks"].size(), 5u);
    EXPECT_EQ(s["simulated_ns"], 420'000'000);
    EXPECT_EQ(s["switches"]["total"], 2);
}

TEST_F(CommandLine, RunStopsAfterRequestedSwitches) {
    const json s = json_output({"run", "yield-processes", "--switches", "1000"});
    EXPECT_EQ(s["switches"]["total"], 1000);
    EXPECT_EQ(s["stop_reason"], "switch_limit");
}

TEST_F(CommandLine, RunListsInterventionsWithoutEffect) {
    const std::string list =
        R"(/interventions=[{"block": "hog.1", "for": "1ms", "at": "5ms"}, {"wake": "hog.2", "at": "6ms"},
                           {"kill": "hog.1", "at": "7ms"}, {"kill": "hog.1", "at": "900ms"}, {"kill": "hog.2", "at": "3s"}])";
    const std::string text = output({"run", "two-hogs", "--until", "1s", "--set", list});
    EXPECT_NE(text.find("interventions  2 of 5 took effect\n"
                        "            no effect: wake hog.2 at 6 ms; the task was awake\n"
                        "            no effect: kill hog.1 at 900 ms; the task did not exist\n"
                        "            no effect: kill hog.2 at 3 s; the run ended before this time\n"),
              std::string::npos)
        << text;
    const json summary = json_output({"run", "two-hogs", "--until", "1s", "--set", list});
    EXPECT_EQ(published_schema().fault(summary), "");
    EXPECT_EQ(summary["interventions"][1]["result"], "awake");
}

TEST_F(CommandLine, RunTextHasQuestionAndOptionalHint) {
    const std::string text = output({"run", "two-hogs"});
    const json scenario = json::parse(content_of(folder() / "scenarios/two-hogs.json"), nullptr, true, true);
    EXPECT_TRUE(text.starts_with("two-hogs: " + scenario["title"].get<std::string>() + "\n")) << text;
    EXPECT_NE(text.find(scenario["question"].get<std::string>()), std::string::npos);
    EXPECT_NE(text.find("switches    100 (4.76/s): 0 voluntary, 99 involuntary, 1 from idle\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("hash " + json_output({"run", "two-hogs"})["hash"].get<std::string>() + "\n"),
              std::string::npos);
    EXPECT_NE(text.find("\nHint: "), std::string::npos);
    EXPECT_EQ(output({"run", "two-hogs", "--quiet"}).find("Hint: "), std::string::npos);
}

TEST_F(CommandLine, ExpectReportsEachAssertion) {
    const std::string good = output({"run", "two-hogs", "--expect"});
    EXPECT_EQ(lines_of(good).size(), 7u) << good;
    for (const std::string& line : lines_of(good)) EXPECT_TRUE(line.starts_with("holds  ")) << line;
    EXPECT_NE(good.find("holds  linux-2.0: /switches/total is 100"), std::string::npos) << good;
    EXPECT_NE(good.find("holds  round-robin: /simulated_ns per /switches/total is "), std::string::npos)
        << good;

    const Finished bad = switchyard({"run", "two-hogs", "--expect", "--set", "/expect/0/equals=101"});
    EXPECT_EQ(bad.exit_code, 1);
    EXPECT_TRUE(bad.out.starts_with("FAILS  linux-2.0: /switches/total is 100")) << bad;
    EXPECT_EQ(bad.err, "");
}

// --- verify ---

TEST_F(CommandLine, VerifyMatchesAllRecordedDecisions) {
    const std::string text = output({"verify", kRecorded, kRecordedOneTick});
    EXPECT_NE(text.find("in total: 9,450 decisions, none differs\n"), std::string::npos) << text;
    for (const char* policy :
         {"", "sorted-queue", "sorted-queue:insert=head", "linux-2.0:rt_wake_preempts=yes"}) {
        Words words{"verify", kRecorded, kRecordedOneTick};
        if (*policy != '\0') words.insert(words.end(), {"--policy", policy});
        const json files = json_output(words);
        ASSERT_EQ(files.size(), 2u);
        EXPECT_EQ(files[0]["decisions"].get<int>() + files[1]["decisions"].get<int>(), 9450) << policy;
        for (const json& file : files) {
            EXPECT_EQ(file["cases"], 60) << policy;
            EXPECT_EQ(file["differences"], 0) << policy;
            EXPECT_EQ(file["first_difference"], "") << policy;
        }
    }
}

TEST_F(CommandLine, VerifyReportsPolicyOfEachFile) {
    const json own = json_output({"verify", kRecorded, kRecordedOneTick});
    EXPECT_EQ(own[0]["policy"], "linux-2.0");
    EXPECT_EQ(own[1]["policy"], "linux-2.0:yield=one_tick");
    const json sorted =
        json_output({"verify", kRecorded, kRecordedOneTick, "--policy", "sorted-queue:insert=head"});
    EXPECT_EQ(sorted[0]["policy"], "sorted-queue:insert=head");
    EXPECT_EQ(sorted[1]["policy"], "sorted-queue:yield=one_tick,insert=head");
    EXPECT_NE(own[0]["compared"], sorted[0]["compared"]);
}

TEST_F(CommandLine, VerifyFindsMismatchUnderOtherPolicies) {
    for (const char* policy : {"linux-2.0:yield=one_tick", "linux-2.0:yield=move_last_only", "round-robin"}) {
        const Finished f = switchyard({"verify", kRecorded, "--policy", policy});
        EXPECT_EQ(f.exit_code, 1) << policy << "\n" << f;
        EXPECT_NE(f.out.find(fmt::format("first difference: {}:", kRecorded)), std::string::npos) << f;
        EXPECT_EQ(f.err, "") << policy;
    }
}

// A file of recorded decisions, as lines of JSON that a test may change.
class Recording {
  public:
    explicit Recording(const fs::path& path) : lines_(lines_of(content_of(path))) {}

    ordered_json at(std::size_t line) const { return ordered_json::parse(lines_.at(line - 1)); }
    void set(std::size_t line, const ordered_json& value) { lines_.at(line - 1) = value.dump(); }
    std::string& raw(std::size_t line) { return lines_.at(line - 1); }
    std::string text() const { return fmt::format("{}\n", fmt::join(lines_, "\n")); }

  private:
    Words lines_;
};

// Returns the first event of this case at which schedule() chose a task.
std::size_t first_reschedule(const ordered_json& recorded) {
    const ordered_json& events = recorded["events"];
    for (std::size_t i = 0; i < events.size(); ++i)
        if (events[i].size() == 9 && events[i][3] == 1 && events[i][2] != "idle") return i;
    ADD_FAILURE() << "no event with a reschedule";
    return 0;
}

TEST_F(CommandLine, VerifyLocatesChangedDecision) {
    Recording recording(folder() / kRecorded);
    ordered_json line = recording.at(17);
    const std::size_t event = first_reschedule(line);
    ordered_json& chosen = line["events"][event][2];
    const std::string before = chosen;
    chosen = line["tasks"][0]["name"] == before ? line["tasks"][1]["name"] : line["tasks"][0]["name"];
    const std::string after = chosen;
    recording.set(17, line);
    write_file(folder() / "changed.jsonl", recording.text());

    const Finished f = switchyard({"verify", "changed.jsonl"});
    EXPECT_EQ(f.exit_code, 1) << f;
    EXPECT_EQ(f.err, "");
    EXPECT_NE(f.out.find(fmt::format("first difference: changed.jsonl:17: /events/{}: ", event)),
              std::string::npos)
        << f;
    EXPECT_NE(f.out.find(fmt::format("recorded:  chosen {}, rescheduled", after)), std::string::npos) << f;
    EXPECT_NE(f.out.find(fmt::format("replayed:  chosen {}, rescheduled", before)), std::string::npos) << f;

    const Finished as_json = switchyard({"verify", "changed.jsonl", kRecorded, "--format", "json"});
    EXPECT_EQ(as_json.exit_code, 1);
    const json files = json::parse(as_json.out);
    EXPECT_EQ(files[0]["differences"], 1);
    EXPECT_EQ(files[0]["cases"], 60) << "the other cases are still compared";
    EXPECT_EQ(files[1]["differences"], 0);
}

TEST_F(CommandLine, SortedQueueVerifyIgnoresConsideredCount) {
    Recording recording(folder() / kRecorded);
    ordered_json line = recording.at(5);
    ordered_json& considered = line["events"][first_reschedule(line)][4];
    considered = considered.get<int>() + 1;
    recording.set(5, line);
    write_file(folder() / "changed.jsonl", recording.text());
    EXPECT_EQ(switchyard({"verify", "changed.jsonl"}).exit_code, 1);
    EXPECT_EQ(switchyard({"verify", "changed.jsonl", "--policy", "sorted-queue"}).exit_code, 0);
}

TEST_F(CommandLine, VerifyFindsChangedCounterUnderAnyPolicy) {
    Recording recording(folder() / kRecorded);
    ordered_json line = recording.at(60);
    std::string queue = line["start"][5];
    ASSERT_EQ(queue.substr(0, 3), "t0:") << queue;
    queue.insert(3, "1");
    line["start"][5] = queue;
    recording.set(60, line);
    write_file(folder() / "changed.jsonl", recording.text());
    for (const char* policy : {"linux-2.0", "sorted-queue"}) {
        const Finished f = switchyard({"verify", "changed.jsonl", "--policy", policy});
        EXPECT_EQ(f.exit_code, 1) << policy;
        EXPECT_NE(f.out.find("changed.jsonl:60: /start: "), std::string::npos) << f;
    }
}

TEST_F(CommandLine, VerifyRejectsDamagedFileWithPosition) {
    const Recording good(folder() / kRecorded);
    const auto refused = [&](std::size_t line, const std::string& content, const std::string& message) {
        Recording damaged = good;
        damaged.raw(line) = content;
        write_file(folder() / "damaged.jsonl", damaged.text());
        const Finished f = switchyard({"verify", "damaged.jsonl"});
        EXPECT_EQ(f.exit_code, 2) << content.substr(0, 200) << "\n" << f;
        EXPECT_EQ(f.out, "");
        EXPECT_TRUE(f.err.starts_with(fmt::format("damaged.jsonl:{}:", line))) << f;
        EXPECT_NE(f.err.find(message), std::string::npos) << f << "lacks: " << message;
        EXPECT_EQ(lines_of(f.err).size(), 1u) << f;
    };
    const auto changed = [&](std::size_t line, auto change) {
        ordered_json value = good.at(line);
        change(value);
        return value.dump();
    };
    Recording copy = good;
    refused(1, copy.raw(1).substr(0, copy.raw(1).size() / 2), "");
    refused(60, copy.raw(60).substr(0, copy.raw(60).size() - 1), "");
    refused(2, "not JSON at all", "");
    refused(3, "[]", "expected an object");
    refused(3, "{}", "\"policy\" is missing");
    refused(7, std::string(5'000'000, ' ') + copy.raw(7), "longer than 4 MiB");

    using J = ordered_json;
    refused(9,
            changed(9,
                    [](J& v) {
                        v["events"][0] = J::array({"tock", nullptr, "t0", 0, 0, 0, 0, "", ""});
                    }),
            "unknown event 'tock'; did you mean 'tick'?");
    refused(9, changed(9, [](J& v) { v["event"] = 1; }), "unknown key 'event'; did you mean 'events'?");
    refused(9, changed(9, [](J& v) { v["tasks"][0]["conuter"] = 1; }), "did you mean 'counter'?");
    refused(9, changed(9, [](J& v) { v["policy"] = "linux-2.1"; }), "did you mean 'linux-2.0'?");
    refused(9, changed(9, [](J& v) { v["policy"] = 2.0; }), "/policy: expected a string");
    refused(9, changed(9, [](J& v) { v["yield"] = "one_tik"; }), "one_tick");
    refused(9, changed(9, [](J& v) { v["tasks"] = "t0"; }), "/tasks: expected an array");
    refused(9, changed(9, [](J& v) { v["tasks"][0] = 5; }), "/tasks/0: expected an object");
    refused(9, changed(9, [](J& v) { v["tasks"][1]["name"] = v["tasks"][0]["name"]; }), "/tasks/1/name");
    refused(9, changed(9, [](J& v) { v["tasks"][1]["name"] = "idle"; }), "/tasks/1/name");
    refused(9, changed(9, [](J& v) { v["tasks"][0].erase("name"); }), "\"name\" is missing");
    refused(9, changed(9, [](J& v) { v["tasks"][0]["counter"] = "5"; }),
            "/tasks/0/counter: expected a whole number");
    refused(9, changed(9, [](J& v) { v["tasks"][0]["counter"] = -1; }),
            "/tasks/0/counter: expected a whole number");
    refused(9, changed(9, [](J& v) { v["tasks"][0]["counter"] = 1.5; }),
            "/tasks/0/counter: expected a whole number");
    refused(9, changed(9, [](J& v) { v["tasks"][0]["priority"] = 18446744073709551615u; }),
            "/tasks/0/priority");
    refused(9, changed(9, [](J& v) { v["tasks"][0]["state"] = "dead"; }), "/tasks/0/state");
    refused(9, changed(9, [](J& v) { v["tasks"][0]["policy"] = "batch"; }), "/tasks/0/policy");
    refused(9, changed(9, [](J& v) { v.erase("start"); }), "\"start\" is missing");
    refused(9, changed(9, [](J& v) { v["start"].erase(6); }), "/start: expected an outcome of 7 elements");
    refused(9, changed(9, [](J& v) { v["start"][0] = 7; }), "/start/0: expected a string");
    refused(9, changed(9, [](J& v) { v["start"][1] = 2; }), "/start/1: expected a whole number");
    refused(9, changed(9, [](J& v) { v["events"] = J::object(); }), "/events: expected an array");
    refused(9, changed(9, [](J& v) { v["events"][0] = "tick"; }), "/events/0: expected an array");
    refused(9, changed(9, [](J& v) { v["events"][0] = J::array(); }), "/events/0");
    refused(9, changed(9, [](J& v) { v["events"][0] = J::array({"tick"}); }), "9 elements");
    refused(9,
            changed(9,
                    [](J& v) {
                        v["events"][0] = J::array({"set_priority", J::array({"t0"})});
                    }),
            "set_priority");
    refused(9,
            changed(9,
                    [](J& v) {
                        v["events"][0] = J::array({"set_priority", J::array({"t0", 41})});
                    }),
            "0 to 40");
    refused(9,
            changed(9,
                    [](J& v) {
                        v["events"][0] = J::array({"wake", "t00", "t0", 0, 0, 0, 0, "", ""});
                    }),
            "there is no task 't00'");
    refused(9,
            changed(9,
                    [](J& v) {
                        v["events"][0] = J::array({"fork", "t0", "t0", 0, 0, 0, 0, "", ""});
                    }),
            "this name is already in use");

    std::string not_utf_8 = copy.raw(20);
    not_utf_8.replace(not_utf_8.find("t0"), 2, "\xff\xfe");
    refused(20, not_utf_8, "UTF-8");
}

TEST_F(CommandLine, VerifyRejectsFileWithoutDecisions) {
    write_file(folder() / "empty.jsonl", "");
    write_file(folder() / "blank.jsonl", "\n  \n\n");
    expect_refused({"verify", "empty.jsonl"}, "empty.jsonl: ");
    expect_refused({"verify", "blank.jsonl"}, "blank.jsonl: no recorded decisions");
    expect_refused({"verify", "no-such.jsonl"}, "no-such.jsonl: ");
    expect_refused({"verify", "tests"}, "tests: ");
    expect_refused({"verify", "-"}, "standard input: ", "");
}

TEST_F(CommandLine, VerifyReadsStandardInput) {
    const std::string text = content_of(folder() / kRecorded);
    EXPECT_NE(output({"verify", "-"}, text).find("60 cases, 4,728 decisions under linux-2.0: none differs"),
              std::string::npos);
    // Empty lines are not cases but count as lines. The last line may lack a newline.
    const std::string first = text.substr(0, text.find('\n'));
    EXPECT_NE(output({"verify", "-"}, "\n\r\n" + first).find(" 1 case, "), std::string::npos);
    expect_refused({"verify", "-"}, "standard input:3:", "\n\n" + first.substr(0, 200) + "\n");
}

// --- step ---

TEST_F(CommandLine, StepShowsChosenTaskCandidatesAndReason) {
    EXPECT_EQ(
        output({"step"}, "task A\ntask B\nstart\nyield\nyield\n"),
        "> task A\n"
        "> task B\n"
        "> start\n"
        "  schedule(): prev is idle\n"
        "    A     counter  20        goodness   20  <- wins\n"
        "    B     counter  20        goodness   20\n"
        "  A runs: its goodness 20 is the highest (B has the same goodness, but A is first in the queue).\n"
        "  work: 2 tasks considered, 0 counters recalculated, 0 queue steps\n"
        "> yield\n"
        "  schedule(): prev is A\n"
        "    B     counter  20        goodness   20  <- wins\n"
        "    A     counter   0        goodness    0\n"
        "  B runs: its goodness 20 is the highest.\n"
        "  work: 2 tasks considered, 0 counters recalculated, 0 queue steps\n"
        "> yield\n"
        "  schedule(): prev is B\n"
        "    A     counter   0        goodness    0  <- wins\n"
        "    B     counter   0        goodness    0\n"
        "    recalculate A: 0 -> 20\n"
        "    recalculate B: 0 -> 20\n"
        "  A runs: every runnable task's counter was 0, and it is first in the queue. Then the "
        "counters of both tasks are recalculated; the choice does not change.\n"
        "  work: 2 tasks considered, 2 counters recalculated, 0 queue steps\n");
}

// Returns the lines of the output of `step` that contain `part`.
Words with(const std::string& text, const std::string& part) {
    Words found;
    for (const std::string& line : lines_of(text))
        if (line.find(part) != std::string::npos) found.push_back(line);
    return found;
}

TEST_F(CommandLine, StepUsesRequestedPolicy) {
    const std::string script = "task A\ntask B\nstart\nyield\nyield\n";
    // A yield costs one tick, and the running task has a bonus of one point. So A runs, then B, then B
    // again.
    EXPECT_EQ(with(output({"step", "--policy", "linux-2.0:yield=one_tick"}, script), " runs: "),
              (Words{"  A runs: its goodness 20 is the highest (B has the same goodness, but A is first in "
                     "the queue).",
                     "  B runs: its goodness 20 is the highest (A has the same goodness, but B is first in "
                     "the queue).",
                     "  B runs: its goodness 20 is the highest, including 1 for being the running task."}));
    EXPECT_EQ(with(output({"step", "--policy", "linux-2.0:yield=move_last_only"}, script), "no schedule()"),
              (Words{"  no schedule() call: need_resched is not set; A continues",
                     "  no schedule() call: need_resched is not set; A continues"}));
    EXPECT_EQ(with(output({"step", "--policy", "round-robin"}, script), " runs: "),
              (Words{"  A runs: it is first in the queue.", "  B runs: it is first in the queue.",
                     "  A runs: it is first in the queue."}));
}

TEST_F(CommandLine, StepCarriesOutEveryEvent) {
    const std::string text = output({"step"},
                                    "# a comment, and a blank line\n\n"
                                    "task A priority=30\n"
                                    "task B sleeping\n"
                                    "task R class=rr rt=5 sleeping  # real time\n"
                                    "start\n"
                                    "tick\n"
                                    "show\n"
                                    "fork C\n"
                                    "show\n"
                                    "wake R\n"
                                    "block\n"
                                    "set_priority B 7\n"
                                    "block\n"
                                    "show\n"
                                    "exit\n"
                                    "wake B\n"
                                    "block\n"
                                    "show\n"
                                    "quit\n"
                                    "this is never read\n");
    EXPECT_EQ(with(text, "running"), (Words{"  running A; queue [A:29]; sleeping [B:20 R:20]",
                                            "  running A; queue [A:14 C:14]; sleeping [B:20 R:20]",
                                            "  running C; queue [C:14]; sleeping [A:14 B:20 R:20]",
                                            "  running idle; queue []; sleeping [A:14 B:20 R:20]"}));
    EXPECT_EQ(with(text, "runs: ").size(), 5u) << text;
    EXPECT_NE(
        text.find("  R runs: its goodness 1005 is the highest, including 1000 for being a real-time task.\n"),
        std::string::npos)
        << text;
    EXPECT_NE(text.find("No task is ready for this CPU: the idle task runs.\n"), std::string::npos) << text;
}

TEST_F(CommandLine, StepReportsTickOfSliceEnd) {
    const std::string text = output({"step", "two-hogs"}, "start\ntick 21\nshow\n");
    EXPECT_NE(text.find("> tick 21\n  at tick 21:\n  schedule(): prev is hog.1\n"), std::string::npos)
        << text;
    EXPECT_NE(text.find("  hog.2 runs, counter 20\n"), std::string::npos) << text;
    EXPECT_NE(text.find("  running hog.2; queue [hog.1:0 hog.2:20]; sleeping []\n"), std::string::npos)
        << text;
}

TEST_F(CommandLine, StepStartsFromScenarioTasksAndPolicy) {
    write_file(folder() / "three.json",
               R"({"format": "switchyard-scenario/1", "machine": {}, "policy": "round-robin",
        "tasks": [{"name": "a", "count": 2, "program": ["exit"]}, {"name": "later", "start": "1ms", "program": []}]})");
    const std::string text = output({"step", "three.json"}, "start\nshow\n");
    EXPECT_NE(text.find("  a.1 runs: it is first in the queue.\n"), std::string::npos) << text;
    EXPECT_NE(text.find("  running a.1; queue [a.1:20 a.2:20]; sleeping [later:20]\n"), std::string::npos)
        << text;
    EXPECT_NE(output({"step", "three.json", "--policy", "linux-2.0"}, "start\n").find("goodness"),
              std::string::npos);
    EXPECT_NE(
        output({"step", "three.json", "--set", "/tasks/0/count=1"}, "start\nshow\n").find("queue [a:20]"),
        std::string::npos);
}

TEST_F(CommandLine, StepCanDriveEveryShippedScenario) {
    for (const std::string& name : scenarios()) {
        const std::string text = output({"step", name}, "start\n");
        EXPECT_NE(text.find("schedule(): prev is idle\n"), std::string::npos) << name << "\n" << text;
    }
}

TEST_F(CommandLine, StepRejectsInvalidEventWithLine) {
    const auto refused = [&](const std::string& script, int line, const std::string& message) {
        expect_refused({"step"}, fmt::format("standard input:{}: ", line), script);
        expect_refused({"step"}, message, script);
    };
    refused("task A\nstart\nyeild\n", 3, "unknown event 'yeild'; did you mean 'yield'?");
    refused("\n# comment\nwake A\n", 3, "unknown task 'A'");
    refused("task first\nwake frist\n", 2, "did you mean 'first'?");
    refused("task\n", 1, "needs a name");
    refused("task A\ntask A\n", 2, "'A' already exists");
    refused("task idle\n", 1, "'idle' already exists");
    refused("task A counter=many\n", 1, "'many' is not a whole number from 0 to 1000");
    refused("task A counter=\n", 1, "whole number");
    refused("task A priority=0\n", 1, "from 1 to 40");
    refused("task A nice=21\n", 1, "from -20 to 20");
    refused("task A class=fifo\n", 1, "needs rt=N");
    refused("task A pirority=5\n", 1, "did you mean 'priority'?");
    refused("task A\nyield\n", 2, "needs a running task");
    refused("block\n", 1, "needs a running task");
    refused("exit\n", 1, "needs a running task");
    refused("fork B\n", 1, "needs a running task");
    refused("task A\nstart\nfork\n", 3, "child's name");
    refused("task A\nstart\nfork A\n", 3, "'A' already exists");
    refused("tick 0\n", 1, "from 1 to 100000");
    refused("tick x\n", 1, "'x' is not a whole number");
    refused("task A\nset_priority A\n", 2, "set_priority");
    refused("task A\nset_priority A 41\n", 2, "from 1 to 40");
}

TEST_F(CommandLine, StepRejectsTooManyTasks) {
    std::string script;
    for (int i = 0; i < 100'000; ++i) script += fmt::format("task t{}\n", i);
    expect_refused({"step"}, "at most", script);
}

// --- check and list ---

TEST_F(CommandLine, CheckAcceptsEveryShippedScenario) {
    Words words{"check"};
    for (const std::string& name : scenarios()) words.push_back(name);
    const Words lines = lines_of(output(words));
    ASSERT_EQ(lines.size(), words.size() - 1);
    for (std::size_t i = 0; i < lines.size(); ++i)
        EXPECT_TRUE(lines[i].starts_with(words[i + 1] + ": valid; ")) << lines[i];
    const json list = json_output({"check", "recalc-storm", "--set", "/tasks/0/count=100"});
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list[0]["scenario"], "recalc-storm");
    EXPECT_EQ(list[0]["tasks"], 1100);
    EXPECT_EQ(list[0]["policy"], "linux-2.0");
}

TEST_F(CommandLine, CheckReportsErrorsOfAllFiles) {
    write_file(folder() / "one.json", R"({"format": "switchyard-scenario/1", "machine": {}, "task": []})");
    write_file(folder() / "two.json", "{");
    const Finished f = switchyard({"check", "one.json", "two-hogs", "two.json", "three.json"});
    EXPECT_EQ(f.exit_code, 2);
    EXPECT_EQ(f.out, "");
    for (const char* file : {"one.json:1:", "two.json:1:", "three.json: "})
        EXPECT_NE(("\n" + f.err).find(fmt::format("\n{}", file)), std::string::npos) << f;
}

TEST_F(CommandLine, ListNamesMatchInTextAndJson) {
    for (const char* what : {"policies", "scenarios", "machines", "actions", "tables"}) {
        Words from_text, from_json;
        for (const std::string& line : lines_of(output({"list", what})))
            if (!line.starts_with(" ")) from_text.push_back(line.substr(0, line.find(' ')));
        for (const json& entry : json_output({"list", what})) {
            from_json.push_back(entry.at("name"));
            EXPECT_NE(entry.at("summary"), "") << what << ": " << entry;
        }
        EXPECT_EQ(from_text, from_json) << what;
        EXPECT_GE(from_json.size(), 1u) << what;
        EXPECT_TRUE(std::is_sorted(from_json.begin(), from_json.end())) << what;
    }
}

TEST_F(CommandLine, ListsMatchSourceTree) {
    const auto names = [&](const char* what) {
        std::set<std::string> found;
        for (const json& entry : json_output({"list", what})) found.insert(entry.at("name"));
        return found;
    };
    const auto files = [&](const char* path) {
        std::set<std::string> found;
        for (const auto& entry : fs::directory_iterator(folder() / path))
            if (entry.path().extension() == ".json" && entry.path().stem() != "schema")
                found.insert(entry.path().stem());
        return found;
    };
    EXPECT_EQ(names("scenarios"), files("scenarios"));
    EXPECT_EQ(names("machines"), files("scenarios/machines"));
    EXPECT_EQ(names("tables"),
              (std::set<std::string>{"ajax-polling", "create-table", "gooch-1998", "goroutines", "lat-ctx",
                                     "lazy-tlb", "own-kernels", "park-unpark", "php-fpm", "reclamation",
                                     "switch-table", "thread-ring", "token-pipe", "web-server",
                                     "yield-one-cache", "yield-table", "yield-years"}));
    for (const char* policy : {"linux-2.0", "round-robin", "sorted-queue"})
        EXPECT_TRUE(names("policies").contains(policy));
    for (const char* action : {"arrival", "exit", "fork", "loop", "run", "sleep", "wait", "wake", "yield"})
        EXPECT_TRUE(names("actions").contains(action)) << action;
}

TEST_F(CommandLine, EveryListedPolicyRunsWithEveryOption) {
    std::size_t runs = 0;
    for (const json& policy : json_output({"list", "policies"})) {
        for (const json& option : policy.at("options")) {
            for (const json& value : option.at("values")) {
                const bool nt = policy["name"] == "nt4";  // no warning if nt4 has the costs of an NT machine
                const std::string spec = fmt::format(
                    "{}:{}={}{}", policy["name"].get<std::string>(), option["name"].get<std::string>(),
                    value == "N" ? "7" : value.get<std::string>(), nt ? "@pentium-mmx-200-nt" : "");
                output({"run", "two-hogs", "--until", "1s", "--policy", spec});
                ++runs;
            }
        }
    }
    EXPECT_GE(runs, 14u);
}

// --- compare ---

TEST_F(CommandLine, CompareFindsFirstDifferenceAtThirdDecision) {
    const Words words{"compare",   "yield-processes", "--policy",
                      "linux-2.0", "--policy",        "linux-2.0:yield=one_tick"};
    const std::string text = output(words);
    EXPECT_NE(
        text.find(
            "The first decision that differs between linux-2.0 and linux-2.0:yield=one_tick is number 3:\n"),
        std::string::npos)
        << text;
    const json result = json_output(words);
    EXPECT_EQ(result["format"], "switchyard-compare/1");
    ASSERT_EQ(result["runs"].size(), 2u);
    ASSERT_EQ(result["first_differences"].size(), 1u);
    const json& difference = result["first_differences"][0];
    EXPECT_EQ(difference["policy_a"], "linux-2.0");
    EXPECT_EQ(difference["policy_b"], "linux-2.0:yield=one_tick");
    EXPECT_EQ(difference["decision"], 3);
    EXPECT_EQ(difference["compared"], 3);
    EXPECT_EQ(difference["a"]["chosen"], "spinner.1");
    EXPECT_EQ(difference["b"]["chosen"], "spinner.2");
    EXPECT_NE(difference["a"]["why"], "");
}

TEST_F(CommandLine, CompareShowsValuesOfRun) {
    const json compared = json_output({"compare", "interactive-vs-hog", "--policy", "round-robin"});
    ASSERT_EQ(compared["runs"].size(), 2u) << "with one policy, the scenario's own comes first";
    EXPECT_EQ(compared["runs"][0], json_output({"run", "interactive-vs-hog"}));
    EXPECT_EQ(compared["runs"][1], json_output({"run", "interactive-vs-hog", "--policy", "round-robin"}));
}

TEST_F(CommandLine, CompareFindsSortedQueueEqualWithoutCosts) {
    // Without costs, decisions of both policies take the same time, so every decision must be the same.
    for (const char* policy : {"sorted-queue", "sorted-queue:insert=head"}) {
        for (const char* name : {"interactive-vs-hog", "web-server", "two-hogs"}) {
            const Words words{
                "compare",  name,        "--until",  "60s",  "--set",      R"(/machine={"hz":100})",
                "--policy", "linux-2.0", "--policy", policy, "--exit-code"};
            const json result = json_output(words);
            EXPECT_EQ(result["first_differences"][0]["decision"], nullptr) << name;
            EXPECT_GT(result["first_differences"][0]["compared"], 200) << name;
            EXPECT_EQ(result["runs"][0]["schedule"]["calls"], result["first_differences"][0]["compared"])
                << name;
        }
    }
}

TEST_F(CommandLine, SameOptionFailsOnMismatch) {
    const Words same{"compare",    "two-hogs", "--policy",
                     "linux-2.0",  "--policy", "linux-2.0:yield=one_tick",
                     "--exit-code"};
    EXPECT_NE(output(same).find("linux-2.0 and linux-2.0:yield=one_tick: none of 100 decisions differs\n"),
              std::string::npos);
    Words other = same;
    other[1] = "yield-processes";
    const Finished f = switchyard(other);
    EXPECT_EQ(f.exit_code, 1);
    EXPECT_NE(f.out.find("is number 3:"), std::string::npos) << f;
    EXPECT_EQ(f.err, "");
    other.pop_back();
    EXPECT_EQ(switchyard(other).exit_code, 0);
}

// --- reproduce ---

// Values published in 1997, in us, for 2, 4, 8, 10, 20 and 40 contexts: Linux before and after the patch, and
// NT.
constexpr double kPublished[6][6] = {{19, 13, 13, 14, 16, 27}, {16, 11, 10, 10, 15, 23},
                                     {4, 6, 11, 12, 15, 28},   {3, 3, 5, 7, 12, 22},
                                     {10, 15, 15, 17, 16, 17}, {5, 8, 8, 9, 10, 11}};

class ReproducedTables : public CommandLine {};

TEST_F(ReproducedTables, YieldTableIsWithinTolerance) {
    if (!kOptimised) GTEST_SKIP() << "36 simulations of 100,000 yields: only in optimised builds";
    const json& table = reproduced("yield-table");
    EXPECT_EQ(table["table"], "yield-table");
    EXPECT_NE(table["source"], "");
    ASSERT_EQ(table["cells"].size(), 36u);
    double squares = 0, worst = 0;
    for (std::size_t i = 0; i < 36; ++i) {
        const json& cell = table["cells"][i];
        EXPECT_EQ(cell["published"], kPublished[i / 6][i % 6]) << cell;
        EXPECT_EQ(cell["unit"], "us");
        const double difference = cell["simulated"].get<double>() - cell["published"].get<double>();
        EXPECT_LE(std::abs(difference), i < 24 ? std::max(1.5, 0.1 * kPublished[i / 6][i % 6]) : 1.5) << cell;
        squares += difference * difference;
        worst = std::max(worst, std::abs(difference));
    }
    EXPECT_NEAR(table["rms"].get<double>(), std::sqrt(squares / 36), 1e-9);
    EXPECT_NEAR(table["worst"].get<double>(), worst, 1e-9);
    EXPECT_LE(table["rms"], 1.0);
    EXPECT_EQ(table["holds"], true);
}

TEST_F(ReproducedTables, YieldTablePictureIsValidAndReproducible) {
    if (!kOptimised) GTEST_SKIP() << "36 simulations of 100,000 yields: only in optimised builds";
    const std::string& text = reproduced_text("yield-table");
    EXPECT_EQ(output({"reproduce", "yield-table", "--picture", "a.svg"}), text);
    output({"reproduce", "yield-table", "--picture", "b.svg", "--output", "table.txt"});
    EXPECT_EQ(content_of(folder() / "table.txt"), text);
    const std::string picture = content_of(folder() / "a.svg");
    EXPECT_EQ(content_of(folder() / "b.svg"), picture);
    EXPECT_EQ(xml_fault(picture), "");
    EXPECT_TRUE(picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" ")) << picture.substr(0, 100);
    const auto count = [&](const std::string& part) {
        std::size_t found = 0;
        for (std::size_t at = 0; (at = picture.find(part, at)) != std::string::npos; ++at) ++found;
        return found;
    };
    // The figure has two parts, each with three simulated curves. It has one symbol for each of the 36
    // published values, and three symbols in the legend.
    EXPECT_EQ(count(">before</text>"), 1u);
    EXPECT_EQ(count(">processes</text>"), 1u);
    EXPECT_EQ(count(">threads</text>"), 1u);
    EXPECT_EQ(count("<polygon "), 39u);
    EXPECT_EQ(listing(), (std::set<std::string>{"a.svg", "b.svg", "scenarios", "table.txt", "tests"}));
}

TEST_F(ReproducedTables, WebServerValuesMatchPublishedValues) {
    if (!kOptimised) GTEST_SKIP() << "17 simulated hours: only in optimised builds";
    const json& table = reproduced("web-server");
    EXPECT_EQ(table["holds"], true);
    ASSERT_EQ(table["cells"].size(), 7u + 15u);
    EXPECT_EQ(table["cells"][0]["published"], 24'221'164);
    EXPECT_NEAR(table["cells"][0]["simulated"].get<double>(), 24'221'164, 0.03 * 24'221'164);
    // No task of web-server yields, so the patch changes nothing. sorted-queue shortens the time in which
    // tasks are chosen by about a tenth, but that time is very short anyway.
    const auto figure = [&](const std::string& row, const std::string& column) {
        for (const json& cell : table["cells"])
            if (cell["row"] == row && cell["column"] == column) return cell["simulated"].get<double>();
        ADD_FAILURE() << row << ", " << column;
        return 0.0;
    };
    const char *original = "linux-2.0", *patched = "linux-2.0:yield=one_tick", *sorted = "sorted-queue";
    for (const char* row : {"tasks considered per call", "search, s in 17 h", "recalculation, s in 17 h"})
        EXPECT_EQ(figure(row, patched), figure(row, original)) << row;
    EXPECT_LT(figure("tasks considered per call", sorted), 1.5);
    EXPECT_NEAR(figure("search, s in 17 h", sorted) / figure("search, s in 17 h", original), 0.9, 0.05);
    EXPECT_LT(figure("search+recalculation, % of time", original), 0.1);
}

TEST(XmlCheck, RejectsMalformedXml) {
    EXPECT_EQ(xml_fault("<svg a=\"1\"><g><line b=\"2\"/>text &lt; &amp;</g></svg>\n"), "");
    for (const char* bad : {"", "text", "<svg>", "</svg>", "<svg></g></svg>", "<svg><g></svg></g>",
                            "<svg a=1/>", "<svg a=\"<\"/>", "<svg>a & b</svg>", "<svg/><svg/>", "<svg/>text",
                            "<svg>1 > 0</svg>", "<svg a=\"1/>", "<svg>\x1b</svg>", "<svg>&nbsp;</svg>",
                            "<svg a=\"&\"/>", "</svg a=\"1\">", "<svg", "<>"})
        EXPECT_NE(xml_fault(bad), "") << bad;
}

}  // namespace cli_test
