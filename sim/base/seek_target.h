// A position in a run as the user writes it: a time, or the position right after the n-th event of a kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/types.h"

namespace sim {

// Kinds of events to which the user can step.
enum class StepEventKind : std::uint8_t { event, decision, context_switch, tick, yield, recalculation };
inline constexpr StepEventKind kStepKinds[] = {StepEventKind::event,          StepEventKind::decision,
                                               StepEventKind::context_switch, StepEventKind::tick,
                                               StepEventKind::yield,          StepEventKind::recalculation};

const char* to_string(StepEventKind kind);  // "event", "decision", "switch", ...

struct SeekTarget {
    std::optional<StepEventKind> kind;  // kind of event; none: the position is a time
    std::uint64_t n = 0;                // number of the event, from 1; used only with a kind
    Nanos time{};                       // used only without a kind
};

// Parses "12.5ms", "switch 37" or "recalculation 1". Returns nullopt with the reason in `why` if the text
// is not a position.
std::optional<SeekTarget> parse_seek_target(std::string_view text, std::string& why);

}  // namespace sim
