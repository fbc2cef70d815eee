// `timer`: the end of a job of a task that is released periodically, which sleeps until its next release.
//
// The first release is the task's start, or its fork, and each one is a period after the one before, however
// late the task comes here: no error adds up. A release that has passed already begins the next job at once,
// or is left out ("late": "drop"). The timer fires as that of `sleep` does: at a tick, unless the machine has
// hrtimers. Then the job begins late, and its deadline is where it was.
#include "sim/actions/actions.h"
#include "sim/core/action.h"
#include "sim/core/jobs.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

void parse_timer(ProgramReader& reader) {
    reader.period(reader.argument());
    reader.emit({});
}

Outcome begin_timer(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    const Globals& g = c.m.globals();
    c.m.task[p].step = step.next;
    release_next_job(c, p);
    const Nanos release = c.m.job[p].release;
    const Nanos end = release > g.now ? c.timers.end_of_sleep(g, release - g.now) : g.now;
    if (end == g.now) {
        if (c.policy.wants_facts()) c.m.set_need_resched(cpu);  // another deadline, another choice
        return Outcome::returned;
    }
    c.sleep_until(cpu, p, end);
    return Outcome::blocked;
}

}  // namespace

ActionInfo timer_action() {
    return {
        .name = "timer",
        .summary = "end the job of this period, and block until the next one begins",
        .argument = "a time, or {\"period\": a time, \"late\": \"drop\"}",
        .parse = parse_timer,
        .begin = begin_timer,
        .takes_time = true,
        .is_syscall = true,
    };
}

}  // namespace sim
