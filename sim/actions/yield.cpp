// `yield`: call sched_yield(). What that means is the policy's affair.
#include "sim/action.h"
#include "sim/program_reader.h"

namespace sim {
namespace {

void parse(ProgramReader& reader) { reader.emit({}); }

Outcome begin(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    c.m.task[p].step = step.next;
    if (c.statistics != nullptr) c.statistics->yielded(p);
    if (c.trace != nullptr) c.trace->yield(c.m.globals().now, cpu, p);
    if (c.policy.yield(c.m, p)) c.m.set_need_resched(cpu);
    return Outcome::yielded;
}

const bool registered = register_action({
    .name = "yield",
    .summary = "call sched_yield()",
    .argument = "",
    .parse = parse,
    .begin = begin,
    .takes_time = false,
    .is_syscall = true,
});

}  // namespace
}  // namespace sim
