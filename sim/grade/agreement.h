// Compares two policies in a scenario and finds their first difference.
#pragma once

#include <string>

#include "sim/core/policy.h"
#include "sim/core/scenario.h"
#include "sim/grade/tests_file.h"

namespace sim::grade {

struct LabelledPolicy {
    const NamedPolicy& policy;
    std::string label;
};

// The first difference between two policies, explained in several lines; empty: none. Throws PolicyError
// and GradingError like run_to_end().
std::string first_difference(AgreementCriterion agreement, const Scenario& scenario,
                             const LabelledPolicy& mine, const LabelledPolicy& other);

}  // namespace sim::grade
