// One call of schedule(), made again to be looked at: what it found, how it chose, what it cost, what it
// left.
//
// A decision is never stored. Whoever wants to see one asks for it by number, and it is re-executed from a
// copy of the machine with its log on (Recording::decision_at(), first_divergence()).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/core/decision.h"
#include "sim/core/engine.h"
#include "sim/core/machine.h"
#include "sim/core/script_lines.h"
#include "sim/core/trace.h"

namespace sim {

struct DecisionView {
    std::uint64_t number = 0;         // of the decision, from 1
    std::uint64_t switch_number = 0;  // of the switch, from 1; 0 when prev goes on
    TraceRecord record{};             // when, on which CPU, prev, next, the work, the time it takes
    DecisionLog log{};
    Machine before;  // as the event began that led to this schedule(): a system call has not been made yet
    Machine
        after;  // as schedule() returned; names of tasks can be looked up in it, save that of an exited prev
    // Of a script the lines that schedule() called, if watch_lines() has been asked for them: the first and
    // the last ones where there are very many.
    std::vector<ScriptLine> script{};
};

// So many lines of one decision are kept, from its beginning and from its end.
inline constexpr std::size_t kFirstLines = 4000, kLastLines = 1000;

// Makes the next event happen in a copy of `before` and looks at the decision that it makes.
// REQUIRES: the next event makes one.
DecisionView watch_decision(const Engine& engine, const Machine& before);

// The same for the decision of this number in a run that goes on from `from`.
// REQUIRES: within the limits the run has that decision, behind `from`.
DecisionView watch_decision(const Engine& engine, const Machine& from, Limits limits, std::uint64_t number);

// Makes the decision again, in another copy, for the lines of the script. Nothing, if the policy is none.
void watch_lines(const Engine& engine, DecisionView& view);

// The machine as it was before this line of that decision: once more made again, so that it is the same one
// from whichever side one comes. `line`: ScriptLine::number.
Machine machine_at_line(const Engine& engine, const DecisionView& view, std::uint64_t line);

}  // namespace sim
