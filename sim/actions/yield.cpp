// `yield`: call sched_yield(). What that means is the policy's affair.
#include "sim/action.h"
#include "sim/program_reader.h"

namespace sim {
namespace {

void parse(ProgramReader& reader) { reader.emit({}); }

const bool registered = register_action({
    .name = "yield",
    .summary = "call sched_yield()",
    .argument = "",
    .parse = parse,
    .effect = Effect::yield,
    .takes_time = false,
    .is_syscall = true,
});

}  // namespace
}  // namespace sim
