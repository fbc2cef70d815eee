// The policies under which results and explanations are held against those of before.
#pragma once

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

// Those that can schedule on so many CPUs.
inline std::vector<const char*> policies_for(const Scenario& scenario) {
    std::vector<const char*> suitable;
    for (const char* spec : kGoldenPolicies)
        if (make_policy(spec).policy->most_cpus() >= scenario.cpus) suitable.push_back(spec);
    return suitable;
}

}  // namespace sim
