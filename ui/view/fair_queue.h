// A CPU's run queue under a fair policy, as RUN QUEUE shows it: its tasks by vruntime, the running one among
// them, and for linux-6.6 who is eligible, until when, and by how much.
#pragma once

#include <string>
#include <vector>

#include "sim/policies/virtual_times.h"
#include "ui/view/queue_moment.h"

namespace ui {

// Which kernel's, by the policy of that moment; none when it is not a fair one.
sim::fair::FairKernel fair_kernel(const Run& run, const QueueMoment& moment);

// Times in ns, told by how far they are ahead of min_vruntime.
struct FairRow {
    sim::TaskId task = sim::kNoTask;
    std::int64_t vruntime = 0;
    std::int64_t deadline = 0;  // of linux-6.6
    std::int64_t lag = 0;       // V - vruntime
    std::uint32_t weight = 0;
    bool running = false;   // not in the tree
    bool leftmost = false;  // of the tree
    bool buddy = false;     // gave way to a wake-up (linux-2.6.32)

    bool eligible() const { return lag >= 0; }
};

struct FairQueue {
    sim::CpuId cpu = 0;
    bool has_deadlines = false;  // linux-6.6: V, deadlines and lags mean something
    std::int64_t min_vruntime = 0;
    std::int64_t average = 0;            // V: the eligible line
    std::vector<FairRow> rows;           // in the tree's order, the running task before the first that is not
                                         // behind it
    std::vector<sim::TaskId> real_time;  // that wait, the best first
    sim::TaskId running = sim::kNoTask;  // of whatever class; kNoTask: nobody but the idle task, or prev has
                                         // been put back and nobody is chosen yet

    // The waiting ones, as the machine lists them.
    std::vector<sim::TaskId> waiting() const;
};

// REQUIRES: `kernel` is that moment's, and not none.
FairQueue fair_queue(const QueueMoment& moment, sim::CpuId cpu, sim::fair::FairKernel kernel);

// "+12.345 ms", "-0.001 ms": exact to the microsecond, rounded towards 0.
std::string signed_ms(std::int64_t ns);

// "eligible", "not eligible"
const char* eligible_word(const FairRow& row);
// "has 0.250 ms to get", "has had 0.250 ms too much", "has had its share".
std::string lag_words(std::int64_t lag);

// A round distance between marks on an axis of this length, of which there are to be `most` at most: 1, 2 or
// 5 times a power of ten.
std::int64_t round_step(std::int64_t length, int most);

// What an axis shows: from the least of the virtual times to the greatest, deadlines, V and min_vruntime
// included, widened to whole steps. A few tasks that are so far out that all others would be in one place are
// left out, at most a quarter of them.
struct VirtualRange {
    std::int64_t begin = 0, end = 0, step = 0;
};
VirtualRange virtual_range(const FairQueue& queue, int most_steps);

}  // namespace ui
