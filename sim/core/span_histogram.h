// Many spans of time in fixed memory, for percentiles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"

namespace sim {

// Many spans in fixed memory: percentiles are exact up to 128 ns and within 1/64 above.
class SpanHistogram {
  public:
    void add(Nanos span);

    std::uint64_t count() const { return count_; }
    Nanos sum() const { return sum_; }
    Nanos mean() const { return count_ == 0 ? Nanos{} : sum_ / static_cast<std::int64_t>(count_); }
    Nanos least() const { return least_; }
    Nanos most() const { return most_; }
    // The span that `percent` of them are not longer than. REQUIRES: 0 < percent <= 100. 0 when there are
    // none.
    Nanos percentile(double percent) const;
    // In the order of their lengths: so many spans of at most that. Those of one bucket are one item.
    struct Item {
        Nanos at_most{};
        std::uint64_t count = 0;
    };
    std::vector<Item> items() const;

  private:
    static constexpr std::size_t kSteps = 64;  // to an octave
    static std::size_t place(std::uint64_t value);
    static std::uint64_t greatest_at(std::size_t place);

    std::array<std::uint32_t, kSteps * 58> counts_{};
    std::uint64_t count_ = 0;
    Nanos sum_{}, least_{}, most_{};
};

}  // namespace sim
