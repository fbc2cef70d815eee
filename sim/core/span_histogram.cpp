#include "sim/core/span_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace sim {

std::size_t SpanHistogram::bucket_of(std::uint64_t value) {
    if (value < 2 * kSteps) return static_cast<std::size_t>(value);
    // The right shift that reduces the value to a number from 64 to 127.
    const auto octave = static_cast<std::size_t>(std::bit_width(value)) - 7;
    return octave * kSteps + static_cast<std::size_t>(value >> octave);
}

std::uint64_t SpanHistogram::largest_in_bucket(std::size_t bucket) {
    if (bucket < 2 * kSteps) return bucket;
    const std::size_t octave = bucket / kSteps - 1;
    return ((bucket - octave * kSteps + 1) << octave) - 1;
}

void SpanHistogram::add(Nanos span) {
    least_ = count_ == 0 ? span : std::min(least_, span);
    most_ = count_ == 0 ? span : std::max(most_, span);
    ++count_;
    sum_ += span;
    ++counts_[bucket_of(static_cast<std::uint64_t>(span.count()))];
}

Nanos SpanHistogram::percentile(double percent) const {
    if (count_ == 0) return {};
    // Subtracts a small amount. Otherwise rounding could turn 99.9 % of 1000 spans into rank 1000 instead
    // of rank 999.
    const double exact = percent / 100 * static_cast<double>(count_) - 1e-9 * static_cast<double>(count_);
    const auto rank = static_cast<std::uint64_t>(std::ceil(std::max(1.0, exact)));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        seen += counts_[i];
        if (seen >= rank)
            return std::clamp(Nanos{static_cast<std::int64_t>(largest_in_bucket(i))}, least_, most_);
    }
    return most_;
}

std::vector<SpanHistogram::Bucket> SpanHistogram::nonempty_buckets() const {
    std::vector<Bucket> list;
    for (std::size_t i = 0; i < counts_.size(); ++i)
        if (counts_[i] != 0)
            list.push_back({std::clamp(Nanos{static_cast<std::int64_t>(largest_in_bucket(i))}, least_, most_),
                            counts_[i]});
    return list;
}

}  // namespace sim
