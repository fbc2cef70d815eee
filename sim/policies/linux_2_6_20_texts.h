// The pseudo-code of linux-2.6.20, and its reasons for preempting.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "sim/core/policy.h"
#include "sim/policies/linux_2_6_20.h"
#include "sim/policies/linux_2_6_20_slices.h"
#include "sim/policies/reasons.h"

namespace sim::o1 {

inline const std::vector<PseudoLine> kPseudoCode{
    {Phase::enter, 0, "a system call, or an interrupt and need_resched, leads here"},
    {Phase::yield, 1, "sched_yield(): tail of its list, in the expired array (rt: in the active)"},
    {Phase::place_woken, 1, "woken, expired or yielding task: off one list, onto another"},
    {Phase::begin, 0, "compute prev's run time, less with a bonus: deducted after the pick"},
    {Phase::leave, 1, "prev is no longer runnable? out of its array"},
    {Phase::find_bit, 0, "the active array is empty? the expired one becomes it"},
    {Phase::find_bit, 0, "the first bit of this CPU's bitmap names the best list: 0 to 99 rt, then others"},
    {Phase::consider, 0, "look at the head of that list"},
    {Phase::keep, 1, "it runs: no other task is examined"},
    {Phase::keep, 1, "just woken, not rt? its wait counts as sleep, too; compute its prio"},
    {Phase::switch_context, 0, "it is not prev? save prev's context, load its own"},
    {Phase::switch_mm, 1, "no mm? it borrows prev's; another mm? load its page tables, flush the TLB"},
    {Phase::resume, 0, "it runs, or the idle task if there is none"},
};

inline std::string wake_reason(const Machine& m, TaskId woken, TaskId current, bool needs_resched,
                               const TaskNamer& name) {
    const std::int32_t own = m.of_task<TaskFields>(woken).prio, theirs = m.of_task<TaskFields>(current).prio;
    const ParentTask parent = m.parent[woken];
    const bool is_forked_here = m.task[woken].last_processor == Task::kNoProcessor && parent.pid != 0 &&
                                m.is_live(parent.row) && m.task[parent.row].pid == parent.pid &&
                                task_cpu(m, parent.row) == task_cpu(m, woken);
    if (is_forked_here)
        return needs_resched ? "a fork of a process always asks for a schedule()"
                             : "a new thread does not ask for a schedule()";
    return fmt::format("{}'s prio {} is {}better than {}'s {} (lower is better)", name(woken), own,
                       own < theirs ? "" : "not ", name(current), theirs);
}

inline std::string tick_reason(const Machine& m, TaskId p, bool needs_resched, const TaskNamer& name) {
    if (!needs_resched)
        return m.sched_class[p] == SchedClass::fifo
                   ? fmt::format("{} is of class fifo, which has no slice", name(p))
                   : ticks_left_reason(m.counter[p]);
    if (!is_in_active_array(m, p))
        return fmt::format("{}'s slice is used up: it is in the expired array", name(p));
    return m.counter[p] == full_slice(m, p)
               ? fmt::format("{}'s slice is used up; it gets a new one in the active array", name(p))
               : fmt::format("{}'s turn among the interactive tasks of its prio is over", name(p));
}

}  // namespace sim::o1
