// Tests of the RUN QUEUE pane for later kernels: the arrays of linux-2.6.20 and the virtual times of the fair
// schedulers, between decisions and at each step of a decision.
#if __has_include(<imgui.h>) && __has_include(<SDL.h>)

#include <SDL.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/policies/fair_state.h"
#include "sim/policies/linux_2_6_20.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/headless_window.h"
#include "tests/support/smp_scenario.h"
#include "ui/app/app.h"
#include "ui/panels/panel.h"
#include "ui/panels/queue_view.h"
#include "ui/view/fair_queue.h"
#include "ui/view/priority_arrays.h"
#include "ui/view/task_rows.h"

namespace ui {
namespace ui_kernel_queues_test {

using namespace std::chrono_literals;
using sim::Machine;
using sim::Phase;
using sim::TaskId;
using sim::fair::FairKernel;

// An editor, computing hogs, a batch task of low priority, a server that sleeps and works, a task of class
// rr, and a short task.
std::string mixed_json(const std::string& policy, std::uint32_t cpus = 1, int hogs = 3) {
    return fmt::format(R"({{"format": "switchyard-scenario/1", "machine": "pentium-mmx-200", "policy": "{}",
        "until": "2s", "cpus": {}, "tasks": [
        {{"name": "editor", "program": [{{"loop": "forever",
            "steps": [{{"arrival": {{"uniform": ["20ms", "60ms"]}}}}, {{"run": "3ms"}}]}}]}},
        {{"name": "hog", "count": {}, "program": [{{"loop": "forever", "steps": [{{"run": "1h"}}]}}]}},
        {{"name": "batch", "priority": 10, "program": [{{"loop": "forever",
            "steps": [{{"run": "20ms"}}, "yield"]}}]}},
        {{"name": "server", "priority": 25, "program": [{{"loop": "forever",
            "steps": [{{"sleep": "40ms"}}, {{"run": "10ms"}}]}}]}},
        {{"name": "audio", "class": "rr", "rt_priority": 50, "program": [{{"loop": "forever",
            "steps": [{{"sleep": "100ms"}}, {{"run": "1ms"}}]}}]}},
        {{"name": "short", "start": "150ms", "program": [{{"run": "5ms"}}]}}]}})",
                       policy, cpus, hogs);
}

Run run_of(const std::string& policy, std::uint32_t cpus = 1) {
    Run run(std::make_unique<sim::Session>(
        std::make_shared<const sim::Scenario>(sim::parse_scenario("mixed.json", mixed_json(policy, cpus))),
        sim::make_policy(policy, cpus)));
    run.session().history().extend_to_end();
    return run;
}

std::vector<TaskId> list_of(const Machine& m, sim::CpuId cpu) {
    std::vector<TaskId> tasks;
    for (TaskId p = m.next_run[cpu]; p != cpu; p = m.next_run[p]) tasks.push_back(p);
    return tasks;
}

