// `sleep`: nanosleep(), or select() with only a timeout. The timer fires at a tick unless the machine has
// hrtimers (tick_timers.h).
#include "sim/actions/actions.h"
#include "sim/core/action.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

void parse_sleep(ProgramReader& reader) { reader.emit({.target = reader.duration(reader.argument())}); }

Outcome begin_sleep(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    Task& task = c.m.task[p];
    const Nanos span = c.scenario.durations[step.target].draw(task.stream);
    const Nanos end = c.timers.end_of_sleep(c.m.globals(), span);
    task.step = step.next;
    if (end == c.m.globals().now) {  // the sleep is over at once, so schedule() finds the task runnable
        c.m.set_need_resched(cpu, ReschedCause::sleep_over);
        return Outcome::returned;
    }
    c.sleep_until(cpu, p, end);
    return Outcome::blocked;
}

}  // namespace

ActionInfo sleep_action() {
    return {
        .name = "sleep",
        .summary =
            "set a timer and block until the timer fires (at a tick, or at its exact time if the machine "
            "has hrtimers)",
        .argument = "a duration",
        .parse = parse_sleep,
        .begin = begin_sleep,
        .takes_time = true,
        .is_syscall = true,
    };
}

}  // namespace sim
