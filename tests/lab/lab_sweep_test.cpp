// The sweep library: specs, runs in slices, results files, shards.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "sim/lab/curves.h"
#include "sim/lab/summary_json.h"
#include "sim/lab/sweep_file.h"
#include "sim/lab/sweep_run.h"
#include "tests/support/program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/test_sizes.h"

namespace sim::lab {
namespace lab_sweep_test {

namespace fs = std::filesystem;

Sweep small_sweep(const std::string& seeds = "1..2") {
    return Sweep(find_scenario("yield-processes"), {.sets = {"/until=5ms"},
                                                    .vary = {"/tasks/0/count=2,3", "/machine/hz=100,1000"},
                                                    .policies = {"sorted-queue", "linux-2.0:yield=original"},
                                                    .seeds = seeds});
}

std::vector<std::string> problems_of(const SweepRequest& request,
                                     const std::string& scenario = "yield-processes") {
    std::vector<std::string> list;
    try {
        const Sweep sweep(find_scenario(scenario), request);
    } catch (const ScenarioError& error) {
        for (const Problem& problem : error.problems()) list.push_back(problem.text());
    }
    return list;
}

std::string complete_file(const Sweep& sweep, const Shard& shard = {}) {
    std::string text = header_line(sweep.spec(), shard);
    for (std::uint64_t k = 0; k < shard.run_count(sweep.spec().runs()); ++k)
        text += row_line(sweep.spec(), run_to_end(sweep, shard.run_number(k)));
    return text;
}

// Returns the error message of a reader for these bytes; empty if it reads them to the end.
std::string complaint(const std::string& bytes) {
    std::istringstream in(bytes);
    try {
        SweepReader reader(in, "r.jsonl");
        for (Row row; reader.next(row);) {
        }
    } catch (const ScenarioError& error) {
        return error.problems().front().text();
    }
    return "";
}

TEST(SweepSpec, FirstAxisVariesSlowestAndSeedsFastest) {
    const Sweep sweep = small_sweep();
    const SweepSpec& spec = sweep.spec();
    ASSERT_EQ(spec.runs(), 16u);
    EXPECT_EQ(spec.policies, (std::vector<std::string>{"sorted-queue", "linux-2.0"}));
    for (std::uint64_t run = 0; run < 16; ++run) {
        const RunCoordinates coordinates = spec.coordinates(run);
        EXPECT_EQ(coordinates.at, (std::vector<std::size_t>{run / 8, run / 4 % 2}));
        EXPECT_EQ(coordinates.policy, run / 2 % 2);
        EXPECT_EQ(coordinates.seed, 1 + run % 2);
        EXPECT_EQ(coordinates.point, run / 4);
        const Scenario scenario = sweep.scenario(run);
        EXPECT_EQ(scenario.groups[0].count, 2 + run / 8);
        EXPECT_EQ(scenario.machine.hz, run / 4 % 2 == 0 ? 100u : 1000u);
        EXPECT_EQ(scenario.seed, 1 + run % 2);
    }
}

TEST(SweepSpec, SeedCountStartsAtScenarioSeed) {
    EXPECT_EQ(small_sweep("3").spec().first_seed, 1u);
    EXPECT_EQ(small_sweep("3").spec().last_seed, 3u);
    EXPECT_EQ(small_sweep("").spec().seeds(), 1u);
    const Sweep sweep(find_scenario("two-hogs"), {.sets = {"/seed=10"}, .seeds = "3"});
    EXPECT_EQ(sweep.spec().first_seed, 10u);
    EXPECT_EQ(sweep.spec().last_seed, 12u);
    EXPECT_EQ(sweep.spec().policies, (std::vector<std::string>{"linux-2.0"}));
}

TEST(SweepSpec, ReportsAllProblemsTogetherWithoutDuplicates) {
    const auto list =
        problems_of({.vary = {"/tasks/0/count=2,x", "/machine/hz=0,100"}, .policies = {"linux-2.0"}});
    ASSERT_EQ(list.size(), 2u);
    EXPECT_EQ(list[0].substr(0, 37), "--vary /machine/hz=0: /machine/hz: 0 ") << list[0];
    EXPECT_EQ(list[1].substr(0, 28), "--vary /tasks/0/count=x: /ta") << list[1];
    EXPECT_EQ(
        problems_of({.vary = {"/a=", "b", "/policy=x", "/seed=1"}, .policies = {"lnux-2.0"}, .seeds = "2"})
            .size(),
        5u);
}

TEST(SweepSpec, RefusesConflictingOrExcessiveArguments) {
    const auto only = [](const SweepRequest& request, const std::string& part) {
        const auto list = problems_of(request);
        ASSERT_EQ(list.size(), 1u) << part;
        EXPECT_NE(list[0].find(part), std::string::npos) << list[0];
    };
    only({.sets = {"tasks/0/count=3"}, .vary = {"/tasks/0/count=1,2"}}, "another option sets");
    only({.vary = {"/tasks/0/count=1,2", "tasks/0/count=3"}}, "specified twice");
    only({.vary = {"/machine/hz=100", "/machine=pentium-mmx-200"}}, "specify this axis first");
    only({.policies = {"linux-2.0", "linux-2.0:yield=original"}}, "twice");
    SweepRequest many;
    for (int i = 1; i <= 1'001; ++i) many.policies.push_back(fmt::format("round-robin:quantum={}", i));
    only(many, "--policy: expected at most 1000");
    only({.sets = {"/tasks/0/count=\n3"}}, "U+000A is a control character");
    only({.seeds = "5..1"}, "did you mean 1..5?");
    only({.seeds = "0"}, "expected at least 1 seed");
    only({.seeds = "many"}, "expected a number");
    only({.seeds = "1..99999999"}, "expected at most");
    only({.seeds = "1..18446744073709551615"}, "the largest seed is");
    only({.vary = {"/tasks/0/count=1..2000", "/machine/hz=1..2000"}}, "expected at most 250000 runs");
    only({.vary = {"/cpus=1,2"}, .policies = {"linux-1.2"}}, "linux-1.2");
    SweepRequest axes;
    for (const char* cost : {"syscall", "considered", "recalculated", "switch", "tick", "wake_up", "fork",
                             "exit", "exec", "pipe", "tlb/entries", "tlb/refill", "cache/size", "cache/line",
                             "cache/refill", "idle_exit", "interrupt"})
        axes.vary.push_back(fmt::format("/machine/costs/{}=1", cost));
    const std::string all = fmt::format("{}", fmt::join(problems_of(axes), "\n"));
    EXPECT_NE(all.find("at most 16"), std::string::npos) << all;
}

TEST(SweepSpec, VariesCostsOfNamedMachine) {
    const Sweep sweep(find_scenario("yield-processes"),
                      {.vary = {"/machine=pentium-mmx-200", "/machine/costs/considered=1us,2us"}});
    EXPECT_EQ(sweep.scenario(1).machine.costs.considered.time, 2us);
}

TEST(SweepSpec, DigestDependsOnSimulationInputOnly) {
    ScenarioText a = find_scenario("two-hogs"), b = a, c = a;
    b.text = "// said\n" + b.text;
    b.text.insert(b.text.find("\"until\""), R"("tour": [{"at": "1s", "caption": "Look!"}], )");
    const std::size_t chosen = b.text.find("chosen: ");
    ASSERT_NE(chosen, std::string::npos);
    b.text.replace(chosen, 6, "assumed");
    const std::size_t hundred = c.text.find("\"until\"");
    ASSERT_NE(hundred, std::string::npos);
    c.text.insert(hundred, "\"seed\": 9, ");
    EXPECT_EQ(Sweep(a, {}).spec().digest, Sweep(b, {}).spec().digest);
    EXPECT_NE(Sweep(a, {}).spec().digest, Sweep(c, {}).spec().digest);
}

TEST(SweepSpec, DigestIsTheSameForOldNamesOfKeys) {
    const auto digest = [](const char* provenance, const char* service, const char* asids) {
        const std::string text =
            fmt::format(R"({{"format": "switchyard-scenario/1", "until": "1s", "{}": {{}},
            "machine": {{"tlb": {{"entries": 64, "tagged": true, "{}": 6}}}},
            "devices": {{"disk": {{"{}": "1ms"}}}},
            "tasks": [{{"name": "a", "program": [{{"io": "disk"}}]}}]}})",
                        provenance, asids, service);
        return Sweep({"a.json", text, {}}, {}).spec().digest;
    };
    EXPECT_EQ(digest("provenance", "service_time", "asids"), digest("numbers", "service", "slots"));
}

