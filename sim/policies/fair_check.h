// Checks the run queue of a fair scheduler: its red-black tree, its list of ready tasks and its sums.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/policy.h"
#include "sim/policies/fair_state.h"
#include "sim/policies/run_queues.h"
#include "sim/policies/task_tree.h"

namespace sim::fair {

// Number of black tasks on each path down from p. Returns -1 if the subtree of p is not a red-black
// tree.
template <class Kernel>
int black_height(const Machine& m, TaskId p, TaskId parent) {
    if (p == kNoTask) return 0;
    const TreeNode& n = m.of_task<typename Kernel::Task>(p).node;
    const auto is_red = [&](TaskId q) {
        return q != kNoTask && m.of_task<typename Kernel::Task>(q).node.red != 0;
    };
    if (n.parent != parent || (n.red != 0 && (is_red(n.left) || is_red(n.right)))) return -1;
    const int left = black_height<Kernel>(m, n.left, p), right = black_height<Kernel>(m, n.right, p);
    return left < 0 || left != right ? -1 : left + (n.red != 0 ? 0 : 1);
}

// Appends the tasks of p's subtree to `order`, in tree order.
template <class Kernel>
void append_in_order(const Machine& m, TaskId p, std::vector<TaskId>& order) {
    if (p == kNoTask) return;
    const TreeNode& n = m.of_task<typename Kernel::Task>(p).node;
    append_in_order<Kernel>(m, n.left, order);
    order.push_back(p);
    append_in_order<Kernel>(m, n.right, order);
}

// The broken rule of the run queue of c, as text; empty if all rules hold.
template <class Kernel>
std::string broken_tree_rule(const Machine& m, CpuId c) {
    const auto& q = m.of_cpu<typename Kernel::Queue>(c);
    if (black_height<Kernel>(m, q.root, kNoTask) < 0) return "the tree is not a red-black tree";
    std::vector<TaskId> tree;
    append_in_order<Kernel>(m, q.root, tree);
    std::uint64_t load = 0;
    const TaskId current = m.cpu(c).current;
    const bool runs_one = !m.is_idle_task(current) && is_real_time(m.sched_class[current]);
    std::uint32_t running = 0, real_time = runs_one ? 1 : 0;
    std::size_t place = 0;
    std::int32_t best = 100;
    for (TaskId p = m.next_run[c]; p != c; p = m.next_run[p]) {
        if (task_cpu(m, p) != c) return "a task is on the queue of a CPU other than its recorded CPU";
        if (is_real_time(m.sched_class[p])) {
            ++real_time;
            if (m.rt_priority[p] > best || place > 0) return "real-time tasks are out of order";
            best = m.rt_priority[p];
            continue;
        }
        if (place == tree.size() || tree[place] != p)
            return "the list of ready tasks and the tree have different orders";
        if (place > 0 && Kernel::Rules::before(m.of_task<typename Kernel::Task>(p),
                                               m.of_task<typename Kernel::Task>(tree[place - 1])))
            return "the tasks of the tree are not ordered by vruntime";
        ++place;
        ++running;
        load += Kernel::weight(m, p).w;
    }
    if (place != tree.size()) return "the tree contains tasks that are not on the list of ready tasks";
    const bool is_fair = !m.is_idle_task(current) && !is_real_time(m.sched_class[current]);
    if (q.current != (is_fair ? current : kNoTask))
        return "the task recorded in the queue as running is not the running task";
    if (is_fair) {
        ++running;
        load += Kernel::weight(m, current).w;
    }
    if (q.running != running || q.load != load) return "the task count or the load of the queue is wrong";
    if (m.shape().cpus > 1 && q.real_time_running != real_time)
        return "the real-time task count of the queue is wrong";
    return {};
}

}  // namespace sim::fair
