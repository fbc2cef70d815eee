// Tests of the comparison of the switches of a run with those of a trace.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sim/scenario/builtin_files.h"
#include "sim/trace_io/import/import_formats.h"
#include "sim/trace_io/import/reader.h"
#include "sim/trace_io/switch_comparison.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace same_switches_test {

using namespace trace_io;

// Emits a schedule to `waits`. Each string stands for a CPU, and each letter in it for a task that runs for
// 1 ms; '.' is the idle task.
void emit(WaitAnalyzer& waits, const std::vector<std::string>& cpus) {
    Threads threads(1);
    std::map<char, ThreadId> known{{'.', kIdleThread}};
    waits.begin({.cpus = static_cast<std::uint32_t>(cpus.size())});
    std::vector<ThreadId> current(cpus.size(), kIdleThread);
    std::size_t length = 0;
    for (const std::string& cpu : cpus) length = std::max(length, cpu.size());
    for (std::size_t i = 0; i < length; ++i)
        for (std::size_t c = 0; c < cpus.size(); ++c) {
            if (i >= cpus[c].size()) continue;
            const auto [place, is_new] = known.emplace(cpus[c][i], static_cast<ThreadId>(threads.size()));
            if (is_new) {
                threads.emplace_back();
                threads.back().pid = 100 + cpus[c][i];
                threads.back().name = std::string(1, cpus[c][i]);
            }
            if (place->second == current[c]) continue;
            waits.event({.time = Nanos{static_cast<std::int64_t>(i) * 1'000'000},
                         .cpu = static_cast<CpuId>(c),
                         .current = current[c],
                         .thread = place->second,
                         .state = PrevState::sleeping},
                        threads);
            current[c] = place->second;
        }
    waits.end(Nanos{static_cast<std::int64_t>(length) * 1'000'000});
}

SwitchComparison compared(const std::vector<std::string>& recorded, const std::vector<std::string>& made) {
    WaitAnalyzer a, b;
    emit(a, recorded);
    emit(b, made);
    std::vector<int> same_as;
    for (const WaitAnalyzer::TaskIdentity& of_run : b.identities()) {
        const auto place =
            std::find_if(a.identities().begin(), a.identities().end(),
                         [&](const WaitAnalyzer::TaskIdentity& task) { return task.name == of_run.name; });
        same_as.push_back(place == a.identities().end() ? -1
                                                        : static_cast<int>(place - a.identities().begin()));
    }
    const SwitchComparison whole = compare_switches(a, b, same_as);
    // If the comparison is made in chunks, the result is the same.
    SwitchComparer pieces(a, b, same_as);
    while (pieces.advance(1)) {
    }
    EXPECT_EQ(pieces.result().same, whole.same);
    EXPECT_EQ(pieces.result().recorded, whole.recorded);
    EXPECT_EQ(pieces.result().made, whole.made);
    EXPECT_EQ(pieces.result().mismatches.size(), whole.mismatches.size());
    for (std::size_t i = 0; i < std::min(whole.mismatches.size(), pieces.result().mismatches.size()); ++i) {
        const SwitchMismatch &a_piece = pieces.result().mismatches[i], &at_once = whole.mismatches[i];
        EXPECT_EQ(a_piece.cpu, at_once.cpu);
        EXPECT_EQ(a_piece.number, at_once.number);
        EXPECT_EQ(a_piece.made.has_value(), at_once.made.has_value());
        EXPECT_EQ(a_piece.recorded.has_value(), at_once.recorded.has_value());
    }
    return whole;
}

TEST(SwitchComparison, SameOrderMatchesAllSwitches) {
    const SwitchComparison same = compared({"abcabc.abc", "xyx"}, {"abc.abcabc", "xyx"});
    EXPECT_EQ(same.recorded, 12U);
    EXPECT_EQ(same.made, 12U);
    EXPECT_EQ(same.same, 12U) << "where the idle task comes in between does not matter";
    EXPECT_TRUE(same.mismatches.empty());
    EXPECT_EQ(same.matched_share(), 1);
    EXPECT_EQ(compared({"..."}, {"..."}).matched_share(), 1) << "nothing was recorded, and nothing differs";
}

