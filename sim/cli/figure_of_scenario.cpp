// Figures of a scenario: its run queue, a time range of its run, or the costs of its runs.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "sim/base/suggest.h"
#include "sim/base/units.h"
#include "sim/cli/figure.h"
#include "sim/cli/output.h"
#include "sim/cli/progress.h"
#include "sim/core/summary.h"
#include "sim/figures/costs_figure.h"
#include "sim/figures/gantt_figure.h"
#include "sim/figures/histogram_figure.h"
#include "sim/figures/latency_figure.h"
#include "sim/figures/timeline_figure.h"
#include "sim/lab/axis_words.h"
#include "sim/lab/follow_run.h"
#include "sim/lab/simulation.h"
#include "sim/lab/sweep_spec.h"
#include "sim/lab/values.h"
#include "sim/replay/run_history.h"
#include "sim/replay/run_segments.h"
#include "sim/scenario/renamed_keys.h"
#include "sim/scenario/scenario_json.h"

namespace sim::cli {
namespace {

constexpr std::size_t kMostSpans = 6000, kMostRuns = 60, kMostBoxes = 1000;

std::vector<std::string> policies_of(const FigureOptions& o, const Scenario& scenario) {
    return o.policies.empty() ? std::vector{scenario.policy} : o.policies;
}

// Parses POINTER=VALUES.
lab::Axis parse_vary(const std::string& text) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || text.front() != '/')
        throw UsageError(
            fmt::format("--vary {}: expected POINTER=VALUES, such as /tasks/0/count=2,4,8", shorten(text)));
    try {
        return {with_current_key(text.substr(0, sign)),
                lab::parse_values(std::string_view(text).substr(sign + 1))};
    } catch (const lab::LabError& error) {
        throw UsageError(fmt::format("--vary {}: {}", shorten(text), error.what()));
    }
}

}  // namespace

std::string figure_source_line(const FigureOptions& o, const Scenario& scenario) {
    return fmt::format("{}  (seed {})", figure_command_line(o), scenario.seed);
}

std::string figure_title(const Scenario& scenario) {
    return scenario.title.empty() ? scenario.name : fmt::format("{}: {}", scenario.name, scenario.title);
}

TimeWindow parse_time_window(const FigureOptions& o, Nanos default_length) {
    const Nanos from = o.from.empty() ? Nanos{} : parse_time_option("--from", o.from);
    const Nanos to =
        o.to.empty() ? std::min(from + default_length, kHorizon) : parse_time_option("--to", o.to);
    if (from < 0ns || to <= from || to > kHorizon)
        throw UsageError(
            fmt::format("the time range from {} to {} is empty", format_time(from), format_time(to)));
    return {from, to};
}

plot::Plot draw_histogram(const FigureOptions& o) {
    const Scenario scenario = o.load_scenario_with_settings();
    figures::HistogramInput input{
        .title = "Run queue of " + scenario.name, .source = figure_source_line(o, scenario), .runs = {}};
    for (const std::string& spec : policies_of(o, scenario)) {
        const NamedPolicy policy = make_policy(spec, scenario.cpus);
        TerminalProgress progress(o.quiet);
        lab::Simulation run(scenario, policy);
        run.run_to_end(progress.get());
        input.runs.push_back({policy.spec(), run.statistics().queue_length});
    }
    return figures::histogram_plot(input);
}

plot::Plot draw_latency(const FigureOptions& o) {
    const Scenario scenario = o.load_scenario_with_settings();
    const bool wakeups = o.waits == "wakeup";
    std::vector<std::string> names;
    for (const TaskGroup& group : scenario.groups) names.push_back(group.name);
    const auto group = std::find(names.begin(), names.end(), o.entry);
    if (!o.entry.empty() && group == names.end())
        throw UsageError(fmt::format("--entry {}: {} has no task group with this name{}", shorten(o.entry),
                                     scenario.name, did_you_mean(o.entry, names)));
    figures::LatencyInput input{
        .title = fmt::format("How long {} waited for a CPU",
                             o.entry.empty() ? "the tasks of " + scenario.name : o.entry),
        .source = figure_source_line(o, scenario),
        .what = wakeups ? "waits after a wake-up" : "waits for a CPU",
        .runs = {}};
    for (const std::string& spec : policies_of(o, scenario))
        make_policy(spec, scenario.cpus);  // throws if the policy specification is invalid
    for (const std::string& spec : policies_of(o, scenario)) {
        const NamedPolicy policy = make_policy(spec, scenario.cpus);
        TerminalProgress progress(o.quiet);
        lab::Simulation run(scenario, policy);
        run.collect_latencies();
        run.run_to_end(progress.get());
        const lab::LatencyHistograms& spans =
            o.entry.empty() ? run.latencies()->all()
                            : run.latencies()->by_group()[static_cast<std::size_t>(group - names.begin())];
        input.runs.push_back({policy.spec(), wakeups ? spans.wakeups : spans.waits});
    }
    return figures::latency_plot(input);
}

