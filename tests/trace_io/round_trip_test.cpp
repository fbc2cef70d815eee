// Round trip from a run to a trace to a scenario to a run: the switches are the same.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "sim/scenario/builtin_files.h"
#include "sim/scenario/json_tree.h"
#include "sim/scenario/scenario_json.h"
#include "sim/trace_io/export/export_formats.h"
#include "sim/trace_io/import/reader.h"
#include "sim/trace_io/scenario/scenario_maker.h"
#include "sim/trace_io/tee_sink.h"
#include "tests/support/emit_run.h"
#include "tests/support/test_name.h"
#include "tests/support/test_sizes.h"
#include "tests/trace_io/builtin_run.h"

namespace sim {
namespace round_trip_test {

using namespace trace_io;
using builtin_run::BuiltinRun;

// Records each switch: time, CPU, tasks and state. Waits for devices count as sleep, because an import does
// not distinguish them from sleep.
struct Switches final : EventSink {
    void begin(const RunInfo&) override {}
    void event(const SchedEvent& e, const Threads& threads) override {
        if (e.kind != EventKind::sched_switch) return;
        times.push_back(e.time);
        list.push_back(fmt::format("{} cpu{} {} {} {}", e.time.count(), e.cpu, threads[e.current].name,
                                   e.state == PrevState::disk ? "S" : prev_state_text(e.state),
                                   threads[e.thread].name));
    }
    // Removes switches at the end time, because the last switch of a run that is limited by its number of
    // switches is at that time.
    void end(Nanos now) override {
        while (!times.empty() && times.back() == now) {
            times.pop_back();
            list.pop_back();
        }
    }
    std::vector<std::string> list;
    std::vector<Nanos> times;
};

// Compares switches. A forked task of the second run may have ".PID" appended to its recorded name.
bool same(const std::string& recorded, const std::string& again) {
    std::istringstream a(recorded), b(again);
    for (std::string x, y; (a >> x) && (b >> y);)
        if (x != y && !(y.starts_with(x + ".") && y.find_first_not_of("0123456789", x.size() + 1) == y.npos))
            return false;
    return true;
}

// The number of the run's switches that the imported scenario repeats, and the number of all switches.
struct RoundTripResult {
    std::size_t again = 0, recorded = 0;
    std::string difference;
};

class RoundTrip : public testing::TestWithParam<std::string> {
  protected:
    // Makes the round trip. `record` emits the run to the first sink, and to the second sink what the trace
    // preserves of it.
    template <class Record>
    static RoundTripResult agreed(std::uint64_t switches, Record record) {
        BuiltinRun run(GetParam());
        const ScenarioText text = find_scenario(GetParam());
        const JsonTree tree(text.file, text.text);
        run.info = {.title = "t",
                    .cpus = run.scenario.cpus,
                    .hz = run.scenario.machine.hz,
                    .policy = run.policy.spec(),
                    .machine = tree.root().to_nlohmann_json().at("machine").dump()};
        Switches recorded, again;
        Notes notes;
        ScenarioMaker maker({}, notes);
        record(recorded, maker, notes,
               [&](EventSink& sink) { run.emit({.switches = switches, .events = 20 * switches}, sink); });
        std::string imported;
        maker.write([&](std::string_view piece) { imported += piece; });
        const Scenario second = parse_scenario("imported.json", imported);
        emit_run(second, *make_policy(second.policy, second.cpus).policy, {.until = *second.until}, run.info,
                 again);
        RoundTripResult agreed{0, recorded.list.size(), {}};
        while (agreed.again < std::min(recorded.list.size(), again.list.size()) &&
               same(recorded.list[agreed.again], again.list[agreed.again]))
            ++agreed.again;
        if (agreed.again < recorded.list.size())
            agreed.difference =
                fmt::format("switch {} of {}: {}\n  again: {}", agreed.again, agreed.recorded,
                            recorded.list[agreed.again],
                            agreed.again < again.list.size() ? again.list[agreed.again] : "nothing");
        return agreed;
    }

    // Traces lack working sets, which determine the cache contents, and the affinity of forked tasks.
    static void expect_all(const RoundTripResult& agreed) {
        if (GetParam() == "lat-ctx" || GetParam() == "lesson-13-your-machine")
            EXPECT_GT(agreed.again, 10U);
        else
            EXPECT_EQ(agreed.again, agreed.recorded) << agreed.difference;
    }
};

TEST_P(RoundTrip, HasTheSameSwitches) {
    expect_all(agreed(rounds(20'000, 4'000, 1'000),
                      [](EventSink& recorded, EventSink& maker, Notes&, const auto& emit) {
                          TeeSink both(recorded, maker);
                          emit(both);
                      }));
}

TEST_P(RoundTrip, HasTheSameSwitchesThroughTextFile) {
    expect_all(agreed(
        rounds(4'000, 1'000, 400), [](EventSink& recorded, EventSink& maker, Notes& notes, const auto& emit) {
            std::string text;
            const auto writer = ftrace_format().make([&](std::string_view bytes) { text += bytes; });
            TeeSink both(recorded, *writer);
            emit(both);
            std::istringstream in(text);
            read_trace(in, "run.txt", maker, notes);
        }));
}

INSTANTIATE_TEST_SUITE_P(Gallery, RoundTrip, testing::ValuesIn(builtin_file_names("")), name_of_parameter);

}  // namespace round_trip_test
}  // namespace sim
