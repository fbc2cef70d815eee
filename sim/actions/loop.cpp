// `loop`: repeat program steps N times, or forever.
//
// A loop adds two program steps: the first sets the loop counter of its nesting depth; the last decrements
// this counter and jumps back. The counters are columns of the task table, one per depth. In an endless loop,
// the last step is never executed, because the step before the last one links to the first step of the body.
#include "sim/actions/actions.h"
#include "sim/core/action.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

void parse_loop(ProgramReader& reader) {
    const std::uint32_t count = reader.loop_count(reader.argument());
    const std::uint8_t depth = reader.enter_loop();
    const StepId begin = reader.emit({.depth = depth, .count = count});
    reader.read_loop_body("steps", count);
    const StepId end = reader.emit({.depth = depth, .target = begin + 1, .count = count}, "end of loop");
    reader.at(begin).target = end + 1;
    reader.leave_loop();
}

void parse_end_of_loop(ProgramReader& reader) { reader.refuse_action(); }

Outcome begin_loop(const ActionContext& c, CpuId, TaskId p, const Step& step) {
    if (step.count == 0) {
        c.m.task[p].step = step.target;
    } else {
        c.m.loops_left(p, step.depth) = step.count;
        c.m.task[p].step = step.next;
    }
    return Outcome::next;
}

Outcome begin_end_of_loop(const ActionContext& c, CpuId, TaskId p, const Step& step) {
    c.m.task[p].step = --c.m.loops_left(p, step.depth) == 0 ? step.next : step.target;
    return Outcome::next;
}

}  // namespace

ActionInfo loop_action() {
    return {
        .name = "loop",
        .summary = "repeat steps",
        .argument = "a number or \"forever\", together with \"steps\": [...]",
        .parse = parse_loop,
        .begin = begin_loop,
        .takes_time = false,
        .is_syscall = false,
        .keys = {"steps"},
    };
}

// Scenario files cannot contain this action: its name has spaces, and its parse function rejects it.
ActionInfo end_of_loop_action() {
    return {
        .name = "end of loop",
        .summary = "",
        .argument = "",
        .parse = parse_end_of_loop,
        .begin = begin_end_of_loop,
        .takes_time = false,
        .is_syscall = false,
    };
}

}  // namespace sim
