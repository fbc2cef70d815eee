// `arrival`: block until something comes from outside: a request, a key, an answer, an interrupt in any case.
//
// The time is exact, whatever the kernel's timers are: it is the other side's. A program that sets itself a
// time has `sleep`.
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
        .summary =
            "block until something comes from outside, after exactly this time: a client, a key, a disk",
        .argument = "a duration",
        .parse = parse_arrival,
        .effect = Effect::arrival,
        .takes_time = true,
        .is_syscall = true,
    };
}

}  // namespace sim
