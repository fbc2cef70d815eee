// Compares a detailed timeline with the states of the run and with the totals at both ends.
#include "sim/replay/timeline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "sim/core/summary.h"
#include "sim/replay/session.h"
#include "tests/support/random_interventions.h"
#include "tests/support/recorded.h"
#include "tests/support/simulation.h"
#include "tests/support/smp_scenario.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace timeline_test {

constexpr std::uint64_t kEvents = kManyRounds ? 2'000 : 400;

std::shared_ptr<const RunHistory> recorded(const RunCase& run, std::vector<Intervention> interventions = {}) {
    auto history = std::make_shared<RunHistory>(run.scenario, run.policy, std::move(interventions),
                                                RecordingLimits{.keyframe_spacing = 50});
    history->extend_to_end();
    return history;
}

TimeParts parts_at(const RunHistory& history, Nanos t) {
    Moment moment = history.beginning();
    history.state_at(t, moment);
    return elapsed_time_parts(history.scenario(), moment.statistics, moment.machine);
}

Nanos tip_of(const RunHistory& history) { return history.simulated_end().machine.globals().now; }

// --- CPUs ---

void check_cpus(const RunHistory& history, const Timeline& timeline) {
    const Nanos end = std::min(timeline.end, tip_of(history));
    std::array<Nanos, 10> sums{};
    for (const std::vector<CpuSlice>& slices : timeline.cpus) {
        Nanos last = timeline.begin;
        for (const CpuSlice& slice : slices) {
            ASSERT_EQ(slice.begin, last) << "a gap or an overlap";
            ASSERT_GT(slice.end, slice.begin);
            last = slice.end;
            sums[static_cast<std::size_t>(slice.activity)] += slice.end - slice.begin;
            if (slice.record == kNoRecord) continue;
            ASSERT_LT(slice.record, timeline.trace.records.size());
            const TraceRecord& record = timeline.trace.records[slice.record];
            ASSERT_LE(record.time, slice.begin);
            if (slice.activity == CpuActivity::user || slice.activity == CpuActivity::idle) {
                ASSERT_EQ(record.kind, TraceKind::schedule);
                ASSERT_EQ(record.task, slice.task);
            } else {
                const bool interrupts =
                    slice.activity == CpuActivity::stolen || slice.activity == CpuActivity::interrupt;
                ASSERT_TRUE(interrupts
                                ? record.kind == TraceKind::interrupt
                                : record.kind == TraceKind::schedule || record.kind == TraceKind::syscall);
                ASSERT_EQ(record.kind == TraceKind::schedule ? record.other : record.task, slice.task);
                if (!interrupts) {
                    ASSERT_LE(slice.end, record.time + record.span);
                }
            }
        }
        if (timeline.begin < end) {
            ASSERT_EQ(last, end);
        }
    }
    if (timeline.begin >= end) return;
    const TimeParts before = parts_at(history, timeline.begin);
    const TimeParts after = end == tip_of(history)
                                ? elapsed_time_parts(history.scenario(), history.simulated_end().statistics,
                                                     history.simulated_end().machine)
                                : parts_at(history, end);
    const auto sum = [&](CpuActivity activity) { return sums[static_cast<std::size_t>(activity)]; };
    ASSERT_EQ(sum(CpuActivity::user), after.user - before.user);
    ASSERT_EQ(sum(CpuActivity::idle), after.idle - before.idle);
    ASSERT_EQ(sum(CpuActivity::system), after.overhead.system - before.overhead.system);
    ASSERT_EQ(sum(CpuActivity::select), after.overhead.select - before.overhead.select);
    ASSERT_EQ(sum(CpuActivity::recalculation), after.overhead.recalculation - before.overhead.recalculation);
    ASSERT_EQ(sum(CpuActivity::context_switch),
              after.overhead.context_switch - before.overhead.context_switch);
    ASSERT_EQ(sum(CpuActivity::address_space), after.overhead.address_space - before.overhead.address_space);
    ASSERT_EQ(sum(CpuActivity::stolen), after.overhead.stolen - before.overhead.stolen);
    ASSERT_EQ(sum(CpuActivity::interrupt), after.overhead.interrupts - before.overhead.interrupts);
    ASSERT_EQ(sum(CpuActivity::cache_refill), after.overhead.cache_refill - before.overhead.cache_refill);
}

