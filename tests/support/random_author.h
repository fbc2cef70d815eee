// What the writers of random scenarios have in common: chance, names, and how long things take.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace sim {

class RandomAuthor {
  protected:
    using ordered_json = nlohmann::ordered_json;

    explicit RandomAuthor(std::uint64_t seed) : random_(seed) {}

    std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
    bool chance(std::uint64_t percent) { return below(100) < percent; }
    template <std::size_t N>
    std::uint64_t pick(const std::uint64_t (&choices)[N]) {
        return choices[below(N)];
    }

    static std::string name(std::size_t entry) { return fmt::format("t{}", entry); }
    static std::string time(std::uint64_t nanos) { return fmt::format("{}ns", nanos); }
    static std::string size(std::uint64_t bytes) { return fmt::format("{}B", bytes); }

    ordered_json duration(std::uint64_t most_units) {
        if (chance(4)) return "0ns";
        return positive_duration(most_units);
    }

    // Often a multiple of the unit, so that events fall on the same instant.
    ordered_json positive_duration(std::uint64_t most_units) {
        const std::uint64_t kind = below(10);
        if (kind < 4) return time(unit_ * (1 + below(most_units)));
        if (kind < 5) return time(1 + below(unit_));
        if (kind < 8) return {{"exponential", time(1 + below(unit_ * most_units))}};
        const std::uint64_t least = below(unit_);
        return {{"uniform", {time(least), time(least + below(unit_ * most_units))}}};
    }

    // Plans entries of one to five tasks, `most_tasks` in all.
    void add_entries(std::uint64_t entries, std::uint64_t most_tasks) {
        for (std::uint64_t i = 0; i < entries; ++i) {
            const std::uint64_t count = std::min(chance(60) ? 1 : 1 + below(5), most_tasks - total_);
            counts_.push_back(count);
            total_ += count;
        }
        first_child_ = counts_.size();
    }
    // Plans entries that others fork.
    void add_children(std::uint64_t entries) { counts_.insert(counts_.end(), entries, 0); }

    std::uint64_t unit_ = 0;             // nanoseconds
    std::uint64_t total_ = 0;            // tasks at the start
    std::vector<std::uint64_t> counts_;  // by entry
    std::size_t first_child_ = 0;        // entries from here on are those that others fork

  private:
    std::mt19937_64 random_;
};

}  // namespace sim
