// A place in a run as people name it: an instant, or the moment right after the n-th event of some kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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

// "12.5ms", "switch 37", "recalculation 1" as a place in a run. Returns nothing when it is none, with the
// reason in `why`.
std::optional<Place> parse_place(std::string_view text, std::string& why);

}  // namespace sim
