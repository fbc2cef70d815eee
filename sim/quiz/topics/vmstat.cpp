// Question: the line that vmstat shows for a small workload: the columns r, in and cs, and the columns of CPU
// time (us, sy, id).
#include <fmt/format.h>

#include <algorithm>

#include "sim/core/engine.h"
#include "sim/quiz/topics/topics.h"
#include "sim/replay/vmstat_columns.h"
#include "sim/scenario/scenario_json.h"

namespace sim::quiz {
namespace {

using enum Misconception;

std::string line_text(const VmstatLine& l) {
    return fmt::format("r {}  in {}  cs {}  us {}  sy {}  id {}", l.runnable, l.interrupts, l.switches,
                       l.user, l.system, l.idle);
}

// A few tasks with predictable behaviour, in two forms: as text, and as members of a scenario's list of
// tasks.
struct Workload {
    int hogs = 0, sleepers = 0, servers = 0, yielders = 0;
    std::vector<std::string> tasks;
    std::string told;

    void add(const std::string& name, const std::string& steps, const std::string& what) {
        tasks.push_back(fmt::format(R"({{"name": "{}", "program": [{{"loop": "forever", "steps": [{}]}}]}})",
                                    name, steps));
        told += fmt::format("  {:<6} {}\n", name, what);
    }
};

Workload draw_workload(RandomDraw& draw, Level level) {
    Workload w;
    const bool easy = level == Level::easy;
    do {
        w.hogs = easy ? draw.between(0, 1) : draw.between(0, 3);
        w.sleepers = draw.between(0, easy ? 1 : 2);
        w.servers = draw.between(0, easy ? 1 - w.sleepers : 2 - w.sleepers);
        w.yielders = !easy && w.hogs + w.servers + w.sleepers == 0 ? 2 : 0;
    } while (w.hogs + w.sleepers + w.servers + w.yielders == 0);
    for (int i = 0; i < w.hogs; ++i)
        w.add(fmt::format("hog{}", i + 1), R"({"run": "1h"})", "computes and never stops");
    for (int i = 0; i < w.sleepers; ++i) {
        const int away = draw.one_of<std::int32_t>({15, 18, 25, 28, 35, 38, 45, 75, 95});
        const int busy = draw.one_of<std::int32_t>({2, 4, 6, 8, 12});
        w.add(fmt::format("nap{}", i + 1),
              fmt::format(R"({{"sleep": "{}ms"}}, {{"run": "{}ms"}})", away, busy),
              fmt::format("sleeps {} ms by nanosleep(), computes {} ms, and so on", away, busy));
    }
    for (int i = 0; i < w.servers; ++i) {
        const int away = draw.one_of<std::int32_t>({15, 18, 25, 28, 35, 38, 45, 75, 95});
        const int busy = draw.one_of<std::int32_t>({2, 4, 6, 8, 12});
        w.add(fmt::format("srv{}", i + 1),
              fmt::format(R"({{"arrival": "{}ms"}}, {{"run": "{}ms"}})", away, busy),
              fmt::format("waits {} ms for its client's packet (an interrupt), computes {} ms, and so on",
                          away, busy));
    }
    for (int i = 0; i < w.yielders; ++i)
        w.add(fmt::format("yield{}", i + 1), R"({"run": "50us"}, "yield")",
              "computes 50 us, calls sched_yield(), and so on");
    return w;
}

// A variant of the simulation. With `other_order` or `cost`, the right answer must be the same. With
// `exact_sleeps`, the result is the wrong answer of a student with the mistake vmstat_exact_sleeps.
struct SimulationVariant {
    bool exact_sleeps = false;  // sleeps end exactly when due
    bool other_order = false;   // the tasks are created in reverse order
    int cost = 100;             // cost of the kernel's work, in percent of the true cost
};

// The time from 1 s to 2 s in the run of a workload.
struct SimulatedSecond {
    Sample before, after;
    SwitchCounts counted_before, counted_after;
    VmstatLine line;
    bool steady = true;  // r (runnable tasks) is the same 1 ms before 2 s, at 2 s and 1 ms after it