plot::Plot draw_timeline(const FigureOptions& o) {
    auto scenario = std::make_shared<const Scenario>(o.load_scenario_with_settings());
    if (o.policies.size() > 1) throw UsageError("`figure timeline` takes only one --policy");
    const auto [from, to] = parse_time_window(o, 10ms);
    const NamedPolicy policy = make_policy(policies_of(o, *scenario).front(), scenario->cpus);
    RunHistory history(scenario, policy);
    {
        const Machine& m = history.simulated_end().machine;
        TerminalProgress progress(o.quiet);
        lab::RunProgressReporter reported(progress.get(), m, {.until = to});
        while (!history.is_complete() && m.globals().now <= to) {
            history.extend(1 << 18);
            reported.show(m);
        }
    }
    const Nanos end = history.simulated_end().machine.globals().now;
    if (history.is_complete() && from >= end)
        throw UsageError(
            fmt::format("the run ends at {}, before the start of the time range", format_time(end)));
    const std::optional<Timeline> window = make_timeline(history, from, to, 4 * kMostSpans);
    const auto too_many = [begin = from, last = to](const std::string& how_many) {
        return UsageError(fmt::format(
            "the time range from {} to {} has {} segments, but a figure can show at most {}: choose a "
            "shorter range with --from and --to",
            format_time(begin), format_time(last), how_many, kMostSpans));
    };
    if (!window) throw too_many("too many");
    if (const std::size_t spans = figures::count_spans(*window); spans > kMostSpans)
        throw too_many(group_digits(spans));
    return figures::timeline_plot(
        *scenario, *window, figure_title(*scenario),
        fmt::format("{}, under {}", figure_source_line(o, *scenario), policy.spec()));
}

plot::Plot draw_gantt(const FigureOptions& o) {
    const Scenario scenario = o.load_scenario_with_settings();
    if (o.policies.size() > 1) throw UsageError("`figure gantt` takes only one --policy");
    const Nanos usual = scenario.until.value_or(kHorizon);
    const auto [from, to] = parse_time_window(o, usual);
    const NamedPolicy policy = make_policy(policies_of(o, scenario).front(), scenario.cpus);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Statistics statistics(scenario.shape);
    RunSegments pieces(m, from);
    const Limits limits{.until = to};
    TerminalProgress progress(o.quiet);
    lab::RunProgressReporter reported(progress.get(), m, limits);
    const auto too_many = [begin = from, last = to](const std::string& how_many) {
        return UsageError(fmt::format(
            "the time range from {} to {} has {} boxes, but a figure can show at most {}: choose a shorter "
            "range with --from and --to",
            format_time(begin), format_time(last), how_many, kMostBoxes));
    };
    const auto follow = [&](const TraceRecord& r) {
        pieces.add_record(r);
        if (pieces.count() > 4 * kMostBoxes) throw too_many("too many");
    };
    const StopReason reason = lab::run_and_visit_records(engine, m, limits, reported, follow, &statistics);
    const Nanos end = m.globals().now;
    pieces.finish(end);
    if (from >= end)
        throw UsageError(
            fmt::format("the run ends at {}, before the start of the time range", format_time(end)));
    if (const std::size_t boxes = figures::count_boxes(pieces, from, end); boxes > kMostBoxes)
        throw too_many(group_digits(boxes));
    const Summary summary = summarize(scenario, policy.spec(), m, statistics, reason);
    return figures::gantt_plot(
        {.scenario = scenario,
         .pieces = pieces,
         .summary = summary,
         .begin = from,
         .end = end,
         .by_task = o.row_per == "task",
         .title = figure_title(scenario),
         .source = fmt::format("{}, under {}", figure_source_line(o, scenario), policy.spec())});
}

plot::Plot draw_costs(const FigureOptions& o) {
    const Scenario scenario = o.load_scenario_with_settings();
    lab::Axis vary{"", {""}};
    if (!o.vary.empty()) {
        vary = parse_vary(o.vary);
        o.print_vary_notices({o.vary});
    }
    vary.words = lab::axis_display_name(vary.pointer, scenario);
    const std::size_t runs = vary.values.size() * std::max<std::size_t>(1, o.policies.size());
    if (runs > kMostRuns)
        throw UsageError(
            fmt::format("the figure would have {} bars, but a figure can show at most {}", runs, kMostRuns));
    figures::CostsInput input{.title = "Scheduling costs: " + scenario.name,
                              .source = figure_source_line(o, scenario),
                              .x_label = lab::axis_display_name(vary),
                              .x_detail = vary.words.empty() ? "" : vary.pointer,
                              .runs = {}};
    // Checks every scenario and policy before the first run.
    std::vector<std::pair<std::string, Scenario>> scenarios;
    for (const std::string& value : vary.values) {
        FigureOptions changed = o;
        changed.quiet = true;  // quiet: the notices have been printed
        if (!vary.pointer.empty()) changed.sets.push_back(vary.pointer + "=" + value);
        scenarios.emplace_back(value, changed.load_scenario_with_settings());
        for (const std::string& spec : policies_of(o, scenarios.back().second))
            make_policy(spec, scenarios.back().second.cpus);
    }
    for (const auto& [value, changed] : scenarios) {
        for (const std::string& spec : policies_of(o, changed)) {
            const NamedPolicy policy = make_policy(spec, changed.cpus);
            TerminalProgress progress(o.quiet);
            lab::Simulation run(changed, policy);
            run.run_to_end(progress.get());
            const Statistics& s = run.statistics();
            input.runs.push_back(
                {value, policy.spec(), run.time_parts().overhead, s.yields, s.switches.total()});
        }
    }
    return figures::costs_plot(input);
}

}  // namespace sim::cli
