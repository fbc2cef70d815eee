// The numbers of a scenario that are worth turning: what the what-if strip has sliders for.
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
    std::string meaning;                          // in a sentence
    std::string pointer;                          // into the scenario's JSON
    std::uint32_t group = 0;                      // count, priorities
    sim::Price sim::CostModel::*price = nullptr;  // price
    std::int64_t least = 0, most = 0;             // price: in ns
    bool logarithmic = false;
};

// Those of a scenario, the ones that change most first. Their ranges fit its present values.
std::vector<Knob> knobs_of(const sim::Scenario& scenario);

// What it stands at. REQUIRES: the scenario has the groups of that which the knob was made for.
std::int64_t value_of(const Knob& knob, const sim::Scenario& scenario);
// As Control::set_value() takes it: "4", "530ns".
std::string setting(const Knob& knob, std::int64_t value);
// As people read it: "4", "0.53 µs".
std::string shown(const Knob& knob, std::int64_t value);

// What a run has come to so far, in the two figures that policies are judged by.
struct Outcome {
    bool per_yield = false;  // cost is all the time per yield, nearly all of it being the kernel's;
                             // otherwise the kernel's time per switch
    double cost = 0;         // in ns; negative when there was neither
    double switches_per_second = 0;
};
Outcome outcome_of(const Run& run);
std::string cost_text(const Outcome& outcome);  // "19.2 us per yield", or "-"
std::string rate_text(const Outcome& outcome);  // "52 083 switches/s"

// The policy with one option set to another value, as make_policy() takes it; for another policy, its name.
std::string with_option(const sim::NamedPolicy& policy, const std::string& option, const std::string& value);

}  // namespace ui