std::string text_of(Run& run, const ViewState& view) {
    Model model;
    model.a = &run;
    return run_queue_text(model, view);
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(UiTaskColumns, CounterTitleDependsOnPolicy) {
    const auto title = [](const char* policy) { return column_title(run_of(policy), TaskColumn::counter); };
    EXPECT_EQ(title("linux-2.4.22"), "Counter");
    EXPECT_EQ(title("linux-2.6.20"), "Prio");
    EXPECT_EQ(title("linux-2.6.24"), "Vruntime");
    EXPECT_EQ(title("linux-6.6"), "Vruntime");
}

// --- linux-2.6.20 ---

void expect_bitmap(const PriorityArray& shown, const std::uint64_t (&bits)[3]) {
    std::set<std::int32_t> lit;
    for (const PriorityList& list : shown.lists) lit.insert(list.prio);
    for (std::int32_t prio = 0; prio < sim::o1::kMaxPrio; ++prio)
        EXPECT_EQ(lit.contains(prio), (bits[prio / 64] >> (prio % 64) & 1) != 0) << prio;
    EXPECT_EQ(shown.first_bit().value_or(-1), lit.empty() ? -1 : *lit.begin());
}

TEST(UiPriorityArrays, MatchKernelBetweenDecisions) {
    for (const std::uint32_t cpus : {1u, 2u}) {
        ui::Run run = run_of("linux-2.6.20", cpus);
        const ViewState view;
        for (std::uint64_t n = 1; n <= 150; ++n) {
            ASSERT_TRUE(run.session().seek(sim::StepEventKind::decision, n));
            const Machine& m = run.session().machine();
            const QueueMoment moment = queue_moment(run, view);
            ASSERT_TRUE(has_priority_arrays(run, moment));
            std::vector<TaskId> all;
            for (sim::CpuId cpu = 0; cpu < cpus; ++cpu) {
                const PriorityArrays arrays = priority_arrays(moment, cpu);
                const sim::o1::RunQueueFields& q = m.of_cpu<sim::o1::RunQueueFields>(cpu);
                EXPECT_EQ(arrays.active, q.active);
                EXPECT_EQ(arrays.tasks(), list_of(m, cpu));
                for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
                    expect_bitmap(arrays.arrays[i], q.bits[i]);
                    EXPECT_EQ(arrays.arrays[i].count(), q.count[i]);
                }
                const TaskId current = m.cpu(cpu).current;
                EXPECT_EQ(arrays.running, m.is_idle_task(current) ? sim::kNoTask : current);
                for (const TaskId p : arrays.tasks()) all.push_back(p);
            }
            EXPECT_EQ(queue_view(run, view).tasks, all);
        }
    }
}

// Returns the first decision, from number n on, in which the arrays are swapped.
std::uint64_t change_from(Run& run, std::uint64_t n) {
    for (; run.session().seek(sim::StepEventKind::decision, n); ++n) {
        const sim::DecisionView& view = run.last_decision()->view;
        if (view.before.of_cpu<sim::o1::RunQueueFields>(0).active !=
            view.after.of_cpu<sim::o1::RunQueueFields>(0).active)
            return n;
    }
    ADD_FAILURE() << "the arrays never change places";
    return 1;
}

TEST(UiPriorityArrays, SwapAppearsAtFindBitStep) {
    ui::Run run = run_of("linux-2.6.20");
    const std::uint64_t n = change_from(run, 20);
    ViewState view;
    const PriorityArrays at_rest = priority_arrays(queue_moment(run, view), 0);
    EXPECT_TRUE(at_rest.arrays_exchanged);
    const std::string words =
        fmt::format("the arrays were exchanged: arrays[{}] is now the active array\n", at_rest.active);
    EXPECT_TRUE(contains(text_of(run, view), words)) << text_of(run, view);

    view.level = DepthLevel::inside;
    const std::size_t steps = run.last_decision()->steps.size();
    std::size_t before = 0, behind = 0;
    // Moves forward through all steps, then back.
    for (std::size_t i = 0; i < 2 * steps; ++i) {
        view.inside_step = i < steps ? i : 2 * steps - 1 - i;
        const Phase phase = run.last_decision()->steps[view.inside_step].phase;
        const PriorityArrays arrays = priority_arrays(queue_moment(run, view), 0);
        EXPECT_EQ(arrays.arrays_exchanged, phase >= Phase::find_bit);
        EXPECT_EQ(arrays.active == at_rest.active, phase >= Phase::find_bit);
        EXPECT_EQ(contains(text_of(run, view), "arrays were exchanged"), phase >= Phase::find_bit);
        if (phase < Phase::find_bit && phase > Phase::leave) {
            EXPECT_EQ(arrays.arrays[arrays.active].count(), 0u);
        }
        ++(phase < Phase::find_bit ? before : behind);
    }
    EXPECT_GT(before, 0u);
    EXPECT_GT(behind, 0u);

    view = {};
    std::uint64_t other = n + 1;
    while (change_from(run, other) == other) ++other;
    ASSERT_TRUE(run.session().seek(sim::StepEventKind::decision, other));
    EXPECT_FALSE(priority_arrays(queue_moment(run, view), 0).arrays_exchanged);
    EXPECT_FALSE(contains(text_of(run, view), "arrays were exchanged"));
}

