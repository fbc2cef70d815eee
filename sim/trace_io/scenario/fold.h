// Replaces repeated steps of a program by loops.
#pragma once

#include <cstddef>
#include <vector>

namespace sim::trace_io {

// `length` steps from index `first` on, executed `times` times in a row.
struct RepeatedSteps {
    std::size_t first = 0, length = 0, times = 1;
};

// All steps as one sequence that is executed once, without loops.
inline std::vector<RepeatedSteps> unfolded_steps(std::size_t step_count) {
    return step_count == 0 ? std::vector<RepeatedSteps>{} : std::vector<RepeatedSteps>{{0, step_count, 1}};
}

// Scans from left to right. Where a sequence of at most kLongest steps is followed directly by copies of
// itself, folds the repetition that saves the most steps. The run time is proportional to the number of
// steps times kLongest.
template <class Step>
std::vector<RepeatedSteps> fold_repetitions(const std::vector<Step>& steps) {
    constexpr std::size_t kLongest = 16;
    std::vector<RepeatedSteps> parts;
    std::size_t plain = 0;  // start of the pending steps that do not repeat
    std::size_t i = 0;
    // same[length]: number of consecutive steps, from step i on, that each equal the step `length` positions
    // later. When i increases by 1, a count above 0 decreases by 1 and is not computed again.
    std::vector<std::size_t> same(kLongest + 1, 0);
    while (i < steps.size()) {
        RepeatedSteps best;
        for (std::size_t length = 1; length <= kLongest && i + 2 * length <= steps.size(); ++length) {
            std::size_t& run = same[length];
            if (run > 0) --run;  // i is one step further, so the run of equal steps is one shorter
            if (run == 0)
                while (i + run + length < steps.size() && steps[i + run] == steps[i + run + length]) ++run;
            const std::size_t times = run / length + 1;
            if (times > 1 && (times - 1) * length > (best.times - 1) * best.length) best = {i, length, times};
        }
        constexpr std::size_t kLeastSpared = 3;
        if ((best.times - 1) * best.length < kLeastSpared) {
            ++i;
            continue;
        }
        if (plain < i) parts.push_back({plain, i - plain, 1});
        parts.push_back(best);
        i += best.length * best.times;
        plain = i;
        same.assign(kLongest + 1, 0);
    }
    if (plain < steps.size()) parts.push_back({plain, steps.size() - plain, 1});
    return parts;
}

}  // namespace sim::trace_io
