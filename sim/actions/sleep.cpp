// `sleep`: block until a timer or a device answers after a time.
//
// The time is exact: it stands for whatever the task waits for (a client, a disk, a terminal), not for the
// kernel's timer list, whose resolution is one tick.
#include "sim/actions/actions.h"
#include "sim/core/action.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

void parse_sleep(ProgramReader& reader) { reader.emit({.target = reader.duration(reader.argument())}); }

}  // namespace

ActionInfo sleep_action() {
    return {
        .name = "sleep",
        .summary = "block for a time: a client, a disk, a terminal",
        .argument = "a duration",
        .parse = parse_sleep,
        .effect = Effect::sleep,
        .takes_time = true,
        .is_syscall = true,
    };
}

}  // namespace sim
