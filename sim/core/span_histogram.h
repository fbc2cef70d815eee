// A histogram of time spans in fixed memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"

namespace sim {

// Percentiles are exact below 128 ns. From 128 ns on, their relative error is at most 1/64.
class SpanHistogram {
  public:
    void add(Nanos span);

    std::uint64_t count() const { return count_; }
    Nanos sum() const { return sum_; }
    Nanos mean() const { return count_ == 0 ? Nanos{} : sum_ / static_cast<std::int64_t>(count_); }
    Nanos min_span() const { return least_; }
    Nanos max_span() const { return most_; }
    // The smallest bound that is not exceeded by `percent` percent of the spans; 0 if there are no spans.
    // REQUIRES: 0 < percent <= 100.
    Nanos percentile(double percent) const;
    // A bucket that contains `count` spans, each at most `at_most` long.
    struct Bucket {
        Nanos at_most{};
        std::uint64_t count = 0;
    };
    // The nonempty buckets in ascending order.
    std::vector<Bucket> nonempty_buckets() const;

  private:
    static constexpr std::size_t kSteps = 64;  // buckets per octave
    static std::size_t bucket_of(std::uint64_t value);
    static std::uint64_t largest_in_bucket(std::size_t bucket);

    std::array<std::uint32_t, kSteps * 58> counts_{};
    std::uint64_t count_ = 0;
    Nanos sum_{}, least_{}, most_{};
};

}  // namespace sim