    std::uint64_t counted(std::uint64_t SwitchCounts::*what) const {
        return counted_after.*what - counted_before.*what;
    }
    std::uint64_t interrupts() const { return after.device_interrupts - before.device_interrupts; }
    std::uint64_t ended_sleeps() const { return after.timer_wake_ups - before.timer_wake_ups; }
};

SimulatedSecond run_workload(const Workload& w, SimulationVariant variant = {}) {
    std::string tasks;
    for (std::size_t i = 0; i < w.tasks.size(); ++i)
        tasks += (i == 0 ? "" : ", ") + w.tasks[variant.other_order ? w.tasks.size() - 1 - i : i];
    Scenario scenario = parse_scenario(
        "quiz", fmt::format(R"({{"format": "switchyard-scenario/1", "policy": "linux-2.0", "until": "3s",
                    "machine": {{"base": "pentium-mmx-200", "hrtimers": {}}}, "tasks": [{}]}})",
                            variant.exact_sleeps, tasks));
    CostModel& costs = scenario.machine.costs;
    for (Cost* const cost : {&costs.syscall, &costs.schedule, &costs.considered, &costs.recalculated,
                             &costs.switch_same_mm, &costs.switch_other_mm})
        cost->time = cost->time * variant.cost / 100;
    const NamedPolicy policy = make_policy(scenario.policy);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Statistics statistics(scenario.shape);
    SimulatedSecond second;
    const auto go = [&](Nanos until) { engine.run(m, {.until = until}, {.statistics = &statistics}); };
    go(1s);
    second.before = sample_of(scenario, statistics, m);
    second.counted_before = statistics.switches;
    go(2s - 1ms);
    const std::uint32_t runnable = m.globals().nr_running;
    go(2s);
    second.after = sample_of(scenario, statistics, m);
    second.counted_after = statistics.switches;
    second.line = vmstat_line(second.before, second.after);
    for (const Nanos later : {Nanos{1ns}, Nanos{1ms}}) {
        second.steady = second.steady && m.globals().nr_running == runnable;
        go(2s + later);
    }
    second.steady = second.steady && m.globals().nr_running == runnable;
    return second;
}

// True if the line depends only on the facts in the question, and not on the cost of the kernel's work, the
// order of creation, or events at the very end of the second.
bool is_determined(const Workload& w, const SimulatedSecond& second) {
    if (!second.steady) return false;
    if (w.yielders > 0) return true;
    for (const SimulationVariant variant : {SimulationVariant{.other_order = true},
                                            SimulationVariant{.cost = 2}, SimulationVariant{.cost = 300}}) {
        const SimulatedSecond other = run_workload(w, variant);
        const VmstatLine &a = second.line, &b = other.line;
        if (!other.steady || a.runnable != b.runnable || a.interrupts != b.interrupts ||
            a.switches != b.switches)
            return false;
    }
    return true;
}

// True if two lines differ so clearly that a student cannot take one for an inexact version of the other.
bool differ_clearly(const VmstatLine& a, const VmstatLine& b) {
    const auto apart = [](std::int64_t x, std::int64_t y) {
        const std::int64_t d = x > y ? x - y : y - x;
        return d >= 3 && d * 10 >= std::max(x, y);
    };
    return a.runnable != b.runnable || apart(a.interrupts, b.interrupts) || apart(a.switches, b.switches) ||
           apart(a.user, b.user) || apart(a.idle, b.idle);
}

