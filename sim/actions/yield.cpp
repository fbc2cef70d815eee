// `yield`: call sched_yield(). What that means is the policy's affair.
#include "sim/action.h"
#include "sim/program_reader.h"

namespace sim {
namespace {

void parse(ProgramReader& reader) { reader.emit({}); }

Outcome begin(const ActionContext& c, const Step&) {
    ++c.m.step[c.p];
    if (c.statistics != nullptr) c.statistics->yielded(c.p);
    if (c.trace != nullptr) c.trace->yield(c.m.globals().now, c.cpu, c.p);
    if (c.policy.yield(c.m, c.p)) c.m.set_need_resched(c.cpu);
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
