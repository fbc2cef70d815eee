// `timer`: end the job of a periodic task, which then sleeps until its next release.
//
// The first release is the start or fork of the task. Each later release is one period after the previous
// release, even if the task is late, so errors do not add up. If the release has already passed, the next job
// starts at once or is skipped ("late": "drop"). Like the timer of `sleep`, this timer fires at a tick unless
// the machine has hrtimers. A job that starts late because of the tick keeps its deadline.
#include "sim/actions/actions.h"
#include "sim/core/action.h"
#include "sim/core/jobs.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

void parse_timer(ProgramReader& reader) {
    reader.read_period(reader.argument());
    reader.emit({});
}

Outcome begin_timer(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    const Globals& g = c.m.globals();
    c.m.task[p].step = step.next;
    release_next_job(c, p);
    const Nanos release = c.m.job[p].release;
    const Nanos end = release > g.now ? c.timers.end_of_sleep(g, release - g.now) : g.now;
    if (end == g.now) {
        // The next job has another deadline, which may change the policy's choice.
        if (c.policy.needs_job_parameters()) c.m.set_need_resched(cpu, ReschedCause::new_job);
        return Outcome::returned;
    }
    c.sleep_until(cpu, p, end);
    return Outcome::blocked;
}

}  // namespace

ActionInfo timer_action() {
    return {
        .name = "timer",
        .summary = "end the job of this period, and block until the next period starts",
        .argument = "a time, or {\"period\": a time, \"late\": \"drop\"}",
        .parse = parse_timer,
        .begin = begin_timer,
        .takes_time = true,
        .is_syscall = true,
    };
}

}  // namespace sim
