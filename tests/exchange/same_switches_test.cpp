// The order in which CPUs are given to tasks, set beside that of a recording.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sim/exchange/reader.h"
#include "sim/exchange/recording_format.h"
#include "sim/exchange/same_switches.h"
#include "sim/scenario/builtin_files.h"
#include "tests/support/optimised.h"

namespace sim {
namespace same_switches_test {

using namespace exchange;

// Tells `waits` that the CPUs go to these tasks, one letter each millisecond; '.' is the idle task.
void tell(Waits& waits, const std::vector<std::string>& cpus) {
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

SameSwitches compared(const std::vector<std::string>& recorded, const std::vector<std::string>& made) {
    Waits a, b;
    tell(a, recorded);
    tell(b, made);
    std::vector<int> same_as;
    for (const Waits::Who& of_run : b.who()) {
        const auto place = std::find_if(a.who().begin(), a.who().end(),
                                        [&](const Waits::Who& who) { return who.name == of_run.name; });
        same_as.push_back(place == a.who().end() ? -1 : static_cast<int>(place - a.who().begin()));
    }
    const SameSwitches whole = same_switches(a, b, same_as);
    // In pieces it is the same.
    SwitchesSideBySide pieces(a, b, same_as);
    while (pieces.advance(1)) {
    }
    EXPECT_EQ(pieces.result().same, whole.same);
    EXPECT_EQ(pieces.result().recorded, whole.recorded);
    EXPECT_EQ(pieces.result().made, whole.made);
    EXPECT_EQ(pieces.result().partings.size(), whole.partings.size());
    for (std::size_t i = 0; i < std::min(whole.partings.size(), pieces.result().partings.size()); ++i) {
        const Parting &a_piece = pieces.result().partings[i], &at_once = whole.partings[i];
        EXPECT_EQ(a_piece.cpu, at_once.cpu);
        EXPECT_EQ(a_piece.number, at_once.number);
        EXPECT_EQ(a_piece.made.has_value(), at_once.made.has_value());
        EXPECT_EQ(a_piece.recorded.has_value(), at_once.recorded.has_value());
    }
    return whole;
}

TEST(SameSwitches, OfTheSameOrderAreAll) {
    const SameSwitches same = compared({"abcabc.abc", "xyx"}, {"abc.abcabc", "xyx"});
    EXPECT_EQ(same.recorded, 12U);
    EXPECT_EQ(same.made, 12U);
    EXPECT_EQ(same.same, 12U) << "where the idle task comes in between does not matter";
    EXPECT_TRUE(same.partings.empty());
    EXPECT_EQ(same.share(), 1);
    EXPECT_EQ(compared({"..."}, {"..."}).share(), 1) << "nothing was recorded, and nothing differs";
}

TEST(SameSwitches, OneTooManyIsOneParting) {
    const SameSwitches same = compared({"abcdabcdabcd"}, {"abcdaxbcdabcd"});
    EXPECT_EQ(same.same, 12U);
    ASSERT_EQ(same.partings.size(), 1U);
    EXPECT_EQ(same.partings[0].recorded->since, Nanos{5'000'000});
    EXPECT_EQ(same.partings[0].made->since, Nanos{5'000'000});
    EXPECT_EQ(same.partings[0].number, 5U);
    const SameSwitches fewer = compared({"abcdaxbcdabcd"}, {"abcdabcdabcd"});
    EXPECT_EQ(fewer.same, 12U);
    EXPECT_EQ(fewer.recorded, 13U);
    EXPECT_EQ(fewer.partings.size(), 1U);
}

TEST(SameSwitches, AnotherOneInsteadIsOneParting) {
    const SameSwitches same = compared({"abcdabcdabcd"}, {"abcdaxcdabcd"});
    EXPECT_EQ(same.same, 11U);
    EXPECT_EQ(same.partings.size(), 1U);
}

TEST(SameSwitches, TheFirstPartingIsTheFirstInTimeOnAnyCpu) {
    const SameSwitches same = compared({"ababababab", "cdcdcdcdcd"}, {"abababxbab", "cdcdxdcdcd"});
    ASSERT_EQ(same.partings.size(), 2U);
    EXPECT_EQ(same.partings[0].cpu, 1U);
    EXPECT_EQ(same.partings[1].cpu, 0U);
}

TEST(SameSwitches, WhoEndsEarlierLacksTheRest) {
    const SameSwitches same = compared({"abab"}, {"ababab"});
    EXPECT_EQ(same.same, 4U);
    ASSERT_EQ(same.partings.size(), 1U);
    EXPECT_FALSE(same.partings[0].recorded);
    EXPECT_EQ(same.partings[0].made->since, Nanos{4'000'000});
    const SameSwitches longer = compared({"ababab"}, {"abab"});
    ASSERT_EQ(longer.partings.size(), 1U);
    EXPECT_FALSE(longer.partings[0].made);
    EXPECT_EQ(longer.partings[0].number, 4U);
}

TEST(SameSwitches, OfAnotherCpuAreNotTheSame) {
    EXPECT_EQ(compared({"abab", "...."}, {"....", "abab"}).same, 0U);
    EXPECT_EQ(compared({"abab"}, {"abab", "cdcd"}).same, 4U) << "a run may have more CPUs";
}

TEST(SameSwitches, ProgramsThatNothingHasInCommonTakeNoLongTime) {
    std::string recorded, made;
    for (int i = 0; i < rounds(100'000, 100'000, 10'000); ++i) {
        recorded += "abcde"[i * 7 % 5];
        made += "vwxyz"[i * 3 % 5];
    }
    EXPECT_EQ(compared({recorded}, {made}).same, 0U);
}

// A scenario is never taken for a recording, nor a script for one.
TEST(Recordings, AreNoScenarios) {
    for (const BuiltinFile& file : builtin_files())
        EXPECT_FALSE(begins_like_a_recording(file.text)) << file.name;
    EXPECT_FALSE(begins_like_a_recording(R"({"format": "switchyard-schedule/1"})"));
    EXPECT_FALSE(begins_like_a_recording(R"({"tasks": {"thread0": {"run": 10}}})")) << "of rt-app";
    EXPECT_FALSE(begins_like_a_recording(""));
    EXPECT_FALSE(begins_like_a_recording("A letter: to 'somebody' [001], with 12.3 figures: all wrong.\n"));
    EXPECT_TRUE(begins_like_a_recording(R"({"displayTimeUnit": "ns", "traceEvents": [)"));
    EXPECT_TRUE(begins_like_a_recording(R"([{"name": "a", "ph": "X"}])"));
    EXPECT_TRUE(begins_like_a_recording("PERFILE2"));
    EXPECT_TRUE(begins_like_a_recording("\x1f\x8b\x08"));
}

}  // namespace same_switches_test
}  // namespace sim
