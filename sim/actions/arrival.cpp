// `arrival`: block until an external event (a request, a key, an interrupt), which happens after a specified
// duration.
//
// The event happens at the exact time, not at a tick. For a timer that the program itself sets, use `sleep`.
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
        .summary = "block until an external event (a client, a key, a disk) after exactly this time",
        .argument = "a duration",
        .parse = parse_arrival,
        .effect = StepEffect::arrival,
        .takes_time = true,
        .is_syscall = true,
    };
}

}  // namespace sim
