// Declarations of all policies. The source code of a policy is in a file of its own, or in one file with that
// of a similar kernel version. To add a policy, write sim/policies/mine.cpp, declare the policy here and add
// it to the list in policies.cpp (docs/tutorials/add_a_policy.md).
#pragma once

#include "sim/core/policy.h"

namespace sim {

PolicyInfo linux_1_2_policy();
PolicyInfo linux_2_0_policy();
PolicyInfo linux_2_2_policy();
PolicyInfo linux_2_4_0_policy();
PolicyInfo linux_2_4_22_policy();
PolicyInfo linux_2_6_20_policy();
PolicyInfo linux_2_6_24_policy();
PolicyInfo linux_2_6_32_policy();
PolicyInfo linux_6_6_policy();
PolicyInfo nt4_policy();
PolicyInfo round_robin_policy();
PolicyInfo sorted_queue_policy();

}  // namespace sim
