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
        count_job_at_exit(c, p);
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
        // `exit` need not take time, but it ends every loop. With `true`, the loader accepts an endless loop
        // that contains `exit` and no step that takes time.
        .takes_time = true,
        .is_syscall = true,
    };
}

}  // namespace sim