// --- tasks ---

// Returns the slice of a task at time t; nullptr if the task is not alive.
const TaskSlice* slice_at(const Timeline& timeline, TaskId p, Nanos t) {
    for (const TaskSlice& slice : timeline.tasks[p])
        if (slice.begin <= t && t < slice.end) return &slice;
    return nullptr;
}

// Compares the timeline with the machine just before t. REQUIRES: no event at t - 1ns.
void check_machine_at(const RunHistory& history, const Timeline& timeline, Nanos t) {
    Moment moment = history.beginning();
    history.state_at(t, moment);
    const Machine& m = moment.machine;
    const Nanos instant = t - 1ns;
    SCOPED_TRACE(fmt::format("at {}", instant.count()));
    const auto in_kernel = [&](CpuId c) { return m.cpu(c).kernel_until > instant; };
    // Returns the CPU whose kernel time is charged to p.
    const auto cpu_charging = [&](TaskId p) {
        for (CpuId c = 0; c < m.shape().cpus; ++c)
            if (in_kernel(c) && moment.statistics.cpus[c].charged == p) return c;
        return kNoCpu;
    };
    for (CpuId c = 0; c < m.shape().cpus; ++c) {
        if (in_kernel(c)) continue;
        const auto slice =
            std::find_if(timeline.cpus[c].begin(), timeline.cpus[c].end(),
                         [&](const CpuSlice& s) { return s.begin <= instant && instant < s.end; });
        ASSERT_NE(slice, timeline.cpus[c].end());
        ASSERT_EQ(slice->task, m.cpu(c).current) << "cpu" << c;
        ASSERT_EQ(slice->mm, m.cpu(c).active_mm) << "cpu" << c;
        ASSERT_EQ(slice->borrowed, m.cpu(c).active_mm != m.task[slice->task].mm) << "cpu" << c;
        const std::string name = timeline.mm_name(history.scenario(), slice->mm, instant);
        if (slice->mm == kKernelMm || m.mm(slice->mm).users > 0) {
            ASSERT_EQ(name, history.scenario().mm_name(m, slice->mm));
        }
    }
    for (TaskId p = m.first_task(); p < timeline.tasks.size(); ++p) {
        const TaskSlice* slice = slice_at(timeline, p, instant);
        const CpuId charging = cpu_charging(p);
        if (!m.is_live(p)) {
            // The task may be exiting: its row is free, but the kernel is still busy with it.
            if (slice != nullptr) {
                ASSERT_TRUE(charging != kNoCpu && slice->activity == TaskActivity::kernel);
            }
            continue;
        }
        ASSERT_NE(slice, nullptr) << "row " << p;
        const TaskActivity seen = slice->activity;
        const Task& task = m.task[p];
        SCOPED_TRACE(fmt::format("row {} is {}", p, to_string(seen)));
        ASSERT_EQ(timeline.name(history.scenario(), p, instant), history.scenario().task_name(m, p));
        const bool current = task.processor != Task::kNoProcessor && m.cpu(task.processor).current == p;
        if (charging != kNoCpu) {
            // Three cases are valid. First, the task is in the kernel. Second, it has gone to sleep in the
            // system call and has been woken since; it may even run on another CPU.
            const bool woken = task.state == TaskState::runnable && (!current || task.processor != charging);
            // Third, the task has run on another CPU and is asleep again. This is possible because
            // interrupts can make the system call long.
            const bool elsewhere = task.last_processor != charging;
            ASSERT_TRUE(seen == TaskActivity::kernel || elsewhere || (woken && seen <= TaskActivity::ready));
            const Nanos ready_since = moment.statistics.tasks[p].ready_since;
            if (seen == TaskActivity::ready) {
                ASSERT_GE(slice->begin, std::min(ready_since, timeline.begin));
            }
        } else if (current) {
            ASSERT_EQ(seen, in_kernel(task.processor) ? TaskActivity::ready : TaskActivity::running);
        } else if (task.state == TaskState::interruptible || task.state == TaskState::on_timer) {
            ASSERT_EQ(seen, TaskActivity::sleeping);
        } else if (task.state == TaskState::waiting || task.state == TaskState::in_service) {
            ASSERT_EQ(seen, TaskActivity::waiting);
            ASSERT_EQ(slice->channel, task.waiting_on);
        } else {
            ASSERT_EQ(seen, TaskActivity::ready);
        }
    }
    const auto after =
        std::upper_bound(timeline.runnable_counts.begin(), timeline.runnable_counts.end(), instant,
                         [](Nanos time, const RunnableCount& d) { return time < d.time; });
    ASSERT_NE(after, timeline.runnable_counts.begin());
    ASSERT_EQ((after - 1)->runnable, m.globals().nr_running);
}

