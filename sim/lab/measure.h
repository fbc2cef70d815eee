// Measures of a run: named values with label and unit, and any value of the summary by JSON pointer.
//
// A measure is a sum of summary values, optionally divided by another sum. Commands (`compare`, `sweep`) and
// the window share these definitions, so that a name means the same quotient everywhere.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/scenario.h"
#include "sim/lab/values.h"

namespace sim::lab {

struct Measure {
    std::string name;                  // as in --measure: "us-per-yield", or "/switches/total:/ticks"
    std::string label;                 // display name: "us per yield"
    std::string unit;                  // "us", "%", "1/s"; empty for a bare number
    std::vector<std::string> of, per;  // JSON pointers: sum of `of` / sum of `per` (empty: 1)
    double scale = 1;
    std::string format = "{:.6g}";  // format of the value
    bool is_cost = false;           // true: the measure is a cost, so a lower value is better

    // The label, with the unit unless the label contains it: "kernel time (%)".
    std::string heading() const;
    // The value as text in `format`; "-" if there is no value.
    std::string text(std::optional<double> value) const;
};

// The named measures, in the order of the documentation.
std::span<const Measure> measures();

// The current name of a measure that had another name in earlier versions. Any other text is returned
// unchanged.
std::string_view current_measure_name(std::string_view old_name);

// Finds a measure by its current or an earlier name, or creates one from the JSON pointer "POINTER" or from
// "POINTER:PER", where PER is the divisor. For a measure of waits, "@GROUP" at the end restricts it to one
// task group. Throws LabError.
Measure find_measure(std::string_view text);

// True if the measure uses the waits for a CPU (latencies.h), which a run collects only on request.
bool needs_latency(const Measure& measure);

// Checks that the task group of the measure exists in the scenario. Throws LabError.
void check_task_group(const Measure& measure, const Scenario& scenario);

// The value of the measure in the run with this summary; nullopt if a summary value is missing or not a
// number, or the divisor is 0.
std::optional<double> value_of(const Measure& measure, const nlohmann::ordered_json& summary);

// The measures shown by default. For a workload that yields: the cost of a yield. Otherwise: kernel time
// per switch, and switches per second.
std::vector<Measure> default_measures(bool workload_yields);

}  // namespace sim::lab
