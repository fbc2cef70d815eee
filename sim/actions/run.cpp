// `run`: compute in user mode for a time, which preemption may spread over several turns.
#include "sim/action.h"
#include "sim/program_reader.h"

namespace sim {
namespace {

void parse(ProgramReader& reader) { reader.emit({.target = reader.duration(reader.argument())}); }

Outcome begin(const ActionContext& c, CpuId, TaskId p, const Step& step) {
    c.m.task[p].remaining = c.scenario.durations[step.target].draw(c.m.task[p].stream);
    c.m.task[p].step = step.next;
    return Outcome::burst;
}

const bool registered = register_action({
    .name = "run",
    .summary = "compute in user mode",
    .argument = "a duration",
    .parse = parse,
    .begin = begin,
    .takes_time = true,
    .is_syscall = false,
    .is_private = true,
});

}  // namespace
}  // namespace sim
