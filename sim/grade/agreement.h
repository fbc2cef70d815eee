// Do two policies do the same in a scenario? If not, where do they part for the first time?
#pragma once

#include <string>

#include "sim/core/policy.h"
#include "sim/core/scenario.h"
#include "sim/grade/tests_file.h"

namespace sim::grade {

struct Party {
    const NamedPolicy& policy;
    std::string label;
};

// The first difference, opened up, in several lines; empty when there is none. Throws PolicyError and
// Ungraded as run_to_end() does.
std::string first_difference(Agreement agreement, const Scenario& scenario, const Party& mine,
                             const Party& other);

}  // namespace sim::grade