// The task that schedule() examines is the head of the first list of the active array. A task that goes to
// sleep has already left the array.
TEST(UiPriorityArrays, ConsideredTaskHeadsFirstList) {
    ui::Run run = run_of("linux-2.6.20");
    ViewState view;
    view.level = DepthLevel::inside;
    std::size_t looked_at = 0, left = 0, other_prio = 0;
    for (std::uint64_t n = 1; n <= 150; ++n) {
        ASSERT_TRUE(run.session().seek(sim::StepEventKind::decision, n));
        const DecisionDetail& inside = *run.last_decision();
        for (view.inside_step = 0; view.inside_step < inside.steps.size(); ++view.inside_step) {
            const sim::DecisionStep& step = inside.steps[view.inside_step];
            const PriorityArrays arrays = priority_arrays(queue_moment(run, view), 0);
            const std::vector<TaskId> tasks = arrays.tasks();
            if (step.phase == Phase::consider) {
                const sim::Candidate& c = inside.view.log.candidates[0];
                const PriorityList& list = arrays.arrays[arrays.active].lists.at(0);
                EXPECT_EQ(list.prio, c.key);
                EXPECT_EQ(list.tasks.front(), c.task);
                ++looked_at;
                other_prio += inside.view.after.of_task<sim::o1::TaskFields>(c.task).prio != c.key;
            }
            const TaskId prev = inside.view.record.other;
            if (inside.view.record.voluntary && step.phase > Phase::enter) {
                EXPECT_EQ(std::count(tasks.begin(), tasks.end(), prev), step.phase < Phase::leave ? 1 : 0);
                ++left;
            }
            if (step.phase < Phase::switch_context && step.phase != Phase::enter) {
                EXPECT_EQ(arrays.running, inside.view.before.is_idle_task(prev) ? sim::kNoTask : prev);
            }
        }
        const ViewState outside;
        EXPECT_EQ(priority_arrays(queue_moment(run, outside), 0).tasks(), list_of(inside.view.after, 0));
    }
    EXPECT_GT(looked_at, 100u);
    EXPECT_GT(left, 20u);
    EXPECT_GT(other_prio, 0u) << "nobody gets another prio while he is chosen";
}

TEST(UiPriorityArrays, TextListsBothArraysAndPrioParts) {
    ui::Run run = run_of("linux-2.6.20");
    run.session().seek(460ms);
    const std::string text = text_of(run, {});
    EXPECT_TRUE(contains(text, "active: arrays[")) << text;
    EXPECT_TRUE(contains(text, "expired: arrays[")) << text;
    EXPECT_TRUE(contains(text, ", first bit set: 1")) << text;
    EXPECT_TRUE(contains(text, "prio 125  hog.")) << text;
    EXPECT_TRUE(contains(text, " of 10, bonus ")) << text;
}

TEST(UiPriorityArrays, PredictionHidesOutcome) {
    ui::Run run = run_of("linux-2.6.20");
    change_from(run, 20);
    ViewState view;
    view.predicting = true;
    const PriorityArrays arrays = priority_arrays(queue_moment(run, view), 0);
    EXPECT_FALSE(arrays.arrays_exchanged);
    EXPECT_EQ(arrays.arrays[arrays.active].count(), 0u) << "as it was before the choice";
    EXPECT_EQ(arrays.running, run.last_decision()->view.record.other);
    EXPECT_FALSE(contains(text_of(run, view), "first bit set"));
}

// --- the fair schedulers ---

const FairRow* row_of(const FairQueue& queue, TaskId p) {
    const auto found =
        std::find_if(queue.rows.begin(), queue.rows.end(), [p](const FairRow& row) { return row.task == p; });
    return found == queue.rows.end() ? nullptr : &*found;
}

