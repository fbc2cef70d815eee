// Common parts of the random scenario generators: random draws, names, durations and costs. Do not change
// the sequence of draws: it determines the scenario of each number, and tests expect exact counts over
// ranges of these numbers. with_sleeps() does not draw.
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

class RandomScenarioParts {
  protected:
    using ordered_json = nlohmann::ordered_json;

    explicit RandomScenarioParts(std::uint64_t seed) : random_(seed) {}
    virtual ~RandomScenarioParts() = default;

    // Generates `count` program steps, or more if a step requires further steps. `depth`: number of
    // enclosing loops.
    virtual ordered_json steps(int depth, std::uint64_t count) = 0;

    // In every fourth scenario number, replaces every second external arrival by a timer of the task. The
    // timers end at ticks; in every eighth number they end on time (hrtimers).
    static std::string with_sleeps(std::string text, std::uint64_t number) {
        if (number % 4 != 3) return text;
        const std::string word = "\"arrival\"";
        bool sleeps = false;
        for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size()) {
            sleeps = !sleeps;
            const std::size_t value = text.find_first_not_of(": ", at + word.size());
            // A sleep of 0 ns would call schedule() without a trace record.
            if (sleeps && text.compare(value, 5, "\"0ns\"") != 0) text.replace(at, word.size(), "\"sleep\"");
        }
        const std::string hz = "\"hz\":";
        if (number % 8 == 7) text.replace(text.find(hz), hz.size(), "\"hrtimers\": true, " + hz);
        return text;
    }

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

    // A random time above 0. It is often a multiple of the unit, so that several events have the same time.
    ordered_json positive_duration(std::uint64_t most_units) {
        const std::uint64_t kind = below(10);
        if (kind < 4) return time(unit_ * (1 + below(most_units)));
        if (kind < 5) return time(1 + below(unit_));
        if (kind < 8) return {{"exponential", time(1 + below(unit_ * most_units))}};
        const std::uint64_t least = below(unit_);
        return {{"uniform", {time(least), time(least + below(unit_ * most_units))}}};
    }

    static constexpr std::uint64_t kHz[] = {50, 100, 1000, 1024};

    // Upper bound of the costs of a machine. `kind` 0: nothing costs anything (the caller handles it), 1:
    // cheap, 2 and 3: expensive.
    std::uint64_t cost_scale(std::uint64_t kind) const { return kind == 1 ? 100 : unit_ / 50; }
    std::uint64_t cost(std::uint64_t most) { return chance(25) ? 0 : below(most) + 1; }
    void add_switch_costs(ordered_json& costs, std::uint64_t scale) {
        const std::uint64_t same = cost(scale);
        costs["switch_same_mm"] = time(same);
        costs["switch_other_mm"] = time(same + cost(scale));
    }

    // Sets the start time and the initial address space.
    void add_start_and_mm(ordered_json& task, std::uint64_t shared_percent) {
        if (chance(25)) task["start"] = time(chance(50) ? unit_ * below(50) : below(unit_ * 20));
        if (chance(20))
            task["mm"] = nullptr;
        else if (chance(shared_percent))
            task["mm"] = fmt::format("m{}", below(3));
    }
    void add_real_time_class(ordered_json& task, bool is_fifo) {
        task["class"] = is_fifo ? "fifo" : "rr";
        task["rt_priority"] = 1 + below(chance(70) ? 3 : 99);
    }

    std::string channel() { return fmt::format("c{}", below(3)); }
    // The name of a random task group that is only started by fork. REQUIRES: there is such a group.
    std::string child() { return name(first_child_ + below(counts_.size() - first_child_)); }
    ordered_json finite_loop(int depth) {
        ordered_json result;
        result["loop"] = below(5);
        result["steps"] = steps(depth + 1, below(4));
        return result;
    }

    // Plans task groups of one to five tasks, `most_tasks` in total.
    void add_entries(std::uint64_t entries, std::uint64_t most_tasks) {
        for (std::uint64_t i = 0; i < entries; ++i) {
            const std::uint64_t count = std::min(chance(60) ? 1 : 1 + below(5), most_tasks - total_);
            counts_.push_back(count);
            total_ += count;
        }
        first_child_ = counts_.size();
    }
    // Plans task groups that are only started by fork.
    void add_children(std::uint64_t entries) { counts_.insert(counts_.end(), entries, 0); }

    std::uint64_t unit_ = 0;             // unit of time, in ns
    std::uint64_t total_ = 0;            // tasks at the start
    std::vector<std::uint64_t> counts_;  // number of tasks, by task group
    std::size_t first_child_ = 0;        // first task group that is only started by fork

  private:
    std::mt19937_64 random_;
};

}  // namespace sim
