// The run queue of a CPU under a fair policy, for the pane RUN QUEUE: the tasks ordered by vruntime,
// including the running task. For linux-6.6, also eligibility, deadline and lag.
#pragma once

#include <string>
#include <vector>

#include "sim/policies/virtual_times.h"
#include "ui/view/queue_moment.h"

namespace ui {

// The kernel whose fair policy is in effect at `moment`; `none` if the policy is not fair.
sim::fair::FairKernel fair_kernel(const Run& run, const QueueMoment& moment);

// A task of a fair queue. Times are in ns, relative to min_vruntime.
struct FairRow {
    sim::TaskId task = sim::kNoTask;
    std::int64_t vruntime = 0;
    std::int64_t deadline = 0;  // linux-6.6 only
    std::int64_t lag = 0;       // FairQueue::average - vruntime; positive: the task is owed CPU time
    std::uint32_t weight = 0;
    bool running = false;   // has the CPU, so it is not in the tree
    bool leftmost = false;  // first in the tree
    bool buddy = false;     // the task that a woken task has preempted: `last` of linux-2.6.32

    bool eligible() const { return lag >= 0; }
};

struct FairQueue {
    sim::CpuId cpu = 0;
    bool has_deadlines = false;  // linux-6.6: average, deadlines and lags are valid
    std::int64_t min_vruntime = 0;
    std::int64_t average = 0;            // V; tasks with vruntime <= V are eligible
    std::vector<FairRow> rows;           // in tree order; the running task is first among equal vruntimes
    std::vector<sim::TaskId> real_time;  // waiting real-time tasks, highest rt_priority first
    // The running task, which may be a real-time task. kNoTask: idle, or prev has been put back and no task
    // is chosen yet.
    sim::TaskId running = sim::kNoTask;

    // The waiting tasks, in the order of the machine's run queue.
    std::vector<sim::TaskId> waiting() const;
};

// The fair queue of a CPU. REQUIRES: `kernel` is fair_kernel() at `moment` and is not `none`.
FairQueue fair_queue(const QueueMoment& moment, sim::CpuId cpu, sim::fair::FairKernel kernel);

// A time in ms with its sign and three decimals, rounded towards 0: "+12.345 ms", "-0.001 ms".
std::string signed_ms_text(std::int64_t ns);

// Returns "eligible" or "not eligible".
const char* eligible_word(const FairRow& row);
// The lag in words: "is owed 0.250 ms", "has received 0.250 ms more than its share", or
// "has received its exact share".
std::string lag_text(std::int64_t lag);

// The smallest round step (1, 2 or 5 times a power of ten) that divides an axis of this length into at most
// `most_steps` steps.
std::int64_t smallest_round_step(std::int64_t length, int most_steps);

// The range of an axis that shows the virtual times of all tasks and, if there are deadlines, the deadlines,
// V and min_vruntime. The range is widened to whole steps. Up to a quarter of the tasks are left out if they
// are so far away that the other tasks would be drawn close together.
struct VirtualTimeRange {
    std::int64_t begin = 0, end = 0, step = 0;
};
VirtualTimeRange virtual_time_range(const FairQueue& queue, int most_steps);

}  // namespace ui