constexpr const char* kFairPolicies[] = {"linux-2.6.24", "linux-2.6.32", "linux-6.6",
                                         "linux-6.6:group_sched=yes"};

TEST(UiFairQueue, MatchesKernelBetweenDecisions) {
    for (const char* policy : kFairPolicies) {
        for (const std::uint32_t cpus : {1u, 2u}) {
            SCOPED_TRACE(fmt::format("{} on {}", policy, cpus));
            ui::Run run = run_of(policy, cpus);
            const ViewState view;
            for (std::uint64_t n = 1; n <= 120; ++n) {
                ASSERT_TRUE(run.session().seek(sim::StepEventKind::decision, n));
                const Machine& m = run.session().machine();
                const QueueMoment moment = queue_moment(run, view);
                const FairKernel kernel = fair_kernel(run, moment);
                ASSERT_NE(kernel, FairKernel::none);
                for (sim::CpuId cpu = 0; cpu < cpus; ++cpu) {
                    const FairQueue queue = fair_queue(moment, cpu, kernel);
                    EXPECT_EQ(queue.waiting(), list_of(m, cpu));
                    const TaskId current = m.cpu(cpu).current;
                    const bool runs = !m.is_idle_task(current);
                    EXPECT_EQ(queue.running, runs ? current : sim::kNoTask);
                    const bool runs_fair = runs && !sim::is_real_time(m.sched_class[current]);
                    EXPECT_EQ(row_of(queue, current) != nullptr, runs_fair);
                    std::int64_t last = std::numeric_limits<std::int64_t>::min();
                    const FairRow* first = nullptr;
                    for (const FairRow& row : queue.rows) {
                        EXPECT_GE(row.vruntime, last);
                        last = row.vruntime;
                        EXPECT_EQ(row.running, row.task == current);
                        if (!row.running && first == nullptr) first = &row;
                        EXPECT_EQ(row.leftmost, &row == first);
                    }
                    if (kernel != FairKernel::linux_6_6 || queue.rows.empty()) continue;
                    EXPECT_EQ(queue.min_vruntime + queue.average, sim::fair::avg_vruntime(m, cpu));
                }
            }
        }
    }
}

