#include "sim/policies/real_time_queue.h"

#include <algorithm>

#include "sim/core/run_queue.h"

namespace sim::fair {

std::int32_t rr_slice(const Machine& m) {
    return std::max(static_cast<std::int32_t>(std::uint64_t{100} * m.shape().hz / 1000), 1);
}

void RealTimeQueue::insert(TaskId p, TaskId after) const {
    const std::uint32_t i = list_index(p);
    RunQueue(m_, cpu_).insert_before(m_.next_run[after], p);
    if (!has_tasks(i) || lists_.last[i] == after) lists_.last[i] = p;
    lists_.bits[i / 64] |= std::uint64_t{1} << (i % 64);
}

void RealTimeQueue::enqueue(TaskId p) const {
    const std::uint32_t i = list_index(p);
    insert(p, has_tasks(i) ? lists_.last[i] : last_of_better_lists(i));
}

void RealTimeQueue::put_back(TaskId p) const {
    const TaskId after = lists_.put_back_after;
    insert(p, after != kNoTask ? after : last_of_better_lists(list_index(p)));
}

// The tail of the last non-empty list with a better priority than list `own_list`. If there is none, the head
// of the CPU's run queue.
TaskId RealTimeQueue::last_of_better_lists(std::uint32_t own_list) const {
    for (std::uint32_t list = own_list; list-- > 0;)
        if (has_tasks(list)) return lists_.last[list];
    return cpu_;
}

void RealTimeQueue::dequeue(TaskId p) const {
    const std::uint32_t i = list_index(p);
    const TaskId before = m_.prev_run[p];
    const bool is_first = before == cpu_ || list_index(before) != i;
    // The condition can be true if another CPU pulls p.
    if (lists_.put_back_after == p) lists_.put_back_after = is_first ? kNoTask : before;
    if (lists_.last[i] == p) {
        lists_.last[i] = is_first ? 0 : before;
        if (is_first) lists_.bits[i / 64] &= ~(std::uint64_t{1} << (i % 64));
    }
    RunQueue(m_, cpu_).remove(p);
}

bool RealTimeQueue::tick(TaskId p) const {
    if (m_.sched_class[p] != SchedClass::rr || --m_.counter[p] > 0) return false;
    m_.counter[p] = rr_slice(m_);
    if (!has_tasks(list_index(p))) return false;
    lists_.put_back_after = lists_.last[list_index(p)];
    return true;
}

void RealTimeQueue::yield(TaskId p) const {
    if (has_tasks(list_index(p))) lists_.put_back_after = lists_.last[list_index(p)];
}

}  // namespace sim::fair
