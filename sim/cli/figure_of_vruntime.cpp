// `switchyard figure vruntime`: virtual times at each decision of a run under a fair policy.
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/units.h"
#include "sim/cli/figure.h"
#include "sim/cli/output.h"
#include "sim/cli/progress.h"
#include "sim/figures/vruntime_figure.h"
#include "sim/lab/progress.h"

namespace sim::cli {
namespace {

constexpr std::size_t kMostDecisions = 6000;
constexpr Nanos kUsualWindow = 200ms;

}  // namespace

plot::Plot draw_vruntime(const FigureOptions& o) {
    const Scenario scenario = o.load_scenario_with_settings();
    if (o.policies.size() > 1) throw UsageError("`figure vruntime` takes only one --policy");
    const auto [from, to] = parse_time_window(o, kUsualWindow);
    if (o.cpu >= scenario.cpus)
        throw UsageError(fmt::format("--cpu {}: the scenario has {} CPU{}, numbered from 0", o.cpu,
                                     scenario.cpus, scenario.cpus == 1 ? "" : "s"));
    const NamedPolicy policy =
        make_policy(o.policies.empty() ? scenario.policy : o.policies.front(), scenario.cpus);
    const fair::FairKernel kernel = fair::fair_kernel_of(policy);
    if (kernel == fair::FairKernel::none)
        throw UsageError(fmt::format("the policy {} has no virtual run times; choose one of {} with --policy",
                                     policy.name, fair::fair_policies_text()));
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    {
        const Nanos first = std::min(from, scenario.until.value_or(kHorizon));
        TerminalProgress progress(o.quiet);
        lab::RunProgressReporter reported(progress.get(), m, {.until = first});
        while (!m.globals().is_stopped && m.globals().now < first) {
            engine.run(m, {.until = first, .decisions = m.globals().decisions + (1 << 18)}, {});
            reported.show(m);
        }
    }
    const Nanos end = std::min(to, scenario.until.value_or(kHorizon));
    const auto is_over = [&] { return m.globals().is_stopped || m.globals().now >= end; };
    if (is_over())
        throw UsageError(fmt::format("the run ends at {}, before the start of the time range",
                                     format_time(m.globals().now)));
    figures::VruntimeCurves curves(scenario, kernel, o.cpu);
    Trace trace;
    while (!is_over()) {
        const TaskId prev = m.cpu(o.cpu).current;
        const std::uint32_t pid = m.task[prev].pid;
        trace.records.clear();
        engine.step(m, end, {.trace = &trace});
        if (std::none_of(trace.records.begin(), trace.records.end(), [&](const TraceRecord& r) {
                return r.kind == TraceKind::schedule && r.cpu == o.cpu;
            }))
            continue;
        curves.add_decision(m, prev, pid);
        if (curves.decisions() > kMostDecisions)
            throw UsageError(
                fmt::format("from {} to {} there are more than {} decisions: choose a shorter time range "
                            "with --from and --to",
                            format_time(from), format_time(to), group_digits(kMostDecisions)));
    }
    if (curves.empty() || curves.decisions() < 2)
        throw UsageError(fmt::format(
            "{}from {} to {}, tasks of the fair class are scheduled fewer than two times, so no curve can "
            "be drawn: choose another time range with --from and --to{}",
            scenario.cpus == 1 ? "" : fmt::format("on CPU {} ", o.cpu), format_time(from), format_time(to),
            scenario.cpus == 1 ? "" : ", or another CPU with --cpu"));
    // If the run ends before --to, the figure ends at the end of the run.
    return curves.plot(from, std::min(to, m.globals().now), figure_title(scenario),
                       fmt::format("{}, under {}", figure_source_line(o, scenario), policy.spec()));
}

}  // namespace sim::cli
