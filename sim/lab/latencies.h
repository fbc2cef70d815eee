// How long tasks waited for a CPU in a run, in all and by the entries of the scenario. The rules are those of
// sim/exchange/waits.h, by which recordings are read.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "sim/core/machine.h"
#include "sim/core/scenario.h"
#include "sim/core/span_histogram.h"
#include "sim/core/trace.h"

namespace sim::lab {

struct LatencySpans {
    SpanHistogram waits;    // from ready to the decision to run it
    SpanHistogram wakeups;  // of these, those that began with a wake-up, that of a new task included
};

// Follows the trace of a run from its beginning. Who is ready then was woken then.
class Latencies {
  public:
    // REQUIRES: the machine stands at time 0, under this scenario.
    Latencies(const Scenario& scenario, const Machine& m);

    void follow(const TraceRecord& record);

    const LatencySpans& all() const { return all_; }
    // By entry of the scenario: of the tasks that belonged to it when they got the CPU.
    const std::vector<LatencySpans>& by_entry() const { return by_entry_; }

  private:
    struct OfTask {
        Nanos since{};
        std::uint32_t entry = 0;
        bool is_ready = false, was_woken = false;
    };
    void becomes_ready(TaskId p, Nanos now, bool woken);

    TaskId first_task_;
    std::vector<OfTask> tasks_;  // by TaskId
    LatencySpans all_;
    std::vector<LatencySpans> by_entry_;
};

// As a summary has it under "latency", where measures look for it: {"all": {"wait", "wakeup"}, "entries":
// {NAME: the same}}. Of what never happened there is only the count.
nlohmann::ordered_json to_json(const Latencies& latencies, const Scenario& scenario);

}  // namespace sim::lab
