// Lockstep tests of linux-2.0 against the simple reference model, and of sorted-queue against linux-2.0.
//
// The model's only input is the trace of a run. This also detects errors of the engine, such as a duplicate
// wake-up or a missing schedule().
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/core/engine.h"
#include "sim/core/run_queue.h"
#include "sim/scenario/scenario_json.h"
#include "tests/reference/linux_2_0_model.h"
#include "tests/support/random_scenario.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace lockstep_test {

reference::SchedClass to_reference(SchedClass sched_class) {
    switch (sched_class) {
        case SchedClass::other:
        case SchedClass::batch:
        case SchedClass::idle:
            return reference::SchedClass::other;
        case SchedClass::fifo:
            return reference::SchedClass::fifo;
        case SchedClass::rr:
            return reference::SchedClass::rr;
    }
    return reference::SchedClass::other;
}

// Options of linux-2.0 and the matching parameters of the model.
struct Variant {
    const char* spec;
    reference::YieldVariant yield;
    bool rt_wake_preempts;
};

constexpr Variant kVariants[] = {
    {"linux-2.0:yield=original,rt_wake_preempts=yes", reference::YieldVariant::original, true},
    {"linux-2.0:yield=original,rt_wake_preempts=no", reference::YieldVariant::original, false},
    {"linux-2.0:yield=one_tick,rt_wake_preempts=yes", reference::YieldVariant::one_tick, true},
    {"linux-2.0:yield=one_tick,rt_wake_preempts=no", reference::YieldVariant::one_tick, false},
    {"linux-2.0:yield=move_last_only,rt_wake_preempts=yes", reference::YieldVariant::move_last_only, true},
    {"linux-2.0:yield=move_last_only,rt_wake_preempts=no", reference::YieldVariant::move_last_only, false},
};

// Runs the model along with the engine. Task 0 of the engine, the idle task, is kIdle in the model.
class Follower {
  public:
    Follower(const Scenario& scenario, const Machine& m, const Variant& variant)
        : scenario_(scenario), model_(variant.yield, variant.rt_wake_preempts) {
        for (TaskId p = m.first_task(); p < m.globals().high_row; ++p) {
            const TaskGroup& group = scenario.groups[m.task[p].group];
            reference::Task task;
            task.counter = task.priority = group.priority;
            task.policy = to_reference(group.sched_class);
            task.rt_priority = group.rt_priority;
            model_.add_task(id(p), task, group.start == Nanos{});
        }
    }

    std::uint64_t decisions() const { return decisions_; }
    std::uint64_t recalculations() const { return recalcs_; }

    // Applies the trace record to the model and compares the results. `m` is used only for the task group of
    // a forked task. Returns the mismatch, or an empty string.
    std::string follow(const TraceRecord& record, const Machine& m) {
        // schedule() is due when need_resched is set or prev is no longer runnable. Only interrupts may
        // occur before it.
        const bool by_task = record.kind != TraceKind::wake_up && record.kind != TraceKind::tick &&
                             record.kind != TraceKind::interrupt;
        if (by_task && record.kind != TraceKind::schedule && id(record_task(record)) != model_.current())
            return "another task acts than the one that runs";
        if (model_.current_stopped() && record.kind != TraceKind::schedule)
            return "a stopped task did not schedule()";
        switch (record.kind) {
            case TraceKind::wake_up:
                model_.wake(id(record.task));
                break;
            case TraceKind::tick:
                if (id(record.task) != model_.current()) return "the tick found another task running";
                model_.tick();
                break;
            case TraceKind::yield:
                model_.yield();
                break;
            case TraceKind::sleep:
            case TraceKind::wait:
                model_.block();
                break;
            case TraceKind::fork:
                model_.fork(id(record.task), explicit_parameters(m, record.task));
                break;
            case TraceKind::exit:
                model_.exit();
                break;
            case TraceKind::syscall:
            case TraceKind::interrupt:
            case TraceKind::intervention:
            case TraceKind::exec:
            case TraceKind::borrow_mm:
            case TraceKind::return_mm:
            case TraceKind::drop_mm:
            case TraceKind::flush_ipi:
            case TraceKind::leave_mm:
            case TraceKind::reschedule_ipi:
                break;  // no effect on scheduling
            case TraceKind::schedule:
                return follow_schedule(record);
        }
        return {};
    }