void check_tasks(const RunHistory& history, const Timeline& timeline, std::mt19937_64& random) {
    const Nanos end = std::min(timeline.end, tip_of(history));
    for (TaskId p = 0; p < timeline.tasks.size(); ++p) {
        const std::vector<TaskSlice>& slices = timeline.tasks[p];
        for (std::size_t i = 0; i < slices.size(); ++i) {
            ASSERT_GT(slices[i].end, slices[i].begin);
            ASSERT_GE(slices[i].begin, timeline.begin);
            ASSERT_LE(slices[i].end, end);
            if (i == 0 || slices[i - 1].end == slices[i].begin) continue;
            // If there is a gap between two slices, the later one belongs to another task, which reuses the
            // row.
            ASSERT_GT(slices[i].begin, slices[i - 1].end);
            ASSERT_TRUE(std::any_of(
                timeline.trace.records.begin(), timeline.trace.records.end(), [&](const TraceRecord& r) {
                    return r.kind == TraceKind::fork && r.task == p && r.time == slices[i].begin;
                }));
        }
    }
    if (timeline.begin >= end) return;
    // Random times, and times near the ends of slices, where errors are most likely.
    std::vector<Nanos> instants;
    const auto length = static_cast<std::uint64_t>((end - timeline.begin).count());
    for (int i = 0; i < 10; ++i)
        instants.push_back(timeline.begin + Nanos{static_cast<std::int64_t>(1 + random() % length)});
    if (!timeline.cpus[0].empty()) {
        for (int i = 0; i < 10; ++i) {
            const CpuSlice& slice = timeline.cpus[0][random() % timeline.cpus[0].size()];
            instants.push_back(slice.end - Nanos{random() % 2 == 0 ? 0 : 1});
        }
    }
    for (const Nanos t : instants) {
        if (t <= timeline.begin || t > end) continue;
        // state_at() includes the interventions at its time.
        const auto& made = history.interventions();
        if (std::any_of(made.begin(), made.end(), [&](const Intervention& i) { return i.time == t; }))
            continue;
        check_machine_at(history, timeline, t);
        if (testing::Test::HasFatalFailure()) return;
    }
}

// --- a whole window ---

void check(const RunHistory& history, Nanos begin, Nanos end, std::mt19937_64& random) {
    SCOPED_TRACE(fmt::format("[{}, {})", begin.count(), end.count()));
    const std::optional<Timeline> timeline = make_timeline(history, begin, end);
    ASSERT_TRUE(timeline);
    check_cpus(history, *timeline);
    if (testing::Test::HasFatalFailure()) return;
    check_tasks(history, *timeline, random);
}

std::pair<Nanos, Nanos> random_window(const RunHistory& history, std::mt19937_64& random) {
    const auto simulated_end = static_cast<std::uint64_t>(tip_of(history).count());
    std::uint64_t a = random() % (simulated_end + 1), b = random() % (simulated_end + 1 + simulated_end / 10);
    if (random() % 2 == 0) b = a + random() % (simulated_end / 20 + 2);
    return {Nanos{static_cast<std::int64_t>(std::min(a, b))},
            Nanos{static_cast<std::int64_t>(std::max(a, b))}};
}

