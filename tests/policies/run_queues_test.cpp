// Trace records and handover of slices in policies with per-CPU run queues.
#include <gtest/gtest.h>

#include "sim/base/units.h"
#include "tests/support/simulation.h"

namespace sim {
namespace run_queues_test {

// A CPU that pulls a task first charges the running task of the other CPU. If that ends the task's slice,
// the other CPU must reschedule. The trace record of the IPI must name a task.
TEST(RunQueuesTrace, RescheduleIpiNamesTask) {
    for (const char* policy : {"linux-2.6.20", "linux-2.6.24", "linux-2.6.32", "linux-6.6"}) {
        Simulation run(load_scenario("reclamation-ebr"), policy);
        run.go(2s);
        std::size_t asked = 0;
        for (const TraceRecord& r : run.trace.records) {
            if (r.kind != TraceKind::reschedule_ipi) continue;
            ++asked;
            ASSERT_LT(r.other, run.m.globals().high_row) << policy << ", at " << format_time(r.time);
        }
        EXPECT_GT(asked, 0u) << policy;
    }
}

// The remaining slice set by another policy is adopted if it is positive and at most a full slice.
TEST(Linux2620, AdoptsRemainingSliceUpToFullSlice) {
    Simulation run(
        small_scenario(R"({"name": "a", "program": [{"sleep": "1s"}, {"run": "1ms"}]})", {.hz = 1000}),
        "linux-2.6.20");
    run.go(10ms);
    const TaskId p = run.m.first_task();
    for (const auto& [left, taken] : {std::pair{0, 100}, {3, 3}, {99, 99}, {150, 100}}) {
        run.m.counter[p] = left;
        run.policy.policy->adopt(run.m, p);
        EXPECT_EQ(run.m.counter[p], taken) << left;
    }
}

}  // namespace run_queues_test
}  // namespace sim
