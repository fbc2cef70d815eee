// `exit`: the task ends. A program that runs past its last program step exits, too.
#include "sim/actions/actions.h"
#include "sim/core/action.h"
#include "sim/core/jobs.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

void parse_exit(ProgramReader& reader) {
    reader.note_end_of_task();
    reader.emit({});
}

Outcome begin_exit(const ActionContext& c, CpuId cpu, TaskId p, const Step&) {
    if (c.statistics != nullptr) {
        ++c.statistics->exits;
        count_last_job(c, p);
    }
    if (c.trace != nullptr) c.trace->exit(c.m.globals().now, cpu, p);
    c.charge(cpu, KernelWork::exit);
    return Outcome::exited;
}

}  // namespace

ActionInfo exit_action() {
    return {
        .name = "exit",
        .summary = "end the task",
        .argument = "",
        .parse = parse_exit,
        .begin = begin_exit,
        .takes_time = true,  // prevents an error for an endless loop that takes no time: `exit` ends the loop
        .is_syscall = true,
    };
}

}  // namespace sim
