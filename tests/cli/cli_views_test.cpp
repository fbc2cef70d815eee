// Tests of `switchyard run --view`: exact output of the imitated tools, and agreement with the summary of the
// run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "sim/core/engine.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/small_views.h"
#include "tests/support/test_sizes.h"

namespace cli_views_test {

using nlohmann::json;

const std::string kRule139 = " " + std::string(139, '-') + "\n";
const std::string kRule113 = " " + std::string(113, '-') + "\n";
const std::string kRule51 = " " + std::string(51, '-') + "\n";

class Views : public SmallViews {
  protected:
    // A scenario without costs in which each second one child is forked, always in the same row. Each child
    // runs and sleeps four times, then exits.
    std::string forks() const {
        write_file(folder() / "forks.json", R"({"format": "switchyard-scenario/1", "machine": {},
            "until": "4s", "max_tasks": 2, "tasks": [
            {"name": "parent", "program": [{"loop": "forever",
                "steps": [{"fork": "child"}, {"run": "1ms"}, {"arrival": "1s"}]}]},
            {"name": "child", "count": 0,
                "program": [{"loop": 4, "steps": [{"run": "2ms"}, {"arrival": "1ms"}]}]}]})");
        return "forks.json";
    }

    // Three tasks with slices of 200 ms; the third seldom needs the CPU. No costs.
    std::string turns() const {
        write_file(folder() / "turns.json", R"({"format": "switchyard-scenario/1", "machine": {},
            "policy": "round-robin", "until": "1s", "tasks": [
            {"name": "hog", "count": 2, "program": [{"loop": "forever", "steps": [{"run": "1s"}]}]},
            {"name": "editor", "start": "150ms",
                "program": [{"loop": "forever", "steps": [{"run": "1ms"}, {"arrival": "99ms"}]}]}]})");
        return "turns.json";
    }

    json summary(Words words) const {
        words.insert(words.begin(), "run");
        return json_output(words);
    }
};

std::int64_t sum_of(const json& summary, const char* member) {
    std::int64_t sum = 0;
    for (const json& task : summary["tasks"]) sum += task[member].get<std::int64_t>();
    return sum;
}

// Returns the rest of the line after `words`.
std::string after(const std::string& text, const std::string& words) {
    const std::size_t at = text.find(words);
    if (at == std::string::npos) return "(not there: " + words + ")";
    const std::size_t begin = at + words.size();
    return text.substr(begin, text.find('\n', begin) - begin);
}

Words columns_of(const std::string& line) {
    std::istringstream in(line);
    return {std::istream_iterator<std::string>(in), {}};
}

constexpr const char* kVmstatHeader =
    "procs -------------------memory------------------ ---swap-- -----io---- --system-- -----cpu-------\n"
    " r  b       swpd       free       buff      cache   si   so    bi    bo   in   cs  us sy  id wa st\n";

TEST_F(Views, VmstatSwitchesMatchRun) {
    for (const char* name : {"interactive-vs-hog", "web-server", "two-hogs", "recalc-storm"}) {
        SCOPED_TRACE(name);
        const std::string text = output({"run", name, "--until", "5s", "--view", "vmstat"});
        ASSERT_TRUE(text.starts_with(kVmstatHeader)) << text;
        const Words lines = lines_of(text);
        ASSERT_EQ(lines.size(), 2u + 5u) << text;
        std::int64_t switches = 0;
        for (std::size_t i = 2; i < lines.size(); ++i) {
            const Words row = columns_of(lines[i]);
            ASSERT_EQ(row.size(), 17u) << lines[i];
            // Columns are aligned with their headings. A value that is too wide shifts the rest, as in the
            // real tool.
            constexpr std::array<std::size_t, 17> kWidths{2, 2, 10, 10, 10, 10, 4, 4, 5,
                                                          5, 4, 4,  3,  2,  3,  2, 2};
            std::size_t length = kWidths.size() - 1;
            for (std::size_t column = 0; column < row.size(); ++column)
                length += std::max(kWidths[column], row[column].size());
            EXPECT_EQ(lines[i].size(), length) << lines[i];
            const auto number = [&](std::size_t column) { return std::stoll(row[column]); };
            switches += number(11);
            EXPECT_GE(number(10), 99) << "the timer alone interrupts 100 times a second";
            EXPECT_NEAR(static_cast<double>(number(12) + number(13) + number(14)), 100, 1) << lines[i];
            for (const std::size_t column : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 15u, 16u})
                EXPECT_EQ(number(column), 0);
        }
        EXPECT_EQ(switches,
                  json_output({"run", name, "--until", "5s"})["switches"]["total"].get<std::int64_t>());
    }
}

