// A recording, and runs of the scenario that is made of it, side by side.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/cli/side.h"
#include "sim/exchange/recorded_run.h"

namespace sim::cli {

struct BesideOptions {
    std::uint32_t tasks = 10;        // rows for so many
    bool opens_differences = false;  // the first switch of each run that is not the recorded one
    bool quiet = false;              // no progress
};

struct BesideRecording {
    std::string text;
    nlohmann::ordered_json json;
    bool all_same = true;  // each run has the recorded switches, in their order
};

// The scenario of a recording, for load_sides().
ScenarioText text_of(const exchange::RecordedRun& recording);

// Runs all of the sides. REQUIRES: their scenario is the recording's. Throws PolicyError.
BesideRecording beside_recording(const exchange::RecordedRun& recording, const std::vector<Side>& sides,
                                 const BesideOptions& options);

}  // namespace sim::cli
