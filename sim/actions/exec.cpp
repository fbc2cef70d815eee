// `exec`: start the program of another task group in a new address space (execve).
//
// The task keeps its pid, class and priority. Its name, working set and program become those of the group. If
// the task was a thread, the other threads of its process keep the old address space.
#include "sim/actions/actions.h"
#include "sim/core/action.h"
#include "sim/core/address_space.h"
#include "sim/core/jobs.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

void parse_exec(ProgramReader& reader) {
    reader.note_exec();
    reader.emit({.target = reader.group(reader.argument(), false)});
}

Outcome begin_exec(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    Task& task = c.m.task[p];
    const TaskGroup& before = c.scenario.groups[task.group];
    const TaskGroup& group = c.scenario.groups[step.target];
    task.group = static_cast<std::uint16_t>(step.target);
    task.ordinal = task.pid;
    task.step = group.program;
    notify_job_parameters(c.policy, c.m, c.scenario, p);
    exec_mm(c.m, cpu, p);
    if (c.residency.is_modelled()) {
        c.residency.remove_entries(c.m, p);
        // The returned cost of refilling the TLB and the cache is ignored. The machine's costs `exec` and
        // `loaded_page` include this cost.
        c.residency.refill_entries(c.m, cpu, p);
    }
    if (c.statistics != nullptr) ++c.statistics->tlb_flushes;
    if (c.trace != nullptr) c.trace->exec(c.m.globals().now, cpu, p, task.group, task.ordinal, task.mm);
    c.charge(cpu, KernelWork::exec);
    c.charge(cpu, KernelWork::loaded_page, pages_of(group.working_set));
    const bool has_other_deadlines = c.policy.needs_job_parameters() &&
                                     (before.deadline != group.deadline || before.period != group.period);
    if (has_other_deadlines)
        c.m.set_need_resched(cpu, ReschedCause::deadline);
    else if (c.m.shape().cpus > 1 && c.policy.exec(c.m, p))
        c.m.set_need_resched(cpu, ReschedCause::exec);
    return Outcome::returned;
}

}  // namespace

ActionInfo exec_action() {
    return {
        .name = "exec",
        .summary = "start the program of another task group, in a new address space",
        .argument = "the name of a task group",
        .parse = parse_exec,
        .begin = begin_exec,
        .takes_time = false,
        .is_syscall = true,
    };
}

}  // namespace sim