TEST_F(Views, VmstatShowsRunQueueAndTimeShares) {
    const Words rows = lines_of(output({"run", "two-hogs", "--until", "3s", "--view", "vmstat"}));
    ASSERT_EQ(rows.size(), 5u);
    EXPECT_EQ(
        rows[3],
        " 2  0          0          0          0          0    0    0     0     0  100    5 100  0   0  0  0");
    const Words storm = columns_of(lines_of(output({"run", "recalc-storm", "--view", "vmstat"})).at(2));
    EXPECT_EQ(storm.at(13), "100") << "all of it is the kernel's time";
    const Words idle =
        columns_of(lines_of(output({"run", "two-hogs", "--set", R"(/tasks/0/program=[{"arrival": "30s"}])",
                                    "--view", "vmstat"}))
                       .at(4));
    EXPECT_EQ(idle.at(0), "0");
    EXPECT_EQ(idle.at(14), "100");
}

TEST_F(Views, ActiveMemoryVmstatChangesTwoColumnNames) {
    const Words with{"run", "web-server", "--until", "3s", "--view", "vmstat-a"};
    const Words without{"run", "web-server", "--until", "3s", "--view", "vmstat"};
    const std::string text = output(with);
    EXPECT_TRUE(text.starts_with(
        "procs -------------------memory------------------ ---swap-- -----io---- --system-- -----cpu-------\n"
        " r  b       swpd       free      inact     active   si   so    bi    bo   in   cs  us sy  id wa "
        "st\n"));
    EXPECT_EQ(text.substr(std::string_view(kVmstatHeader).size()),
              output(without).substr(std::string_view(kVmstatHeader).size()));
}

TEST_F(Views, IntervalIsSimulatedTime) {
    const auto rows = [&](const char* interval) {
        return lines_of(
                   output({"run", "two-hogs", "--until", "3s", "--view", "vmstat", "--interval", interval}))
                   .size() -
               2;
    };
    EXPECT_EQ(rows("1s"), 3u);
    EXPECT_EQ(rows("500ms"), 6u);
    EXPECT_EQ(rows("2s"), 2u);
    EXPECT_EQ(rows("1ms"), 3000u) << "the shortest";
    expect_refused({"run", "two-hogs", "--view", "vmstat", "--interval", "1us"}, "--interval");
    expect_refused({"run", "two-hogs", "--view", "vmstat", "--interval", "often"}, "--interval");
}

TEST_F(Views, IntervalIsRejectedForSingleReports) {
    for (const char* name : {"perf-record", "perf-sched", "perf-stat", "perf-stat-a", "proc-status",
                             "proc-task-status", "strace-c", "strace-f", "time-v"})
        expect_refused(
            {"run", "two-hogs", "--view", name, "--interval", "1s"},
            fmt::format(
                "--interval needs --view pidstat, pidstat-t, pidstat-u, pidstat-ut, sar, top, uptime, "
                "vmstat, vmstat-a; "
                "{} prints one report",
                name));
    expect_refused({"run", "two-hogs", "--interval", "1s"}, "--view is not specified");
    expect_refused({"run", "two-hogs", "--view", "perf-schde"}, "did you mean 'perf-sched'?");
    expect_refused({"run", "two-hogs", "--view", "time-v", "--format", "json"}, "--format json");
}

TEST_F(Views, HelpListsEveryView) {
    const std::string help = output({"run", "--help"});
    EXPECT_NE(
        help.find(
            "{jobs|perf-record|perf-sched|perf-stat|perf-stat-a|pidstat|pidstat-t|pidstat-u|pidstat-ut|"
            "proc-status|proc-task-status|sar|schedule|strace-c|strace-f|time-v|top|uptime|vmstat|vmstat-a}"),
        std::string::npos)
        << help;
}

