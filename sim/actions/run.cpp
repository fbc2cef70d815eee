// `run`: compute in user mode for a time, which preemption may spread over several turns.
#include "sim/action.h"
#include "sim/program_reader.h"

namespace sim {
namespace {

void parse(ProgramReader& reader) { reader.emit({.target = reader.duration(reader.argument())}); }

Outcome begin(const ActionContext& c, const Step& step) {
    c.m.remaining[c.p] = c.scenario.durations[step.target].draw(c.m.stream[c.p]);
    ++c.m.step[c.p];
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
});

}  // namespace
}  // namespace sim
