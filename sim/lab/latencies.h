// Waits of tasks for a CPU in a run, in total and by task group. Uses the same rules as
// sim/trace_io/wait_analyzer.h, which analyzes traces.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "sim/core/machine.h"
#include "sim/core/scenario.h"
#include "sim/core/span_histogram.h"
#include "sim/core/trace.h"

namespace sim::lab {

struct LatencyHistograms {
    SpanHistogram waits;    // time from ready to the decision to run the task
    SpanHistogram wakeups;  // the `waits` that began with a wake-up or a task's start
};

// The waits of ready tasks that have not ended: their number, and their total and longest time so far.
struct UnfinishedWaits {
    std::uint64_t count = 0;
    Nanos sum{}, most{};
};

// Measures waits from the trace of a run, which must begin at the start of the run. Tasks that are ready at
// the start count as woken at that time.
class Latencies {
  public:
    // REQUIRES: the machine is at time 0 of this scenario.
    Latencies(const Scenario& scenario, const Machine& m);

    void add_record(const TraceRecord& record);

    const LatencyHistograms& all() const { return all_; }
    // The waits that began before `now` and have not ended, by task group.
    std::vector<UnfinishedWaits> unfinished_waits(Nanos now) const;
    // The waits by task group. A wait belongs to the task's group at the time when the task gets the CPU.
    const std::vector<LatencyHistograms>& by_group() const { return by_group_; }

  private:
    struct TaskStats {
        Nanos since{};
        std::uint32_t group = 0;
        bool is_ready = false, was_woken = false;
    };
    void mark_ready(TaskId p, Nanos now, bool woken);

    TaskId first_task_;
    std::vector<TaskStats> tasks_;  // by TaskId
    LatencyHistograms all_;
    std::vector<LatencyHistograms> by_group_;
};

// The unfinished waits of all groups together.
UnfinishedWaits total(const std::vector<UnfinishedWaits>& groups);

// The JSON value of the key "latency" in a summary: {"all": {"wait", "wakeup", "waiting_at_end"}, "entries":
// {name of a task group: an object with the same keys as "all"}}. An empty histogram is {"count": 0}. `now`
// is the end of the run.
nlohmann::ordered_json to_json(const Latencies& latencies, const Scenario& scenario, Nanos now);

}  // namespace sim::lab
