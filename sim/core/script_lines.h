// The lines that a script runs, as a policy that is one tells them (Policy::tell_lines()).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/types.h"

namespace sim {

class Machine;

// A line of a script that is about to run, or the end of a call.
struct ScriptLine {
    enum class What : std::uint8_t {
        runs,      // the line is next
        returned,  // the function that the kernel had called has returned; the line is its last one
        failed,    // the policy has failed in the line: the run ends
    };
    struct Variable {
        std::string name, value;
        TaskId task = kNoTask;  // of a task, which people know by its name; then `value` is empty
        bool is_new = false;    // it was another one at the line before, in the same call of its function
    };

    What what = What::runs;
    const char* during = "";      // the function that the kernel has called
    std::string function{};       // whose line it is: that one, or one that it has called
    int line = 0;                 // 0: in none of the script
    int depth = 0;                // calls within `during`, of which at most kDeepest are told apart
    std::uint64_t number = 0;     // of all that were told, from 0
    bool is_in_schedule = false;  // schedule() has called it, rather than what led to it
    // What the script had had counted before that, and how much of it a log has. In schedule() the calls add
    // up.
    std::uint32_t considered = 0, recalculated = 0, queue_steps = 0;
    std::uint32_t candidates = 0, refills = 0, insertions = 0;
    int counted_at = 0;  // the last line that had something counted
    // The local variables, what a task in one of them has in its fields ("p.left"), and the fields of the
    // machine. A call that has returned has what it said, as "".
    std::vector<Variable> variables{};
    std::uint32_t more_variables = 0;  // that are left out

    static constexpr int kDeepest = 99;
    static constexpr std::size_t kMostVariables = 48;
};

// Who looks on, and what was seen. Which lines there are to see depends on the run alone, so that a second
// look at the same call sees the same ones.
struct ScriptLines {
    // --- asked for ---
    bool only_schedule = false;             // the calls that schedule() makes
    std::uint64_t first = 0;                // by number: those before it are counted,
    std::size_t most = 100'000;             // and those behind so many,
    std::size_t most_variables = 500'000;   // or so many variables in all of them
    Machine* machine = nullptr;             // becomes a copy of the machine...
    std::uint64_t machine_at = UINT64_MAX;  // ...before this line

    // --- told ---
    std::uint64_t all = 0;  // that there were
    std::size_t variables = 0;
    std::vector<ScriptLine> lines{};
};

}  // namespace sim
