// Replaces the measurements on systems other than Linux.
#include "sim/os/linux/measure.h"

namespace sim::calibrate {

CalibrationSamples measure_this_machine(const MeasureOptions&) {
    throw MeasurementError(
        "measuring needs Linux: on this system, use --samples FILE with samples measured elsewhere");
}

}  // namespace sim::calibrate
