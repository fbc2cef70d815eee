// A place in a run as people name it: an instant, or the moment right after the n-th event of some kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/base/types.h"

namespace sim {

// The kinds of things that one can step over.
enum class StepKind : std::uint8_t { event, decision, context_switch, tick, yield, recalculation };
inline constexpr StepKind kStepKinds[] = {StepKind::event, StepKind::decision, StepKind::context_switch,
                                          StepKind::tick,  StepKind::yield,    StepKind::recalculation};

const char* to_string(StepKind kind);  // "event", "decision", "switch", ...

struct Place {
    std::optional<StepKind> kind;  // none: an instant
    std::uint64_t n = 0;           // from 1 on; meaningful with a kind
    Nanos time{};                  // meaningful without one
};

}  // namespace sim
