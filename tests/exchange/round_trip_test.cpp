// From a run to a recording to a scenario to a run: the same switches.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "sim/exchange/scenario_maker.h"
#include "sim/exchange/two_sinks.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/json_tree.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/tell_run.h"
#include "tests/support/test_name.h"

namespace sim {
namespace round_trip_test {

using namespace exchange;

// Who follows whom, when and why; that somebody waits for a device is not kept.
struct Switches final : EventSink {
    void begin(const RunInfo&) override {}
    void event(const SchedEvent& e, const Threads& threads) override {
        if (e.kind != EventKind::sched_switch) return;
        times.push_back(e.time);
        list.push_back(fmt::format("{} cpu{} {} {} {}", e.time.count(), e.cpu, threads[e.current].name,
                                   e.state == PrevState::disk ? "S" : to_letter(e.state),
                                   threads[e.thread].name));
    }
    // What happens at the end itself is not the same: a run that ends by its number of switches has the last
    // one there.
    void end(Nanos now) override {
        while (!times.empty() && times.back() == now) {
            times.pop_back();
            list.pop_back();
        }
    }
    std::vector<std::string> list;
    std::vector<Nanos> times;
};

// The name of who was forked has its new pid behind that of the entry.
bool same(const std::string& recorded, const std::string& again) {
    std::istringstream a(recorded), b(again);
    for (std::string x, y; (a >> x) && (b >> y);)
        if (x != y && !(y.starts_with(x + ".") && y.find_first_not_of("0123456789", x.size() + 1) == y.npos))
            return false;
    return true;
}

class RoundTrip : public testing::TestWithParam<std::string> {};

TEST_P(RoundTrip, HasTheSameSwitches) {
    const Scenario scenario = load_scenario(GetParam());
    const ScenarioText text = find_scenario(GetParam());
    const JsonTree tree(text.file, text.text);
    const RunInfo info{.title = "t",
                       .cpus = scenario.cpus,
                       .hz = scenario.machine.hz,
                       .policy = scenario.policy,
                       .machine = tree.root().plain().at("machine").dump()};
    Switches recorded, again;
    Notes notes;
    ScenarioMaker maker({}, notes);
    TwoSinks both(recorded, maker);
    tell_run(scenario, *make_policy(scenario.policy, scenario.cpus).policy,
             {.until = scenario.until.value_or(kHorizon), .switches = 20000}, info, both);
    std::string imported;
    maker.write([&](std::string_view piece) { imported += piece; });
    const Scenario second = parse_scenario("imported.json", imported);
    tell_run(second, *make_policy(second.policy, second.cpus).policy, {.until = *second.until}, info, again);
    std::size_t agree = 0;
    while (agree < recorded.list.size() && agree < again.list.size() &&
           same(recorded.list[agree], again.list[agree]))
        ++agree;
    // What is lost: the working sets, on which it depends what a cache has lost; and what a device serves
    // whom after whom.
    if (GetParam() == "lat-ctx") {
        EXPECT_GT(agree, 10U);
    } else if (GetParam() == "php-fpm") {
        EXPECT_GT(agree, 17'000U);
    } else {
        EXPECT_EQ(recorded.list.size(), again.list.size());
        EXPECT_EQ(agree, recorded.list.size()) << "then " << recorded.list[agree] << "\n again "
                                               << (agree < again.list.size() ? again.list[agree] : "nothing");
    }
}

INSTANTIATE_TEST_SUITE_P(Gallery, RoundTrip, testing::ValuesIn(builtin_names("")), name_of_parameter);

}  // namespace round_trip_test
}  // namespace sim
