// `yield`: call sched_yield(). The policy defines the effect of the call.
#include "sim/actions/actions.h"
#include "sim/core/action.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

void parse_yield(ProgramReader& reader) { reader.emit({}); }

}  // namespace

ActionInfo yield_action() {
    return {
        .name = "yield",
        .summary = "call sched_yield()",
        .argument = "",
        .parse = parse_yield,
        .effect = StepEffect::yield,
        .takes_time = false,
        .is_syscall = true,
    };
}

}  // namespace sim