// At each step in which a task is examined, this task is in the tree or running, and its row shows the
// values of the kernel. In 6.6 the winner has the earliest deadline of the eligible tasks.
TEST(UiFairQueue, MatchesSearchWithinDecision) {
    for (const char* policy : kFairPolicies) {
        SCOPED_TRACE(policy);
        ui::Run run = run_of(policy);
        ViewState view;
        view.level = DepthLevel::inside;
        std::size_t looked_at = 0, not_eligible = 0, put_back = 0;
        for (std::uint64_t n = 1; n <= 200; ++n) {
            ASSERT_TRUE(run.session().seek(sim::StepEventKind::decision, n));
            const DecisionDetail& inside = *run.last_decision();
            const TaskId prev = inside.view.record.other, next = inside.view.record.task;
            std::vector<TaskId> forth;
            for (view.inside_step = 0; view.inside_step < inside.steps.size(); ++view.inside_step) {
                const sim::DecisionStep& step = inside.steps[view.inside_step];
                const QueueMoment moment = queue_moment(run, view);
                const FairKernel kernel = fair_kernel(run, moment);
                const FairQueue queue = fair_queue(moment, 0, kernel);
                if (step.phase == Phase::put_back) {
                    EXPECT_NE(row_of(queue, prev), nullptr);
                    EXPECT_FALSE(row_of(queue, prev)->running);
                    ++put_back;
                }
                if (step.phase == Phase::begin && !inside.view.before.is_idle_task(prev)) {
                    EXPECT_EQ(queue.running, prev);
                }
                if (step.phase == Phase::leave) {
                    EXPECT_EQ(row_of(queue, prev), nullptr);
                }
                if (step.phase == Phase::consider) {
                    const sim::Candidate& c = inside.view.log.candidates[step.candidates - 1];
                    if (c.remark == sim::CandidateRemark::real_time) {
                        EXPECT_EQ(queue.real_time.front(), c.task);
                        continue;
                    }
                    const FairRow* row = row_of(queue, c.task);
                    ASSERT_NE(row, nullptr) << n;
                    ++looked_at;
                    not_eligible += c.remark == sim::CandidateRemark::not_eligible;
                    if (kernel == FairKernel::linux_6_6) {
                        EXPECT_EQ(queue.min_vruntime + row->deadline, c.key);
                        EXPECT_EQ(row->eligible(), c.remark != sim::CandidateRemark::not_eligible) << n;
                        const bool parity =
                            inside.view.log.candidates[0].remark == sim::CandidateRemark::parity;
                        for (const FairRow& other : queue.rows)
                            if (other.eligible() && !parity) {
                                EXPECT_GE(other.deadline, row_of(queue, next)->deadline) << n;
                            }
                    } else {
                        EXPECT_EQ(queue.min_vruntime + row->vruntime, c.key);
                        EXPECT_EQ(row->leftmost, c.remark != sim::CandidateRemark::buddy);
                    }
                }
                if (step.phase >= Phase::switch_context && !inside.view.after.is_idle_task(next)) {
                    EXPECT_EQ(queue.running, next);
                }
            }
        }
        EXPECT_GT(looked_at, 150u);
        EXPECT_EQ(not_eligible > 0, std::string(policy).starts_with("linux-6.6"));
        EXPECT_EQ(put_back > 0, std::string(policy) != "linux-6.6:group_sched=yes");
    }
}

