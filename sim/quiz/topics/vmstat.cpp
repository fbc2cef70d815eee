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

}  // namespace

Question make_vmstat(Draw& draw, Level level) {
    for (;;) {
        const int hogs = level == Level::easy ? draw.between(0, 1) : draw.between(0, 3);
        const int sleepers = draw.between(hogs == 0 ? 1 : 0, level == Level::easy ? 1 : 2);
        const int yielders = level != Level::easy && hogs == 0 && draw.chance(25) ? 2 : 0;
        if (hogs + sleepers + yielders == 0) continue;
        std::string tasks, told;
        const auto add = [&](const std::string& name, const std::string& steps, const std::string& what) {
            tasks += fmt::format(R"({}{{"name": "{}", "program": [{{"loop": "forever", "steps": [{}]}}]}})",
                                 tasks.empty() ? "" : ", ", name, steps);
            told += fmt::format("  {:<6} {}\n", name, what);
        };
        for (int i = 0; i < hogs; ++i)
            add(fmt::format("hog{}", i + 1), R"({"run": "1h"})", "computes and never stops");
        for (int i = 0; i < sleepers && yielders == 0; ++i) {
            const int period = draw.one_of<std::int32_t>({20, 40, 50, 100, 200});
            const int busy = period * draw.one_of<std::int32_t>({10, 20, 30}) / 100;
            add(fmt::format("nap{}", i + 1),
                fmt::format(R"({{"sleep": "{}ms"}}, {{"run": "{}ms"}})", period - busy, busy),
                fmt::format("sleeps {} ms, computes {} ms, and so on", period - busy, busy));
        }
        for (int i = 0; i < yielders; ++i)
            add(fmt::format("yield{}", i + 1), R"({"run": "50us"}, "yield")",
                "computes 50 us, calls sched_yield(), and so on");
        const Scenario scenario = parse_scenario(
            "quiz", fmt::format(R"({{"format": "switchyard-scenario/1", "machine": "pentium-mmx-200",
                    "policy": "linux-2.0", "until": "3s", "tasks": [{}]}})",
                                tasks));
        const NamedPolicy policy = make_policy(scenario.policy);
        const Engine engine(scenario, *policy.policy);
        Machine m = engine.initial_state();
        Statistics statistics(scenario.shape);
        engine.run(m, {.until = 1s}, {.statistics = &statistics});
        const Sample before = sample_of(scenario, statistics, m);
        const SwitchCounts counted = statistics.switches;
        engine.run(m, {.until = 2s}, {.statistics = &statistics});
        const Sample after = sample_of(scenario, statistics, m);
        const VmstatLine line = vmstat_line(before, after, 1);
        const std::uint64_t with_idle =
            statistics.switches.from_idle + statistics.switches.to_idle - counted.from_idle - counted.to_idle;
        const std::uint64_t from_idle = statistics.switches.from_idle - counted.from_idle;
        const std::uint64_t voluntary = statistics.switches.voluntary - counted.voluntary;

        std::vector<Choice> wrong;
        const auto offer = [&](Misconception mistake, auto change) {
            VmstatLine other = line;
            change(other);
            if (other != line) wrong.push_back({line_text(other), mistake});
        };
        if (line.runnable > 0) offer(vmstat_ready_only, [](VmstatLine& l) { --l.runnable; });
        if (after.nr_running < after.nr_tasks)
            offer(vmstat_counts_sleepers, [&](VmstatLine& l) { l.runnable = after.nr_tasks; });
        if (from_idle > 0) {
            offer(vmstat_forgets_idle,
                  [&](VmstatLine& l) { l.switches -= static_cast<std::int64_t>(with_idle); });
        }
        if (yielders == 0) offer(vmstat_per_tick, [&](VmstatLine& l) { l.switches = l.interrupts; });
        if (voluntary > 0)
            offer(vmstat_voluntary_only,
                  [&](VmstatLine& l) { l.switches = static_cast<std::int64_t>(voluntary); });
        if (after.involuntary > before.involuntary)
            offer(vmstat_forgets_slices, [&](VmstatLine& l) {
                l.switches -= static_cast<std::int64_t>(after.involuntary - before.involuntary);
            });
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
        draw.shuffle(wrong);
        if (wrong.size() < 3) continue;
        Question q;
        q.situation =
            fmt::format("{}, 100 ticks a second, one CPU, nothing else to do. All have priority 20:\n\n{}",
                        "Linux 2.0", told);
        q.text = "What does vmstat 1 show for the second from 1 s to 2 s? (r: at its end)";
        q.choices.push_back({line_text(line)});
        for (Choice& choice : wrong) add_choice(q, std::move(choice.text), choice.misconception);
        q.explanation = fmt::format(
            "r: {} of {} tasks are runnable at the end. in: {} ticks and {} timed wake-ups.\n"
            "cs: {} voluntary, {} involuntary, {} from idle.\n{}{}",
            after.nr_running, after.nr_tasks, after.ticks - before.ticks,
            after.timer_events - before.timer_events, after.voluntary - before.voluntary,
            after.involuntary - before.involuntary, from_idle, vmstat_header(), to_text(line));
        finish_choices(q, draw);
        return q;
    }
}

}  // namespace sim::quiz
