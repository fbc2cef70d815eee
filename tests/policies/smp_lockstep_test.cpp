// Lockstep test of linux-2.0, 2.2 and 2.4 against simple reference models on two to eight CPUs, through the
// engine. The input of the models is the trace of a run. Each schedule() must choose the same task with the
// same amount of work. The engine decides when a CPU reschedules (smp_invariants_test.cpp).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <string>

#include "sim/base/units.h"
#include "sim/core/engine.h"
#include "sim/scenario/scenario_json.h"
#include "tests/reference/linux_2_0_smp_model.h"
#include "tests/reference/linux_2_4_model.h"
#include "tests/support/random_scenario.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace smp_lockstep_test {

int id(TaskId p) { return static_cast<int>(p); }

// Adapters that give the models a common interface, for Follower.
class Model20 {
  public:
    Model20(std::uint32_t cpus, bool one_tick) : model_(static_cast<int>(cpus), one_tick) {}

    void add(TaskId p, const TaskGroup& group, int) {
        reference20smp::Task task;
        task.counter = group.priority;
        model_.add_task(id(p), task);
        state(p, group, true);
    }
    void fork(int cpu, TaskId child, const TaskGroup& group, int) {
        model_.fork(cpu, id(child));
        state(child, group, false);
    }
    void exec(int, int) {}
    void wake(TaskId p, int) { model_.wake(id(p)); }
    auto& model() { return model_; }
    const auto& model() const { return model_; }

  private:
    // Applies the values that the task group specifies. If `all` is true, also applies the default values
    // of the task group. `all` is true for a task that was not forked.
    void state(TaskId p, const TaskGroup& group, bool all) {
        reference20smp::Task& task = model_.task(id(p));
        if (all || group.has_priority) task.priority = group.priority;
        if (all || group.has_class) {
            task.policy = static_cast<reference20smp::SchedClass>(group.sched_class);
            task.rt_priority = group.rt_priority;
        }
        if (group.affinity != ~std::uint64_t{0}) task.allowed = group.affinity;
    }

    reference20smp::Linux20SmpModel model_;
};

class Model24 {
  public:
    Model24(std::uint32_t cpus, reference24::Version version)
        : model_(version, static_cast<int>(cpus), false) {}

    void add(TaskId p, const TaskGroup& group, int mm) {
        reference24::Task task;
        task.nice = 20 - group.priority;
        task.counter = model_.first_counter(task.nice);
        task.mm = task.active_mm = mm;
        model_.add_task(id(p), task);
        state(p, group, true);
    }
    void fork(int cpu, TaskId child, const TaskGroup& group, int mm) {
        model_.fork(cpu, id(child), mm);
        state(child, group, false);
    }
    void exec(int cpu, int mm) { model_.exec(cpu, mm); }
    void wake(TaskId p, int cpu) { model_.wake(id(p), cpu); }
    auto& model() { return model_; }
    const auto& model() const { return model_; }

  private:
    void state(TaskId p, const TaskGroup& group, bool all) {
        if (all || group.has_priority) model_.set_nice(id(p), 20 - group.priority);
        if (all || group.has_class)
            model_.set_class(id(p), static_cast<reference24::SchedClass>(group.sched_class),
                             group.rt_priority);
        if (group.affinity != ~std::uint64_t{0}) model_.set_affinity(id(p), group.affinity);
    }

    reference24::Linux24Model model_;
};

struct Counts {
    std::uint64_t decisions = 0, recalculations = 0, migrations = 0, forks = 0;
};

// Runs a model along with the engine.
template <class Model>
class Follower {
  public:
    Follower(const Scenario& scenario, const Machine& m, Model model) : scenario_(scenario), side_(model) {
        for (TaskId p = m.first_task(); p < m.globals().high_row; ++p)
            side_.add(p, group_of(m.task[p].group), mm_of(m.task[p].group));
        for (TaskId p = m.first_task(); p < m.globals().high_row; ++p)
            if (group_of(m.task[p].group).start == Nanos{}) side_.wake(p, 0);
    }

    std::string follow(const TraceRecord& r, Counts& counts) {
        auto& model = side_.model();
        const int cpu = static_cast<int>(r.cpu);
        const auto acts = [&](TaskId p) { return model.current(cpu) == id(p); };
        switch (r.kind) {
            case TraceKind::wake_up:
                side_.wake(r.task, cpu);
                return {};
            case TraceKind::tick:
                if (!acts(r.task)) return "the tick found another task running";
                model.tick(cpu);
                return {};
            case TraceKind::yield:
                if (!acts(r.task)) return "another task yields than the one that runs";
                model.yield(cpu);
                return {};
            case TraceKind::sleep:
            case TraceKind::wait:
                if (!acts(r.task)) return "another task sleeps than the one that runs";
                model.block(cpu);
                return {};
            case TraceKind::fork:
                if (!acts(r.other)) return "another task forks than the one that runs";
                ++counts.forks;
                side_.fork(cpu, r.task, group_of(r.group), mm_of(r.group));
                return {};
            case TraceKind::exec:
                if (!acts(r.task)) return "another task calls exec than the one that runs";
                side_.exec(cpu, next_mm_++);
                return {};
            case TraceKind::exit:
                if (!acts(r.task)) return "another task exits than the one that runs";
                model.exit(cpu);
                return {};
            case TraceKind::schedule:
                return follow_schedule(r, counts);
            default:
                return {};
        }
    }

