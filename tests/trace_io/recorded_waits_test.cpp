// Traces of real work. Wait times equal those of `perf sched latency` for the same trace; run times equal
// those of the imported programs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/trace_io/import/reader.h"
#include "sim/trace_io/scenario/scenario_maker.h"
#include "sim/trace_io/tee_sink.h"
#include "sim/trace_io/wait_analyzer.h"

namespace sim {
namespace recorded_waits_test {

using namespace trace_io;
using nlohmann::json;

constexpr const char* kOfPerf[] = {"compile", "compile-1cpu", "pipe", "messages", "web", "futex"};
constexpr const char* kOfTracefs[] = {"pipe-1cpu", "web-tracefs", "nice"};

std::string path_of(const std::string& name) {
    return SWITCHYARD_SOURCE_DIR "/tests/recordings/work/" + name;
}

// perf 6.1 treats the state R+ (256 in its file) as a sleep, so its report does not count the time after
// this state as a wait.
class AsPerfSeesIt final : public EventSink {
  public:
    explicit AsPerfSeesIt(EventSink& sink) : sink_(sink) {}
    void begin(const RunInfo& info) override { sink_.begin(info); }
    void event(const SchedEvent& event, const Threads& threads) override {
        SchedEvent seen = event;
        if (seen.state == PrevState::preempted) seen.state = PrevState::sleeping;
        sink_.event(seen, threads);
    }
    void end(Nanos now) override { sink_.end(now); }

  private:
    EventSink& sink_;
};

struct PidStats {
    std::uint64_t waits = 0;
    std::int64_t sum = 0, longest = 0;
};

// By pid: sums over all programs that a thread executed.
std::map<int, PidStats> waits_in(const std::string& name) {
    std::ifstream in(path_of(name + ".txt"));
    WaitAnalyzer waits;
    AsPerfSeesIt seen(waits);
    Notes notes;
    read_trace(in, name, seen, notes);
    std::map<int, PidStats> all;
    for (std::size_t n = 0; n < waits.identities().size(); ++n) {
        const SpanHistogram& of = waits.waits_of(static_cast<int>(n)).waits;
        PidStats& pid = all[waits.identities()[n].pid];
        pid.waits += of.count();
        pid.sum += of.sum().count();
        pid.longest = std::max(pid.longest, of.max_span().count());
    }
    return all;
}

// A row of `perf sched latency -p`; times in ms with three decimals.
struct Row {
    std::string name;
    int pid = 0;
    unsigned long long waits = 0;
    double mean_ms = 0, longest_ms = 0;
};

std::vector<Row> report_of(const std::string& name) {
    std::vector<Row> rows;
    std::ifstream in(path_of(name + ".latency.txt"));
    for (std::string line; std::getline(in, line);) {
        const std::size_t bar = line.find('|');
        Row row;
        if (bar == std::string::npos ||
            std::sscanf(line.c_str() + bar, "| %*f ms | %llu | avg: %lf ms | max: %lf ms", &row.waits,
                        &row.mean_ms, &row.longest_ms) != 3)
            continue;
        const std::size_t colon = line.rfind(':', bar);
        row.name = line.substr(2, colon - 2);
        row.pid = std::stoi(line.substr(colon + 1));
        rows.push_back(row);
    }
    EXPECT_GT(rows.size(), 4U) << name;
    return rows;
}

TEST(TraceWaits, MatchPerfSchedLatency) {
    std::size_t compared = 0;
    for (const char* name : kOfPerf) {
        const std::map<int, PidStats> waits = waits_in(name);
        for (const Row& row : report_of(name)) {
            // perf itself waits while it enables and disables the events of a CPU
            if (row.name == "perf") continue;
            ASSERT_TRUE(waits.contains(row.pid)) << name << ": " << row.name << ":" << row.pid;
            const PidStats& of = waits.at(row.pid);
            // If the first event of a task is a switch to it, perf counts a wait of length 0.
            EXPECT_GE(row.waits, of.waits) << name << ": " << row.name;
            EXPECT_LE(row.waits, of.waits + 1) << name << ": " << row.name;
            EXPECT_NEAR(static_cast<double>(of.sum) / 1e6 / static_cast<double>(row.waits), row.mean_ms,
                        0.000501)
                << name << ": " << row.name;
            EXPECT_NEAR(static_cast<double>(of.longest) / 1e6, row.longest_ms, 0.000501)
                << name << ": " << row.name;
            ++compared;
        }
    }
    EXPECT_GT(compared, 80U);
}

Nanos time_of(const json& text) {
    std::string why;
    const auto time = parse_time(text.get<std::string>(), why);
    EXPECT_TRUE(time) << text << why;
    return time.value_or(Nanos{});
}

// The sum of all runs. Excludes a final run of length `until`, which represents a task that was still
// runnable at the end.
Nanos computed(const json& steps, Nanos until) {
    Nanos sum{};
    for (std::size_t s = 0; s < steps.size(); ++s) {
        const json& step = steps[s];
        if (!step.is_object()) continue;
        if (step.contains("run")) {
            const Nanos run = time_of(step.at("run"));
            if (s + 1 < steps.size() || run != until) sum += run;
        } else if (step.contains("loop")) {
            sum += step.at("loop").get<std::int64_t>() * computed(step.at("steps"), until);
        }
    }
    return sum;
}

TEST(TraceWaits, ImportedProgramsComputeRecordedTime) {
    std::size_t compared = 0;
    std::vector<std::string> names(std::begin(kOfPerf), std::end(kOfPerf));
    names.insert(names.end(), std::begin(kOfTracefs), std::end(kOfTracefs));
    for (const std::string& name : names) {
        std::ifstream in(path_of(name + ".txt"));
        WaitAnalyzer waits;
        Notes notes;
        ScenarioMaker maker({}, notes);
        TeeSink both(waits, maker);
        read_trace(in, name, both, notes);
        std::string text;
        maker.write([&](std::string_view piece) { text += piece; });
        const json scenario = json::parse(text);
        const Nanos until = time_of(scenario.at("until"));
        std::map<std::string, Nanos> by_group;
        for (const json& entry : scenario.at("tasks")) {
            ASSERT_TRUE(entry.at("program").is_array()) << name;  // otherwise it is in text form
            by_group[entry.at("name").get<std::string>()] = computed(entry.at("program"), until);
        }
        const auto entries = maker.names_by_task();
        for (std::size_t n = 0; n < waits.identities().size(); ++n) {
            const WaitAnalyzer::TaskIdentity& task = waits.identities()[n];
            const auto entry = entries.find({task.pid, task.life});
            ASSERT_NE(entry, entries.end()) << name << ": " << task.name;
            EXPECT_EQ(by_group.at(entry->second).count(), waits.waits_of(static_cast<int>(n)).ran.count())
                << name << ": " << entry->second;
            ++compared;
        }
    }
    EXPECT_GT(compared, 100U);
}

}  // namespace recorded_waits_test
}  // namespace sim
