// The names that courses and articles use for policies: "RR", "Round robin", "O(1)", "EEVDF".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

struct PolicyName {
    enum class Kind : std::uint8_t { textbook, kernel, example };

    std::string_view policy;  // PolicyInfo::name
    Kind kind;                // example: shows a technique; not a policy of textbooks or of a kernel
    std::string_view title;   // full name, for display
    // Other names; resolve_policy_alias() defines how they are compared.
    std::vector<std::string_view> aliases;
};

// One row for each policy of policies() and script_policies(), in the order in which courses treat them.
std::span<const PolicyName> policy_names();
// The row of this policy; null if there is none, as for a script file.
const PolicyName* find_policy_name(std::string_view policy);

// The full name with the options that differ from their defaults: "Round robin (RR), quantum 5".
// `spec`: a spec as NamedPolicy::spec() returns it.
std::string policy_title(std::string_view spec);

// The spec with the policy's own name in place of an alias or of another spelling of the own name. Names are
// compared without regard to case, spaces and punctuation. A spec with an unknown name or a script file is
// returned unchanged.
std::string resolve_policy_alias(std::string_view spec);

// The sentence "policy 'RR' stands for 'rr'" if resolve_policy_alias() changes the spec; otherwise empty.
std::string alias_notice(std::string_view spec);

}  // namespace sim
