// What the fair schedulers keep of tasks and CPUs: for their own files (fair.h), for replays of recordings
// and for a window. All times are in ns; virtual ones are those of a task of nice 0.
#pragma once

#include <cstdint>

#include "sim/core/machine.h"
#include "sim/policies/run_queues.h"
#include "sim/policies/task_tree.h"

namespace sim::fair {

// The lists of ready real-time tasks of one CPU: who runs is not on it.
struct RealTimeLists {
    std::uint64_t bits[2];  // which priorities have tasks, the best (rt_priority 99) first
    TaskId last[100];       // the tail of each list; 0 of an empty one
    TaskId behind;          // whom the running task is to stand behind, its turn being over; or kNoTask
    std::uint32_t unused;
};

// Of struct cfs_rq. A task's own share is its weight; `load` is the sum of all.
struct QueueOf {
    std::int64_t min_vruntime;
    std::int64_t exec_start;          // until when `current` has been charged
    std::int64_t ran;                 // by `current` since it was chosen
    std::uint64_t load;               // the weights of all runnable fair tasks, the running one included
    std::uint32_t running;            // how many that are (nr_running)
    TaskId current;                   // the fair task that runs, or kNoTask
    TaskId root;                      // of the tree
    std::uint32_t real_time_running;  // real-time tasks that are runnable; with one CPU nobody asks: 0
    RealTimeLists real_time;
    Balance balance;
};

// Of struct sched_entity of 2.6.24.
struct TaskOf2624 {
    std::int64_t vruntime;
    TreeNode node;
};

// And of 2.6.32.
struct TaskOf2632 {
    std::int64_t vruntime;
    std::int64_t total;  // sum_exec_runtime: all that it has run
    std::int64_t woke;   // last_wakeup: `total` when it last woke somebody; 0: not since it last slept
    std::int64_t began;  // start_runtime: `total` when it was woken
    std::int64_t avg_wakeup;
    TreeNode node;
};
struct QueueOf2632 : QueueOf {
    TaskId last;  // the buddy: whom a wake-up preempted; kNoTask for none
    std::uint32_t unused_too;
};

// And of 6.6.
struct TaskOf66 {
    std::int64_t vruntime;
    std::int64_t deadline;  // virtual, too
    // Of a task that sleeps its lag, how far behind the average it was when it left; of one that runs the
    // deadline that it was chosen with. The kernel, too, has one place for both.
    std::int64_t vlag;
    std::uint32_t weight, inverse;         // fair.h
    std::int64_t left_least, right_least;  // the earliest deadline in the subtree on that side
    TreeNode node;
};
static_assert(sizeof(TaskOf66) == 64);  // a cache line: a search looks at one for each level of the tree
struct QueueOf66 : QueueOf {
    std::int64_t sum;        // of weight * (vruntime - min_vruntime) over the tree (avg_vruntime)
    std::int64_t tree_load;  // the weights there (avg_load)
};

// V of linux-6.6: the average vruntime of the runnable tasks by weight, rounded down (avg_vruntime()).
std::int64_t avg_vruntime(const Machine& m, CpuId c);

}  // namespace sim::fair
