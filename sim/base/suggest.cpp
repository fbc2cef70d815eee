#include "sim/base/suggest.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "sim/base/human_text.h"

namespace sim {
namespace {

// Number of insertions, deletions, replacements and swaps of adjacent characters that turn a into b (optimal
// string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, replace});
            if (i > 1 && j > 1 && a[i - 1] == b.at(j - 2) && a.at(i - 2) == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
    constexpr std::size_t kLongestWord = 64;  // longer words are not typing mistakes
    if (word.empty() || word.size() > kLongestWord) return {};
    const std::string* best = nullptr;
    std::size_t best_distance = std::max<std::size_t>(word.size() / 3, 1) + 1;
    const std::string typed = lower_case(word);
    for (const std::string& candidate : known) {
        const std::string meant = lower_case(candidate);
        std::size_t distance = edit_distance(typed, meant);
        // As many changes as characters: the words are unrelated.
        if (distance >= std::max(word.size(), candidate.size())) continue;
        // In two more cases, the typed word is similar to the known word. It is a prefix and the known word:
        // SCHED_FIFO and "fifo". Or it is a beginning of the known word, at least 3 characters long.
        const bool prefixed =
            typed.size() > meant.size() && typed.ends_with(meant) &&
            std::string_view("_- ").find(typed[typed.size() - meant.size() - 1]) != std::string_view::npos;
        if (prefixed) distance = 1;
        if (word.size() >= 3 && meant.starts_with(typed)) distance = 0;
        if (distance < best_distance) {
            best_distance = distance;
            best = &candidate;
        }
    }
    return best == nullptr ? std::string{} : "; did you mean '" + *best + "'?";
}

}  // namespace sim
