#include "sim/core/policy_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/policy.h"

namespace sim {
namespace {

constexpr auto kTextbook = PolicyName::Kind::textbook;
constexpr auto kKernel = PolicyName::Kind::kernel;
constexpr auto kExample = PolicyName::Kind::example;

// The letters and digits of a name, in lower case, without "scheduling" or "scheduler" at the end: "O(1)
// scheduler" becomes "o1".
std::string normalized_name(std::string_view name) {
    std::string letters;
    for (const char c : name) {
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) letters += c;
        if (c >= 'A' && c <= 'Z') letters += static_cast<char>(c - 'A' + 'a');
    }
    for (const std::string_view end : {"scheduling", "scheduler"})
        if (letters.size() > end.size() && letters.ends_with(end))
            letters.resize(letters.size() - end.size());
    return letters;
}

// The policy's name at the start of `NAME[:options][@MACHINE]`.
std::string_view name_without_machine(std::string_view spec) {
    const std::string_view name = name_in_spec(spec);
    return is_script_file(name) ? name : name.substr(0, name.find('@'));
}

bool is_policy(std::string_view name) { return find_policy_info(name) != nullptr; }

// The policy that has this name or alias; names are equal if normalized_name() returns the same text. Empty
// if there is no such policy.
std::string_view policy_for_alias(std::string_view name) {
    const std::string wanted = normalized_name(name);
    if (wanted.empty()) return {};
    for (const PolicyName& row : policy_names())
        for (const std::string_view alias : row.aliases)
            if (normalized_name(alias) == wanted) return row.policy;
    for (const PolicyName& row : policy_names())
        if (normalized_name(row.policy) == wanted) return row.policy;
    return {};
}

}  // namespace

// All policies with their titles and aliases. policy_for_alias() compares aliases first, policy names second.
// So "Round Robin" is the textbook policy `rr`, although two example policies have similar names.
std::span<const PolicyName> policy_names() {
    static const std::vector<PolicyName> names{
        {"fcfs",
         kTextbook,
         "First come, first served (FCFS)",
         {"FIFO", "first come first served", "first in first out"}},
        {"rr", kTextbook, "Round robin (RR)", {"round robin"}},
        {"sjf",
         kTextbook,
         "Shortest job first (SJF)",
         {"shortest job first", "SJN", "shortest job next", "SPN", "shortest process next",
          "non-preemptive SJF"}},
        {"srtf",
         kTextbook,
         "Shortest remaining time first (SRTF)",
         {"shortest remaining time first", "SRT", "shortest remaining time", "STCF",
          "shortest time to completion first", "preemptive SJF", "PSJF"}},
        {"priority", kTextbook, "Priority", {"static priority", "preemptive priority"}},
        {"hrrn", kTextbook, "Highest response ratio next (HRRN)", {"highest response ratio next"}},
        {"mlfq",
         kTextbook,
         "Multi-level feedback queue (MLFQ)",
         {"multi-level feedback queue", "multilevel feedback"}},
        {"feedback", kTextbook, "Feedback (FB)", {"FB", "feedback queue"}},
        {"lottery", kTextbook, "Lottery", {}},
        {"stride", kTextbook, "Stride", {}},
        {"edf", kTextbook, "Earliest deadline first (EDF)", {"earliest deadline first"}},
        {"rate-monotonic", kTextbook, "Rate monotonic (RM)", {"RM", "RMS"}},
        {"linux-1.2", kKernel, "Linux 1.2", {}},
        {"linux-2.0", kKernel, "Linux 2.0: goodness", {"goodness", "Linux 2.0.30"}},
        {"linux-2.2", kKernel, "Linux 2.2: goodness", {}},
        {"linux-2.4.0", kKernel, "Linux 2.4.0: goodness", {}},
        {"linux-2.4.22", kKernel, "Linux 2.4.22: O(n)", {"O(n)", "Linux 2.4"}},
        {"linux-2.6.20", kKernel, "Linux 2.6.20: O(1)", {"O(1)"}},
        {"linux-2.6.24", kKernel, "Linux 2.6.24: the first CFS", {}},
        {"linux-2.6.32", kKernel, "Linux 2.6.32: CFS", {"CFS", "completely fair"}},
        {"linux-6.6", kKernel, "Linux 6.6: EEVDF", {"EEVDF", "earliest eligible virtual deadline first"}},
        {"nt4", kKernel, "Windows NT 4", {"NT", "Windows", "Windows NT"}},
        {"sorted-queue", kExample, "Linux 2.0 with a sorted queue", {}},
        {"round-robin", kExample, "Round robin with a quantum in ticks", {}},
        {"multi", kExample, "One queue for all CPUs (multi.py)", {}},
        {"linux_1_2", kExample, "Linux 1.2 as a script", {}},
        {"linux_2_0", kExample, "Linux 2.0 as a script", {}},
        {"round_robin", kExample, "Round robin in ticks as a script", {}},
    };
    return names;
}

const PolicyName* find_policy_name(std::string_view policy) {
    const std::span<const PolicyName> names = policy_names();
    const auto found =
        std::find_if(names.begin(), names.end(), [&](const PolicyName& row) { return row.policy == policy; });
    return found == names.end() ? nullptr : &*found;
}

std::string policy_title(std::string_view spec) {
    const std::string_view name = name_in_spec(spec);
    const PolicyName* const row = find_policy_name(name);
    std::string title(row != nullptr ? row->title : name);
    std::string_view rest = spec.substr(std::min(name.size() + 1, spec.size()));
    while (!rest.empty()) {
        std::string option(rest.substr(0, rest.find(',')));
        rest = rest.substr(std::min(option.size() + 1, rest.size()));
        std::replace(option.begin(), option.end(), '=', ' ');
        title += ", " + option;
    }
    return title;
}

std::string resolve_policy_alias(std::string_view spec) {
    const std::string_view name = name_without_machine(spec);
    if (is_script_file(name) || is_policy(name)) return std::string(spec);
    const std::string_view meant = policy_for_alias(name);
    return meant.empty() ? std::string(spec) : fmt::format("{}{}", meant, spec.substr(name.size()));
}

std::string alias_notice(std::string_view spec) {
    const std::string_view name = name_without_machine(spec);
    const std::string own = resolve_policy_alias(spec);
    if (own == spec) return "";
    return fmt::format("policy '{}' stands for '{}'", name, name_without_machine(own));
}

}  // namespace sim
