#include "ui/view/lod.h"

#include <fmt/format.h>

#include <cmath>

#include "ui/view/format.h"

namespace ui {

using namespace std::chrono_literals;

namespace {

constexpr sim::Nanos kHour = 1h;

}  // namespace

float TimeScale::x(sim::Nanos t) const {
    const double share =
        static_cast<double>((t - range.begin).count()) / static_cast<double>(range.length().count());
    return left + static_cast<float>(std::clamp(share, -4.0, 5.0) * static_cast<double>(width));
}

float TimeScale::rounded_x(sim::Nanos t) const { return std::floor(x(t) + 0.5f); }

sim::Nanos TimeScale::time(float at) const {
    const double share = (static_cast<double>(at) - static_cast<double>(left)) / static_cast<double>(width);
    return range.begin + sim::Nanos{std::llround(share * static_cast<double>(range.length().count()))};
}

sim::Nanos TimeScale::duration_of(float pixels) const {
    return std::max(sim::Nanos{1}, sim::Nanos{std::llround(ns_per_pixel() * static_cast<double>(pixels))});
}

sim::Nanos smallest_round_step(sim::Nanos least) {
    std::int64_t power = 1;
    while (power * 10 <= least.count()) power *= 10;
    for (const std::int64_t factor : {1, 2, 5})
        if (power * factor >= least.count()) return sim::Nanos{power * factor};
    return sim::Nanos{power * 10};
}

sim::Nanos axis_step(sim::Nanos least_step, sim::Nanos axis_end) {
    if (axis_end < kHour || least_step <= sim::Nanos{5s}) return smallest_round_step(least_step);
    for (const sim::Nanos step : {sim::Nanos{10s}, sim::Nanos{15s}, sim::Nanos{30s}, sim::Nanos{1min},
                                  sim::Nanos{2min}, sim::Nanos{5min}, sim::Nanos{10min}, sim::Nanos{15min},
                                  sim::Nanos{30min}, kHour, 2 * kHour, 3 * kHour, 6 * kHour, 12 * kHour})
        if (step >= least_step) return step;
    return (least_step + 24 * kHour - sim::Nanos{1}) / (24 * kHour) * 24 * kHour;
}

std::string tick_label(sim::Nanos t, sim::Nanos step, sim::Nanos axis_end) {
    struct AxisUnit {
        std::int64_t nanos;
        const char* name;
    };
    constexpr std::array<AxisUnit, 4> kAxisUnits{
        {{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "\u00b5s"}, {1, "ns"}}};
    std::size_t which = 0;
    while (which + 1 < kAxisUnits.size() && axis_end.count() < kAxisUnits[which].nanos) ++which;
    const AxisUnit& unit = kAxisUnits[which];
    const bool negative = t < sim::Nanos{};
    const std::int64_t n = std::abs(t.count());
    const std::int64_t whole = n / unit.nanos;
    // The labels have the form of a clock time; `unit` is then a second.
    const bool is_clock = axis_end >= kHour;
    std::string text = negative ? "-" : "";
    text += is_clock ? fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
                     : group_digits(static_cast<std::uint64_t>(whole));
    std::int64_t rest = n % unit.nanos;
    std::int64_t digit = unit.nanos;
    // The place value of the label's last digit is the largest power of ten that is at most `step`.
    for (int i = 0; digit > step.count() && digit > 1; ++i) {
        digit /= 10;
        if (i % 3 == 0) text += i == 0 ? "." : kThinSpace;
        text += static_cast<char>('0' + rest / digit);
        rest %= digit;
    }
    return is_clock ? text : text + " " + unit.name;
}

void TimesByTask::clear() {
    for (const sim::TaskId p : touched_) times_[p] = {};
    touched_.clear();
}

void TimesByTask::add(sim::TaskId p, sim::Nanos time) {
    if (time <= sim::Nanos{}) return;
    if (p >= times_.size()) times_.resize(std::size_t{p} + 1);
    if (times_[p] == sim::Nanos{}) touched_.push_back(p);
    times_[p] += time;
}

std::vector<TimesByTask::Owner> TimesByTask::top_owners(std::size_t most) const {
    std::vector<Owner> all;
    all.reserve(touched_.size());
    for (const sim::TaskId p : touched_) all.push_back({p, times_[p]});
    const auto more = [](const Owner& a, const Owner& b) {
        return a.time != b.time ? a.time > b.time : a.task < b.task;
    };
    if (all.size() > most) {
        std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(most), all.end(), more);
        all.resize(most);
    }
    std::sort(all.begin(), all.end(), [](const Owner& a, const Owner& b) { return a.task < b.task; });
    return all;
}

}  // namespace ui
