// State of tasks and CPUs under the fair schedulers; used by fair.h, trace replay and the window. Times are
// in ns. While a task of nice 0 runs for 1 ns, its virtual time increases by 1 ns.
#pragma once

#include <cstdint>

#include "sim/core/machine.h"
#include "sim/policies/run_queues.h"
#include "sim/policies/task_tree.h"

namespace sim::fair {

// Lists of the ready real-time tasks of one CPU, one per priority. The running task is on none of these
// lists.
struct RealTimeLists {
    std::uint64_t bits[2];  // bit i is set if the list of rt_priority 99 - i is not empty
    TaskId last[100];       // tail of each list; 0: empty list
    // The task after which the running real-time task will be put back on its list. It is set if the running
    // task has used up its slice or has yielded, and other tasks of its priority were ready. kNoTask: the
    // running task will be put back at the head of its list.
    TaskId put_back_after;
    std::uint32_t unused;
};

// The state of a CPU: fields of struct cfs_rq.
struct RunQueueFields {
    std::int64_t min_vruntime;
    std::int64_t exec_start;  // time up to which `current` has been charged
    std::int64_t ran;         // run time of `current` since it was chosen
    std::uint64_t load;       // sum of the weights of all runnable fair tasks, including the running one
    std::uint32_t running;    // number of runnable fair tasks (nr_running)
    TaskId current;           // the running fair task, or kNoTask
    TaskId root;
    std::uint32_t real_time_running;  // number of runnable real-time tasks; 0 (unused) with one CPU
    RealTimeLists real_time;
    BalanceState balance;
};

// The state of a task: fields of struct sched_entity in 2.6.24.
struct TaskFields2624 {
    std::int64_t vruntime;
    TreeNode node;
};

// The state of a task: fields of struct sched_entity in 2.6.32.
struct TaskFields2632 {
    std::int64_t vruntime;
    std::int64_t total;  // sum_exec_runtime: total run time
    // Value of `total` when this task last woke another task; 0: it has woken none since its last sleep.
    std::int64_t last_wakeup;
    std::int64_t start_runtime;  // value of `total` when this task was last woken
    std::int64_t avg_wakeup;
    TreeNode node;
};
struct RunQueueFields2632 : RunQueueFields {
    TaskId last;  // the buddy: the task that a wake-up preempted; kNoTask: none
    std::uint32_t unused_too;
};

// The state of a task: fields of struct sched_entity in 6.6.
struct TaskFields66 {
    std::int64_t vruntime;
    std::int64_t deadline;  // virtual time at the end of the task's slice
    // For a task that has left its queue to sleep or to move to another CPU: its lag (V - vruntime) at that
    // time. For the running task: the deadline that it had when it was chosen. The kernel also uses one field
    // for both values.
    std::int64_t vlag;
    std::uint32_t weight, inverse;         // Weight (fair_weights.h)
    std::int64_t left_least, right_least;  // earliest deadline in the left and in the right subtree
    TreeNode node;
};
// One cache line per task, because a search visits one task per tree level.
static_assert(sizeof(TaskFields66) == 64);
struct RunQueueFields66 : RunQueueFields {
    std::int64_t sum;        // sum of weight * (vruntime - min_vruntime) over the tree (avg_vruntime)
    std::int64_t tree_load;  // sum of weights over the tree (avg_load)
};

// V of linux-6.6: the average vruntime of the runnable tasks, weighted by their weights and rounded down
// (avg_vruntime()).
std::int64_t avg_vruntime(const Machine& m, CpuId c);

}  // namespace sim::fair
