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

Outcome begin(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    const Nanos now = c.m.globals().now;
    const Nanos time = c.scenario.durations[step.target].draw(c.m.task[p].stream);
    c.m.task[p].wake_at = std::min(now + time, kHorizon);
    c.m.task[p].state = TaskState::interruptible;
    c.m.events().push(EventQueue::key(c.m.task[p].wake_at, p));
    c.m.task[p].step = step.next;
    if (c.trace != nullptr) c.trace->sleep(now, cpu, p);
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
