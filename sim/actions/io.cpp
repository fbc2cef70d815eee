// `io`: block until a device has served a request. It serves so many at a time, in the order in which they
// come; how long each takes is drawn from the random numbers of the task that asks, when it asks.
#include "sim/actions/actions.h"
#include "sim/core/action.h"
#include "sim/core/wait_table.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

void parse_io(ProgramReader& reader) { reader.emit({.target = reader.device(reader.argument())}); }

Outcome begin_io(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    Task& task = c.m.task[p];
    task.step = step.next;
    c.charge(cpu, KernelWork::io);
    // Drawn now, whoever is served before: what a task draws is nobody else's affair.
    const Nanos service = c.scenario.durations[c.scenario.channels[step.target].service].draw(task.stream);
    if (c.m.channel(step.target).tokens > 0) {
        c.begin_service(cpu, p, step.target, service);
    } else {
        c.wait_on(cpu, p, step.target);
        task.wake_at = service;
    }
    return Outcome::blocked;
}

}  // namespace

ActionInfo io_action() {
    return {
        .name = "io",
        .summary = "block until a device has served a request",
        .argument = "a device's name",
        .parse = parse_io,
        .begin = begin_io,
        .takes_time = true,
        .is_syscall = true,
    };
}

}  // namespace sim
