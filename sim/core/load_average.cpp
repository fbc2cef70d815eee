#include "sim/core/load_average.h"

#include <algorithm>

namespace sim {
namespace {

// Times in ticks: the time of the first count, the period between two counts, and the delay from a count to
// the update of the averages.
struct LoadTiming {
    std::uint64_t first, period, delay = 0;
};

LoadTiming timing_of(LoadRule rule, std::uint64_t hz) {
    switch (rule) {
        case LoadRule::linux_1_2:
            return {5 * hz + 1, 5 * hz + 1};
        case LoadRule::linux_2_0:
            return {5 * hz + 1, 5 * hz};
        case LoadRule::linux_2_6_23:
            return {5 * hz + 2, 5 * hz + 1};
        case LoadRule::linux_2_6_31:
        case LoadRule::linux_4_7:
            break;
    }
    return {5 * hz + 1, 5 * hz + 1, std::min<std::uint64_t>(10, 5 * hz)};
}

constexpr std::array<std::uint64_t, 3> kDecay{1884, 2014, 2037};  // EXP_1, EXP_5, EXP_15

// The average after the count `active`, as computed by CALC_LOAD() or calc_load().
std::uint64_t updated_average(std::uint64_t load, std::uint64_t decay, std::uint64_t active, LoadRule rule) {
    const std::uint64_t sum = load * decay + active * (LoadAverage::kOne - decay);
    const bool rounds_up = rule == LoadRule::linux_4_7 && active >= load;
    return (sum + (rounds_up ? LoadAverage::kOne - 1 : 0)) >> LoadAverage::kShift;
}

}  // namespace

void LoadAverage::tick(std::uint64_t tick_number, std::uint32_t hz, LoadRule rule, std::uint64_t tasks) {
    const LoadTiming timing = timing_of(rule, hz);
    if (next_tick_ == 0) next_tick_ = timing.first;
    if (tick_number < next_tick_) return;
    if (!is_counted_) {
        counted_ = tasks << kShift;
        is_counted_ = true;
        next_tick_ += timing.delay;
        if (timing.delay > 0) return;
    }
    for (std::size_t i = 0; i < values_.size(); ++i)
        values_[i] = updated_average(values_[i], kDecay[i], counted_, rule);
    is_counted_ = false;
    next_tick_ += timing.period - timing.delay;
}

}  // namespace sim
