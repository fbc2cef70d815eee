#include "sim/lab/sweep_bounds.h"

#include <algorithm>

#include "sim/base/text.h"

namespace sim::lab {
namespace {

// The product a * b; the largest std::uint64_t if the product overflows.
std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
    std::uint64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? std::numeric_limits<std::uint64_t>::max() : result;
}

}  // namespace

std::uint64_t capped_run_count(const SweepSpec& spec) {
    std::uint64_t runs = saturating_product(spec.policies.size(), spec.last_seed - spec.first_seed + 1);
    if (spec.last_seed - spec.first_seed >= kMaxRuns) return kMaxRuns + 1;
    for (const Axis& axis : spec.axes)
        runs = std::min(saturating_product(runs, axis.values.size()), kMaxRuns + 1);
    return std::min(runs, kMaxRuns + 1);
}

std::uint64_t table_bytes_upper_bound(const SweepSpec& spec) {
    const auto longest = [](const std::vector<std::string>& list) {
        std::size_t most = 0;
        for (const std::string& text : list) most = std::max(most, text.size());
        return most;
    };
    std::uint64_t line = longest(spec.policies), lines = spec.policies.size();
    for (const Axis& axis : spec.axes) {
        line += longest(axis.values);
        lines = std::min(saturating_product(lines, axis.values.size()), kLargestTable + 1);
    }
    return saturating_product(line, lines);
}

const std::string* first_unprintable_text(const SweepSpec& spec) {
    const auto first_of = [](const std::vector<std::string>& list) -> const std::string* {
        for (const std::string& text : list)
            if (!is_safe_to_show(text)) return &text;
        return nullptr;
    };
    if (!is_safe_to_show(spec.scenario)) return &spec.scenario;
    if (!is_safe_to_show(spec.digest)) return &spec.digest;
    for (const Axis& axis : spec.axes) {
        if (!is_safe_to_show(axis.pointer)) return &axis.pointer;
        if (!is_safe_to_show(axis.words)) return &axis.words;
        if (const std::string* text = first_of(axis.values)) return text;
    }
    const std::string* const text = first_of(spec.sets);
    return text != nullptr ? text : first_of(spec.policies);
}

}  // namespace sim::lab