// Results of a sweep with other costs must not be accepted as results of this sweep.
TEST(SweepSpec, DigestChangesWithEveryMachineParameter) {
    const auto digest = [](std::vector<std::string> sets) {
        sets.insert(sets.begin(), {"/machine/tlb={\"entries\": 8, \"refill\": \"5ns\"}",
                                   "/machine/cache={\"size\": \"8KiB\", \"line\": \"32B\", \"refill\": "
                                   "\"6ns\", \"prefetched_refill\": \"7ns\"}",
                                   "/machine/costs/timer_interrupt=1us"});
        return Sweep(find_scenario("yield-processes"), {.sets = sets, .vary = {"/tasks/0/count=2"}})
            .spec()
            .digest;
    };
    std::map<std::string, std::string> seen{{digest({}), "as it is"}};
    const auto expect_another = [&](const std::string& set) {
        const auto [place, is_new] = seen.insert({digest({set}), set});
        EXPECT_TRUE(is_new) << set << " has the digest of " << place->second;
    };
    for (const char* cost :
         {"syscall", "schedule", "considered", "recalculated", "queue_step", "switch_same_mm",
          "reschedule_ipi", "steal_time", "timer_interrupt", "device_interrupt", "ipi"})
        expect_another(fmt::format("/machine/costs/{}=1234ns", cost));
    expect_another("/machine/costs/switch_other_mm=98us");  // must include switch_same_mm
    for (std::size_t kind = 0; kind < kKernelWorks; ++kind)
        expect_another(fmt::format("/machine/costs/{}=1234ns", to_string(static_cast<KernelWork>(kind))));
    for (const char* size : {"tlb/entries=9", "tlb/refill=8ns", "tlb/tagged=true", "tlb/footprint=3",
                             "cache/size=\"16KiB\"", "cache/line=\"64B\"", "cache/refill=8ns",
                             "cache/prefetched_refill=8ns", "cache/footprint=\"1KiB\""})
        expect_another(fmt::format("/machine/{}", size));
    const std::string slots =
        digest({"/machine/tlb={\"entries\": 8, \"refill\": \"5ns\", \"tagged\": true, \"asids\": 6}"});
    EXPECT_TRUE(seen.insert({slots, "slots"}).second) << seen[slots];
    for (const char* other :
         {"hz=250", "lazy_tlb=true", "lazy_tlb=false", "hrtimers=true", "dynticks=true", "idle=\"mwait\"",
          "tick_phases=\"half\"", "tick_phases=[\"1us\"]", "topology/siblings=2", "topology/cores=4"})
        expect_another(fmt::format("/machine/{}", other));
}