// Builds without optimisation test one view per scenario in turn instead of all.
TEST_F(Views, ViewsPrintEveryScenarioAndPolicy) {
    constexpr const char* kViews[] = {
        "perf-record", "perf-sched",  "perf-stat",        "perf-stat-a", "pidstat",  "pidstat-t", "pidstat-u",
        "pidstat-ut",  "proc-status", "proc-task-status", "sar",         "schedule", "jobs",      "time-v",
        "vmstat",      "vmstat-a",    "strace-c",         "strace-f",    "top",      "uptime"};
    std::size_t turn = 0, runs = 0;
    Words policies;
    for (const json& entry : json_output({"list", "policies"})) policies.push_back(entry.at("name"));
    for (const std::string& scenario : scenarios()) {
        const std::uint32_t cpus = sim::load_scenario(scenario).cpus;
        for (const std::string& policy : policies) {
            if (sim::make_policy(policy).policy->max_cpus() < cpus) continue;
            if (++runs % rounds(1u, 3u, 8u) != 0) continue;
            const std::string spec = policy == "nt4" ? "nt4@pentium-mmx-200-nt" : policy;  // avoids a warning
            const json run = json_output({"run", scenario, "--until", "50ms", "--policy", spec});
            const bool nobody_is_left = run.at("stop_reason") == "all_exited";
            for (std::size_t i = 0; i < (kManyRounds ? 4 : 1); ++i) {
                const char* name = kViews[turn++ % std::size(kViews)];
                const bool is_empty = view(name, {scenario, "--until", "50ms", "--policy", spec}).empty();
                if (std::string_view(name) == "strace-f") continue;  // empty without futex calls
                EXPECT_EQ(is_empty, nobody_is_left && std::string_view(name).starts_with("proc-")) << name;
            }
        }
    }
}

// --- sar ---

TEST_F(Views, SarPrintsIntervalsAndAverage) {
    EXPECT_EQ(view("sar", {forks(), "--interval", "1500ms"}),
              "12:00:00 AM    proc/s   cswch/s\n"
              "12:00:01 AM      1.33     14.67\n"
              "12:00:03 AM      0.67      7.33\n"
              "12:00:04 AM      1.00     11.00\n"
              "Average:         1.00     11.00\n");
}

TEST_F(Views, SarAverageMatchesTotalSwitches) {
    for (const std::string& scenario : {std::string("web-server"), std::string("recalc-storm"), forks()}) {
        const json s = summary({scenario, "--until", "7s"});
        const Words lines = lines_of(view("sar", {scenario, "--until", "7s", "--interval", "2s"}));
        const double seconds = s["simulated_ns"].get<double>() / 1e9;
        EXPECT_NEAR(std::stod(columns_of(lines.back()).at(2)) * seconds, s["switches"]["total"].get<double>(),
                    0.005 * seconds + 1e-6)
            << lines.back();
    }
}

// --- perf-sched ---

// Computed by hand: a slice ends with its 20th tick. The editor becomes ready at 150 ms and waits for both
// hogs until 400 ms, and again from 500 ms until 800 ms. The hogs wait 0, 200, 201, 200 and 201 ms. The
// maximum is first reached by hog.1, in the wait that begins at 200 ms.
TEST_F(Views, PerfSchedMatchesToolFormat) {
    EXPECT_EQ(
        view("perf-sched", {turns()}),
        "\n" + kRule139 +
            "  Task                  |   Runtime ms  | Switches | Avg delay ms    | Max delay ms    | Max "
            "delay start           | Max delay end          |\n" +
            kRule139 +
            "  editor:3              |      2.000 ms |        2 | avg: 275.000 ms | max: 300.000 ms | max "
            "start:     0.500000 s | max end:     0.800000 s\n"
            "  hog:(2)               |    998.000 ms |        5 | avg: 160.400 ms | max: 201.000 ms | max "
            "start:     0.200000 s | max end:     0.401000 s\n" +
            kRule113 + "  TOTAL:                |   1000.000 ms |        7 |\n" + kRule51 + "\n");
}

struct PerfLine {
    double runtime = 0, average = 0, longest = 0, begin = 0, end = 0;
    std::uint64_t switches = 0;
};

// Parses the rows of the report. The key is the text before the first '|'. The row "TOTAL:" contains no
// delays.
std::map<std::string, PerfLine> perf_lines(const std::string& text) {
    static const std::regex row(
        R"(  (\S+) *\| *([0-9.]+) ms \| *([0-9]+) \|(?: avg: *([0-9.]+) ms \| max: *([0-9.]+) ms \| max start: *([0-9.]+) s \| max end: *([0-9.]+) s)?)");
    std::map<std::string, PerfLine> lines;
    for (const std::string& line : lines_of(text)) {
        std::smatch m;
        if (!std::regex_match(line, m, row)) continue;
        PerfLine l{.runtime = std::stod(m[2]), .switches = std::stoull(m[3])};
        if (m[4].matched)
            l.average = std::stod(m[4]), l.longest = std::stod(m[5]), l.begin = std::stod(m[6]),
            l.end = std::stod(m[7]);
        lines[m[1]] = l;
    }
    return lines;
}

