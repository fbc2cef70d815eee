#include "sim/check/textbook_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sim {
namespace {

constexpr std::int64_t kUnit = 1'000'000;  // one time unit of the exercises, in ns

std::string units_text(Nanos time) {
    return time == ExerciseSolution::kNever ? "never"
                                            : fmt::format("{}", static_cast<double>(time.count()) / kUnit);
}

std::string interval_text(const ValueIntervals& intervals, std::size_t i) {
    if (i >= intervals.size()) return "the end of the schedule";
    return fmt::format("{} for {}", intervals[i].value < 0 ? "idle" : fmt::format("{}", intervals[i].value),
                       units_text(intervals[i].length));
}

}  // namespace

bool TextbookCase::is_policy_replaced() const { return !options_.policy.empty(); }

bool TextbookCase::is_policy_selected(const std::string& policy) const {
    return options_.only.empty() || options_.only == policy;
}

void TextbookCase::begin_case(const std::string& name, const std::string& policy) {
    name_ = name;
    spec_.clear();
    differs_ = left_out_ = false;
    const auto its = std::find_if(result_.groups.begin(), result_.groups.end(),
                                  [&](const VerifyResult::ExerciseGroup& g) { return g.name == policy; });
    const std::size_t index = static_cast<std::size_t>(its - result_.groups.begin());
    if (its == result_.groups.end()) result_.groups.emplace_back().name = policy;
    group_ = &result_.groups[index];
}

void TextbookCase::end_case() {
    if (left_out_) return;
    ++result_.cases;
    ++group_->cases;
    if (differs_) ++group_->differences;
}

void TextbookCase::leave_case_out(const std::string& why) {
    left_out_ = true;
    ++group_->left_out[why];
    ++result_.left_out;
}

NamedPolicy TextbookCase::make_policy_for(const std::string& name, const Options& options) const {
    std::string spec = is_policy_replaced() ? options_.policy : name;
    const auto made = [&] {
        return is_policy_replaced() && options_.make ? options_.make(spec) : make_policy(spec);
    };
    const std::vector<OptionInfo> known =
        is_policy_replaced() ? made().known_options : std::vector<OptionInfo>{};
    for (const auto& [key, value] : options) {
        const auto fits = [&name_of_option = key, &wanted = value](const OptionInfo& o) {
            const bool is_list = wanted.find('/') != std::string::npos;
            return o.name == name_of_option && (!is_list || o.values.back() == "N/N/..");
        };
        const bool is_known = std::any_of(known.begin(), known.end(), fits);
        if (!is_policy_replaced() || is_known) spec = with_option(spec, key, value);
    }
    return made();
}

ExerciseSolution TextbookCase::solve_exercise(const Exercise& exercise, const NamedPolicy& policy) {
    spec_ = policy.spec();
    group_->policies.insert(policy.name);
    try {
        return solve(exercise, *policy.policy);
    } catch (const PolicyError& error) {
        count_difference("", error.what());
        return {};
    }
}

void TextbookCase::count_difference(const std::string& pointer, const std::string& description) {
    if (differs_) return;
    differs_ = true;
    if (++result_.differences > 1) return;
    const Problem place = text_.problem_at(pointer, "");
    result_.first_difference =
        fmt::format("{}:{}: {}{}{} under {}\n  {}\n", place.file, line_ > 0 ? line_ : place.line, name_,
                    pointer.empty() ? "" : ": ", pointer, spec_, description);
}

void TextbookCase::compare(const std::string& pointer, const ValueIntervals& recorded,
                           const ValueIntervals& replayed) {
    if (differs_ || recorded == replayed) return;
    Nanos at{};
    std::size_t i = 0;
    for (; i < recorded.size() && i < replayed.size() && recorded[i] == replayed[i]; ++i)
        at += recorded[i].length;
    count_difference(i < recorded.size() ? fmt::format("{}/{}", pointer, i) : pointer,
                     fmt::format("from time {} on:  recorded: {}  replayed: {}", units_text(at),
                                 interval_text(recorded, i), interval_text(replayed, i)));
}

void TextbookCase::compare(const std::string& pointer, Nanos recorded, Nanos replayed) {
    if (recorded == replayed) return;
    count_difference(pointer,
                     fmt::format("recorded: {}  replayed: {}", units_text(recorded), units_text(replayed)));
}

void TextbookCase::compare_number(const std::string& pointer, double recorded, double replayed,
                                  double tolerance) {
    if (std::fabs(recorded - replayed) <= tolerance) return;
    count_difference(pointer, fmt::format("recorded: {}  replayed: {}", recorded, replayed));
}

Nanos TextbookCase::read_time(const Json& value, const std::string& pointer, double max_units) const {
    const double units = value.is_number() ? value.get<double>() : -1;
    if (!(units >= 0 && units <= max_units))
        fail(pointer, fmt::format("expected a number from 0 to {}", max_units));
    return Nanos{static_cast<std::int64_t>(std::floor(units * kUnit + 0.5))};
}

std::vector<Nanos> TextbookCase::read_times(const Json& list, const std::string& pointer) const {
    std::vector<Nanos> result;
    array(list, pointer);
    for (std::size_t i = 0; i < list.size(); ++i)
        result.push_back(read_time(list[i], fmt::format("{}/{}", pointer, i)));
    return result;
}

ValueIntervals TextbookCase::read_intervals(const Json& list, const std::string& pointer,
                                            int max_value) const {
    ValueIntervals result;
    array(list, pointer);
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string at = fmt::format("{}/{}", pointer, i);
        require(list[i].is_array() && list[i].size() == 2, at, "expected [job, duration]");
        result.push_back({static_cast<int>(read_integer(list[i][0], at + "/0", max_value, -1)),
                          read_time(list[i][1], at + "/1")});
    }
    return result;
}

}  // namespace sim
