// Tests of guided tours: named positions, stops in scenario files, and `switchyard tour`.
#include <gtest/gtest.h>

#include "sim/base/seek_target.h"
#include "sim/replay/session.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/command_line.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace tour_test {

std::string why_not(const std::string& text) {
    std::string why;
    EXPECT_FALSE(parse_seek_target(text, why)) << text;
    return why;
}

TEST(Place, ParsesTimeOrNumberedEvent) {
    std::string why;
    EXPECT_EQ(parse_seek_target("12.5ms", why)->time, Nanos{12'500'000});
    for (const StepEventKind kind : kStepKinds) {
        const std::optional<SeekTarget> place = parse_seek_target(std::string(to_string(kind)) + "  37", why);
        ASSERT_TRUE(place) << why;
        EXPECT_EQ(place->kind, kind);
        EXPECT_EQ(place->n, 37u);
    }
    EXPECT_EQ(why_not("switch"), "expected a number from 1 after 'switch', like \"switch 37\"");
    EXPECT_EQ(why_not("switch 0"), "expected a number from 1 after 'switch', like \"switch 37\"");
    EXPECT_EQ(why_not("yield -1"), "expected a number from 1 after 'yield', like \"yield 37\"");
    EXPECT_EQ(why_not("tick 3x"), "expected a number from 1 after 'tick', like \"tick 37\"");
    EXPECT_EQ(why_not("event 99999999999999999999"),
              "the number of the event is too large: 99999999999999999999");
    EXPECT_EQ(why_not("yeild 3"), "'yeild 3' is not a position in a run; did you mean 'yield'?");
    EXPECT_EQ(why_not("here"),
              "'here' is not a position in a run; write it like \"12.5ms\" or \"switch 37\"");
    EXPECT_EQ(why_not("12"), "'12' needs a unit; did you mean \"12ms\"?");
    EXPECT_EQ(why_not("9 lives").find("not a position"), std::string::npos)
        << "a number is a time without its unit";
    EXPECT_NE(why_not(""), "");
}

TEST(Place, SessionSeeksToPosition) {
    const auto scenario = std::make_shared<const Scenario>(load_scenario("yield-processes"));
    Session session(scenario, make_policy("linux-2.0"));
    EXPECT_TRUE(session.seek(SeekTarget{.kind = StepEventKind::yield, .n = 30'000}));
    EXPECT_EQ(session.statistics().yields, 30'000u);
    EXPECT_TRUE(session.seek(SeekTarget{.kind = {}, .time = Nanos{1'500'000'000}}));
    EXPECT_GE(session.now(), Nanos{1'499'000'000});
    EXPECT_LE(session.now(), Nanos{1'500'000'000});
    EXPECT_FALSE(session.seek(SeekTarget{.kind = StepEventKind::yield, .n = 900'000}))
        << "there are not so many in 2 s";
}

// Every stop of every tour is reachable. Any two stops of a tour differ in position, policies or view.
TEST(Tours, ShippedTourStopsAreReachableAndDistinct) {
    std::size_t tours = 0;
    for (const std::string& name : builtin_file_names("")) {
        const auto scenario = std::make_shared<const Scenario>(load_scenario(name));
        if (scenario->tour.empty()) continue;
        if (tours++ % rounds(1u, 1u, 4u) != 0) continue;
        std::set<std::string> titles, views;
        for (const TourStop& stop : scenario->tour) {
            EXPECT_NE(stop.title, "") << name;
            EXPECT_TRUE(titles.insert(stop.title).second) << name << ": " << stop.title;
            const std::string view = fmt::format(
                "{} {} {} '{}' '{}' '{}' '{}' {} {}", stop.at.kind ? to_string(*stop.at.kind) : "at",
                stop.at.n, stop.at.time.count(), stop.policy, stop.compare, stop.pane, stop.subject,
                static_cast<int>(stop.depth), stop.span.count());
            EXPECT_TRUE(views.insert(view).second) << name << ": '" << stop.title << "' shows nothing new";
            EXPECT_LE(stop.caption.size(), 420u)
                << name << ": '" << stop.title << "' is too long to be read at a glance";
            std::vector<std::string> policies{stop.policy.empty() ? scenario->policy : stop.policy};
            if (!stop.compare.empty()) policies.push_back(stop.compare);
            for (const std::string& policy : policies) {
                Session session(scenario, make_policy(policy, scenario->cpus));
                EXPECT_TRUE(session.seek(stop.at)) << name << ": '" << stop.title << "' is not in the run";
                EXPECT_LT(session.now(), scenario->until.value_or(kHorizon)) << name << ": " << stop.title;
            }
        }
    }
    EXPECT_GE(tours, 1u);
}

using TourCommand = CommandLine;

TEST_F(TourCommand, StopsShowPositionAndDecision) {
    const std::string text = output({"tour", "yield-processes"});
    EXPECT_NE(text.find("\n1/5  All slices are used up\n"), std::string::npos) << text;
    EXPECT_NE(text.find("at 13.42us, after decision 3 and switch 3: spinner.1 runs"), std::string::npos)
        << text;
    EXPECT_NE(text.find("72 counters changed in all"), std::string::npos) << text;
    for (const std::string& line : lines_of(text))
        if (line.starts_with("     ") && !line.starts_with("      ") && !line.starts_with("     under")) {
            EXPECT_LE(line.size(), 100u) << line;
        }

    const nlohmann::json stops = json_output({"tour", "yield-processes"});
    ASSERT_EQ(stops.size(), 5u);
    EXPECT_EQ(stops[0]["time_ns"], 13'420);
    EXPECT_EQ(stops[3]["time_ns"], 15'180);
    EXPECT_EQ(stops[3]["beside"]["time_ns"], 15'181) << "at the same instant";
    EXPECT_EQ(stops[3]["beside"]["decisions"], 3);
}

TEST_F(TourCommand, UnreachableStopIsReported) {
    const std::string text = output({"tour", "yield-processes", "--until", "10us"});
    EXPECT_NE(text.find("this run has no recalculation 1"), std::string::npos) << text;
}

TEST_F(TourCommand, ScenarioWithoutTourIsRefused) {
    write_file(folder() / "plain.json",
               R"({"format": "switchyard-scenario/1", "machine": "pentium-mmx-200",
                   "tasks": [{"name": "a", "program": [{"run": "1ms"}]}]})");
    expect_refused({"tour", "plain.json"},
                   "switchyard: 'plain.json' has no tour; the key \"tour\" of a scenario describes a tour");
}

}  // namespace tour_test
}  // namespace sim
