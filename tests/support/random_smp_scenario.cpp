#include <algorithm>
#include <utility>
#include <vector>

#include "sim/scenario/scenario_json.h"
#include "tests/support/random_scenario.h"
#include "tests/support/random_scenario_parts.h"

namespace sim {
namespace {

constexpr std::uint64_t kMostTasks = 48;
constexpr std::uint64_t kLocks = 4;

// endless: tasks never end; ending: all tasks end; crowd: up to hundreds of tasks, most of them ready.
enum class Kind : std::uint64_t { endless = 3, ending = 77, crowd = 1009 };

class SmpScenario : RandomScenarioParts {
  public:
    SmpScenario(std::uint64_t number, Kind kind)
        : RandomScenarioParts(number * 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(kind)),
          number_(number),
          cpus_(1 + number % 8),
          ending_(kind == Kind::ending),
          crowd_(kind == Kind::crowd) {}

    // Returns the scenario as JSON text. number / 8 determines whether the scenario has sleep steps, so
    // that for each number of CPUs some scenarios have them.
    std::string text(int indent = 1) { return with_sleeps(scenario().dump(indent, '\t'), number_ / 8); }

  private:
    ordered_json scenario() {
        static constexpr std::uint64_t kUnits[] = {20'000, 1'000'000, 3'141'593, 10'000'000};
        hz_ = pick(kHz);
        unit_ = pick(kUnits);
        in_order_ = ending_ || chance(60);
        if (crowd_) plan_crowd();

        ordered_json result;
        result["format"] = "switchyard-scenario/1";
        result["machine"] = machine();
        result["cpus"] = cpus_;
        result["seed"] = below(1'000'000);
        if (crowd_)
            result["until"] = "70h";
        else if (!ending_)
            result["until"] = time(unit_ * (200 + below(1'500)));
        ordered_json pipes = ordered_json::object();
        for (std::uint64_t i = 0; i < 2; ++i) {
            capacities_.push_back(chance(50) ? 1 + below(8) : 1 + below(4096));
            pipes[fmt::format("p{}", i)] = {{"capacity", size(capacities_.back())}};
        }
        result["pipes"] = std::move(pipes);
        ordered_json devices = ordered_json::object();
        for (std::uint64_t i = 0; i < 2; ++i)
            devices[fmt::format("d{}", i)] = {{"service_time", positive_duration(3)},
                                              {"servers", 1 + below(3)}};
        result["devices"] = std::move(devices);

        if (!crowd_) plan_entries();
        ordered_json tasks = ordered_json::array();
        for (std::size_t i = 0; i < counts_.size(); ++i) tasks.push_back(entry(i));
        if (ending_) add_partners(tasks);
        if (crowd_)
            result["max_tasks"] = total_ + below(100);
        else
            result["max_tasks"] = ending_ ? 400 : total_ + below(kMostTasks - total_ + 1);
        result["tasks"] = std::move(tasks);
        return result;
    }

    ordered_json machine() {
        ordered_json m;
        m["hz"] = hz_;
        if (chance(60)) m["lazy_tlb"] = chance(50);
        const std::uint64_t kind = below(4);  // 0: free, 1: cheap, 2 and 3: expensive
        const std::uint64_t scale = cost_scale(kind);
        const auto cost_if_any = [&](std::uint64_t most) { return time(kind == 0 ? 0 : cost(most)); };
        if (chance(60)) {
            m["tlb"] = {{"entries", 1 + below(64)},
                        {"tagged", chance(40)},
                        {"footprint", below(20)},
                        {"refill", cost_if_any(scale / 20 + 1)}};
        }
        if (chance(60)) {
            m["cache"] = {{"size", size(32 * (1 + below(512)))},
                          {"line", "32B"},
                          {"footprint", size(below(6'000))},
                          {"refill", cost_if_any(scale / 40 + 1)},
                          {"prefetched_refill", cost_if_any(scale / 80 + 1)}};
        }
        ordered_json costs = ordered_json::object();
        if (kind != 0) {
            for (const char* small :
                 {"considered", "recalculated", "queue_step", "copied_page", "loaded_page"})
                costs[small] = cost_if_any(scale / 10 + 1);
            for (const char* plain : {"syscall", "schedule", "wake_up", "pipe", "futex", "fork_process",
                                      "fork_thread", "exec", "exit", "munmap", "idle_exit", "reschedule_ipi"})
                costs[plain] = cost_if_any(scale);
            add_switch_costs(costs, scale);
            // Costs that only some kernels have. They are derived from the number without a draw, so that the
            // rest of the scenario is unchanged.
            for (const char* moving : {"balance", "migrate", "migration_thread"})
                costs[moving] = time(number_ * 37 % (scale + 1));
        }
        if (number_ % 3 != 0)
            m["topology"] = {{"siblings", 1 + number_ / 3 % 4}, {"cores", 1 + number_ / 7 % 4}};
        m["costs"] = std::move(costs);
        // Without a draw, like the costs above. Half of the scenarios use the phases of the policy's kernel.
        const char* const rules[] = {"together", "spread", "half"};
        if (number_ % 8 < 3) m["tick_phases"] = rules[number_ % 8];
        if (number_ % 8 == 3) m["tick_phases"] = {"0ns", "99us", "50us", "99us"};
        return m;
    }

    void plan_entries() {
        add_entries(1 + below(8), kMostTasks);
        add_children(1 + below(3));
    }

    // Half of the crowds have one CPU. Some consist of equal tasks with one priority, others are mixed.
    // Most are long queues of tasks that compute and yield. In some crowds many tasks sleep, and in some
    // the tasks run in waves.
    void plan_crowd() {
        static constexpr std::uint64_t kCrowdUnits[] = {20'000, 200'000, 1'000'000, 3'141'593};
        static constexpr std::uint64_t kPriorities[] = {0, 0, 1, 2, 3, 5, 20, 40};
        static constexpr std::uint64_t kMostPriorities[] = {2, 5, 12, 40, 40};
        static constexpr std::uint64_t kRealTime[] = {0, 0, 0, 2, 5, 12};
        static constexpr std::uint64_t kYields[] = {0, 10, 30, 50, 80, 95};
        unit_ = pick(kCrowdUnits);
        in_order_ = true;
        cpus_ = chance(50) ? 1 : 2 + below(7);
        priority_ = pick(kPriorities);
        most_priority_ = pick(kMostPriorities);
        real_time_percent_ = pick(kRealTime);
        yield_percent_ = pick(kYields);
        mms_ = 1 + below(4);
        shared_percent_ = 10 + below(80);
        is_long_ = chance(75);
        const std::uint64_t wanted = is_long_ ? 60 + below(241) : 1 + below(60);
        const std::uint64_t entries = 1 + below(30);
        while (total_ < wanted) {
            const std::uint64_t even = wanted / entries + 1;
            const std::uint64_t count = std::min(chance(25) ? 1 : 1 + below(2 * even), wanted - total_);
            counts_.push_back(count);
            total_ += count;
        }
        if (is_long_ && chance(35)) {
            ebb_ = 300 + below(700);
            counts_.push_back(1 + below(5));  // tasks that stay ready between two waves
            total_ += counts_.back();
        }
        first_child_ = counts_.size();
        add_children(1 + below(3));
    }

    // Sets address space, priority and start time of a task group in a crowd.
    void place_in_crowd(ordered_json& task) {
        if (chance(15)) task["start"] = time(below(unit_ * 50));
        if (chance(10))
            task["mm"] = nullptr;
        else if (chance(shared_percent_))
            task["mm"] = fmt::format("m{}", below(mms_));
        if (priority_ != 0)
            task["priority"] = priority_;
        else if (chance(95))
            task["priority"] = 1 + below(most_priority_);
    }

    ordered_json frame(const std::string& its_name, std::uint64_t count) {
        ordered_json result;
        result["name"] = its_name;
        result["count"] = count;
        if (crowd_) {
            place_in_crowd(result);
        } else {
            add_start_and_mm(result, 50);
        }
        if (chance(40)) result["working_set"] = size(below(32'768));
        if (chance(30)) {
            ordered_json allowed = ordered_json::array();
            for (std::uint64_t c = 0; c < cpus_; ++c)
                if (chance(50)) allowed.push_back(c);
            if (allowed.empty()) allowed.push_back(below(cpus_));
            result["affinity"] = std::move(allowed);
        }
        if (!crowd_ && chance(60)) result["priority"] = 1 + below(40);
        return result;
    }

    ordered_json entry(std::size_t index) {
        ordered_json result = frame(name(index), counts_[index]);
        const std::uint64_t sort = below(100);
        real_time_ = sort < real_time_percent_;
        if (real_time_) add_real_time_class(result, crowd_ ? sort % 2 == 0 : sort < 6);
        is_child_ = index >= first_child_;
        is_alone_ = counts_[index] == 1;
        static constexpr std::uint64_t kBusy[] = {100, 100, 97, 85, 50, 20, 0};
        busy_percent_ = crowd_ ? kBusy[is_long_ ? below(4) : below(std::size(kBusy))] : 0;
        ordered_json program = steps(0, crowd_ ? below(3) : 1 + below(5));
        if (ebb_ != 0 && index + 1 < first_child_) {
            program.push_back(wave());
        } else if (crowd_ && !is_child_ && !chance(2)) {
            program.push_back(endless_loop());
        } else if (!ending_ && !is_child_ && !chance(15)) {
            program.push_back(endless_loop());
        } else if (!is_child_ && chance(20)) {
            program.push_back({{"exec", child()}});
        }
        result["program"] = std::move(program);
        return result;
    }

    ordered_json steps(int depth, std::uint64_t count) override {
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
        if (crowd_ && chance(busy_percent_)) {
            if (chance(yield_percent_)) return one("yield");
            return one({{"run", duration(chance(80) ? 1 : 8)}});
        }
        if (crowd_ && chance(30)) return one({{"arrival", duration(chance(50) ? 10 : 200)}});
        const std::uint64_t kind = below(100);
        if (kind < 20) return one({{"run", duration(4)}});
        if (kind < 28) return one("yield");
        if (kind < 36) return one({{"arrival", duration(10)}});
        if (kind < 42) return one({{"io", fmt::format("d{}", below(2))}});
        if (kind < 60) return locked(depth);
        if (kind < 64) return one("munmap");
        if (kind < 74) {
            if (depth < 3) return one(finite_loop(depth));
            return one("yield");
        }
        if (kind < 80) {
            // If children forked, or a loop contained a fork, the number of tasks would grow without limit.
            if (is_child_ || held_ > 0 || (ending_ && depth > 0)) return one({{"run", duration(2)}});
            return one({{"fork", child()}});
        }
        if (ending_) return one({{"wake", channel()}});
        if (kind < 84) return one({{"wait", channel()}});
        if (kind < 89) return one({{"wake", channel()}});
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
        Steps result = one({{"run", positive_duration(1)}});  // a cycle of execs must take time
        result.push_back({{"exec", name(below(counts_.size()))}});
        return result;
    }

    // Takes a lock, executes steps (perhaps with another lock), and releases it.
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

    // The body of a loop takes time even if system calls are free. In a real-time task, the body also
    // contains a sleep, so that other tasks can run.
    ordered_json endless_loop() {
        ordered_json body = steps(1, below(6));
        body.push_back({{"run", positive_duration(crowd_ ? 1 : 3)}});
        if (real_time_ || chance(crowd_ ? (100 - busy_percent_) / 3 : 30))
            body.push_back({{"arrival", positive_duration(crowd_ && real_time_ ? 400 : 20)}});
        return {{"loop", "forever"}, {"steps", std::move(body)}};
    }

    // Generates steps that compute for a while and then sleep for `ebb_` units, as all tasks of a wave do.
    ordered_json wave() {
        ordered_json work = steps(1, below(4));
        work.push_back({{"run", positive_duration(1)}});
        ordered_json body = ordered_json::array({{{"loop", 1 + below(8)}, {"steps", std::move(work)}}});
        body.push_back({{"arrival", time(unit_ * ebb_)}});
        return {{"loop", "forever"}, {"steps", std::move(body)}};
    }

    // Adds two pairs of task groups. The reader reads every byte that the writers write; the waker ends
    // every wait of the waiters.
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

    std::uint64_t number_, cpus_, hz_ = 100;
    bool ending_, crowd_;
    bool in_order_ = true;  // locks are taken in increasing order
    std::vector<std::uint64_t> capacities_, locks_;
    std::uint64_t next_lock_ = 0, held_ = 0;
    bool real_time_ = false, is_child_ = false, is_alone_ = false;
    std::uint64_t real_time_percent_ = 12;  // percentage of the task groups
    // Only for crowds:
    bool is_long_ = false;                             // the queue is long
    std::uint64_t ebb_ = 0;                            // units of time between two waves; 0: no waves
    std::uint64_t priority_ = 0, most_priority_ = 40;  // priority of all groups; 0: each group has its own
    std::uint64_t mms_ = 3, shared_percent_ = 0;       // shared address spaces; percent of groups with one
    std::uint64_t busy_percent_ = 0;                   // percent of program steps that compute or yield
    std::uint64_t yield_percent_ = 0;                  // percent of yields among those steps
};

}  // namespace

std::string random_smp_scenario_json(std::uint64_t number) {
    return SmpScenario(number, Kind::endless).text();
}

Scenario random_smp_scenario(std::uint64_t number) {
    return parse_scenario("random.json", random_smp_scenario_json(number));
}

std::string random_ending_scenario_json(std::uint64_t number) {
    return SmpScenario(number, Kind::ending).text();
}

std::string random_crowd_json(std::uint64_t number) { return SmpScenario(number, Kind::crowd).text(-1); }

}  // namespace sim