// The wrong lines that mistakes lead to and that differ clearly from the right line.
std::vector<Choice> wrong_lines(const Workload& w, const SimulatedSecond& second) {
    const Sample &before = second.before, &after = second.after;
    const VmstatLine& line = second.line;
    const std::uint64_t from_idle = second.counted(&SwitchCounts::from_idle),
                        to_idle = second.counted(&SwitchCounts::to_idle),
                        voluntary = second.counted(&SwitchCounts::voluntary);
    const std::uint64_t involuntary = after.involuntary - before.involuntary;
    std::vector<Choice> wrong;
    const auto offer = [&](Misconception mistake, auto change) {
        VmstatLine other = second.line;
        change(other);
        if (differ_clearly(other, second.line)) wrong.push_back({line_text(other), mistake});
    };
    if (line.runnable > 0) offer(vmstat_ready_only, [](VmstatLine& l) { --l.runnable; });
    if (after.nr_running < after.nr_tasks)
        offer(vmstat_counts_sleepers, [&](VmstatLine& l) { l.runnable = after.nr_tasks; });
    if (from_idle > 0)
        offer(vmstat_forgets_idle,
              [&](VmstatLine& l) { l.switches -= static_cast<std::int64_t>(from_idle + to_idle); });
    if (w.yielders == 0) offer(vmstat_per_tick, [](VmstatLine& l) { l.switches = l.interrupts; });
    if (voluntary > 0)
        offer(vmstat_voluntary_only,
              [&](VmstatLine& l) { l.switches = static_cast<std::int64_t>(voluntary); });
    if (involuntary > 0)
        offer(vmstat_forgets_slices,
              [&](VmstatLine& l) { l.switches -= static_cast<std::int64_t>(involuntary); });
    offer(vmstat_ticks_only, [](VmstatLine& l) { l.interrupts = 100; });
    offer(vmstat_sleeps_interrupt,
          [&](VmstatLine& l) { l.interrupts += static_cast<std::int64_t>(second.ended_sleeps()); });
    if (w.sleepers > 0) {
        const SimulatedSecond exact = run_workload(w, {.exact_sleeps = true});
        offer(vmstat_exact_sleeps, [&](VmstatLine& l) {
            const std::int64_t interrupts = l.interrupts;
            l = exact.line;
            l.interrupts = interrupts;
        });
    }
    if (line.idle > 0)
        offer(vmstat_idle_is_user, [](VmstatLine& l) {
            l.user += l.idle;
            l.idle = 0;
        });
    if (line.system > 2)
        offer(vmstat_kernel_is_user, [](VmstatLine& l) {
            l.user += l.system;
            l.system = 0;
        });
    return wrong;
}

}  // namespace

Question make_vmstat(RandomDraw& draw, Level level) {
    for (;;) {
        const Workload workload = draw_workload(draw, level);
        const SimulatedSecond second = run_workload(workload);
        if (!is_determined(workload, second)) continue;
        std::vector<Choice> wrong = wrong_lines(workload, second);
        draw.shuffle(wrong);
        const Sample &before = second.before, &after = second.after;
        Question q;
        q.situation = fmt::format(
            "Linux 2.0, 100 ticks per second, one CPU, no other work. All tasks have priority 20 and start "
            "at 0 s:\n\n{}\nr is the value at the end; us, sy and id are exact times, not samples taken at "
            "ticks.\n",
            workload.told);
        q.text = "What does vmstat 1 show for the second from 1 s to 2 s?";
        q.choices.push_back({line_text(second.line)});
        for (Choice& choice : wrong) add_wrong_choice(q, std::move(choice.text), choice.misconception);
        if (q.choices.size() < 4) continue;
        q.explanation = fmt::format(
            "r: {} of {} tasks are runnable at the end. in: {} ticks and {} packets; {} sleeps end at "
            "ticks.\n"
            "cs: {} voluntary, {} involuntary, {} from idle.\n{}{}",
            after.nr_running, after.nr_tasks, after.ticks - before.ticks, second.interrupts(),
            second.ended_sleeps(), after.voluntary - before.voluntary, after.involuntary - before.involuntary,
            second.counted(&SwitchCounts::from_idle), vmstat_header(), to_text(second.line));
        shuffle_choices(q, draw);
        return q;
    }
}

}  // namespace sim::quiz
