// The line that vmstat shows for a small workload: what is in r, in and cs, and where the time went.
#include <fmt/format.h>

#include <algorithm>

#include "sim/core/engine.h"
#include "sim/quiz/topics/topics.h"
#include "sim/replay/vmstat.h"
#include "sim/scenario/scenario_json.h"

namespace sim::quiz {
namespace {

using enum Misconception;

std::string line_text(const VmstatLine& l) {
    return fmt::format("r {}  in {}  cs {}  us {}  sy {}  id {}", l.runnable, l.interrupts, l.switches,
                       l.user, l.system, l.idle);
}

// A few tasks that are easy to foresee: in words, and as the members of a scenario's list.
struct Workload {
    int hogs = 0, sleepers = 0, yielders = 0;
    std::string tasks, told;

    void add(const std::string& name, const std::string& steps, const std::string& what) {
        tasks += fmt::format(R"({}{{"name": "{}", "program": [{{"loop": "forever", "steps": [{}]}}]}})",
                             tasks.empty() ? "" : ", ", name, steps);
        told += fmt::format("  {:<6} {}\n", name, what);
    }
};

Workload draw_workload(Draw& draw, Level level) {
    Workload w;
    do {
        w.hogs = level == Level::easy ? draw.between(0, 1) : draw.between(0, 3);
        w.sleepers = draw.between(w.hogs == 0 ? 1 : 0, level == Level::easy ? 1 : 2);
        w.yielders = level != Level::easy && w.hogs == 0 && draw.chance(25) ? 2 : 0;
    } while (w.hogs + w.sleepers + w.yielders == 0);
    for (int i = 0; i < w.hogs; ++i)
        w.add(fmt::format("hog{}", i + 1), R"({"run": "1h"})", "computes and never stops");
    for (int i = 0; i < w.sleepers && w.yielders == 0; ++i) {
        const int period = draw.one_of<std::int32_t>({20, 40, 50, 100, 200});
        const int busy = period * draw.one_of<std::int32_t>({10, 20, 30}) / 100;
        w.add(fmt::format("nap{}", i + 1),
              fmt::format(R"({{"sleep": "{}ms"}}, {{"run": "{}ms"}})", period - busy, busy),
              fmt::format("sleeps {} ms, computes {} ms, and so on", period - busy, busy));
    }
    for (int i = 0; i < w.yielders; ++i)
        w.add(fmt::format("yield{}", i + 1), R"({"run": "50us"}, "yield")",
              "computes 50 us, calls sched_yield(), and so on");
    return w;
}

// The second from 1 s to 2 s of a workload.
struct OneSecond {
    Sample before, after;
    SwitchCounts counted_before, counted_after;
    VmstatLine line;

    std::uint64_t counted(std::uint64_t SwitchCounts::*what) const {
        return counted_after.*what - counted_before.*what;
    }
};

OneSecond run_workload(const Workload& w) {
    const Scenario scenario = parse_scenario(
        "quiz", fmt::format(R"({{"format": "switchyard-scenario/1", "machine": "pentium-mmx-200",
                    "policy": "linux-2.0", "until": "3s", "tasks": [{}]}})",
                            w.tasks));
    const NamedPolicy policy = make_policy(scenario.policy);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Statistics statistics(scenario.shape);
    OneSecond second;
    engine.run(m, {.until = 1s}, {.statistics = &statistics});
    second.before = sample_of(scenario, statistics, m);
    second.counted_before = statistics.switches;
    engine.run(m, {.until = 2s}, {.statistics = &statistics});
    second.after = sample_of(scenario, statistics, m);
    second.counted_after = statistics.switches;
    second.line = vmstat_line(second.before, second.after);
    return second;
}

// Lines that one comes to by a mistake, as far as they differ from the right one.
std::vector<Choice> wrong_lines(const Workload& w, const OneSecond& second) {
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
        if (other != second.line) wrong.push_back({line_text(other), mistake});
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
    if (line.idle > 0)
        offer(vmstat_busy_when_ready, [](VmstatLine& l) {
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

Question make_vmstat(Draw& draw, Level level) {
    for (;;) {
        const Workload workload = draw_workload(draw, level);
        const OneSecond second = run_workload(workload);
        std::vector<Choice> wrong = wrong_lines(workload, second);
        draw.shuffle(wrong);
        if (wrong.size() < 3) continue;
        const Sample &before = second.before, &after = second.after;
        Question q;
        q.situation =
            fmt::format("{}, 100 ticks a second, one CPU, nothing else to do. All have priority 20:\n\n{}",
                        "Linux 2.0", workload.told);
        q.text = "What does vmstat 1 show for the second from 1 s to 2 s? (r: at its end)";
        q.choices.push_back({line_text(second.line)});
        for (Choice& choice : wrong) add_choice(q, std::move(choice.text), choice.misconception);
        q.explanation = fmt::format(
            "r: {} of {} tasks are runnable at the end. in: {} ticks and {} timed wake-ups.\n"
            "cs: {} voluntary, {} involuntary, {} from idle.\n{}{}",
            after.nr_running, after.nr_tasks, after.ticks - before.ticks,
            after.timer_events - before.timer_events, after.voluntary - before.voluntary,
            after.involuntary - before.involuntary, second.counted(&SwitchCounts::from_idle), vmstat_header(),
            to_text(second.line));
        finish_choices(q, draw);
        return q;
    }
}

}  // namespace sim::quiz
