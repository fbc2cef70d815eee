// The values of a scenario that the what-if strip shows as sliders.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/scenario.h"
#include "ui/view/model.h"

namespace ui {

struct Knob {
    enum class Kind : std::uint8_t { count, priority, nice, rt_priority, price, hz, seed };
    Kind kind;
    std::string label;                            // "spinner ×"
    std::string meaning;                          // one sentence
    std::string pointer;                          // JSON pointer into the scenario
    std::uint32_t group = 0;                      // index of the task group, for `count` and the priorities
    sim::Price sim::CostModel::*price = nullptr;  // for `price`
    std::int64_t least = 0, most = 0;             // range; for `price` in ns
    bool logarithmic = false;
};

// The knobs of a scenario, those with the greatest effect first. Their ranges fit its current values.
std::vector<Knob> knobs_of(const sim::Scenario& scenario);

// The current value. REQUIRES: `scenario` has the task groups of the one that the knob was made for.
std::int64_t value_of(const Knob& knob, const sim::Scenario& scenario);
// The value in the syntax of Control::set_value(): "4", "530ns".
std::string setting(const Knob& knob, std::int64_t value);
// The value for display: "4", "0.53 µs".
std::string shown(const Knob& knob, std::int64_t value);

// The result of a run so far: the two values by which policies are judged.
struct Outcome {
    // If set, `cost` is the total time per yield, nearly all of which is kernel time; otherwise the kernel
    // time per switch.
    bool per_yield = false;
    double cost = 0;  // in ns; negative: neither yields nor switches
    double switches_per_second = 0;
};
Outcome outcome_of(const Run& run);
std::string cost_text(const Outcome& outcome);  // "19.2 µs per yield", or "-"
std::string rate_text(const Outcome& outcome);  // "52 083 switches/s"

// The policy with one option changed, in the syntax of make_policy().
std::string with_option(const sim::NamedPolicy& policy, const std::string& option, const std::string& value);

}  // namespace ui