// Returns a time during a random call of schedule(). Returns std::nullopt if the run has no such call, or
// if the call takes less than 2 ns.
std::optional<Nanos> inside_a_call(const RunHistory& history, std::mt19937_64& random) {
    const std::uint64_t decisions = history.simulated_end().machine.globals().decisions;
    if (decisions == 0) return std::nullopt;
    Moment moment = history.beginning();
    history.find_step(StepEventKind::decision, 1 + random() % decisions, moment);
    const Nanos now = moment.machine.globals().now, until = moment.machine.cpu(0).kernel_until;
    if (until - now < 2ns) return std::nullopt;
    return now + Nanos{1 + static_cast<std::int64_t>(random() %
                                                     static_cast<std::uint64_t>((until - now).count() - 1))};
}

TEST(Timeline, AnyWindowMatchesRun) {
    std::mt19937_64 random(1);
    std::uint64_t inside = 0;
    for (const RunCase& run : some_runs(kEvents, kManyRounds ? 100 : 15, 10'000)) {
        SCOPED_TRACE(run.name);
        const auto history = recorded(run);
        const Nanos simulated_end = tip_of(*history);
        check(*history, 0ns, simulated_end, random);
        check(*history, 0ns, kHorizon, random);
        check(*history, simulated_end, kHorizon, random);
        check(*history, simulated_end + 1s, simulated_end + 2s, random);
        for (int i = 0; i < 6; ++i) {
            const auto [begin, end] = random_window(*history, random);
            check(*history, begin, end, random);
            const std::optional<Nanos> a = inside_a_call(*history, random);
            const std::optional<Nanos> b = inside_a_call(*history, random);
            if (a && b) {
                ++inside;
                check(*history, std::min(*a, *b), std::max(*a, *b), random);
            }
        }
        if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(inside, 50u);
}

// Adds costs of interrupts, and waits of CPUs for their host.
void take_time(MachineSpec& machine) {
    machine.costs.interrupt = {Cost{3us, ""}, Cost{5us, ""}, Cost{1us, ""}};
    machine.costs.steal.time = 10us;
    machine.hz = 1000;
}

TEST(Timeline, SeveralCpusMatchRun) {
    std::mt19937_64 random(5);
    for (const std::uint32_t cpus : {1u, 2u, 8u, 64u}) {
        for (const char* spec : {"linux-2.4.22", "linux-2.2", "linux-2.0"}) {
            for (const bool lazy : {true, false}) {
                if (!kManyRounds && cpus > 2 &&
                    (lazy || spec != std::string_view("linux-2.4.22") || cpus > 8))
                    continue;  // takes too long
                SCOPED_TRACE(fmt::format("{} CPUs, {}, lazy {}", cpus, spec, lazy));
                Scenario scenario = smp_scenario(cpus, "20ms", lazy);
                if (std::string_view(spec) == "linux-2.2") take_time(scenario.machine);
                const RunCase run{"smp", std::make_shared<const Scenario>(std::move(scenario)),
                                  make_policy(spec, cpus)};
                const auto history = recorded(run);
                check(*history, 0ns, tip_of(*history), random);
                for (int i = 0; i < (kManyRounds ? 10 : 1); ++i) {
                    const auto [begin, end] = random_window(*history, random);
                    check(*history, begin, end, random);
                    const std::optional<Nanos> a = inside_a_call(*history, random);
                    if (a) check(*history, *a, *a + 1ms, random);
                }
                if (testing::Test::HasFailure()) return;
            }
        }
    }
}

TEST(Timeline, SlicesHaveWakeUpRecordsAndChannels) {
    const RunCase run{"smp", std::make_shared<const Scenario>(smp_scenario(2, "20ms")),
                      make_policy("linux-2.4.22", 2)};
    const auto history = recorded(run);
    const Timeline timeline = *make_timeline(*history, 0ns, 20ms);
    std::size_t woken = 0, waited = 0, borrowed = 0;
    for (TaskId p = 0; p < timeline.tasks.size(); ++p) {
        const std::vector<TaskSlice>& slices = timeline.tasks[p];
        for (std::size_t i = 0; i < slices.size(); ++i) {
            if (slices[i].activity == TaskActivity::waiting) {
                ASSERT_NE(slices[i].channel, kNoChannel);
                ++waited;
            }
            if (slices[i].activity != TaskActivity::ready || i == 0) continue;
            // The task became ready because it was woken, or because it was preempted in the kernel.
            if (slices[i].record == kNoRecord) {
                ASSERT_EQ(slices[i - 1].activity, TaskActivity::kernel);
                continue;
            }
            const TraceRecord& record = timeline.trace.records[slices[i].record];
            ASSERT_EQ(record.kind, TraceKind::wake_up);
            ASSERT_EQ(record.task, p) << "of another task";
            ASSERT_NE(record.other, p) << "a task does not wake itself";
            ASSERT_LE(record.time, slices[i].begin);
            ++woken;
        }
    }
    for (const std::vector<CpuSlice>& slices : timeline.cpus)
        for (const CpuSlice& s : slices) borrowed += s.borrowed && s.activity == CpuActivity::user;
    EXPECT_GT(woken, 20u);
    EXPECT_GT(waited, 20u);
    EXPECT_GT(borrowed, 5u);
}

// The tick occurs at the time when the system call returns. The task continues after the interrupt handler.
TEST(Timeline, InterruptAtCallEndExtendsKernelTime) {
    const auto scenario = std::make_shared<const Scenario>(
        small_scenario(R"({"name": "a", "program": [{"run": "9ms"}, {"wake": "c"}, {"run": "1s"}]},
                            {"name": "b", "start": "1s", "program": [{"wait": "c"}]})",
                       {.costs = R"("syscall": "1ms", "timer_interrupt": "50us")",

                        .hz = 100}));
    const auto history = recorded({"one", scenario, make_policy("linux-2.0")});
    const Timeline timeline = *make_timeline(*history, 0ns, 15ms);
    std::string said;
    for (const TaskSlice& s : timeline.tasks[1])
        if (s.activity == TaskActivity::kernel) said += fmt::format("{}-{} ", s.begin / 1us, s.end / 1us);
    EXPECT_EQ(said, "9000-10000 10000-10050 ");
}

// Merges adjacent equal slices.
template <class Slice, class Same>
std::vector<Slice> joined(std::vector<Slice> slices, Same same) {
    std::vector<Slice> all;
    for (const Slice& slice : slices) {
        if (!all.empty() && all.back().end == slice.begin && same(all.back(), slice))
            all.back().end = slice.end;
        else
            all.push_back(slice);
    }
    return all;
}

template <class Slice>
std::vector<Slice> one_behind_the_other(std::vector<Slice> left, const std::vector<Slice>& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

TEST(Timeline, HalvesJoinToWhole) {
    std::mt19937_64 random(2);
    const auto same_cpu = [](const CpuSlice& a, const CpuSlice& b) {
        return a.task == b.task && a.activity == b.activity;
    };
    const auto same_task = [](const TaskSlice& a, const TaskSlice& b) { return a.activity == b.activity; };
    for (const RunCase& run : some_runs(kEvents, kManyRounds ? 80 : 10, 11'000)) {
        SCOPED_TRACE(run.name);
        const auto history = recorded(run);
        for (int i = 0; i < 6; ++i) {
            const auto [begin, end] = random_window(*history, random);
            Nanos middle = begin + (end - begin) / 3;
            if (const auto inside = inside_a_call(*history, random); inside && i % 2 == 0)
                middle = std::clamp(*inside, begin, end);
            SCOPED_TRACE(fmt::format("[{}, {}, {})", begin.count(), middle.count(), end.count()));
            const auto whole = make_timeline(*history, begin, end);
            const auto left = make_timeline(*history, begin, middle);
            const auto right = make_timeline(*history, middle, end);
            ASSERT_TRUE(whole && left && right);
            const auto cpus = joined(whole->cpus[0], same_cpu);
            const auto both_cpus = joined(one_behind_the_other(left->cpus[0], right->cpus[0]), same_cpu);
            ASSERT_EQ(cpus.size(), both_cpus.size());
            for (std::size_t s = 0; s < cpus.size(); ++s) {
                ASSERT_EQ(cpus[s].begin, both_cpus[s].begin);
                ASSERT_EQ(cpus[s].end, both_cpus[s].end);
                ASSERT_TRUE(same_cpu(cpus[s], both_cpus[s]));
            }
            for (TaskId p = 0; p < whole->tasks.size(); ++p) {
                SCOPED_TRACE(p);
                const auto task = joined(whole->tasks[p], same_task);
                const auto both = joined(one_behind_the_other(left->tasks[p], right->tasks[p]), same_task);
                ASSERT_EQ(task.size(), both.size());
                for (std::size_t s = 0; s < task.size(); ++s) {
                    ASSERT_EQ(task[s].begin, both[s].begin);
                    ASSERT_EQ(task[s].end, both[s].end);
                    ASSERT_TRUE(same_task(task[s], both[s]));
                }
            }
            ASSERT_EQ(whole->trace.records.size(), left->trace.records.size() + right->trace.records.size());
            ASSERT_EQ(whole->marks.size(), left->marks.size() + right->marks.size());
            ASSERT_EQ(whole->first_decision, left->first_decision);
            ASSERT_EQ(right->first_decision,
                      left->first_decision +
                          static_cast<std::uint64_t>(std::count_if(
                              left->trace.records.begin(), left->trace.records.end(),
                              [](const TraceRecord& r) { return r.kind == TraceKind::schedule; })));
        }
    }
}

TEST(Timeline, RecordsAndMarkersMatchPlainRun) {
    std::mt19937_64 random(3);
    for (const RunCase& run : some_runs(kEvents, kManyRounds ? 40 : 8, 12'000)) {
        SCOPED_TRACE(run.name);
        const auto history = recorded(run);
        const Engine engine(*run.scenario, *run.policy.policy);
        Machine m = engine.initial_state();
        Trace trace;
        engine.run(m, {.until = run.scenario->until.value_or(kHorizon)}, {.trace = &trace});
        for (int i = 0; i < 5; ++i) {
            const auto [begin, end] = random_window(*history, random);
            const auto timeline = make_timeline(*history, begin, end);
            ASSERT_TRUE(timeline);
            std::vector<TraceRecord> expected;
            std::uint64_t decision = 0;
            std::vector<std::uint64_t> numbers;
            std::vector<TimelineMarker> marks;
            for (const TraceRecord& r : trace.records) {
                if (begin <= r.time && r.time < end) {
                    numbers.push_back(decision + 1);
                    const bool is_mark = r.kind == TraceKind::wake_up || r.kind == TraceKind::tick ||
                                         r.kind == TraceKind::yield || r.kind == TraceKind::fork ||
                                         r.kind == TraceKind::exit || r.kind == TraceKind::exec ||
                                         r.kind == TraceKind::flush_ipi || r.kind == TraceKind::leave_mm ||
                                         r.kind == TraceKind::reschedule_ipi ||
                                         (r.kind == TraceKind::schedule && r.decision.recalculations > 0);
                    if (is_mark) marks.push_back({r.time, static_cast<std::uint32_t>(expected.size())});
                    expected.push_back(r);
                }
                decision += r.kind == TraceKind::schedule;
            }
            ASSERT_EQ(timeline->trace.records.size(), expected.size());
            for (std::size_t r = 0; r < expected.size(); ++r) {
                ASSERT_EQ(timeline->trace.records[r].kind, expected[r].kind);
                ASSERT_EQ(timeline->trace.records[r].time, expected[r].time);
                ASSERT_EQ(timeline->trace.records[r].task, expected[r].task);
            }
            ASSERT_EQ(timeline->decision_numbers, numbers);
            ASSERT_EQ(timeline->marks.size(), marks.size());
            for (std::size_t k = 0; k < marks.size(); ++k) {
                ASSERT_EQ(timeline->marks[k].time, marks[k].time);
                ASSERT_EQ(timeline->marks[k].record, marks[k].record);
            }
            if (!expected.empty()) {
                EXPECT_FALSE(make_timeline(*history, begin, end, expected.size() - 1));
                EXPECT_TRUE(make_timeline(*history, begin, end, expected.size()));
            }
        }
    }
}

// The window contains too many events, wherever it starts. So make_timeline() stops after the first part of
// the window and returns no timeline.
TEST(Timeline, WindowAboveRecordLimitIsRefused) {
    const std::vector<std::string> sets{"/until=\"200ms\""};
    const RunCase run{"yields", std::make_shared<const Scenario>(load_scenario("yield-threads", sets)),
                      make_policy("linux-2.0")};
    const auto history = recorded(run);
    const Nanos simulated_end = tip_of(*history);
    ASSERT_GT(history->simulated_end().machine.globals().events, 12'000u);
    for (const Nanos begin : {0ns, simulated_end / 2}) {
        EXPECT_FALSE(make_timeline(*history, begin, simulated_end, 5'000));
        const auto all = make_timeline(*history, begin, simulated_end);
        ASSERT_TRUE(all);
        EXPECT_GT(all->trace.records.size(), 5'000u);
        EXPECT_TRUE(make_timeline(*history, begin, simulated_end, all->trace.records.size()));
    }
}

// A shell forks children one after the other; all use the same row.
TEST(Timeline, NamesSuccessiveTasksInReusedRow) {
    const auto scenario = std::make_shared<const Scenario>(
        parse_scenario("test.json", R"({"format": "switchyard-scenario/1", "until": "1s",
        "machine": {"costs": {"syscall": "2us", "schedule": "3us", "switch_same_mm": "1us", "switch_other_mm": "5us"}},
        "max_tasks": 2, "tasks": [
          {"name": "shell", "program": [{"loop": "forever", "steps": [
            {"fork": "a"}, {"arrival": "20ms"}, {"fork": "b"}, {"arrival": "20ms"}]}]},
          {"name": "a", "count": 0, "program": [{"run": "3ms"}]},
          {"name": "b", "count": 0, "program": [{"run": "4ms"}]}]})"));
    const auto history = recorded({"", scenario, make_policy("linux-2.0")});
    std::mt19937_64 random(4);
    check(*history, 0ns, 1s, random);
    check(*history, 501ms, 502ms, random);
    const auto timeline = make_timeline(*history, 100ms, 200ms);
    ASSERT_TRUE(timeline);
    std::string names;
    for (const TaskSlice& slice : timeline->tasks[2])
        if (slice.activity == TaskActivity::running) names += timeline->name(*scenario, 2, slice.begin) + " ";
    EXPECT_EQ(names, "b.7 a.8 b.9 a.10 b.11 ");
    EXPECT_EQ(timeline->name(*scenario, 0, 150ms), "idle");
    // The timeline shows an exiting task with its name while the kernel still works for it.
    const auto exit = std::find_if(timeline->trace.records.begin(), timeline->trace.records.end(),
                                   [](const TraceRecord& r) { return r.kind == TraceKind::exit; });
    ASSERT_NE(exit, timeline->trace.records.end());
    const auto late = make_timeline(*history, exit->time + 1us, exit->time + 10ms);
    ASSERT_TRUE(late);
    ASSERT_FALSE(late->tasks[2].empty());
    EXPECT_EQ(late->tasks[2].front().activity, TaskActivity::kernel);
    EXPECT_EQ(late->name(*scenario, 2, exit->time + 1us), timeline->name(*scenario, 2, exit->time));
}

// Two children, a and b, run at the same time on two CPUs, and each idle task borrows the address space
// that the child on its CPU leaves. The shell returns on b's CPU, so b's address space is freed first.
// Later, b's address space is reused together with a's row, which was freed last.
TEST(Timeline, NamesOwnerOfReusedAddressSpace) {
    const auto scenario = std::make_shared<const Scenario>(
        parse_scenario("test.json", R"({"format": "switchyard-scenario/1", "until": "1s",
        "machine": "pentium-mmx-200", "cpus": 2, "max_tasks": 3, "tasks": [
          {"name": "shell", "program": [{"loop": "forever", "steps": [
            {"fork": "a"}, {"fork": "b"}, {"arrival": "20ms"}]}]},
          {"name": "a", "count": 0, "program": [{"run": "6ms"}]},
          {"name": "b", "count": 0, "program": [{"run": "3ms"}]}]})"));
    const auto history = recorded({"", scenario, make_policy("linux-2.4.22")});
    std::mt19937_64 random(6);
    check(*history, 0ns, 1s, random);
    const auto timeline = make_timeline(*history, 0ms, 50ms);
    ASSERT_TRUE(timeline);
    std::vector<std::string> loaded;
    for (CpuId c = 0; c < 2; ++c)
        for (const CpuSlice& slice : timeline->cpus[c]) {
            if (slice.mm < 2 || slice.borrowed) continue;
            const std::string line = fmt::format("cpu{}, mm {}, row {}: {}", c, slice.mm, slice.task,
                                                 timeline->mm_name(*scenario, slice.mm, slice.begin));
            if (loaded.empty() || loaded.back() != line) loaded.push_back(line);
        }
    EXPECT_EQ(fmt::format("{}", fmt::join(loaded, "\n")),
              "cpu0, mm 3, row 4: b.3's address space\n"
              "cpu0, mm 2, row 4: b.5's address space\n"
              "cpu0, mm 3, row 4: b.7's address space\n"
              "cpu1, mm 2, row 3: a.2's address space\n"
              "cpu1, mm 3, row 3: a.4's address space\n"
              "cpu1, mm 2, row 3: a.6's address space");
}

TEST(Timeline, MatchesRunWithInterventions) {
    std::mt19937_64 random(5);
    std::uint64_t made = 0;
    for (const RunCase& run : some_runs(kEvents, rounds(100, 7, 3), 13'000)) {
        SCOPED_TRACE(run.name);
        Session first(run.scenario, run.policy);
        first.history().extend_to_end();
        const auto simulated_end =
            static_cast<std::uint64_t>(first.history().simulated_end().machine.globals().now.count());
        std::vector<Intervention> interventions;
        std::unique_ptr<Session> session;
        Session* at = &first;
        for (int i = 0; i < 3; ++i) {
            at->history().extend_to_end();
            at->seek(std::max(at->now(), Nanos{static_cast<std::int64_t>(random() % (simulated_end + 1))}));
            const Machine& m = at->machine();
            if (m.globals().high_row == m.first_task()) break;
            Intervention what{.kind =
                                  random() % 2 == 0 ? Intervention::Kind::wake : Intervention::Kind::kill};
            what.task =
                m.first_task() + static_cast<TaskId>(random() % (m.globals().high_row - m.first_task()));
            if (!refusal(what, m).empty()) continue;
            session = at->what_if(what);
            at = session.get();
            ++made;
        }
        if (!session) continue;
        session->history().extend_to_end();
        const RunHistory& history = session->history();
        for (int i = 0; i < 4; ++i) {
            const auto [begin, end] = random_window(history, random);
            // make_timeline() refuses a window with too many events (10,000 ticks per second).
            if (const auto timeline = make_timeline(history, begin, end)) check_cpus(history, *timeline);
        }
        // Tests windows that begin or end at an intervention.
        for (const Intervention& i : history.interventions()) {
            check(history, i.time, i.time + 1ms, random);
            check(history, std::max(0ns, i.time - 1ms), i.time, random);
        }
        if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(made, 30u);
}

TEST(Timeline, MatchesRunWithInterventionsOfTheScenario) {
    std::mt19937_64 random(6);
    for (std::uint64_t seed = 1; seed <= rounds(200u, 30u, 4u); ++seed) {
        const char* const spec = std::array{"linux-2.0", "linux-2.6.20", "linux-6.6"}[seed % 3];
        SCOPED_TRACE(fmt::format("seed {} under {}", seed, spec));
        const auto json = nlohmann::ordered_json::parse(random_scenario_json(seed));
        const NamedPolicy policy = make_policy(spec);
        const auto scenario = std::make_shared<const Scenario>(
            shortened(parse_scenario("random.json", with_interventions(json, random, spec, 8).dump()), policy,
                      kEvents));
        const auto history = recorded({"random", scenario, policy});
        check(*history, 0ns, tip_of(*history), random);
        for (const ScenarioIntervention& one : scenario->interventions) {
            check(*history, one.at, one.at + 1ms, random);
            check(*history, std::max(0ns, one.at - 1ms), one.at, random);
        }
        if (testing::Test::HasFailure()) return;
    }
}

}  // namespace timeline_test
}  // namespace sim
