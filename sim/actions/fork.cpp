// `fork`: create a task of another task group. A policy with slices decides how much of the parent's
// remaining slice the child gets.
//
// The child starts the program of its group. The child inherits class and priority from its parent, unless
// the group states them. A stated class or priority applies as if the child first called nice() or
// sched_setscheduler(). If the task table is full, the run ends with StopReason::task_limit: programs do not
// check error codes, so continuing the run would give wrong results.
#include "sim/actions/actions.h"
#include "sim/core/action.h"
#include "sim/core/engine.h"
#include "sim/core/jobs.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

void parse_fork(ProgramReader& reader) { reader.emit({.target = reader.group(reader.argument())}); }

Outcome begin_fork(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    const TaskId child = create_task(c.m, c.scenario, step.target, 0, p);
    if (child == kNoTask) return Outcome::full;
    c.m.task[p].step = step.next;
    const Nanos now = c.m.globals().now;
    if (c.statistics != nullptr) {
        ++c.statistics->forks;
        c.statistics->reset_task_row(c.m, child);
    }
    if (c.trace != nullptr) c.trace->fork(now, cpu, child, p, c.m.task[child].group, c.m.task[child].ordinal);
    const bool process = c.m.task[child].mm != kKernelMm && c.m.task[child].mm != c.m.task[p].mm;
    c.charge(cpu, process ? KernelWork::fork_process : KernelWork::fork_thread);
    if (process) {
        const std::uint32_t used = c.scenario.groups[c.m.task[p].group].working_set;
        c.charge(cpu, KernelWork::copied_page, pages_of(used));
    }
    if (c.policy_wants_bursts) c.draw_next_burst_length(child);
    notify_job_parameters(c.policy, c.m, c.scenario, child);
    c.policy.fork(c.m, p, child);
    c.wake_up_process(child, p);
    return Outcome::returned;
}

}  // namespace

ActionInfo fork_action() {
    return {
        .name = "fork",
        .summary = "create a task of another task group, which starts its program",
        .argument = "the name of a task group",
        .parse = parse_fork,
        .begin = begin_fork,
        .takes_time = false,
        .is_syscall = true,
    };
}

}  // namespace sim
