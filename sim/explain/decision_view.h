// One call of schedule(), executed again for inspection: the state before, the choice, its cost, and the
// state after. Decisions are not stored. A requested decision is re-executed from a copy of the machine
// while its log is enabled (RunHistory::decision_at(), find_first_divergence()).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/types.h"
#include "sim/core/decision.h"
#include "sim/core/engine.h"
#include "sim/core/machine.h"
#include "sim/core/resched_check.h"
#include "sim/core/script_line_trace.h"
#include "sim/core/trace.h"

namespace sim {

struct DecisionView {
    std::uint64_t number = 0;         // number of the decision, from 1
    std::uint64_t switch_number = 0;  // number of the switch, from 1; 0: prev continues
    TraceRecord record{};             // time, CPU, prev, next, work and duration
    DecisionLog log{};
    // State before the event that caused this schedule(). If the event is a system call, the call has not
    // been made yet.
    Machine before;
    // State when schedule() returned. It contains the names of all tasks, except the name of prev if prev
    // exited.
    Machine after;
    // The wake-up, tick or end of a slice that requested this schedule(), if it is known.
    std::optional<ReschedCheck> check{};
    // The time when the chosen task became ready; nullopt: unknown.
    std::optional<Nanos> ready_since{};
    // The time when prev got the CPU; nullopt: unknown, for example because it was too many events ago.
    std::optional<Nanos> prev_since{};
    // For a policy script: the lines executed in schedule(). Empty until record_script_lines() is called. If
    // more than kFirstLines + kLastLines lines were executed, only the first kFirstLines and the last
    // kLastLines lines are kept.
    std::vector<ScriptLine> script{};
};

// Maximum numbers of lines kept from the start and the end of a decision.
inline constexpr std::size_t kFirstLines = 4000, kLastLines = 1000;

// The latest of `checks` that requested the schedule() call of this record; nullopt: none.
std::optional<ReschedCheck> find_requesting_check(const TraceRecord& schedule,
                                                  std::span<const ReschedCheck> checks);

// Executes the next event in a copy of `before` and returns the decision that this event makes. REQUIRES:
// the next event makes a decision.
DecisionView compute_decision_view(const Engine& engine, const Machine& before);

// Like compute_decision_view(engine, before), but for decision `number` of a run that resumes from the state
// `from`. REQUIRES: the run makes that decision after `from` and within the limits.
DecisionView compute_decision_view(const Engine& engine, const Machine& from, Limits limits,
                                   std::uint64_t number);

// Executes the decision again in a copy of the machine to fill view.script. Has no effect for policies that
// are not scripts.
void record_script_lines(const Engine& engine, DecisionView& view);

// The machine before line `line` (ScriptLine::number) of the decision, computed by executing the decision
// again. So stepping forward and backward gives the same result.
Machine machine_at_line(const Engine& engine, const DecisionView& view, std::uint64_t line);

}  // namespace sim
