// A position in a run as the user writes it: a time, or the position right after the n-th event of a kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/types.h"

namespace sim {

// Kinds of events to which the user can step.
enum class StepKind : std::uint8_t { event, decision, context_switch, tick, yield, recalculation };
inline constexpr StepKind kStepKinds[] = {StepKind::event, StepKind::decision, StepKind::context_switch,
                                          StepKind::tick,  StepKind::yield,    StepKind::recalculation};

const char* to_string(StepKind kind);  // "event", "decision", "switch", ...

struct Place {
    std::optional<StepKind> kind;  // kind of event; none: the position is a time
    std::uint64_t n = 0;           // number of the event, from 1; used only with a kind
    Nanos time{};                  // used only without a kind
};

// Parses "12.5ms", "switch 37" or "recalculation 1". Returns nullopt with the reason in `why` if the text
// is not a position.
std::optional<Place> parse_place(std::string_view text, std::string& why);

}  // namespace sim
