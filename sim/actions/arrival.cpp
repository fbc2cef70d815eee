// `arrival`: block until an external event (a request, a key, an interrupt), after a duration.
//
// The time is exact, regardless of the kernel's timers. For a timer of the program itself, use `sleep`.
#include "sim/actions/actions.h"
#include "sim/core/action.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

void parse_arrival(ProgramReader& reader) { reader.emit({.target = reader.duration(reader.argument())}); }

}  // namespace

ActionInfo arrival_action() {
    return {
        .name = "arrival",
        .summary = "block for exactly this time, until an external event: a client, a key, a disk",
        .argument = "a duration",
        .parse = parse_arrival,
        .effect = Effect::arrival,
        .takes_time = true,
        .is_syscall = true,
    };
}

}  // namespace sim
