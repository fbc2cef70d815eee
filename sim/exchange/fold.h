// Programs that repeat, as loops.
#pragma once

#include <cstddef>
#include <vector>

namespace sim::exchange {

// So many steps from there on, so many times one after the other.
struct Folded {
    std::size_t first = 0, length = 0, times = 1;
};

// All of them as they are.
inline std::vector<Folded> unfolded(std::size_t steps) {
    return steps == 0 ? std::vector<Folded>{} : std::vector<Folded>{{0, steps, 1}};
}

// From left to right, wherever a stretch of at most so many steps follows itself, the one that spares most.
// Takes time for each step and each of these lengths.
template <class Step>
std::vector<Folded> fold(const std::vector<Step>& steps) {
    constexpr std::size_t kLongest = 16;
    std::vector<Folded> parts;
    std::size_t plain = 0;  // where what does not repeat begins
    std::size_t i = 0;
    // How many steps from i on are the same as those `length` further on: kept from one i to the next.
    std::vector<std::size_t> same(kLongest + 1, 0);
    while (i < steps.size()) {
        Folded best;
        for (std::size_t length = 1; length <= kLongest && i + 2 * length <= steps.size(); ++length) {
            std::size_t& run = same[length];
            if (run > 0) --run;  // one step further on it is one less
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

}  // namespace sim::exchange
