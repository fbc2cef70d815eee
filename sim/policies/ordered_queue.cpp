#include "sim/policies/ordered_queue.h"

#include <algorithm>
#include <vector>

#include "sim/policies/recalculation.h"

namespace sim {
namespace {

using CounterRules = Linux20Rules::CounterRules;

// p's row in the index; kNoLevel if p is not on the list.
std::int32_t row_of(const Machine& m, TaskId p) {
    if (m.next_run[p] == kNoTask) return ReadyIndex::kNoLevel;
    return !is_real_time(m.sched_class[p]) ? m.counter[p] : ReadyIndex::kRealTime;
}

// Like recalculate_all(), but only for the tasks in the index, which move to new rows. All other tasks are
// recalculated when they wake.
void recalculate_queued(Machine& m) {
    m.ready.count_recalculation_of_queued();
    m.ready.rebuild_levels([&](TaskId p) {
        m.counter[p] = (m.counter[p] >> 1) + CounterRules::grant(m.priority[p]);
        return row_of(m, p);
    });
}

}  // namespace

std::uint32_t OrderedQueue::recalculate(Decision& decision, DecisionLog* log) {
    count_recalculation(m_, decision);
    m_.ready.is_live() ? recalculate_queued(m_) : recalculate_all<CounterRules>(m_, log);
    return reorder();
}

// Restores the order after a recalculation by a stable distribution sort on the level, with one queue step
// per task. With one CPU, all ready tasks had the counter 0, so each counter now equals the priority. With
// several CPUs, the queue can contain tasks that may not run on the CPU of this schedule(): tasks with larger
// counters, and real-time tasks.
std::uint32_t OrderedQueue::reorder() {
    constexpr std::size_t kSlices = 81;                                  // counters 0 to 80
    constexpr std::size_t kMostLevels = kSlices + 100;                   // plus rt_priority 0 to 99
    const std::size_t levels = m_.shape().cpus == 1 ? 41 : kMostLevels;  // one CPU: counters 0 to 40
    TaskId first[kMostLevels], last[kMostLevels];
    std::fill(first, first + levels, kNoTask);
    std::uint32_t steps = 0;
    while (!list_.empty()) {
        const TaskId p = list_.first();
        list_.remove(p);
        const bool real_time = is_real_time(m_.sched_class[p]);
        const std::size_t level = real_time ? kSlices + static_cast<std::size_t>(m_.rt_priority[p])
                                            : static_cast<std::size_t>(m_.counter[p]);
        assert(level < levels);
        // While tasks are not on the list, prev_run links the tasks of a level.
        if (first[level] == kNoTask)
            first[level] = p;
        else
            m_.prev_run[last[level]] = p;
        last[level] = p;
        m_.prev_run[p] = kNoTask;
        ++steps;
    }
    for (std::size_t level = levels; level-- > 0;) {
        for (TaskId p = first[level]; p != kNoTask;) {
            const TaskId following = m_.prev_run[p];
            list_.add_last(p);
            p = following;
        }
    }
    return steps;
}

// Inserts p. Computes the length of the walk from the numbers of tasks in the rows of the index. Only among
// fifo and rr tasks is the position found by a real walk.
std::uint32_t OrderedQueue::insert_by_index(TaskId p) {
    ReadyIndex& ready = m_.ready;
    const bool real_time = is_real_time(m_.sched_class[p]);
    const std::int32_t its = real_time ? ReadyIndex::kRealTime : m_.counter[p];
    const std::int32_t lower = ready.highest_level(its);
    const TaskId below = lower == ReadyIndex::kNoLevel ? kInitTask : ready.first(lower);
    std::uint32_t lower_tasks = 0, higher_tasks = 0;
    if (from_tail_)
        for (std::int32_t l = lower; l != ReadyIndex::kNoLevel; l = ready.highest_level(l))
            lower_tasks += ready.selectable_count(l);
    else
        for (std::int32_t l = ready.highest_level(); l > its; l = ready.highest_level(l))
            higher_tasks += ready.selectable_count(l);

    WalkResult found{};
    if (real_time) {
        found = walk_to_place(p, below);
        if (from_tail_) found.steps += lower_tasks;
    } else {
        const std::uint32_t behind = ready.count_from_place(its, ready.place(p));
        found.place = behind > 0 ? ready.first(its, ready.place(p)) : below;
        // One more step compares p with the next task in the direction of the walk, if there is one.
        if (from_tail_)
            found.steps = lower_tasks + behind + (m_.prev_run[found.place] != kInitTask ? 1 : 0);
        else
            found.steps =
                higher_tasks + ready.selectable_count(its) - behind + (found.place != kInitTask ? 1 : 0);
    }
    list_.insert_before(found.place, p);
    ready.make_selectable(p, its);
    return found.steps;
}

void OrderedQueue::build_index() {
    std::vector<TaskId> tasks;
    for (TaskId p = m_.first_task(); p < m_.globals().high_row; ++p)
        if (m_.next_run[p] != kNoTask || m_.task[p].processor != Task::kNoProcessor) tasks.push_back(p);
    std::sort(tasks.begin(), tasks.end(),
              [&](TaskId a, TaskId b) { return m_.sequence[a] < m_.sequence[b]; });
    m_.ready.build(
        {.tasks = m_.shape().cpus + m_.shape().tasks, .cpus = 1, .mms = 0, .grant = CounterRules::grant});
    for (const TaskId p : tasks) {
        m_.ready.add_last(p);
        if (row_of(m_, p) != ReadyIndex::kNoLevel) m_.ready.make_selectable(p, row_of(m_, p));
    }
}

void OrderedQueue::drop_index() {
    apply_all_missed_recalculations(m_);
    m_.ready.drop();
}

}  // namespace sim