// If a scenario contains only the name of its machine, the digest also changes when the machine file has
// changed.
TEST(SweepSpec, DigestChangesWithEveryMachineFileCost) {
    const ScratchFolder folder;
    fs::create_directory(folder / "machines");
    std::ofstream(folder / "a.json")
        << R"({"format": "switchyard-scenario/1", "machine": "mine", "until": "1s",
        "tasks": [{"name": "a", "count": 2, "program": [{"loop": "forever", "steps": ["yield", {"run": "1ms"}]}]}]})";
    const auto digest = [&](const std::string& cost) {
        std::ofstream(folder / "machines/mine.json")
            << fmt::format(R"({{"format": "switchyard-machine/1", "title": "Mine", "hz": 100,
                "costs": {{"switch_other_mm": "9us", "timer_interrupt": "1us"{}}}}})",
                           cost);
        return Sweep(find_scenario(folder / "a.json"), {.vary = {"/tasks/0/count=2"}}).spec().digest;
    };
    std::vector<std::string> costs{
        "syscall",        "schedule",   "considered",       "recalculated",   "queue_step",
        "switch_same_mm", "steal_time", "device_interrupt", "reschedule_ipi", "ipi"};
    for (std::size_t kind = 0; kind < kKernelWorks; ++kind)
        costs.emplace_back(to_string(static_cast<KernelWork>(kind)));
    std::map<std::string, std::string> seen{{digest(""), "as it is"}};
    for (const std::string& cost : costs) {
        const auto [place, is_new] = seen.insert({digest(fmt::format(R"(, "{}": "1234ns")", cost)), cost});
        EXPECT_TRUE(is_new) << cost << " has the digest of " << place->second;
    }
}