TEST_F(Views, PerfSchedSumsMatchRun) {
    for (const char* name : {"web-server", "recalc-storm", "yield-threads", "interactive-vs-hog"}) {
        for (const char* policy : {"linux-2.0", "linux-2.4.22", "nt4@pentium-mmx-200-nt"}) {
            SCOPED_TRACE(fmt::format("{} under {}", name, policy));
            const Words words{name, "--until", kOptimised ? "7777ms" : "1777ms", "--policy", policy};
            const json s = summary(words);
            auto lines = perf_lines(view("perf-sched", words));
            ASSERT_TRUE(lines.contains("TOTAL:"));
            const PerfLine total = lines["TOTAL:"];
            lines.erase("TOTAL:");
            EXPECT_NEAR(total.runtime,
                        static_cast<double>(sum_of(s, "user_ns") + sum_of(s, "system_ns")) / 1e6, 0.00051);
            EXPECT_EQ(total.switches, s["switches"]["total"].get<std::uint64_t>() -
                                          s["switches"]["to_idle"].get<std::uint64_t>());
            double runtime = 0;
            std::uint64_t switches = 0;
            for (const auto& [task, line] : lines) {
                runtime += line.runtime;
                switches += line.switches;
                EXPECT_LE(line.average, line.longest) << task;
                EXPECT_NEAR(line.end - line.begin, line.longest / 1e3, 2e-6) << task;
            }
            EXPECT_NEAR(runtime, total.runtime, 0.001 * static_cast<double>(lines.size()));
            EXPECT_EQ(switches, total.switches);
        }
    }
}

// Computes the same values in another way: from the complete trace, with a list of waits per task group.
TEST_F(Views, PerfSchedDelaysMatchTrace) {
    const sim::Scenario scenario = sim::load_scenario("web-server", Words{"/until=\"20s\""});
    const sim::NamedPolicy policy = sim::make_policy(scenario.policy);
    const sim::Engine engine(scenario, *policy.policy);
    sim::Machine m = engine.initial_state();
    sim::Trace trace;
    engine.run(m, {.until = *scenario.until}, {.trace = &trace});
    std::vector<sim::Nanos> ready(m.shape().cpus + m.shape().tasks);
    std::map<std::uint32_t, std::vector<sim::Nanos>> delays;  // by group
    for (const sim::TraceRecord& r : trace.records) {
        if (r.kind == sim::TraceKind::wake_up) ready[r.task] = r.time;
        if (r.kind != sim::TraceKind::schedule || r.task == r.other) continue;
        if (!r.voluntary) ready[r.other] = r.time;
        if (!m.is_idle_task(r.task)) delays[m.task[r.task].group].push_back(r.time - ready[r.task]);
    }
    const auto lines = perf_lines(view("perf-sched", {"web-server", "--until", "20s"}));
    EXPECT_EQ(lines.size(), delays.size() + 1);
    for (const auto& [group, all] : delays) {
        const std::string& name = scenario.groups[group].name;
        const auto line = std::find_if(lines.begin(), lines.end(),
                                       [&](const auto& l) { return l.first.starts_with(name + ":"); });
        ASSERT_NE(line, lines.end()) << name;
        sim::Nanos sum{};
        for (const sim::Nanos delay : all) sum += delay;
        EXPECT_EQ(line->second.switches, all.size()) << name;
        EXPECT_NEAR(line->second.longest,
                    static_cast<double>(std::max_element(all.begin(), all.end())->count()) / 1e6, 0.00051)
            << name;
        EXPECT_NEAR(line->second.average,
                    static_cast<double>(sum.count()) / 1e6 / static_cast<double>(all.size()), 0.00051)
            << name;
    }
}

TEST_F(Views, PerfSchedIncludesExitedTasks) {
    const auto lines = perf_lines(view("perf-sched", {forks()}));
    ASSERT_TRUE(lines.contains("child:(4)"));
    EXPECT_EQ(lines.at("child:(4)").runtime, 32);  // four children with four bursts of 2 ms each
    EXPECT_EQ(lines.at("child:(4)").switches, 20u);
    EXPECT_EQ(lines.at("child:(4)").longest, 1);  // the parent's burst, preceded by the fork
    EXPECT_EQ(lines.at("parent:1").runtime, 4);
    EXPECT_EQ(lines.at("TOTAL:").runtime,
              static_cast<double>(summary({forks()})["time_ns"]["user"].get<std::int64_t>()) / 1e6);
    // A single child is listed with its pid.
    EXPECT_TRUE(perf_lines(view("perf-sched", {forks(), "--until", "500ms"})).contains("child:2"));
}

