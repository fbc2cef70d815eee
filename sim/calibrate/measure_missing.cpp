// For systems other than Linux.
#include "sim/calibrate/measure.h"

namespace sim::calibrate {

Samples measure(const MeasureOptions&) {
    throw CannotMeasure("measuring needs Linux: here only --samples FILE, measured elsewhere, can be read");
}

}  // namespace sim::calibrate