TEST(SweepRun, SlicedRunMatchesWholeRunAndSummary) {
    const Sweep sweep = small_sweep();
    SweepRun run(sweep, 7);
    int slices = 0;
    while (!run.advance(10)) {
        ++slices;
        EXPECT_LT(run.progress(), 1);
    }
    EXPECT_GT(slices, 10);
    EXPECT_EQ(run.progress(), 1);
    const Row whole = run_to_end(sweep, 7);
    EXPECT_EQ(row_line(sweep.spec(), run.row()), row_line(sweep.spec(), whole));

    const Scenario scenario = sweep.scenario(7);
    const NamedPolicy policy = make_policy("linux-2.0");
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Statistics statistics(scenario.shape);
    const StopReason reason = engine.run(m, {.until = 5ms}, {.statistics = &statistics});
    const nlohmann::ordered_json summary = to_json(summarize(scenario, "linux-2.0", m, statistics, reason));
    EXPECT_EQ(whole.summary->at("hash"), summary["hash"]);
    EXPECT_EQ(whole.summary->at("time_ns"), summary["time_ns"]);
    EXPECT_FALSE(whole.summary->contains("tasks"));
    for (const Measure& measure : measures())
        EXPECT_EQ(value_of(measure, *whole.summary), value_of(measure, summary)) << measure.name;
}

TEST(SweepFile, RoundTripsHeaderAndRows) {
    const Sweep sweep = small_sweep();
    const std::string file = complete_file(sweep);
    std::istringstream in(file);
    SweepReader reader(in, "r.jsonl");
    EXPECT_EQ(reader.spec(), sweep.spec());
    std::string again = header_line(reader.spec(), reader.shard());
    for (Row row; reader.next(row);) again += row_line(reader.spec(), row);
    EXPECT_EQ(again, file);
    EXPECT_TRUE(reader.is_complete());
    EXPECT_EQ(reader.bytes(), file.size());
}

TEST(SweepFile, RowsWithOldKeysAreConverted) {
    const Sweep sweep = small_sweep();
    const Row row = run_to_end(sweep, 0);
    const auto old = std::make_shared<const nlohmann::ordered_json>(with_old_keys(*row.summary));
    EXPECT_EQ(old->at("timer_events"), row.summary->at("interrupts").at("device"));
    EXPECT_EQ(old->at("time_ns").at("select"), row.summary->at("time_ns").at("search"));
    Row old_row = row;
    old_row.summary = old;
    const std::string line = row_line(sweep.spec(), old_row);
    ASSERT_NE(line, row_line(sweep.spec(), row));
    std::istringstream in(header_line(sweep.spec(), {}) + line);
    SweepReader reader(in, "r.jsonl");
    Row read;
    ASSERT_TRUE(reader.next(read));
    EXPECT_EQ(read.summary->dump(), row.summary->dump());
    // A row that mixes the names of two versions is rejected, because no sweep has written it.
    std::string mixed = line;
    mixed.replace(mixed.find("\"select\""), 8, "\"search\"");
    EXPECT_NE(complaint(header_line(sweep.spec(), {}) + mixed), "");
}

TEST(SweepFile, ReadsTruncatedRowsAndRefusesTruncatedHeader) {
    const Sweep sweep = small_sweep();
    const std::string file = complete_file(sweep);
    const std::size_t header = file.find('\n') + 1;
    for (std::size_t size = 0; size < file.size(); size += (size < header ? 1 : 37) * rounds(1u, 1u, 3u))
        EXPECT_EQ(complaint(file.substr(0, size)),
                  size == 0 ? "r.jsonl: the file is empty; expected the results of a sweep"
                  : size < header
                      ? "r.jsonl: this file does not contain the results of a sweep: no line is complete"
                      : "")
            << size;
}

