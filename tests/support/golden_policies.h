// The policies whose results and explanations are compared with golden values.
#pragma once

#include <span>
#include <vector>

#include "sim/core/policy.h"
#include "sim/core/scenario.h"

namespace sim {

inline constexpr const char* kGoldenPolicies[] = {"linux-2.0",
                                                  "linux-2.0:yield=one_tick",
                                                  "linux-2.0:yield=move_last_only",
                                                  "sorted-queue",
                                                  "sorted-queue:insert=head",
                                                  "round-robin",
                                                  "linux-1.2",
                                                  "linux-2.2",
                                                  "linux-2.4.0",
                                                  "linux-2.4.22",
                                                  "nt4"};
// Policies that were added later. They have separate tables or rows, so that existing golden values do not
// change.
inline constexpr const char* kLaterGoldenPolicies[] = {
    "linux-2.6.20", "linux-2.6.24", "linux-2.6.24:yield=compat", "linux-2.6.32", "linux-6.6"};

// The policies of `all` that support the number of CPUs of `scenario`.
inline std::vector<const char*> policies_for(const Scenario& scenario,
                                             std::span<const char* const> all = kGoldenPolicies) {
    std::vector<const char*> suitable;
    for (const char* spec : all)
        if (make_policy(spec).policy->max_cpus() >= scenario.cpus) suitable.push_back(spec);
    return suitable;
}

}  // namespace sim
