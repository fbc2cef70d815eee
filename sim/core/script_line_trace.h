// Lines executed by a policy script, recorded for an observer (Policy::set_line_trace()).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/types.h"

namespace sim {

class Machine;

// A line about to be executed, or the end of a call.
struct ScriptLine {
    enum class Event : std::uint8_t {
        runs,
        returned,  // the function called by the kernel has returned; `line` is its last line
        failed,    // the policy has failed in this line
    };
    struct Variable {
        std::string name, value;
        TaskId task = kNoTask;  // value of the variable if the value is a task; then `value` is empty
        bool is_new = false;    // the value has changed since the previous line of this function call
    };

    Event what = Event::runs;
    const char* during = "";      // the function called by the kernel
    std::string function{};       // the function that contains the line: `during` or a function called by it
    int line = 0;                 // 0: not in the script
    int depth = 0;                // call depth within `during`, at most kDeepest
    std::uint64_t number = 0;     // index among the lines executed in the run (see only_schedule_lines)
    bool is_in_schedule = false;  // `during` was called by schedule() itself
    // Cumulative within one schedule(): `considered`, `recalculated` and `queue_steps` count the work before
    // this line; `candidates`, `counter_changes` and `insertions` count the log entries made before this
    // line.
    std::uint32_t considered = 0, recalculated = 0, queue_steps = 0;
    std::uint32_t candidates = 0, counter_changes = 0, insertions = 0;
    int counted_at = 0;  // source line that last added to considered, recalculated or queue_steps
    // Local variables, fields of the tasks in local variables ("p.left"), and fields of the machine. The
    // result of a call has the name "".
    std::vector<Variable> variables{};
    std::uint32_t more_variables = 0;  // number of variables omitted from `variables`

    static constexpr int kDeepest = 99;
    static constexpr std::size_t kMostVariables = 48;
};

// A request to record lines of a policy script, and the recorded lines. The lines depend only on the run, so
// a repeated call records the same lines.
struct ScriptLineTrace {
    // --- request ---
    // Whether to count and record only lines that are executed during schedule(). Other lines have no index.
    bool only_schedule_lines = false;
    std::uint64_t first = 0;               // index of the first line to record
    std::size_t most = 100'000;            // maximum number of recorded lines
    std::size_t most_variables = 500'000;  // maximum number of variables in all recorded lines
    Machine* machine = nullptr;            // receives a copy of the machine before line `machine_at`
    std::uint64_t machine_at = UINT64_MAX;

    // --- result ---
    std::uint64_t all = 0;  // number of counted lines (see only_schedule_lines), recorded or not
    std::size_t variables = 0;
    std::vector<ScriptLine> lines{};
};

}  // namespace sim
