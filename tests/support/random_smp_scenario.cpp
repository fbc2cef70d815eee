#include "tests/support/random_smp_scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>
#include <vector>

namespace sim {
namespace {

using nlohmann::ordered_json;

constexpr std::uint64_t kMostTasks = 48;
constexpr std::uint64_t kLocks = 4;

class Author {
  public:
    Author(std::uint64_t number, bool ending)
        : random_(number * 0x9e3779b97f4a7c15 + (ending ? 77 : 3)), cpus_(1 + number % 8), ending_(ending) {}

    ordered_json scenario() {
        static constexpr std::uint64_t kHz[] = {50, 100, 1000, 1024};
        static constexpr std::uint64_t kUnits[] = {20'000, 1'000'000, 3'141'593, 10'000'000};
        hz_ = pick(kHz);
        unit_ = pick(kUnits);
        in_order_ = ending_ || chance(60);

        ordered_json result;
        result["format"] = "switchyard-scenario/1";
        result["machine"] = machine();
        result["cpus"] = cpus_;
        result["seed"] = below(1'000'000);
        if (!ending_) result["until"] = time(unit_ * (200 + below(1'500)));
        ordered_json pipes = ordered_json::object();
        for (std::uint64_t i = 0; i < 2; ++i) {
            capacities_.push_back(chance(50) ? 1 + below(8) : 1 + below(4096));
            pipes[fmt::format("p{}", i)] = {{"capacity", size(capacities_.back())}};
        }
        result["pipes"] = std::move(pipes);
        ordered_json devices = ordered_json::object();
        for (std::uint64_t i = 0; i < 2; ++i)
            devices[fmt::format("d{}", i)] = {{"service", positive_duration(3)}, {"at_once", 1 + below(3)}};
        result["devices"] = std::move(devices);

        plan_entries();
        ordered_json tasks = ordered_json::array();
        for (std::size_t i = 0; i < counts_.size(); ++i) tasks.push_back(entry(i));
        if (ending_) add_partners(tasks);
        result["max_tasks"] = ending_ ? 400 : total_ + below(kMostTasks - total_ + 1);
        result["tasks"] = std::move(tasks);
        return result;
    }

  private:
    std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
    bool chance(std::uint64_t percent) { return below(100) < percent; }
    template <std::size_t N>
    std::uint64_t pick(const std::uint64_t (&choices)[N]) {
        return choices[below(N)];
    }

    static std::string name(std::size_t entry) { return fmt::format("t{}", entry); }
    static std::string time(std::uint64_t nanos) { return fmt::format("{}ns", nanos); }
    static std::string size(std::uint64_t bytes) { return fmt::format("{}B", bytes); }

    ordered_json machine() {
        ordered_json m;
        m["hz"] = hz_;
        if (chance(60)) m["lazy_tlb"] = chance(50);
        const std::uint64_t kind = below(4);  // free, cheap, dear, or only some things cost anything
        const std::uint64_t scale = kind == 1 ? 100 : unit_ / 50;
        const auto price = [&](std::uint64_t most) {
            return time(kind == 0 || chance(25) ? 0 : below(most) + 1);
        };
        if (chance(60)) {
            m["tlb"] = {{"entries", 1 + below(64)},
                        {"tagged", chance(40)},
                        {"footprint", below(20)},
                        {"refill", price(scale / 20 + 1)}};
        }
        if (chance(60)) {
            m["cache"] = {{"size", size(32 * (1 + below(512)))},
                          {"line", "32B"},
                          {"footprint", size(below(6'000))},
                          {"refill", price(scale / 40 + 1)},
                          {"stream", price(scale / 80 + 1)}};
        }
        ordered_json costs = ordered_json::object();
        if (kind != 0) {
            for (const char* small :
                 {"considered", "recalculated", "queue_step", "copied_page", "loaded_page"})
                costs[small] = price(scale / 10 + 1);
            for (const char* plain : {"syscall", "schedule", "wake_up", "pipe", "futex", "fork_process",
                                      "fork_thread", "exec", "exit", "munmap", "idle_exit", "reschedule_ipi"})
                costs[plain] = price(scale);
            const std::uint64_t same = chance(25) ? 0 : below(scale) + 1;
            costs["switch_same_mm"] = time(same);
            costs["switch_other_mm"] = time(same + (chance(25) ? 0 : below(scale) + 1));
        }
        m["costs"] = std::move(costs);
        return m;
    }

    // How many tasks each entry starts with. Entries from first_child_ on are those that others fork.
    void plan_entries() {
        const std::uint64_t entries = 1 + below(8);
        for (std::uint64_t i = 0; i < entries; ++i) {
            const std::uint64_t count = std::min(chance(60) ? 1 : 1 + below(5), kMostTasks - total_);
            counts_.push_back(count);
            total_ += count;
        }
        first_child_ = counts_.size();
        const std::uint64_t children = 1 + below(3);
        for (std::uint64_t i = 0; i < children; ++i) counts_.push_back(0);
    }

    ordered_json frame(const std::string& its_name, std::uint64_t count) {
        ordered_json result;
        result["name"] = its_name;
        result["count"] = count;
        if (chance(25)) result["start"] = time(chance(50) ? unit_ * below(50) : below(unit_ * 20));
        if (chance(20))
            result["mm"] = nullptr;
        else if (chance(50))
            result["mm"] = fmt::format("m{}", below(3));
        if (chance(40)) result["working_set"] = size(below(32'768));
        if (chance(30)) {
            ordered_json allowed = ordered_json::array();
            for (std::uint64_t c = 0; c < cpus_; ++c)
                if (chance(50)) allowed.push_back(c);
            if (allowed.empty()) allowed.push_back(below(cpus_));
            result["affinity"] = std::move(allowed);
        }
        if (chance(60)) result["priority"] = 1 + below(40);
        return result;
    }

    ordered_json entry(std::size_t index) {
        ordered_json result = frame(name(index), counts_[index]);
        const std::uint64_t sort = below(100);
        real_time_ = sort < 12;
        if (real_time_) {
            result["class"] = sort < 6 ? "fifo" : "rr";
            result["rt_priority"] = 1 + below(chance(70) ? 3 : 99);
        }
        is_child_ = index >= first_child_;
        is_alone_ = counts_[index] == 1;
        ordered_json program = steps(0, 1 + below(5));
        if (!ending_ && !is_child_ && !chance(15)) {
            program.push_back(endless_loop());
        } else if (!is_child_ && chance(20)) {
            program.push_back({{"exec", name(first_child_ + below(counts_.size() - first_child_))}});
        }
        result["program"] = std::move(program);
        return result;
    }

    ordered_json steps(int depth, std::uint64_t count) {
        ordered_json result = ordered_json::array();
        for (std::uint64_t i = 0; i < count; ++i)
            for (ordered_json& step : one_or_more(depth)) result.push_back(std::move(step));
        return result;
    }

    using Steps = std::vector<ordered_json>;
    static Steps one(ordered_json step) {
        Steps result;
        result.push_back(std::move(step));
        return result;
    }

    Steps one_or_more(int depth) {
        const std::uint64_t kind = below(100);
        if (kind < 20) return one({{"run", duration(4)}});
        if (kind < 28) return one("yield");
        if (kind < 36) return one({{"sleep", duration(10)}});
        if (kind < 42) return one({{"io", fmt::format("d{}", below(2))}});
        if (kind < 60) return locked(depth);
        if (kind < 64) return one("munmap");
        if (kind < 74) {
            if (depth < 3) return one(finite_loop(depth));
            return one("yield");
        }
        if (kind < 80) {
            // Children that forked would have no end; neither would those who fork again and again.
            if (is_child_ || held_ > 0 || (ending_ && depth > 0)) return one({{"run", duration(2)}});
            return one({{"fork", name(first_child_ + below(counts_.size() - first_child_))}});
        }
        if (ending_) return one({{"wake", fmt::format("c{}", below(3))}});
        if (kind < 84) return one({{"wait", fmt::format("c{}", below(3))}});
        if (kind < 89) return one({{"wake", fmt::format("c{}", below(3))}});
        if (kind < 95) {
            const std::uint64_t pipe = below(2);
            if (chance(50))
                return one(
                    {{"pipe_read", fmt::format("p{}", pipe)}, {"bytes", size(1 + below(capacities_[pipe]))}});
            const std::uint64_t most =
                chance(70) ? std::min<std::uint64_t>(capacities_[pipe], 3) : capacities_[pipe];
            return one({{"pipe_write", fmt::format("p{}", pipe)}, {"bytes", size(1 + below(most))}});
        }
        if (kind < 97) {
            if (is_alone_) return one("park");
            return one("yield");
        }
        if (kind < 99) {
            for (std::size_t i = 0; i < counts_.size(); ++i)
                if (const std::size_t entry = below(counts_.size()); counts_[entry] == 1)
                    return one({{"unpark", name(entry)}});
            return one("yield");
        }
        if (held_ > 0) return one("yield");
        if (chance(30)) return one("exit");
        Steps result = one({{"run", positive_duration(1)}});  // programs may lead to each other in a circle
        result.push_back({{"exec", name(below(counts_.size()))}});
        return result;
    }

    // A lock, what is done under it, perhaps with another lock, and its release.
    Steps locked(int depth) {
        const std::uint64_t first_free = in_order_ ? next_lock_ : 0;
        std::vector<std::uint64_t> choices;
        for (std::uint64_t lock = first_free; lock < kLocks; ++lock)
            if (std::find(locks_.begin(), locks_.end(), lock) == locks_.end()) choices.push_back(lock);
        if (choices.empty() || depth >= 3) return one({{"run", duration(2)}});
        const std::uint64_t lock = choices[below(choices.size())];
        Steps result = one({{"lock", fmt::format("l{}", lock)}});
        locks_.push_back(lock);
        ++held_;
        const std::uint64_t outer = std::exchange(next_lock_, lock + 1);
        for (ordered_json& step : steps(depth + 1, below(3))) result.push_back(std::move(step));
        next_lock_ = outer;
        --held_;
        locks_.pop_back();
        result.push_back({{"unlock", fmt::format("l{}", lock)}});
        return result;
    }

    ordered_json finite_loop(int depth) {
        ordered_json result;
        result["loop"] = below(5);
        result["steps"] = steps(depth + 1, below(4));
        return result;
    }

    // Its body takes time whatever system calls cost, and lets others run if its task is a real-time one.
    ordered_json endless_loop() {
        ordered_json body = steps(1, below(6));
        body.push_back({{"run", positive_duration(3)}});
        if (real_time_ || chance(30)) body.push_back({{"sleep", positive_duration(20)}});
        return {{"loop", "forever"}, {"steps", std::move(body)}};
    }

    // Entries of which each byte that one writes is read by another one, and each wait is ended.
    void add_partners(ordered_json& tasks) {
        const std::uint64_t pipe = below(2), writers = 1 + below(3), bytes = 1 + below(20);
        const auto repeated = [&](std::uint64_t times, ordered_json what) {
            ordered_json body = ordered_json::array({std::move(what)});
            if (chance(50)) body.push_back({{"run", duration(1)}});
            if (chance(30)) body.push_back("yield");
            return ordered_json::array({{{"loop", times}, {"steps", std::move(body)}}});
        };
        ordered_json writer = frame("writer", writers), reader = frame("reader", 1);
        writer["program"] = repeated(bytes, {{"pipe_write", fmt::format("p{}", pipe)}});
        reader["program"] = repeated(bytes * writers, {{"pipe_read", fmt::format("p{}", pipe)}});
        ordered_json waiter = frame("waiter", 1 + below(3)), waker = frame("waker", 1);
        waiter["program"] = repeated(bytes, {{"wait", "partners"}});
        waker["program"] = repeated(bytes * waiter["count"].get<std::uint64_t>(), {{"wake", "partners"}});
        for (ordered_json* task : {&writer, &reader, &waiter, &waker}) tasks.push_back(std::move(*task));
    }

    ordered_json duration(std::uint64_t most_units) {
        if (chance(4)) return "0ns";
        return positive_duration(most_units);
    }

    ordered_json positive_duration(std::uint64_t most_units) {
        const std::uint64_t kind = below(10);
        if (kind < 4) return time(unit_ * (1 + below(most_units)));
        if (kind < 5) return time(1 + below(unit_));
        if (kind < 8) return {{"exponential", time(1 + below(unit_ * most_units))}};
        const std::uint64_t least = below(unit_);
        return {{"uniform", {time(least), time(least + below(unit_ * most_units))}}};
    }

    std::mt19937_64 random_;
    std::uint64_t cpus_, hz_ = 100, unit_ = 0;  // nanoseconds
    bool ending_, in_order_ = true;             // locks are taken in the order of their numbers
    std::uint64_t total_ = 0;
    std::vector<std::uint64_t> counts_, capacities_, locks_;
    std::size_t first_child_ = 0;
    std::uint64_t next_lock_ = 0, held_ = 0;
    bool real_time_ = false, is_child_ = false, is_alone_ = false;
};

}  // namespace

std::string random_smp_scenario_json(std::uint64_t number) {
    return Author(number, false).scenario().dump(1, '\t');
}

std::string random_ending_scenario_json(std::uint64_t number) {
    return Author(number, true).scenario().dump(1, '\t');
}

}  // namespace sim
