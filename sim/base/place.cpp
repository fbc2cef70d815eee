#include "sim/base/place.h"

namespace sim {

const char* to_string(StepKind kind) {
    switch (kind) {
        case StepKind::event:
            return "event";
        case StepKind::decision:
            return "decision";
        case StepKind::context_switch:
            return "switch";
        case StepKind::tick:
            return "tick";
        case StepKind::yield:
            return "yield";
        case StepKind::recalculation:
            return "recalculation";
    }
    return "?";
}

}  // namespace sim
