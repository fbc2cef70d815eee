// Facts about a decision for the decision steps (decision_steps.h) and for the descriptions of these steps.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "sim/explain/decision_view.h"

namespace sim {

// Number of queue steps that enqueue() made before this schedule() started and that are charged to this
// schedule().
inline std::uint32_t queue_steps_of_enqueue(const DecisionLog& log) {
    std::uint32_t own = log.bitmap_words + log.leave_steps + log.requeue_steps;
    for (const Insertion& insertion : log.insertions) own += insertion.steps;
    return log.decision.queue_steps - std::min(own, log.decision.queue_steps);
}

// True if p is prev and has exited: its row is free when schedule() returns.
inline bool has_exited(const DecisionView& view, TaskId p) { return !view.after.is_live(p); }

// A number with its noun: "1 page", "2 pages".
inline std::string count_with_noun(std::uint32_t n, const char* noun) {
    return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

}  // namespace sim
