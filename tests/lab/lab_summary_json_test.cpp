// The JSON summary of a run, with names and order as in docs/run_summary.schema.json, and assertions about
// it.
#include "sim/lab/summary_json.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace sim::lab {
namespace lab_summary_json_test {

TEST(SummaryJson, HasEveryFieldInOrder) {
    Summary s;
    s.scenario = "small";
    s.policy = "linux-2.0";
    s.seed = 7;
    s.cpus = 2;
    s.simulated = 1us;
    s.stop_reason = StopReason::deadlock;
    s.switches = {.voluntary = 1,
                  .involuntary = 2,
                  .from_idle = 3,
                  .to_idle = 4,
                  .kernel_thread = 5,
                  .same_mm = 6,
                  .other_mm = 7};
    s.yields = {8, 9};
    s.schedule = {10, 11, 12, 13, 14};
    s.time = {15ns, 16ns, {17ns, 18ns, 19ns, 20ns, 21ns, 22ns, 60ns, 61ns}};
    s.tlb = {23, 24, 25, 26, 27, 28, 29};
    s.cache = {30, 31};
    s.smp = {32, 33};
    s.interrupts = {62, 63, 64};
    s.per_cpu = {{34, 35, 36, 37ns}};
    s.forks = 38;
    s.exits = 39;
    s.ticks = 41;
    s.waits = {{"sleep", "", 42, 43ns, std::nullopt},
               {"lock", "l", 44, 45ns, std::vector<Summary::WaitsEndedBy>{{"a", "", 46, 47ns}}}};
    s.runqueue = {0.5, 1, 0.25, 0, {48, 49}, {125, 50, 7}};
    s.tasks = {{50, "a", "ready", 51ns, 52ns, 53ns, 54, 55, 56},
               {.pid = 58,
                .name = "b",
                .state = "exited",
                .arrival = 59ns,
                .first_run = 60ns,
                .finish = 61ns,
                .response = 62ns,
                .turnaround = 63ns,
                .waiting = 64ns,
                .normalised_turnaround = 1.5}};
    s.jobs = {.finished = 65,
              .mean_response = 66.5,
              .mean_turnaround = 67.5,
              .mean_waiting = 68.5,
              .mean_normalised_turnaround = 69.5,
              .max_response = 70ns,
              .max_turnaround = 71ns,
              .max_waiting = 72ns,
              .throughput = 73.5,
              .jain = 0.75};
    s.hash = 57;
    EXPECT_EQ(
        to_json(s).dump(),
        R"({"format":"switchyard-run/1","scenario":"small","policy":"linux-2.0","seed":7,"cpus":2,)"
        R"("simulated_ns":1000,"stop_reason":"deadlock",)"
        R"("switches":{"total":6,"voluntary":1,"involuntary":2,"from_idle":3,"to_idle":4,"same_mm":6,)"
        R"("other_mm":7,"kernel_thread":5},"yields":{"calls":8,"switched":9},)"
        R"("schedule":{"calls":10,"considered":11,"recalculations":12,"recalculated":13,"queue_steps":14},)"
        R"("time_ns":{"user":15,"system":17,"search":18,"recalc":19,"switch":20,"address_space":21,)"
        R"("cache_refill":22,"stolen":60,"interrupts":61,"idle":16},)"
        R"("tlb":{"flushes":23,"loads":24,"lazy_avoided":25,"same_mm_avoided":26,"flush_ipis":27,)"
        R"("lazy_mms_dropped":28,"entries_refilled":29},"cache":{"lines_refilled":30,"lines_streamed":31},)"
        R"("smp":{"reschedule_ipis":32,"migrations":33},)"
        R"("interrupts":{"timer":62,"device":63,"ipi":64},)"
        R"("per_cpu":[{"switches":34,"to_idle":35,"migrations":36,"idle_ns":37}],)"
        R"("forks":38,"exits":39,"ticks":41,)"
        R"("waits":[{"kind":"sleep","name":"","switches":42,"waited_ns":43},)"
        R"({"kind":"lock","name":"l","switches":44,"waited_ns":45,)"
        R"("ended_by":[{"waiter":"a","waker":"","waits":46,"waited_ns":47}]}],)"
        R"("runqueue":{"mean":0.5,"max":1,"share_over_10":0.25,"share_20_or_more":0.0,"histogram":[48,49],)"
        R"("load_average":[1.25,0.5,0.07]},)"
        R"("tasks":[{"pid":50,"name":"a","state":"ready","user_ns":51,"system_ns":52,"ready_ns":53,)"
        R"("voluntary":54,"involuntary":55,"yields":56,)"
        R"("arrival_ns":null,"first_run_ns":null,"finish_ns":null,"response_ns":null,"turnaround_ns":null,)"
        R"("waiting_ns":null,"normalised_turnaround":null},)"
        R"({"pid":58,"name":"b","state":"exited","user_ns":0,"system_ns":0,"ready_ns":0,"voluntary":0,)"
        R"("involuntary":0,"yields":0,"arrival_ns":59,"first_run_ns":60,"finish_ns":61,"response_ns":62,)"
        R"("turnaround_ns":63,"waiting_ns":64,"normalised_turnaround":1.5}],)"
        R"("jobs":{"finished":65,"mean_response_ns":66.5,"mean_turnaround_ns":67.5,"mean_waiting_ns":68.5,)"
        R"("mean_normalised_turnaround":69.5,"max_response_ns":70,"max_turnaround_ns":71,"max_waiting_ns":72,)"
        R"("throughput_per_s":73.5,"jain_index":0.75},)"
        R"("hash":"0000000000000039"})");
}

TEST(SummaryJson, OldPointersLeadToRenamedValues) {
    Summary s;
    s.schedule.recalculations = 1;
    s.time.overhead.select = 2ns;
    s.tlb.left_mms = 3;
    s.jobs.jain = 0.5;
    s.interrupts.device = 4;
    const nlohmann::ordered_json json = to_json(s);
    EXPECT_EQ(number_at(json, "/schedule/recalcs"), 1);
    EXPECT_EQ(number_at(json, "/time_ns/select"), 2);
    EXPECT_EQ(number_at(json, "/tlb/left_mms"), 3);
    EXPECT_EQ(number_at(json, "/jobs/jain"), 0.5);
    EXPECT_EQ(number_at(json, "/timer_events"), 4);
    EXPECT_FALSE(has_old_keys(json));
    const nlohmann::ordered_json old = with_old_keys(json);
    EXPECT_TRUE(has_old_keys(old));
    EXPECT_EQ(old.at("timer_events"), 4);
    EXPECT_EQ(with_current_keys(old).dump(), json.dump());
}

TEST(SummaryJson, EmptySummaryHasEmptyLists) {
    const nlohmann::ordered_json json = to_json(Summary{});
    for (const char* list : {"/per_cpu", "/waits", "/tasks", "/runqueue/histogram"})
        EXPECT_EQ(json.at(nlohmann::ordered_json::json_pointer(list)), nlohmann::ordered_json::array())
            << list;
}

const nlohmann::ordered_json kSummary{
    {"switches", {{"total", 40}, {"voluntary", 0}}}, {"yields", 100}, {"name", "x"}};

AssertionResult check(const std::string& pointer, const std::string& per, double least, double most) {
    return check_assertion({pointer, per, least, most, ""}, kSummary);
}

TEST(Assertion, BoundsAreInclusive) {
    EXPECT_TRUE(check("/switches/total", "", 40, 40).holds);
    EXPECT_TRUE(check("/switches/total", "", 40, 50).holds);
    EXPECT_TRUE(check("/switches/total", "", 30, 40).holds);
    EXPECT_FALSE(check("/switches/total", "", 41, 50).holds);
    EXPECT_FALSE(check("/switches/total", "", 30, 39.9).holds);
}

TEST(Assertion, QuotientIsComparedWithBounds) {
    EXPECT_TRUE(check("/switches/total", "/yields", 0.4, 0.4).holds);
    EXPECT_FALSE(check("/switches/total", "/yields", 39, 41).holds);
    EXPECT_EQ(check("/switches/total", "/yields", 0.3, 0.5).text,
              "/switches/total per /yields is 0.4, as expected: [0.3, 0.5]");
    EXPECT_EQ(check("/yields", "", 7, 7).text, "/yields is 100, expected 7");
}

TEST(Assertion, FailsForMissingNumber) {
    for (const char* pointer : {"/no", "/switches", "/name", "/switches/total/0"}) {
        const AssertionResult as_figure = check(pointer, "", -1e9, 1e9),
                              as_divisor = check("/yields", pointer, -1e9, 1e9);
        EXPECT_FALSE(as_figure.holds) << pointer;
        EXPECT_FALSE(as_divisor.holds) << pointer;
        EXPECT_EQ(as_figure.text, fmt::format("the summary has no number at {}", pointer));
        EXPECT_EQ(as_divisor.text, fmt::format("the summary has no number at {}", pointer));
    }
}

TEST(Assertion, DivisionByZeroFails) {
    const AssertionResult result = check("/yields", "/switches/voluntary", -1e300, 1e300);
    EXPECT_FALSE(result.holds);
    EXPECT_EQ(result.text, "cannot divide by /switches/voluntary: its value is 0");
}

}  // namespace lab_summary_json_test
}  // namespace sim::lab