TEST_F(Views, LongRunPerfSchedMemoryIsBounded) {
    if (!kOptimised) GTEST_SKIP() << "sanitizers want the whole address space";
    // The trace of one hour would take a gigabyte.
    const Finished f =
        shell("ulimit -v 65536 && exec switchyard run web-server --until 1h --view perf-sched");
    EXPECT_EQ(f.exit_code, 0) << f;
    EXPECT_GT(perf_lines(f.out)["TOTAL:"].switches, 1'000'000u);
}

// --- time-v ---

TEST_F(Views, TimeMatchesGnuTimeFormat) {
    EXPECT_EQ(view("time-v", {forks()}),
              "\tCommand being timed: \"forks\"\n"
              "\tUser time (seconds): 0.03\n"
              "\tSystem time (seconds): 0.00\n"
              "\tPercent of CPU this job got: 0%\n"
              "\tElapsed (wall clock) time (h:mm:ss or m:ss): 0:04.00\n"
              "\tAverage shared text size (kbytes): 0\n"
              "\tAverage unshared data size (kbytes): 0\n"
              "\tAverage stack size (kbytes): 0\n"
              "\tAverage total size (kbytes): 0\n"
              "\tMaximum resident set size (kbytes): 0\n"
              "\tAverage resident set size (kbytes): 0\n"
              "\tMajor (requiring I/O) page faults: 0\n"
              "\tMinor (reclaiming a frame) page faults: 0\n"
              "\tVoluntary context switches: 24\n"
              "\tInvoluntary context switches: 0\n"
              "\tSwaps: 0\n"
              "\tFile system inputs: 0\n"
              "\tFile system outputs: 0\n"
              "\tSocket messages sent: 0\n"
              "\tSocket messages received: 0\n"
              "\tSignals delivered: 0\n"
              "\tPage size (bytes): 4096\n"
              "\tExit status: 0\n");
}

TEST_F(Views, TimeMatchesInstalledGnuTime) {
    const Finished tool = shell("LC_ALL=C /usr/bin/time -v true");
    if (tool.exit_code != 0) GTEST_SKIP() << "there is no GNU time here";
    const auto names = [](const std::string& text) {
        Words lines = lines_of(text);
        for (std::string& line : lines) line.erase(line.rfind(": "));
        return lines;
    };
    EXPECT_EQ(names(view("time-v", {"two-hogs", "--until", "1s"})), names(tool.err));
}

TEST_F(Views, TimeAddsUpAllTasks) {
    for (const char* name : {"web-server", "recalc-storm", "yield-processes"}) {
        SCOPED_TRACE(name);
        const json s = summary({name, "--until", "33333ms"});
        const std::string text = view("time-v", {name, "--until", "33333ms"});
        EXPECT_EQ(after(text, "\tVoluntary context switches: "),
                  fmt::format("{}", s["switches"]["voluntary"].get<std::uint64_t>()));
        EXPECT_EQ(after(text, "\tInvoluntary context switches: "),
                  fmt::format("{}", s["switches"]["involuntary"].get<std::uint64_t>()));
        EXPECT_EQ(sum_of(s, "voluntary"), s["switches"]["voluntary"].get<std::int64_t>());
        const auto cut = [](std::int64_t ns) {
            return fmt::format("{}.{:02}", ns / 1'000'000'000, ns % 1'000'000'000 / 10'000'000);
        };
        EXPECT_EQ(after(text, "\tUser time (seconds): "), cut(sum_of(s, "user_ns")));
        EXPECT_EQ(after(text, "\tSystem time (seconds): "), cut(sum_of(s, "system_ns")));
    }
}

TEST_F(Views, TimeFormatsHoursAndPercent) {
    const auto elapsed = [&](const char* until) {
        return after(view("time-v", {turns(), "--until", until}),
                     "\tElapsed (wall clock) time (h:mm:ss or m:ss): ");
    };
    EXPECT_EQ(elapsed("59999ms"), "0:59.99");
    EXPECT_EQ(elapsed("754040ms"), "12:34.04");
    EXPECT_EQ(elapsed("3599999ms"), "59:59.99");
    EXPECT_EQ(elapsed("3723s"), "1:02:03");
    const auto percent = [&](const char* until) {
        return after(view("time-v", {turns(), "--until", until}), "\tPercent of CPU this job got: ");
    };
    EXPECT_EQ(percent("10s"), "100%");
    EXPECT_EQ(percent("10us"), "100%");
    EXPECT_EQ(percent("10ns"), "?%");
}

}  // namespace cli_views_test
