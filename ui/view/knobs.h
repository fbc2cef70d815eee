// Knobs: the values of a scenario that the what-if strip shows as sliders.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/scenario.h"
#include "ui/view/model.h"

namespace ui {

struct Knob {
    enum class Kind : std::uint8_t { count, priority, nice, rt_priority, cost, hz, seed };
    Kind kind;
    std::string label;                          // "spinner ×"
    std::string meaning;                        // one sentence
    std::string pointer;                        // JSON pointer into the scenario
    std::uint32_t group = 0;                    // index of the task group, for `count` and the priorities
    sim::Cost sim::CostModel::*cost = nullptr;  // for `cost`
    std::int64_t least = 0, most = 0;           // smallest and largest value; in ns for `cost`
    bool logarithmic = false;
};

// The knobs of a scenario; the values with the greatest effect are first. The ranges include the scenario's
// current values.
std::vector<Knob> knobs_of(const sim::Scenario& scenario);

// The current value of a knob. REQUIRES: `scenario` has the same task groups as the scenario for which the
// knob was made.
std::int64_t value_of(const Knob& knob, const sim::Scenario& scenario);
// The value in the syntax of Control::set_value(): "4", "530ns".
std::string scenario_value_text(const Knob& knob, std::int64_t value);
// The value for display: "4", "0.53 µs".
std::string display_text(const Knob& knob, std::int64_t value);

// The result of the part of a run that is simulated so far: the two values by which policies are compared.
struct Outcome {
    // True: `cost` is the total time per yield, nearly all of which is kernel time. False: `cost` is the
    // kernel time per switch.
    bool per_yield = false;
    double cost = 0;  // in ns; negative if there are neither yields nor switches
    double switches_per_second = 0;
};
Outcome outcome_of(const Run& run);
std::string cost_text(const Outcome& outcome);         // "19.2 µs per yield", or "-"
std::string switch_rate_text(const Outcome& outcome);  // "52 083 switches/s"

// The spec of the policy with one option changed, in the syntax of make_policy().
std::string with_option(const sim::NamedPolicy& policy, const std::string& option, const std::string& value);

}  // namespace ui
