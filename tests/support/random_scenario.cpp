#include "tests/support/random_scenario.h"

#include <utility>

#include "sim/scenario/scenario_json.h"
#include "tests/support/random_scenario_parts.h"

namespace sim {
namespace {

constexpr std::uint64_t kMostTasks = 60;

class OneCpuScenario : RandomScenarioParts {
  public:
    explicit OneCpuScenario(std::uint64_t seed)
        : RandomScenarioParts(seed * 0x9e3779b97f4a7c15 + 1), seed_(seed) {}

    std::string text() { return with_sleeps(scenario().dump(1, '\t'), seed_); }

  private:
    ordered_json scenario() {
        static constexpr std::uint64_t kUnits[] = {20'000, 1'000'000, 3'141'593, 5'000'000, 10'000'000};
        const std::uint64_t hz = pick(kHz);
        unit_ = pick(kUnits);

        ordered_json machine;
        machine["hz"] = hz;
        machine["costs"] = costs();

        plan_entries();
        ordered_json tasks = ordered_json::array();
        for (std::size_t i = 0; i < counts_.size(); ++i) tasks.push_back(entry(i));

        ordered_json result;
        result["format"] = "switchyard-scenario/1";
        result["machine"] = std::move(machine);
        result["seed"] = below(1'000'000);
        result["until"] = time(unit_ * (400 + below(3'000)));
        result["max_tasks"] = total_ + below(kMostTasks - total_ + 1);
        result["tasks"] = std::move(tasks);
        return result;
    }

    // Either all costs are zero (kind 0), or each cost is random and with a probability of about a quarter
    // zero.
    ordered_json costs() {
        ordered_json result = ordered_json::object();
        const std::uint64_t kind = below(4);
        if (kind == 0) return result;
        const std::uint64_t scale = cost_scale(kind);
        result["syscall"] = time(cost(scale));
        result["schedule"] = time(cost(scale));
        result["considered"] = time(cost(scale / 10 + 1));
        result["recalculated"] = time(cost(scale / 10 + 1));
        result["queue_step"] = time(cost(scale / 10 + 1));
        add_switch_costs(result, scale);
        return result;
    }

    void plan_entries() {
        add_entries(chance(85) ? 1 + below(8) : 9 + below(22), kMostTasks);
        add_children(chance(50) ? below(3) : 0);
    }

    ordered_json entry(std::size_t index) {
        ordered_json result;
        result["name"] = name(index);
        result["count"] = counts_[index];
        add_start_and_mm(result, 40);
        if (chance(60))
            result["priority"] = 1 + below(40);
        else if (chance(20))
            result["nice"] = static_cast<std::int64_t>(below(41)) - 20;
        const std::uint64_t sort = below(100);
        if (sort < 12) {
            add_real_time_class(result, sort < 6);
        } else if (sort < 20) {
            result["class"] = "other";
        }
        real_time_ = sort < 12;
        may_fork_ = index < first_child_;
        ordered_json program = steps(0, 1 + below(4));
        if (index < first_child_ && !chance(15)) program.push_back(endless_loop(0));
        result["program"] = std::move(program);
        return result;
    }

    ordered_json steps(int depth, std::uint64_t count) override {
        ordered_json result = ordered_json::array();
        for (std::uint64_t i = 0; i < count; ++i) result.push_back(step(depth));
        return result;
    }

    ordered_json step(int depth) {
        const std::uint64_t kind = below(100);
        if (kind < 30) return {{"run", duration(4)}};
        if (kind < 50) return "yield";
        if (kind < 66) return {{"arrival", duration(12)}};
        if (kind < 74) return {{"wait", channel()}};
        if (kind < 86) return {{"wake", channel()}};
        if (kind < 95) return depth < 3 ? finite_loop(depth) : ordered_json("yield");
        if (kind < 99) return may_fork_ && !counts_.empty() ? fork() : ordered_json({{"run", duration(2)}});
        return chance(20) ? ordered_json("exit") : ordered_json({{"arrival", duration(6)}});
    }

    // The children of a group that is only forked end. Other groups may multiply until the task table is
    // full.
    ordered_json fork() {
        const std::size_t children = counts_.size() - first_child_;
        if (children == 0 && !chance(10)) return "yield";
        return {{"fork", children > 0 ? child() : name(below(counts_.size()))}};
    }

    // The body of a loop takes time even if system calls are free. In a real-time task, the body also
    // contains a sleep, so that other tasks can run.
    ordered_json endless_loop(int depth) {
        ordered_json body = steps(depth + 1, below(5));
        ordered_json time_passes = {{"run", positive_duration(3)}};
        body.insert(body.begin() + static_cast<std::ptrdiff_t>(below(body.size() + 1)),
                    std::move(time_passes));
        if (real_time_ || chance(30)) body.push_back({{"arrival", positive_duration(20)}});
        if (depth < 2 && chance(10)) body.push_back(endless_loop(depth + 1));
        ordered_json result;
        result["loop"] = "forever";
        result["steps"] = std::move(body);
        return result;
    }

    std::uint64_t seed_;
    bool real_time_ = false;
    bool may_fork_ = false;
};

}  // namespace

std::string random_scenario_json(std::uint64_t seed) { return OneCpuScenario(seed).text(); }

Scenario random_scenario(std::uint64_t seed) {
    return parse_scenario("random.json", random_scenario_json(seed));
}

}  // namespace sim