    // Compares the order of the run queue and all counters. Both can be read from the machine between two
    // events.
    std::string compare(const Machine& m) const {
        if (id(m.cpu(0).current) != model_.current()) return "another task runs";
        if (m.cpu(0).need_resched != model_.need_resched()) return "need_resched differs";
        TaskId p = m.next_run[0];
        for (const reference::TaskId expected : model_.queue()) {
            if (id(p) != expected) return "the order of the run queue differs";
            p = m.next_run[p];
        }
        if (p != 0) return "the run queue is longer";
        std::size_t live = 0;
        for (p = m.first_task(); p < m.globals().high_row; ++p) {
            if (!m.is_live(p)) continue;
            ++live;
            if (!model_.exists(id(p))) return "a task is alive that has exited";
            if (m.counter[p] != model_.task(id(p)).counter) return "a counter differs";
            if (m.priority[p] != model_.task(id(p)).priority) return "a priority differs";
            if ((m.task[p].state == TaskState::runnable) !=
                (model_.task(id(p)).state == reference::State::running))
                return "a task's state differs";
        }
        return live == model_.tasks().size() ? "" : "a task is missing";
    }

    // Marks the end of an event. If need_resched is set, schedule() is due: now if the CPU is in user mode,
    // otherwise at the return to user mode.
    void event_over(const Machine& m) {
        if (!model_.need_resched())
            due_.reset();
        else if (!due_)
            due_ = std::max(m.globals().now, m.cpu(0).kernel_until);
    }
    // The time at which schedule() is due; nullopt if no earlier event has set need_resched.
    const std::optional<Nanos>& due() const { return due_; }

  private:
    static reference::TaskId id(TaskId p) {
        return p == 0 ? reference::kIdle : static_cast<reference::TaskId>(p);
    }
    static TaskId record_task(const TraceRecord& r) { return r.kind == TraceKind::fork ? r.other : r.task; }

    reference::ExplicitParameters explicit_parameters(const Machine& m, TaskId child) const {
        const TaskGroup& group = scenario_.groups[m.task[child].group];
        reference::ExplicitParameters result;
        if (group.has_priority) result.priority = group.priority;
        if (group.has_class) result.policy = to_reference(group.sched_class);
        result.rt_priority = group.rt_priority;
        return result;
    }

    std::string follow_schedule(const TraceRecord& record) {
        if (!model_.need_resched() && !model_.current_stopped()) return "schedule() came without a reason";
        if (id(record.other) != model_.current()) return "another task was running";
        if (record.voluntary != model_.current_stopped()) return "voluntary differs";
        if (due_ && record.time != *due_ && !model_.current_stopped())
            return "need_resched was honoured late";
        const reference::Decision expected = model_.schedule();
        due_.reset();
        ++decisions_;
        recalcs_ += static_cast<std::uint64_t>(expected.recalculations);
        const Decision& actual = record.decision;
        if (id(actual.next) != expected.chosen) return "another task was chosen";
        if (static_cast<int>(actual.considered) != expected.considered) return "considered differs";
        if (static_cast<int>(actual.recalculations) != expected.recalculations) return "recalcs differs";
        if (static_cast<int>(actual.recalculated) != expected.recalculated) return "recalculated differs";
        if (actual.queue_steps != 0) return "linux-2.0 keeps no order and has no queue steps";
        return {};
    }

    const Scenario& scenario_;
    reference::Linux20Model model_;
    std::optional<Nanos> due_;
    std::uint64_t decisions_ = 0;
    std::uint64_t recalcs_ = 0;
};

// Returns the first mismatch in a run; empty if there is none. Stops after `most_decisions`. Compares the
// machine after each event (`by_event`) or after each decision.
std::string disagreement(const Scenario& scenario, const Variant& variant, std::uint64_t most_decisions,
                         bool by_event, std::uint64_t& decisions, std::uint64_t& recalculations) {
    const NamedPolicy policy = make_policy(variant.spec);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Follower follower(scenario, m, variant);
    follower.event_over(m);
    Trace trace;
    const Sinks sinks{.trace = &trace};
    std::string problem = follower.compare(m);
    const auto go_on = [&] {
        if (m.globals().decisions >= most_decisions || m.globals().is_stopped) return false;
        if (by_event) return engine.step(m, *scenario.until, sinks);
        return engine.run(m, {.until = *scenario.until, .decisions = m.globals().decisions + 1}, sinks) ==
               StopReason::decision_limit;
    };
    while (problem.empty() && go_on()) {
        for (const TraceRecord& record : trace.records) {
            problem = follower.follow(record, m);
            if (!problem.empty()) break;
        }
        trace.records.clear();
        if (problem.empty()) problem = follower.compare(m);
        if (by_event) follower.event_over(m);
    }
    decisions += follower.decisions();
    recalculations += follower.recalculations();
    if (problem.empty()) return {};
    return fmt::format("{} at {}, decision {}", problem, format_time(m.globals().now), m.globals().decisions);
}

