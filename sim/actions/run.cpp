// `run`: compute in user mode for a duration. Preemption may interrupt the computation.
#include "sim/actions/actions.h"
#include "sim/core/action.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

void parse_run(ProgramReader& reader) { reader.emit({.target = reader.duration(reader.argument())}); }

}  // namespace

ActionInfo run_action() {
    return {
        .name = "run",
        .summary = "compute in user mode",
        .argument = "a duration",
        .parse = parse_run,
        .effect = StepEffect::compute,
        .takes_time = true,
        .is_syscall = false,
    };
}

}  // namespace sim
