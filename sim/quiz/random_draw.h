// Random numbers for questions. All random choices of a question use one stream of random numbers. So the
// question depends only on the start of the stream, on every platform.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/rng.h"

namespace sim::quiz {

class RandomDraw {
  public:
    explicit RandomDraw(std::uint64_t stream) : stream_(stream) {}

    // A number from 0 to bound - 1. REQUIRES: bound > 0.
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>(random_below(stream_, bound));
    }
    // A number from least to most, both included.
    std::int32_t between(std::int32_t least, std::int32_t most) {
        return least + static_cast<std::int32_t>(below(static_cast<std::uint32_t>(most - least + 1)));
    }
    bool chance(std::uint32_t percent) { return below(100) < percent; }

    // REQUIRES: `values` is not empty.
    template <class T>
    const T& one_of(const std::vector<T>& values) {
        return values[below(static_cast<std::uint32_t>(values.size()))];
    }

    template <class T>
    void shuffle(std::vector<T>& values) {
        for (std::size_t i = values.size(); i > 1; --i)
            std::swap(values[i - 1], values[below(static_cast<std::uint32_t>(i))]);
    }

  private:
    std::uint64_t stream_;
};

}  // namespace sim::quiz
