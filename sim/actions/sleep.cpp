// `sleep`: block until a timer or a device answers after a time.
//
// The time is exact: it stands for whatever the task waits for (a client, a disk, a terminal), not for the
// kernel's timer list, whose resolution is one tick.
#include <algorithm>

#include "sim/action.h"
#include "sim/program_reader.h"

namespace sim {
namespace {

void parse(ProgramReader& reader) { reader.emit({.target = reader.duration(reader.argument())}); }

Outcome begin(const ActionContext& c, const Step& step) {
    const Nanos now = c.m.globals().now;
    const Nanos time = c.scenario.durations[step.target].draw(c.m.stream[c.p]);
    c.m.wake_at[c.p] = std::min(now + time, kHorizon);
    c.m.state[c.p] = TaskState::interruptible;
    c.m.events().push(EventQueue::key(c.m.wake_at[c.p], c.p));
    ++c.m.step[c.p];
    if (c.trace != nullptr) c.trace->sleep(now, c.cpu, c.p);
    return Outcome::blocked;
}

const bool registered = register_action({
    .name = "sleep",
    .summary = "block for a time: a client, a disk, a terminal",
    .argument = "a duration",
    .parse = parse,
    .begin = begin,
    .takes_time = true,
    .is_syscall = true,
});

}  // namespace
}  // namespace sim
