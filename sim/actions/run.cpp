// `run`: compute in user mode for a time, which preemption may spread over several turns.
#include "sim/action.h"
#include "sim/program_reader.h"

namespace sim {
namespace {

void parse(ProgramReader& reader) { reader.emit({.target = reader.duration(reader.argument())}); }

const bool registered = register_action({
    .name = "run",
    .summary = "compute in user mode",
    .argument = "a duration",
    .parse = parse,
    .effect = Effect::compute,
    .takes_time = true,
    .is_syscall = false,
});

}  // namespace
}  // namespace sim