TEST(UiFairQueue, ShowsLagsInNumbersAndWords) {
    ui::Run run = run_of("linux-6.6");
    run.session().seek(200ms);
    const QueueMoment moment = queue_moment(run, {});
    const FairQueue queue = fair_queue(moment, 0, FairKernel::linux_6_6);
    ASSERT_GT(queue.rows.size(), 2u);
    std::int64_t sum = 0, load = 0;
    for (const FairRow& row : queue.rows) {
        EXPECT_EQ(row.lag, queue.average - row.vruntime);
        sum += row.lag * row.weight;
        load += row.weight;
    }
    EXPECT_TRUE(sum <= 0 && sum > -load) << "lags cancel out, but for the rounding of V";
    const std::string text = text_of(run, {});
    for (const FairRow& row : queue.rows) {
        EXPECT_TRUE(contains(text, "lag " + signed_ms_text(row.lag))) << text;
        EXPECT_TRUE(contains(text, lag_text(row.lag) + ", " + eligible_word(row))) << text;
        EXPECT_TRUE(contains(text, "deadline " + signed_ms_text(row.deadline))) << text;
    }
    EXPECT_TRUE(contains(text, "V, the limit of eligibility, is " + signed_ms_text(queue.average))) << text;
    EXPECT_TRUE(contains(text, "leftmost")) << text;
    EXPECT_TRUE(contains(text, "cpu0")) << text;

    EXPECT_EQ(signed_ms_text(-1), "-0.000 ms");
    EXPECT_EQ(signed_ms_text(1'250'499), "+1.250 ms");
    EXPECT_EQ(signed_ms_text(std::numeric_limits<std::int64_t>::min()).front(), '-');
    EXPECT_EQ(lag_text(0), "has received its exact share");
    EXPECT_EQ(lag_text(250'000), "is owed 0.250 ms");
    EXPECT_EQ(lag_text(-250'000), "has received 0.250 ms more than its share");
}

TEST(UiFairQueue, PredictionHidesOutcome) {
    for (const char* policy : kFairPolicies) {
        ui::Run run = run_of(policy);
        ASSERT_TRUE(run.session().seek(sim::StepEventKind::context_switch, 40));
        ViewState view;
        view.predicting = true;
        const QueueMoment moment = queue_moment(run, view);
        EXPECT_TRUE(moment.hidden);
        const FairQueue queue = fair_queue(moment, 0, fair_kernel(run, moment));
        EXPECT_NE(queue.running, run.last_decision()->view.record.task) << policy;
        const std::string text = text_of(run, view);
        EXPECT_FALSE(contains(text, "leftmost")) << text;
        EXPECT_FALSE(contains(text, "eligible\n")) << text;
    }
}

TEST(UiFairQueue, AxisHasRoundStepsWithoutOutliers) {
    EXPECT_EQ(smallest_round_step(10, 10), 1);
    EXPECT_EQ(smallest_round_step(11, 10), 2);
    EXPECT_EQ(smallest_round_step(20, 10), 2);
    EXPECT_EQ(smallest_round_step(45'000'000, 10), 5'000'000);
    EXPECT_GT(smallest_round_step(std::numeric_limits<std::int64_t>::max(), 1), 0);

    const auto queue_of = [](const std::vector<std::int64_t>& vruntimes) {
        FairQueue queue;
        for (const std::int64_t v : vruntimes) queue.rows.push_back({.task = 1, .vruntime = v});
        return queue;
    };
    const VirtualTimeRange all = virtual_time_range(queue_of({-1'500'000, 0, 3'200'000}), 10);
    EXPECT_EQ(all.step, 500'000);
    EXPECT_EQ(all.begin, -1'500'000);
    EXPECT_EQ(all.end, 3'500'000);
    EXPECT_EQ(virtual_time_range(queue_of({0, 1'000'000, 2'000'000, 60'000'000}), 10).end, 2'000'000);
    EXPECT_EQ(virtual_time_range(queue_of({0, 2'000'000, 60'000'000}), 10).end, 60'000'000) << "one of three";
    EXPECT_EQ(virtual_time_range(queue_of({0, 1'000'000, 9'000'000, 30'000'000}), 10).end, 30'000'000);
    for (const std::vector<std::int64_t>& few : {std::vector<std::int64_t>{}, {0}, {-1}, {1}}) {
        const VirtualTimeRange range = virtual_time_range(queue_of(few), 10);
        EXPECT_LT(range.begin, range.end);
        EXPECT_GT(range.step, 0);
    }
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const VirtualTimeRange far = virtual_time_range(queue_of({-kMost, kMost}), 4);
    EXPECT_LT(far.begin, far.end);
}

// After a change of policy, the latest decision and the policy state before it belong to the previous
// policy.
TEST(UiFairQueue, FollowsPolicyAfterPolicyChange) {
    const std::pair<const char*, const char*> changes[] = {{"linux-2.0", "linux-6.6"},
                                                           {"linux-6.6", "linux-2.6.20"},
                                                           {"linux-2.6.20", "linux-2.6.32"},
                                                           {"linux-2.6.24", "linux-2.0"}};
    for (const auto& [from, to] : changes) {
        ui::Run before = run_of(from);
        before.session().seek(463ms);
        ui::Run run(before.session().what_if({.kind = sim::Intervention::Kind::policy, .policy = to}));
        ASSERT_EQ(run.policy().name, to);
        ASSERT_NE(run.last_decision(), nullptr);
        const ViewState view;
        const QueueMoment moment = queue_moment(run, view);
        EXPECT_EQ(has_priority_arrays(run, moment), std::string(to) == "linux-2.6.20");
        EXPECT_EQ(fair_kernel(run, moment), sim::fair::fair_kernel_of(sim::make_policy(to)));
        const std::string text = text_of(run, view);
        EXPECT_TRUE(contains(text, "hog.1")) << text;
        EXPECT_FALSE(contains(text, "arrays were exchanged"));
    }
}

// --- drawing ---

struct Window : HeadlessWindow {
    explicit Window(const std::string& json, Size size = {1280, 800}) : HeadlessWindow(json, "queues", size) {
        app.view().alone = "run_queue";
        settle();
    }
};

TEST(QueueDrawing, IsStableAtAnySizeAndTheme) {
    for (const char* policy : {"linux-2.6.20", "linux-2.6.32", "linux-6.6"}) {
        for (const std::uint32_t cpus : {1u, 2u, 16u}) {
            Window w(mixed_json(policy, cpus, cpus == 2 ? 90 : 3));
            w.app.control().navigator().seek(460ms);
            int i = 0;
            for (const Size size :
                 {Size{64, 64}, {200, 600}, {340, 240}, {640, 200}, {1366, 768}, {300, 1280}}) {
                w.app.set_theme(themes()[static_cast<std::size_t>(i++) % themes().size()].name);
                w.backend.resize(size);
                w.settle();
                SCOPED_TRACE(fmt::format("{} {} CPUs {}x{}", policy, cpus, size.width, size.height));
                const auto once = w.picture();
                ASSERT_EQ(once.size(),
                          4 * static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height));
                w.frames(2);
                EXPECT_TRUE(w.picture() == once);
            }
        }
    }
}

TEST(QueueDrawing, BackwardStepsRestorePictures) {
    for (const char* policy : {"linux-2.6.20", "linux-2.6.24", "linux-6.6"}) {
        Window w(mixed_json(policy));
        w.app.view().reduce_motion = true;
        w.app.control().navigator().seek(460ms);
        for (const char* id : {"step.decision.forward", "inside.in", "inside.in", "step.forward"})
            w.command(id);
        const auto quiet_picture = [&] {  // without the message line
            w.app.control().say("");
            w.settle();
            return w.picture();
        };
        std::vector<std::vector<std::uint8_t>> forth;
        std::set<std::vector<std::uint8_t>> different;
        for (int i = 0; i < 9; ++i) {
            forth.push_back(quiet_picture());
            different.insert(forth.back());
            w.command("step.forward");
        }
        EXPECT_GT(different.size(), 3u) << policy;
        for (std::size_t i = forth.size(); i-- > 0;) {
            w.command("step.back");
            EXPECT_TRUE(quiet_picture() == forth[i]) << policy << " " << i;
        }
    }
}

TEST(QueueDrawing, EligibleLineAppearsForEevdfOnly) {
    for (const char* policy : {"linux-2.6.32", "linux-6.6"}) {
        Window w(mixed_json(policy));
        w.app.control().navigator().seek(460ms);
        w.settle();
        // Only for linux-6.6, the pane contains a line as high as the rows, in the colour `ok`.
        EXPECT_EQ(w.pixels_of(w.app.theme().ok) > 200, std::string(policy) == "linux-6.6") << policy;
    }
}

TEST(QueueDrawing, AccentFrameFollowsActiveArray) {
    Window w(mixed_json("linux-2.6.20"));
    const auto left_half = [&] {  // true if the active frame's pixels are mostly in the left half
        const auto all = w.picture();
        const ImU32 colour = w.app.theme().accent;
        std::size_t left = 0, right = 0;
        for (std::size_t i = 0; i + 4 <= all.size(); i += 4)
            if (IM_COL32(all[i], all[i + 1], all[i + 2], 255) == (colour | IM_COL32_A_MASK) &&
                i / 4 / 1280 > 70)
                ++(i / 4 % 1280 < 640 ? left : right);
        return left > right;
    };
    std::set<std::pair<std::uint32_t, bool>> seen;
    for (int i = 0; i < 120 && seen.size() < 2; ++i) {
        w.command("step.decision.forward");
        const auto& m = w.app.model().a->session().machine();
        seen.insert({m.of_cpu<sim::o1::RunQueueFields>(0).active, left_half()});
    }
    EXPECT_EQ(seen, (std::set<std::pair<std::uint32_t, bool>>{{0, true}, {1, false}}));
}

}  // namespace ui_kernel_queues_test
}  // namespace ui

#endif