TEST(SwitchComparison, ExtraSwitchIsSingleMismatch) {
    const SwitchComparison same = compared({"abcdabcdabcd"}, {"abcdaxbcdabcd"});
    EXPECT_EQ(same.same, 12U);
    ASSERT_EQ(same.mismatches.size(), 1U);
    EXPECT_EQ(same.mismatches[0].recorded->since, Nanos{5'000'000});
    EXPECT_EQ(same.mismatches[0].made->since, Nanos{5'000'000});
    EXPECT_EQ(same.mismatches[0].number, 5U);
    const SwitchComparison fewer = compared({"abcdaxbcdabcd"}, {"abcdabcdabcd"});
    EXPECT_EQ(fewer.same, 12U);
    EXPECT_EQ(fewer.recorded, 13U);
    EXPECT_EQ(fewer.mismatches.size(), 1U);
}

TEST(SwitchComparison, ReplacedSwitchIsSingleMismatch) {
    const SwitchComparison same = compared({"abcdabcdabcd"}, {"abcdaxcdabcd"});
    EXPECT_EQ(same.same, 11U);
    EXPECT_EQ(same.mismatches.size(), 1U);
}

TEST(SwitchComparison, MismatchesAreSortedByTime) {
    const SwitchComparison same = compared({"ababababab", "cdcdcdcdcd"}, {"abababxbab", "cdcdxdcdcd"});
    ASSERT_EQ(same.mismatches.size(), 2U);
    EXPECT_EQ(same.mismatches[0].cpu, 1U);
    EXPECT_EQ(same.mismatches[1].cpu, 0U);
}

TEST(SwitchComparison, ShorterRunMissesRemainingSwitches) {
    const SwitchComparison same = compared({"abab"}, {"ababab"});
    EXPECT_EQ(same.same, 4U);
    ASSERT_EQ(same.mismatches.size(), 1U);
    EXPECT_FALSE(same.mismatches[0].recorded);
    EXPECT_EQ(same.mismatches[0].made->since, Nanos{4'000'000});
    const SwitchComparison longer = compared({"ababab"}, {"abab"});
    ASSERT_EQ(longer.mismatches.size(), 1U);
    EXPECT_FALSE(longer.mismatches[0].made);
    EXPECT_EQ(longer.mismatches[0].number, 4U);
}

TEST(SwitchComparison, SwitchesOnOtherCpuDoNotMatch) {
    EXPECT_EQ(compared({"abab", "...."}, {"....", "abab"}).same, 0U);
    EXPECT_EQ(compared({"abab"}, {"abab", "cdcd"}).same, 4U) << "a run may have more CPUs";
}

TEST(SwitchComparison, LongUnrelatedRunsHaveNoMatch) {
    std::string recorded, made;
    for (int i = 0; i < rounds(100'000, 100'000, 10'000); ++i) {
        recorded += "abcde"[i * 7 % 5];
        made += "vwxyz"[i * 3 % 5];
    }
    const std::clock_t begin = std::clock();
    EXPECT_EQ(compared({recorded}, {made}).same, 0U);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    // If each mismatch caused a search of the entire rest of both sequences, this would take minutes.
    if (kOptimised) {
        EXPECT_LT(seconds, 10.0);
    }
}

// Scenarios and policy scripts are never mistaken for traces.
TEST(TraceDetection, ScenariosAreNotTraces) {
    for (const BuiltinFile& file : builtin_files()) EXPECT_FALSE(looks_like_a_trace(file.text)) << file.name;
    EXPECT_FALSE(looks_like_a_trace(R"({"format": "switchyard-schedule/1"})"));
    EXPECT_FALSE(looks_like_a_trace(R"({"tasks": {"thread0": {"run": 10}}})")) << "of rt-app";
    EXPECT_FALSE(looks_like_a_trace(""));
    EXPECT_FALSE(looks_like_a_trace("A letter: to 'somebody' [001], with 12.3 figures: all wrong.\n"));
    EXPECT_TRUE(looks_like_a_trace(R"({"displayTimeUnit": "ns", "traceEvents": [)"));
    EXPECT_TRUE(looks_like_a_trace(R"([{"name": "a", "ph": "X"}])"));
    EXPECT_TRUE(looks_like_a_trace("PERFILE2"));
    EXPECT_TRUE(looks_like_a_trace("\x1f\x8b\x08"));
}

}  // namespace same_switches_test
}  // namespace sim
