// `arrival_at`: block until an external event, such as a request, that happens at a specified time of the
// run. If this time has passed, the task does not block, because the request is already waiting for it.
#include <algorithm>

#include "sim/actions/actions.h"
#include "sim/core/action.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

void parse_arrival_at(ProgramReader& reader) { reader.emit({.target = reader.duration(reader.argument())}); }

Outcome begin_arrival_at(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    Task& task = c.m.task[p];
    task.step = step.next;
    const Nanos now = c.m.globals().now;
    const Nanos at = std::min(c.scenario.durations[step.target].draw(task.stream), kHorizon);
    if (at <= now) return Outcome::returned;
    task.wake_at = at;
    task.state = TaskState::interruptible;
    c.m.events().push(EventQueue::key(at, p));
    if (c.statistics != nullptr) c.statistics->fell_asleep(p, now, c.statistics->arrivals);
    if (c.trace != nullptr) c.trace->sleep(now, cpu, p);
    return Outcome::blocked;
}

}  // namespace

ActionInfo arrival_at_action() {
    return {
        .name = "arrival_at",
        .summary =
            "block until an external event at this time of the run; do not block if this time is in "
            "the past",
        .argument = "a time",
        .parse = parse_arrival_at,
        .begin = begin_arrival_at,
        .takes_time = false,
        .is_syscall = true,
    };
}

}  // namespace sim