TEST(SweepFile, DetectsMostChangedBytes) {
    const Sweep sweep = small_sweep();
    std::string file = complete_file(sweep);
    const std::size_t header = file.find('\n') + 1;
    int noticed = 0, all = 0;
    for (std::size_t i = 0; i < file.size(); i += (i < header ? 7 : 307) * rounds(1u, 1u, 3u)) {
        const char was = file[i];
        for (const char c : {'\n', '{', '"', '\0', '\xff', '9'}) {
            if (c == was) continue;
            file[i] = c;
            noticed += complaint(file).empty() ? 0 : 1;
            ++all;
        }
        file[i] = was;
    }
    EXPECT_GT(noticed, all * 3 / 4);
}

TEST(SweepFile, ReportsDamageWithLineNumber) {
    const Sweep sweep = small_sweep();
    const std::string file = complete_file(sweep);
    std::vector<std::string> lines;
    std::istringstream in(file);
    for (std::string line; std::getline(in, line);) lines.push_back(line + "\n");
    ASSERT_EQ(lines.size(), 17u);
    const auto with = [&](std::size_t number, const std::string& line) {
        std::string text;
        for (std::size_t i = 0; i < lines.size(); ++i) text += i == number ? line : lines[i];
        return complaint(text);
    };
    EXPECT_EQ(with(3, "\n"), "r.jsonl:4: this row is damaged");
    EXPECT_EQ(with(3, ""), "r.jsonl:4: this is not the row of run 2");
    EXPECT_EQ(with(3, lines[3] + lines[3]), "r.jsonl:5: this is not the row of run 3");
    EXPECT_EQ(with(16, lines[16] + lines[16]), "r.jsonl:18: the file has more rows than the sweep has runs");
    EXPECT_EQ(with(2, "{\"run\":1,\"summary\":" + std::string(1000, '[') + "\n"),
              "r.jsonl:3: this row is damaged");
    // An invalid row that is nested too deeply is reported as damaged without being parsed.
    const auto nested = [](int depth) {
        const auto n = static_cast<std::size_t>(depth - 2);
        return "{\"run\":1,\"summary\":{\"z\":" + std::string(n, '[') + std::string(n, ']') + "}}\n";
    };
    EXPECT_EQ(with(2, nested(16)).find("damaged"), std::string::npos) << with(2, nested(16));
    EXPECT_EQ(with(2, nested(17)), "r.jsonl:3: this row is damaged");
    std::string wide = "{\"run\":1,\"summary\":{\"z\":[{}";
    for (int i = 0; i < 20; ++i) wide += ",{}";
    wide += "]}}\n";
    EXPECT_EQ(with(2, wide).find("damaged"), std::string::npos) << with(2, wide);
    EXPECT_EQ(with(2, std::string(1 << 20, '7')), "r.jsonl:3: the line is longer than 256 KiB");
    // The first line and a row are rejected if they have many keys, because the parser would need quadratic
    // time.
    const auto keys = [](int n) {
        std::string text;
        for (int i = 0; i < n; ++i) text += fmt::format(",\"{}\":0", i);
        return text;
    };
    EXPECT_EQ(with(2, "{\"run\":1,\"summary\":{\"z\":1" + keys(20'000) + "}}\n"),
              "r.jsonl:3: this row is damaged");
    EXPECT_EQ(with(2, "{\"run\":1,\"summary\":{\"z\":1" + keys(900) + "}}\n").find("damaged"),
              std::string::npos);
    EXPECT_EQ(with(0, "{\"format\":\"switchyard-sweep/1\"" + keys(300'000) + "}\n"),
              "r.jsonl:1: this file does not contain the results of a sweep: the first line must describe "
              "the sweep");
    // A forged stop reason is refused, because reports print the reasons why runs ended early.
    std::string forged = lines[3];
    const std::size_t reason = forged.find("\"until\"", forged.find("\"stop_reason\""));
    ASSERT_NE(reason, std::string::npos);
    forged.replace(reason, 7, "\"fine\\nand all is well\"");
    EXPECT_EQ(with(3, forged),
              "r.jsonl:4:118: /summary/stop_reason: 'fine\\x0aand all is well' is not a stop reason");
    EXPECT_EQ(with(0, "{\"format\":\"switchyard-sweep/2\"}\n"),
              "r.jsonl:1: the results have the format 'switchyard-sweep/2'; expected switchyard-sweep/1");
    EXPECT_EQ(with(0, "hello\n"),
              "r.jsonl:1: this file does not contain the results of a sweep: the first line must describe "
              "the sweep");
}

TEST(SweepFile, RefusesImpossibleHeader) {
    SweepSpec spec = small_sweep().spec();
    const auto said = [](const SweepSpec& s, const Shard& shard = {}) {
        return complaint(header_line(s, shard));
    };
    EXPECT_EQ(said(spec), "");
    const std::string bad = "r.jsonl:1: the description of the sweep is damaged or exceeds a limit";
    SweepSpec huge = spec;
    huge.last_seed = 1'000'000'000'000;
    EXPECT_EQ(said(huge), bad);
    huge = spec;
    huge.axes[0].values.assign(10'000, "1");
    huge.axes[1].values.assign(10'000, "1");
    EXPECT_EQ(said(huge), bad);
    huge.axes[0].values.assign(2'000, "1");
    huge.axes[1].values.assign(10, "1");
    EXPECT_EQ(said(huge), "");
    huge.policies[0].assign(20'000, 'p');  // each line of a table contains it
    EXPECT_EQ(said(huge), bad);
    huge = spec;
    huge.policies.assign(1'001, "linux-2.0");
    EXPECT_EQ(said(huge), bad);
    SweepSpec none = spec;
    none.policies.clear();
    EXPECT_EQ(said(none), bad);
    none = spec;
    none.first_seed = 7;
    EXPECT_EQ(said(none), bad);
    none = spec;
    none.axes[0].values[1] = "\x1b[2J";  // a control sequence for the terminal
    EXPECT_EQ(said(none),
              "r.jsonl:1: this file does not contain the results of a sweep: the first line must describe "
              "the sweep");
    EXPECT_NE(said(spec, {3, 2}), "");
    EXPECT_NE(said(spec, {0, kMaxShards + 1}), "");
}

std::string merged(const std::vector<std::string>& files, std::string& complaints) {
    std::vector<std::unique_ptr<std::istringstream>> streams;
    std::vector<std::unique_ptr<SweepReader>> readers;
    std::vector<SweepReader*> shards;
    complaints.clear();
    try {
        for (std::size_t i = 0; i < files.size(); ++i) {
            streams.push_back(std::make_unique<std::istringstream>(files[i]));
            readers.push_back(
                std::make_unique<SweepReader>(*streams.back(), std::string(1, static_cast<char>('a' + i))));
            shards.push_back(readers.back().get());
        }
        SweepMerger merger(shards);
        std::string text = header_line(merger.spec(), {}), line;
        for (Row row; merger.next(row, line);) text += line;
        return text;
    } catch (const ScenarioError& error) {
        for (const Problem& problem : error.problems()) complaints += problem.text() + "\n";
        return "";
    }
}

TEST(SweepShards, MergeInAnyOrderEqualsWholeFile) {
    const Sweep sweep = small_sweep();
    const std::string whole = complete_file(sweep);
    std::string complaints;
    for (const std::uint64_t n : {1u, 3u, 16u, 20u}) {
        std::vector<std::string> files;
        for (std::uint64_t i = 0; i < n; ++i) files.push_back(complete_file(sweep, {n - 1 - i, n}));
        EXPECT_EQ(merged(files, complaints), whole) << n;
        EXPECT_EQ(complaints, "");
    }
}

TEST(SweepShards, MergeReportsEachUnsuitableShard) {
    const Sweep sweep = small_sweep();
    std::vector<std::string> s;
    for (std::uint64_t i = 0; i < 3; ++i) s.push_back(complete_file(sweep, {i, 3}));
    std::string complaints;
    EXPECT_EQ(merged({s[0], s[2]}, complaints), "");
    EXPECT_EQ(complaints, "sweep: shard 2/3 is missing\n");
    merged({s[1]}, complaints);
    EXPECT_EQ(complaints, "sweep: shards 1/3, 3/3 are missing\n");
    merged({s[0], s[1], s[1], s[2]}, complaints);
    EXPECT_EQ(complaints, "c: shard 2/3 is also in b\n");
    merged({s[0], complete_file(sweep, {1, 2})}, complaints);
    EXPECT_EQ(complaints, "b: the file is one of 2 shards, but a is one of 3\n");
    merged({s[0], complete_file(small_sweep("2..3"), {1, 3}), s[2]}, complaints);
    EXPECT_EQ(complaints, "b: the file is from a different sweep than a: the seeds are 2 to 3, not 1 to 2\n");
    const std::string torn = s[1].substr(0, s[1].size() - 1);
    merged({s[0], torn, header_line(sweep.spec(), {2, 3})}, complaints);
    EXPECT_EQ(complaints,
              "b: the sweep is not finished: the file contains 4 of 5 runs\nc: the sweep is not finished: "
              "the file contains 0 of 5 runs\n");
}

class SweepOutput : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = testing::TempDir() + "/switchyard-lab-XXXXXX";
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
    }
    void TearDown() override { fs::remove_all(folder_); }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    void put(const std::string& name, const std::string& bytes) const {
        std::ofstream(path(name), std::ios::binary) << bytes;
    }
    // The error message when the file is opened.
    std::string refusal(const std::string& name, const SweepSpec& spec, const Shard& shard = {}) const {
        try {
            SweepWriter(path(name), spec, shard, [](const Row&) {});
        } catch (const ScenarioError& error) {
            const std::string text = error.problems().front().text();
            return text.starts_with(folder_.string() + "/") ? text.substr(folder_.string().size() + 1) : text;
        }
        return "";
    }

    fs::path folder_;
};

TEST_F(SweepOutput, ResumesAfterTruncationAtAnyByte) {
    const Sweep sweep = small_sweep();
    const SweepSpec& spec = sweep.spec();
    const std::string whole = complete_file(sweep);
    std::vector<std::string> rows;
    for (std::uint64_t run = 0; run < spec.runs(); ++run)
        rows.push_back(row_line(spec, run_to_end(sweep, run)));
    const std::size_t header = whole.find('\n') + 1;
    for (std::size_t size = 0; size <= whole.size(); size += size < header ? 13 : 211) {
        put("r.jsonl", whole.substr(0, size));
        std::uint64_t there = 0;
        SweepWriter writer(path("r.jsonl"), spec, {}, [&](const Row& row) { EXPECT_EQ(row.run, there++); });
        EXPECT_EQ(writer.rows(), there);
        for (std::uint64_t run = writer.rows(); run < spec.runs(); ++run) writer.append(rows[run]);
        EXPECT_EQ(content_of(path("r.jsonl")), whole) << size;
    }
}

TEST_F(SweepOutput, ForeignFileIsRefusedAndUnchanged) {
    const Sweep sweep = small_sweep();
    const std::string whole = complete_file(sweep);
    put("r.jsonl", whole);
    EXPECT_EQ(
        refusal("r.jsonl", small_sweep("1..3").spec()),
        "r.jsonl: the file contains the results of a different sweep: the seeds are 1 to 2, not 1 to 3");
    EXPECT_EQ(refusal("r.jsonl", sweep.spec(), {0, 2}),
              "r.jsonl: the file contains the results of shard 1/1, not 1/2");
    SweepSpec changed = sweep.spec();
    changed.digest = "other";
    EXPECT_EQ(refusal("r.jsonl", changed),
              "r.jsonl: the file contains the results of a different sweep: the content of the scenario or "
              "of its machine differs");
    EXPECT_EQ(content_of(path("r.jsonl")), whole);
    put("notes.txt", "notes without an end of line");
    EXPECT_EQ(refusal("notes.txt", sweep.spec()),
              "notes.txt: this file does not contain the results of a sweep: no line is complete");
    EXPECT_EQ(content_of(path("notes.txt")), "notes without an end of line");
    EXPECT_NE(refusal("no/such/folder", sweep.spec()), "");
    EXPECT_NE(refusal(".", sweep.spec()), "");
}

TEST_F(SweepOutput, SecondWriterOfSameFileIsRefused) {
    const Sweep sweep = small_sweep();
    const SweepWriter first(path("r.jsonl"), sweep.spec(), {}, [](const Row&) {});
    EXPECT_EQ(refusal("r.jsonl", sweep.spec()), "r.jsonl: another sweep is writing this file");
}

}  // namespace lab_sweep_test
}  // namespace sim::lab