void follow_random_scenarios(std::uint64_t first_seed, std::uint64_t wanted, bool by_event) {
    constexpr std::uint64_t kMostDecisions = kOptimised ? 1'500 : 300;
    std::uint64_t decisions = 0, recalculations = 0, scenarios = 0;
    for (std::uint64_t seed = first_seed; decisions < wanted; ++seed, ++scenarios) {
        const std::string text = random_scenario_json(seed);
        const Scenario scenario = parse_scenario("random.json", text);
        for (const Variant& variant : kVariants) {
            const std::string problem =
                disagreement(scenario, variant, kMostDecisions, by_event, decisions, recalculations);
            ASSERT_EQ(problem, "") << "seed " << seed << ", " << variant.spec << "\n" << text;
        }
        ASSERT_LT(scenarios, 100'000u) << "the scenarios hardly decide anything";
    }
    EXPECT_GT(recalculations, decisions / 1'000);
    testing::Test::RecordProperty("decisions", std::to_string(decisions));
    std::cout << decisions << " decisions compared in " << scenarios << " scenarios, each in "
              << std::size(kVariants) << " variants; " << recalculations << " with a recalculation\n";
    EXPECT_GE(decisions, wanted);
}

TEST(LockStep, Linux20MatchesReferenceModel) {
    follow_random_scenarios(1, decisions(2'000'000u, 100'000u, 25'000u), false);
}

TEST(LockStep, SchedulesExactlyWhenNeedReschedIsDue) {
    follow_random_scenarios(1'000'000, decisions(200'000u, 20'000u, 4'000u), true);
}

// --- sorted-queue ---

// A policy with its own machine and without an engine. The test makes only the calls that a kernel makes to
// its scheduler.
class DecisionDriver {
  public:
    DecisionDriver(std::string_view spec, std::uint32_t rows)
        : policy_(make_policy(spec)), m_({.cpus = 1, .tasks = rows}) {}

    const Machine& machine() const { return m_; }
    TaskId current() const { return m_.cpu(0).current; }
    bool need_resched() const { return m_.cpu(0).need_resched; }
    bool must_schedule() const { return need_resched() || m_.task[current()].state != TaskState::runnable; }

    void make(SchedClass sched_class, std::int32_t rt_priority, std::int32_t priority, bool asleep) {
        const TaskId p = allocate(sched_class, rt_priority, priority);
        policy_.policy->start(m_, p);
        if (asleep)
            m_.task[p].state = TaskState::waiting;
        else
            wake(p);
    }

    void wake(TaskId p) {
        m_.task[p].state = TaskState::runnable;
        ++m_.globals().nr_running;
        policy_.policy->enqueue(m_, p);
        note(policy_.policy->preempts(m_, p, current()));
    }

    void tick() {
        if (!m_.is_idle_task(current())) note(policy_.policy->tick(m_, current()));
    }
    void yield() { note(policy_.policy->yield(m_, current())); }
    void stop(TaskState state) {
        m_.task[current()].state = state;
        --m_.globals().nr_running;
    }

    // Returns false if the task table is full.
    bool fork() {
        const TaskId parent = current();
        if (m_.globals().nr_tasks == m_.shape().tasks) return false;
        const TaskId p = allocate(m_.sched_class[parent], m_.rt_priority[parent], m_.priority[parent]);
        policy_.policy->fork(m_, parent, p);
        wake(p);
        return true;
    }

    void set_priority(TaskId p, std::int32_t priority) { m_.priority[p] = priority; }

    Decision schedule() {
        const TaskId prev = current();
        m_.cpu(0).need_resched = false;
        const Decision decision = policy_.policy->pick_next(m_, 0, prev, nullptr);
        m_.cpu(0).current = decision.next;
        if (m_.task[prev].state == TaskState::exited) m_.free_task(prev);
        return decision;
    }

  private:
    TaskId allocate(SchedClass sched_class, std::int32_t rt_priority, std::int32_t priority) {
        const TaskId p = m_.allocate_task();
        m_.sched_class[p] = sched_class;
        m_.rt_priority[p] = rt_priority;
        m_.priority[p] = priority;
        return p;
    }

    void note(bool resched) { m_.cpu(0).need_resched = m_.cpu(0).need_resched || resched; }

    NamedPolicy policy_;
    Machine m_;
};

// Sends the same random events to both and returns the first mismatch, or an empty string.
std::string difference(DecisionDriver& a, DecisionDriver& b, std::uint64_t seed,
                       std::uint64_t decisions_wanted) {
    constexpr std::uint32_t kFirst = 1;
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t bound) { return static_cast<std::uint32_t>(random() % bound); };
    const auto both = [&](auto act) {
        act(a);
        act(b);
    };
    const std::uint32_t rows = a.machine().shape().tasks;
    const std::uint32_t at_start = 1 + below(rows);
    const std::uint32_t ticks =
        1 + below(40);  // weight of ticks (other events: 30); few ticks lead to equal counters
    const bool real_time = below(3) == 0;
    for (std::uint32_t i = 0; i < at_start; ++i) {
        const auto sched_class = static_cast<SchedClass>(real_time ? below(3) : 0);
        const auto rt = static_cast<std::int32_t>(sched_class == SchedClass::other ? 0 : 1 + below(4));
        const auto priority = static_cast<std::int32_t>(1 + below(below(2) == 0 ? 40 : 4));
        const bool asleep = below(3) == 0;
        both([&](DecisionDriver& d) { d.make(sched_class, rt, priority, asleep); });
    }
    for (std::uint64_t decisions = 0; decisions < decisions_wanted;) {
        if (a.need_resched() != b.need_resched()) return "need_resched differs";
        // Interrupts may occur, and system calls may continue, before need_resched takes effect.
        if (a.must_schedule() && below(8) != 0) {
            const Decision x = a.schedule(), y = b.schedule();
            ++decisions;
            if (x.next != y.next) return "another task was chosen";
            if (x.recalculations != y.recalculations || x.recalculated != y.recalculated)
                return "the recalculation differs";
            for (TaskId p = kFirst; p <= rows; ++p)
                if (a.machine().counter[p] != b.machine().counter[p]) return "a counter differs";
            continue;
        }
        const std::uint32_t event = below(ticks + 30);
        const bool can_act = !a.machine().is_idle_task(a.current()) &&
                             a.machine().task[a.current()].state == TaskState::runnable;
        if (event >= 20 && event < 30) {
            const TaskId p = kFirst + below(rows);
            if (a.machine().task[p].state == TaskState::waiting && p != a.current())
                both([&](DecisionDriver& d) { d.wake(p); });
        } else if (event == 19) {
            const TaskId p = kFirst + below(rows);
            const auto priority = static_cast<std::int32_t>(1 + below(40));
            if (a.machine().is_live(p)) both([&](DecisionDriver& d) { d.set_priority(p, priority); });
        } else if (event >= 30) {
            both([](DecisionDriver& d) { d.tick(); });
        } else if (!can_act) {
            continue;
        } else if (event < 10) {
            both([](DecisionDriver& d) { d.yield(); });
        } else if (event < 16) {
            both([](DecisionDriver& d) { d.stop(TaskState::waiting); });
        } else if (event < 18) {
            both([](DecisionDriver& d) { d.fork(); });
        } else if (a.machine().globals().nr_tasks > 2) {
            both([](DecisionDriver& d) { d.stop(TaskState::exited); });
        }
    }
    return {};
}

void compare_sorted_queue(const std::string& insert) {
    constexpr std::uint64_t kWanted = kThorough ? 600'000 : 30'000, kEach = 500;
    std::uint64_t decisions = 0;
    for (std::uint64_t seed = 1; decisions < kWanted; ++seed) {
        for (const char* yield : {"original", "one_tick", "move_last_only"}) {
            const std::string options =
                fmt::format("yield={},rt_wake_preempts={}", yield, seed % 2 == 0 ? "yes" : "no");
            const auto rows = static_cast<std::uint32_t>(3 + seed % 40);
            DecisionDriver linux20("linux-2.0:" + options, rows);
            DecisionDriver sorted("sorted-queue:" + options + ",insert=" + insert, rows);
            ASSERT_EQ(difference(linux20, sorted, seed, kEach), "") << "seed " << seed << ", " << options;
            decisions += kEach;
        }
    }
    testing::Test::RecordProperty("decisions", std::to_string(decisions));
    std::cout << decisions << " decisions compared\n";
    EXPECT_GE(decisions, kWanted);
}

TEST(SortedQueue, HeadInsertionMatchesLinux20) { compare_sorted_queue("head"); }
TEST(SortedQueue, TailInsertionMatchesLinux20) { compare_sorted_queue("tail"); }

// --- the model itself ---

// Compares the model with decisions recorded from the kernel, which are authoritative.
void repeat_recorded_decisions(const std::string& file, reference::YieldVariant yield) {
    using nlohmann::json;
    std::ifstream stream(std::string(SWITCHYARD_SOURCE_DIR) + "/tests/decisions/" + file);
    ASSERT_TRUE(stream) << file;
    std::uint64_t compared = 0;
    for (std::string line; std::getline(stream, line);) {
        const json recorded = json::parse(line);
        reference::Linux20Model model(yield, true);
        std::vector<std::string> names;
        std::map<std::string, reference::TaskId> ids;
        const auto new_id = [&](const std::string& name) {
            names.push_back(name);
            return ids[name] = static_cast<reference::TaskId>(names.size()) - 1;
        };
        for (const json& t : recorded.at("tasks")) {
            reference::Task task;
            task.priority = t.value("priority", 20);
            task.counter = t.value("counter", task.priority);
            const std::string policy = t.value("policy", "other");
            task.policy = policy == "rr"     ? reference::SchedClass::rr
                          : policy == "fifo" ? reference::SchedClass::fifo
                                             : reference::SchedClass::other;
            task.rt_priority = t.value("rt_priority", 0);
            model.add_task(new_id(t.at("name")), task, t.value("state", "running") == "running");
        }
        const auto outcome = [&](const reference::Decision& d, bool rescheduled) {
            const auto append = [&](std::string& list, reference::TaskId p) {
                list += fmt::format("{}{}:{}", list.empty() ? "" : " ", names.at(static_cast<std::size_t>(p)),
                                    model.task(p).counter);
            };
            std::string queue, off_queue;
            for (const reference::TaskId p : model.queue()) append(queue, p);
            for (const auto& [p, task] : model.tasks())
                if (task.state != reference::State::running) append(off_queue, p);
            const std::string chosen = model.current() == reference::kIdle
                                           ? "idle"
                                           : names.at(static_cast<std::size_t>(model.current()));
            return json{chosen,   rescheduled ? 1 : 0, d.considered, d.recalculations, d.recalculated, queue,
                        off_queue};
        };
        const json start = outcome(model.schedule(), true);
        ASSERT_EQ(start, recorded.at("start")) << "case " << recorded.at("case");
        for (const json& event : recorded.at("events")) {
            const std::string kind = event[0];
            if (kind == "set_priority") {
                model.set_priority(ids.at(event[1][0]), event[1][1]);
                continue;
            }
            if (kind == "tick")
                model.tick();
            else if (kind == "yield")
                model.yield();
            else if (kind == "block")
                model.block();
            else if (kind == "wake")
                model.wake(ids.at(event[1]));
            else if (kind == "fork")
                model.fork(new_id(event[1]));
            else
                FAIL() << "unknown event " << kind;
            const bool rescheduled = model.need_resched() || model.current_stopped();
            const json actual = outcome(rescheduled ? model.schedule() : reference::Decision{}, rescheduled);
            json expected = json::array();
            for (std::size_t i = 2; i < event.size(); ++i) expected.push_back(event[i]);
            ASSERT_EQ(actual, expected) << "case " << recorded.at("case") << ", " << event;
            ++compared;
        }
    }
    EXPECT_GT(compared, 4'000u);
}

TEST(ReferenceModel, RepeatsRecordedKernelDecisions) {
    repeat_recorded_decisions("linux-2.0.jsonl", reference::YieldVariant::original);
}

TEST(ReferenceModel, RepeatsRecordedOneTickYieldDecisions) {
    repeat_recorded_decisions("linux-2.0-yield-one-tick.jsonl", reference::YieldVariant::one_tick);
}

}  // namespace lockstep_test
}  // namespace sim
