// `syscall` and `in_kernel`: kernel time that belongs to no other action, such as kernel time found in a
// trace.
//
// Unlike `run`, this time cannot be preempted: need_resched takes effect at its end. The machine's cost of
// a system call is added.
#include "sim/actions/actions.h"
#include "sim/core/action.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

void parse_time_in_kernel(ProgramReader& reader) {
    reader.emit({.target = reader.duration(reader.argument())});
}

void add_kernel_time(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    Task& task = c.m.task[p];
    task.step = step.next;
    const Nanos time = c.scenario.durations[step.target].draw(task.stream);
    c.m.cpu(cpu).pending_work += time;
    if (c.statistics != nullptr) c.statistics->stated += time;
}

Outcome begin_syscall(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    add_kernel_time(c, cpu, p, step);
    return Outcome::returned;
}

Outcome begin_in_kernel(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    add_kernel_time(c, cpu, p, step);
    return Outcome::next;
}

}  // namespace

ActionInfo syscall_action() {
    return {
        .name = "syscall",
        .summary = "spend this time in a system call, in addition to the fixed cost of each system call",
        .argument = "a duration",
        .parse = parse_time_in_kernel,
        .begin = begin_syscall,
        .takes_time = true,
        .is_syscall = true,
    };
}

ActionInfo in_kernel_action() {
    return {
        .name = "in_kernel",
        .summary = "make the next system call take this much longer",
        .argument = "a duration",
        .parse = parse_time_in_kernel,
        .begin = begin_in_kernel,
        .takes_time = true,
        .is_syscall = false,
    };
}

}  // namespace sim
