// Tests of damaged and malicious traces. Each file in tests/bad/recordings/ is rejected, or partly read, with
// the messages in expected.txt. Randomly damaged traces produce consistent events.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/base/rng.h"
#include "sim/trace_io/import/reader.h"
#include "sim/trace_io/scenario/scenario_maker.h"
#include "tests/support/event_sinks.h"

namespace sim {
namespace bad_recordings_test {

using namespace trace_io;

const std::filesystem::path kTests = SWITCHYARD_SOURCE_DIR "/tests";

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Reads a file and returns the result as text: totals, then one line per note or problem.
std::string outcome_of(const std::string& bytes, const std::string& name) {
    std::istringstream in(bytes);
    EventTextSink events;
    Notes notes;
    std::string outcome;
    try {
        read_trace(in, name, events, notes);
        const auto last = events.last();
        outcome = fmt::format("    {} events, {} switches, until {} ns\n", events.events, events.switches,
                              last.count());
        for (ThreadId t = 1; t < events.all.size(); ++t)
            outcome += fmt::format("    is told of {}\n", told_thread(t, events.all));
        if (events.run.cpus > 0) outcome += fmt::format("    {}\n", to_json(events.run));
    } catch (const ScenarioError& error) {
        for (const Problem& problem : error.problems()) {
            EXPECT_TRUE(is_safe_to_show(problem.text()));
            outcome += fmt::format("    {}\n", problem.text());
        }
    }
    EXPECT_EQ(events.failure, "") << name;
    for (const Notes::Note& note : notes.notes()) {
        EXPECT_TRUE(is_safe_to_show(note.what())) << name;
        outcome += fmt::format("    {} {}", note.count, note.what());
        if (!note.lines.empty()) outcome += fmt::format(", in line {}", fmt::join(note.lines, ", "));
        outcome += '\n';
    }
    return outcome;
}

TEST(DamagedTraces, ProduceExpectedMessages) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(kTests / "bad/recordings"))
        if (entry.path().filename() != "expected.txt") names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    EXPECT_GE(names.size(), 30u);
    std::string all;
    for (const std::string& name : names)
        all += name + "\n" + outcome_of(bytes_of(kTests / "bad/recordings" / name), name);
    std::istringstream is(all), expected(bytes_of(kTests / "bad/recordings/expected.txt"));
    std::string file;
    for (std::string line, other; std::getline(is, line);) {
        if (!line.starts_with(' ')) file = line;
        ASSERT_TRUE(std::getline(expected, other)) << all;
        ASSERT_EQ(line, other) << file << "\nall of them:\n" << all;
    }
    std::string more;
    EXPECT_FALSE(std::getline(expected, more)) << more;
}

// Damages the text in one of six ways.
std::string damaged(std::string text, std::uint64_t& stream) {
    const auto below = [&](std::size_t most) { return static_cast<std::size_t>(next_random(stream) % most); };
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    switch (below(6)) {
        case 0:
            return text.substr(0, below(text.size()));
        case 1:
            for (int n = 0; n < 40; ++n) text[below(text.size())] = static_cast<char>(below(256));
            return text;
        case 2:
            for (int n = 0; n < 20; ++n)
                lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(below(lines.size())));
            break;
        case 3:
            for (int n = 0; n < 40; ++n) std::swap(lines[below(lines.size())], lines[below(lines.size())]);
            break;
        case 4:
            for (int n = 0; n < 20; ++n) {
                const std::string line = lines[below(lines.size())];
                std::string& other = lines[below(lines.size())];
                other = other.substr(0, below(other.size() + 1)) + line.substr(below(line.size() + 1));
            }
            break;
        default:
            for (int n = 0; n < 20; ++n) {
                std::string& line = lines[below(lines.size())];
                for (char& c : line)
                    if (c >= '0' && c <= '9') c = static_cast<char>('0' + below(10));
            }
    }
    return fmt::format("{}\n", fmt::join(lines, "\n"));
}

TEST(DamagedTraces, RandomDamageYieldsConsistentEvents) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(kTests / "recordings"))
        if (entry.path().extension() == ".txt") names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    std::uint64_t stream = 1;
    for (const std::string& name : names)
        for (int n = 0; n < 20; ++n)
            outcome_of(damaged(bytes_of(kTests / "recordings" / name), stream), name);
}

// The reader sorts events within a window. An event that comes too late for the window is skipped with a
// note.
TEST(DamagedTraces, LateEventIsSkippedWithNote) {
    std::string text;
    const auto line = [&](int micros, int prev, int next) {
        text += fmt::format(
            " t-{} [000] 1.{:06}: sched_switch: prev_comm=t prev_pid={} prev_prio=120 prev_state=S ==> "
            "next_comm=t "
            "next_pid={} next_prio=120\n",
            prev, micros, prev, next);
    };
    for (int n = 0; n < 70'000; ++n) line(n + 10, 1 + n % 2, 1 + (n + 1) % 2);
    line(5, 1, 2);
    std::istringstream in(text);
    ContractSink sink;
    Notes notes;
    read_trace(in, "late.txt", sink, notes);
    EXPECT_EQ(sink.failure, "");
    ASSERT_EQ(notes.notes().size(), 2u);
    EXPECT_EQ(notes.notes()[0].what(),
              "event earlier than the previous event of its CPU, sorted by time (parts of several traces?)");
    EXPECT_EQ(notes.notes()[1].what(), "event too late to be sorted, omitted");
    EXPECT_EQ(notes.notes()[1].lines, std::vector<std::uint64_t>{70'001});
}

TEST(DamagedTraces, ThreadsBeyondLimitAreSkipped) {
    std::string text;
    const int most = 262'144;
    for (int n = 1; n <= most + 3; ++n)
        text +=
            fmt::format(" t-1 [000] 1.{:09}: sched_wakeup: comm=t pid={} prio=120 target_cpu=000\n", n, n);
    text +=
        " t-1 [000] 2.0: sched_switch: prev_comm=t prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=t "
        "next_pid=300000 next_prio=120\n";
    std::istringstream in(text);
    ContractSink sink;
    Notes notes;
    read_trace(in, "many.txt", sink, notes);
    EXPECT_EQ(sink.failure, "");
    ASSERT_EQ(notes.notes().size(), 1u);
    EXPECT_EQ(notes.notes()[0].count, 4u);
}

TEST(DamagedTraces, MachineWithManyUnknownKeysIsRefused) {
    std::string machine = "{";
    for (int i = 0; i <= 1000; ++i) machine += fmt::format("{}\"key_{}\": 0", i == 0 ? "" : ", ", i);
    machine += "}";
    for (const std::uint32_t hz : {0u, 1000u}) {
        Notes notes;
        ScenarioMaker maker({.hz = hz}, notes);
        try {
            maker.begin({.cpus = 1, .hz = 100, .machine = machine});
            ADD_FAILURE() << "not refused with hz = " << hz;
        } catch (const ScenarioError& error) {
            EXPECT_NE(error.problems().front().text().find("unknown key 'key_0'"), std::string::npos)
                << error.problems().front().text();
        }
    }
}

}  // namespace bad_recordings_test
}  // namespace sim
