// `io`: block until a device has served a request. A device serves up to `capacity` requests at the same
// time; it begins them in the order of their arrival. The service time is drawn from the random numbers of
// the requesting task at the time of the request.
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
    const ChannelSpec& device = c.scenario.channels[step.target];
    if (c.statistics != nullptr && device.is_uninterruptible()) c.statistics->io_wait_began(cpu);
    c.charge(cpu, KernelWork::io);
    // The service time is drawn now, not when the service starts, so that the random numbers of a task do
    // not depend on other tasks.
    const Nanos service = c.scenario.durations[device.service].draw(task.stream);
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
