#include "sim/scenario/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace sim {

void Problems::add(const JsonValue& at, std::string message, bool at_key) {
    ++count_;
    if (!is_full()) found_.push_back({&at, std::move(message), at_key});
}

void Problems::add(std::vector<Problem> placed) {
    count_ += placed.size();
    const std::size_t room = std::min(placed.size(), kMost - placed_.size());
    std::move(placed.begin(), placed.begin() + static_cast<std::ptrdiff_t>(room),
              std::back_inserter(placed_));
}

void Problems::add_notices(const std::vector<Problem>& notices) {
    for (const Problem& notice : notices) {
        const bool is_known = std::any_of(notices_.begin(), notices_.end(),
                                          [&](const Problem& p) { return p.message == notice.message; });
        if (!is_known) notices_.push_back(notice);
    }
}

void Problems::add_notice(const JsonValue& at_key_of, std::string message) {
    Problem notice = source_.problem_at(at_key_of, std::move(message), /*at_key=*/true);
    notice.pointer.clear();
    add_notices({notice});
}

void Problems::throw_if_any() const {
    if (count_ == 0) return;
    std::vector<Problem> list;
    for (const ProblemAtValue& found : found_)
        list.push_back(source_.problem_at(*found.at, found.message, found.at_key));
    list.insert(list.end(), placed_.begin(), placed_.end());
    const auto order = [&](const Problem& problem) {
        const bool set = problem.file.starts_with("--set ");
        return std::tuple(set ? 0 : problem.file == source_.file() ? 1 : 2, problem.line, problem.column);
    };
    std::stable_sort(list.begin(), list.end(),
                     [&](const Problem& a, const Problem& b) { return order(a) < order(b); });
    if (list.size() > kMost) list.resize(kMost);
    if (const std::size_t more = count_ - list.size(); more > 0)
        list.push_back(
            {source_.file(), 0, 0, {}, fmt::format("and {} more problem{}", more, more == 1 ? "" : "s")});
    throw ScenarioError(std::move(list));
}

}  // namespace sim