    std::string compare(const Machine& m) const {
        const auto& model = side_.model();
        for (CpuId c = 0; c < m.shape().cpus; ++c)
            if (model.current(static_cast<int>(c)) != id(m.cpu(c).current)) return "another task runs";
        TaskId p = m.next_run[0];
        for (const int expected : model.queue()) {
            if (id(p) != expected) return "the order of the run queue differs";
            p = m.next_run[p];
        }
        if (p != 0) return "the run queue is longer";
        std::size_t live = 0;
        for (p = m.first_task(); p < m.globals().high_row; ++p) {
            if (!m.is_live(p)) continue;
            ++live;
            const auto found = model.tasks().find(id(p));
            if (found == model.tasks().end()) return "a task is alive that has exited";
            if (m.counter[p] != found->second.counter)
                return fmt::format("the counter of {} is {} and not {}", scenario_.task_name(m, p),
                                   m.counter[p], found->second.counter);
        }
        return live == model.tasks().size() ? "" : "a task is missing";
    }

  private:
    const TaskGroup& group_of(std::uint32_t group) const { return scenario_.groups[group]; }

    // Address-space numbers of the model: one per shared name, and a new one for each address space that is
    // not shared.
    int mm_of(std::uint32_t group) {
        const TaskGroup& g = group_of(group);
        if (g.mm == TaskGroup::MmKind::kernel) return reference24::kNoMm;
        return g.mm == TaskGroup::MmKind::shared ? id(g.shared_mm) : next_mm_++;
    }

    std::string follow_schedule(const TraceRecord& r, Counts& counts) {
        const int cpu = static_cast<int>(r.cpu);
        if (side_.model().current(cpu) != id(r.other)) return "another task schedules than the one that runs";
        const auto expected = side_.model().schedule(cpu);
        ++counts.decisions;
        counts.recalculations += static_cast<std::uint64_t>(expected.recalculations);
        if (id(r.task) != expected.chosen)
            return fmt::format("cpu{} chose {} and not {}", cpu, r.task, expected.chosen);
        if (static_cast<int>(r.decision.considered) != expected.considered) return "considered differs";
        if (static_cast<int>(r.decision.recalculations) != expected.recalculations) return "recalcs differs";
        if (static_cast<int>(r.decision.recalculated) != expected.recalculated) return "recalculated differs";
        return {};
    }

    const Scenario& scenario_;
    Model side_;
    int next_mm_ = 1'000'000;
};

// Returns the first mismatch in a run; empty if there is none.
template <class Model>
std::string disagreement(const Scenario& scenario, const char* spec, Model model, Counts& counts) {
    const NamedPolicy policy = make_policy(spec, scenario.cpus);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Follower<Model> follower(scenario, m, std::move(model));
    Trace trace;
    Statistics statistics(m.shape());
    std::string problem = follower.compare(m);
    for (int event = 0; problem.empty() && event < 2'500; ++event) {
        if (!engine.step(m, *scenario.until, {.statistics = &statistics, .trace = &trace})) break;
        for (const TraceRecord& record : trace.records)
            if (problem.empty()) problem = follower.follow(record, counts);
        trace.records.clear();
        if (problem.empty() && !m.globals().is_stopped) problem = follower.compare(m);
    }
    counts.migrations += statistics.migrations;
    if (problem.empty()) return {};
    return fmt::format("{} at {}, decision {}", problem, format_time(m.globals().now), m.globals().decisions);
}

// Calls check(scenario) for random scenarios with two to eight CPUs until `wanted` decisions were compared.
template <class Check>
void follow_random_scenarios(std::uint64_t first, std::uint64_t wanted, Check check) {
    Counts counts;
    for (std::uint64_t number = first; counts.decisions < wanted; ++number) {
        if (number % 8 == 0) continue;  // this scenario has one CPU
        const std::string text = random_smp_scenario_json(number);
        Scenario scenario = parse_scenario("random.json", text);
        scenario.machine.lazy_tlb.reset();  // use the default of the policy's kernel
        ASSERT_EQ(check(scenario, counts), "") << "scenario " << number << "\n" << text;
        ASSERT_LT(number, first + 100'000);
    }
    std::cout << counts.decisions << " decisions compared, " << counts.recalculations
              << " with a recalculation, " << counts.migrations << " migrations, " << counts.forks
              << " forks\n";
    EXPECT_GT(counts.recalculations, counts.decisions / 1'000);
    EXPECT_GT(counts.migrations, counts.decisions / 50);
    EXPECT_GT(counts.forks, 50u);
}

constexpr std::uint64_t kWanted = decisions(300'000, 40'000, 15'000);

TEST(SmpLockStep, Linux20MatchesReferenceModel) {
    for (const bool one_tick : {false, true})
        follow_random_scenarios(1'001, kWanted, [&](const Scenario& scenario, Counts& counts) {
            return disagreement(scenario, one_tick ? "linux-2.0:yield=one_tick" : "linux-2.0",
                                Model20(scenario.cpus, one_tick), counts);
        });
}

TEST(SmpLockStep, Linux22And24MatchReferenceModel) {
    using reference24::Version;
    struct Variant {
        const char* spec;
        Version version;
    };
    for (const Variant v :
         {Variant{"linux-2.2", Version::v2_2_1}, Variant{"linux-2.2:prev_goodness=yes", Version::v2_2_16},
          Variant{"linux-2.4.0", Version::v2_4_0}, Variant{"linux-2.4.22", Version::v2_4_22}})
        follow_random_scenarios(50'001, kWanted, [&](const Scenario& scenario, Counts& counts) {
            return disagreement(scenario, v.spec, Model24(scenario.cpus, v.version), counts);
        });
}

}  // namespace smp_lockstep_test
}  // namespace sim
