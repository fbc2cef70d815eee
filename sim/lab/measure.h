// What can be read off a run: named figures with label and unit, and any figure of the summary by its
// pointer.
//
// A measure is a sum of figures of the summary, perhaps per a sum of others. The commands that show figures
// (`compare`, `sweep`) and the window share these definitions, so that the same word is the same quotient
// everywhere.
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
    std::string name;                  // as --measure takes it: "us-per-yield", or "/switches/total:/ticks"
    std::string label;                 // for people: "us per yield"
    std::string unit;                  // "us", "%", "1/s"; empty for a bare number
    std::vector<std::string> of, per;  // JSON pointers into the summary; an empty `per` divides by nothing
    double scale = 1;
    std::string format = "{:.6g}";  // of its values
    bool is_cost = false;           // whether less of it is cheaper

    // The label, with the unit unless that is in it: "kernel time (%)".
    std::string heading() const;
    // The figure with as many digits as make sense; "-" for none.
    std::string text(std::optional<double> value) const;
};

// Those with a name, in the order of the documents.
std::span<const Measure> measures();

// The one of that name, or the one that "POINTER" or "POINTER:PER" describes. Those of waits may end in
// "@ENTRY": of the tasks of that entry alone. Throws LabError.
Measure find_measure(std::string_view text);

// Whether it reads what a run has only when it is asked for: how long tasks waited for a CPU (latencies.h).
bool needs_latency(const Measure& measure);

// Refuses a measure of an entry that the scenario does not have. Throws LabError.
void check_entry(const Measure& measure, const Scenario& scenario);

// Its value for a run. Nothing when a figure is missing or no number, or when it would be per 0.
std::optional<double> value_of(const Measure& measure, const nlohmann::ordered_json& summary);

// What is worth a look when nobody asked for anything: the cost of a yield for a workload that yields, else
// the kernel's time per switch and the switches per second.
std::vector<Measure> default_measures(bool yields);

}  // namespace sim::lab
