// The list of all policies, ordered by name.
#include "sim/policies/policies.h"

namespace sim {

std::span<const PolicyInfo> policies() {
    static const std::vector<PolicyInfo> list{
        linux_1_2_policy(),    linux_2_0_policy(),    linux_2_2_policy(),    linux_2_4_0_policy(),
        linux_2_4_22_policy(), linux_2_6_20_policy(), linux_2_6_24_policy(), linux_2_6_32_policy(),
        linux_6_6_policy(),    nt4_policy(),          round_robin_policy(),  sorted_queue_policy()};
    return list;
}

}  // namespace sim
