#include "sim/core/pseudo_code.h"

namespace sim {

const char* to_string(Phase phase) {
    switch (phase) {
        case Phase::enter:
            return "enter";
        case Phase::yield:
            return "yield";
        case Phase::place_woken:
            return "place_woken";
        case Phase::begin:
            return "begin";
        case Phase::renew:
            return "renew";
        case Phase::leave:
            return "leave";
        case Phase::put_back:
            return "put_back";
        case Phase::find_bit:
            return "find_bit";
        case Phase::consider:
            return "consider";
        case Phase::keep:
            return "keep";
        case Phase::insert:
            return "insert";
        case Phase::recalc_test:
            return "recalc_test";
        case Phase::recalculate:
            return "refill";
        case Phase::reorder:
            return "reorder";
        case Phase::switch_context:
            return "switch_context";
        case Phase::switch_mm:
            return "switch_mm";
        case Phase::resume:
            return "resume";
    }
    return "?";
}

}  // namespace sim
