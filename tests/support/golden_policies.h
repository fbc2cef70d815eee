// The policies under which results and explanations are held against those of before.
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
// Those that came later, which have tables or rows of their own, so that the others stay as they are.
inline constexpr const char* kLaterGoldenPolicies[] = {
    "linux-2.6.20", "linux-2.6.24", "linux-2.6.24:yield=compat", "linux-2.6.32", "linux-6.6"};

// Those that can schedule on so many CPUs.
inline std::vector<const char*> policies_for(const Scenario& scenario,
                                             std::span<const char* const> all = kGoldenPolicies) {
    std::vector<const char*> suitable;
    for (const char* spec : all)
        if (make_policy(spec).policy->most_cpus() >= scenario.cpus) suitable.push_back(spec);
    return suitable;
}

}  // namespace sim
