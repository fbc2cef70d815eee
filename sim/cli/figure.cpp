// `switchyard figure`: a run, a published table or a sweep as a picture.
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

#include "sim/base/suggest.h"
#include "sim/cli/command.h"
#include "sim/cli/figure_of_table.h"
#include "sim/cli/output.h"
#include "sim/cli/tables.h"
#include "sim/cli/tables/yield_cost.h"
#include "sim/core/summary.h"
#include "sim/figures/costs_figure.h"
#include "sim/figures/histogram_figure.h"
#include "sim/figures/sweep_figure.h"
#include "sim/figures/table_figure.h"
#include "sim/figures/timeline_figure.h"
#include "sim/figures/yield_figure.h"
#include "sim/lab/command_line.h"
#include "sim/lab/curves.h"
#include "sim/lab/sweep_file.h"
#include "sim/plot/layout.h"
#include "sim/plot/png.h"
#include "sim/plot/svg.h"
#include "sim/replay/recording.h"
#include "sim/scenario/scenario_json.h"

namespace sim::cli {
namespace {

using lab::shell_word;

constexpr std::size_t kMostSpans = 6000, kMostRuns = 60;
constexpr int kLeastSize = 160, kMostSize = 8000;  // pixels

struct FigureOptions : CommonOptions {
    std::string what, row, from, to, vary, measure, along, size = "960x600", theme = "light";
};

// The command that draws this figure, for the line below it.
std::string command_of(const FigureOptions& o) {
    std::string text = "switchyard figure " + shell_word(o.what);
    const auto add = [&](const char* option, const std::string& value) {
        if (!value.empty())
            text += fmt::format(" {}{}{}", option, *option == 0 ? "" : " ", shell_word(value));
    };
    add("", o.scenario);
    add("--row", o.row);
    for (const std::string& set : o.sets) add("--set", set);
    if (o.seed) add("--seed", fmt::format("{}", *o.seed));
    add("--until", o.until);
    for (const std::string& policy : o.policies) add("--policy", policy);
    add("--vary", o.vary);
    add("--from", o.from);
    add("--to", o.to);
    add("--measure", o.measure);
    add("--along", o.along);
    return text;
}

std::string source_of(const FigureOptions& o, const Scenario& scenario) {
    return fmt::format("{}  (seed {})", command_of(o), scenario.seed);
}

std::string title_of(const Scenario& scenario) {
    return scenario.title.empty() ? scenario.name : fmt::format("{}: {}", scenario.name, scenario.title);
}

struct Run {
    Scenario scenario;
    std::string policy;
    Statistics statistics;
    Overhead overhead;
};

Run run_of(const Scenario& scenario, const std::string& spec, bool quiet) {
    const NamedPolicy policy = make_policy(spec, scenario.cpus);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Statistics statistics(scenario.shape);
    run_with_progress(engine, m, limits_of(scenario), {.statistics = &statistics}, quiet);
    const Overhead overhead = settled_time(scenario, statistics, m).overhead;
    return {scenario, policy.spec(), std::move(statistics), overhead};
}

std::vector<std::string> policies_of(const FigureOptions& o, const Scenario& scenario) {
    return o.policies.empty() ? std::vector{scenario.policy} : o.policies;
}

plot::Plot histogram(const FigureOptions& o) {
    const Scenario scenario = o.load();
    figures::HistogramInput input{
        .title = "Run queue of " + scenario.name, .source = source_of(o, scenario), .runs = {}};
    for (const std::string& spec : policies_of(o, scenario)) {
        const Run run = run_of(scenario, spec, o.quiet);
        input.runs.push_back({run.policy, run.statistics.queue_length});
    }
    return figures::histogram_plot(input);
}

Nanos time_option(const char* option, const std::string& text) {
    std::string why;
    const std::optional<Nanos> time = parse_time(text, why);
    if (!time) throw UsageError(fmt::format("{} {}: {}", option, text, why));
    return *time;
}

plot::Plot timeline(const FigureOptions& o) {
    auto scenario = std::make_shared<const Scenario>(o.load());
    if (o.policies.size() > 1) throw UsageError("`figure timeline` takes one --policy");
    const Nanos from = o.from.empty() ? 0ns : time_option("--from", o.from);
    const Nanos to = o.to.empty() ? std::min(from + 10ms, kHorizon) : time_option("--to", o.to);
    if (from < 0ns || to <= from || to > kHorizon)
        throw UsageError(
            fmt::format("the window from {} to {} is empty", format_time(from), format_time(to)));
    const NamedPolicy policy = make_policy(policies_of(o, *scenario).front(), scenario->cpus);
    Recording recording(scenario, policy);
    {
        const Machine& m = recording.tip().machine;
        Progress progress(m, {.until = to}, o.quiet);
        while (!recording.is_complete() && m.globals().now <= to) {
            recording.extend(1 << 18);
            progress.show(m);
        }
    }
    const Nanos end = recording.tip().machine.globals().now;
    if (recording.is_complete() && from >= end)
        throw UsageError(fmt::format("the run is over at {}, before the window begins", format_time(end)));
    const std::optional<Timeline> window = make_timeline(recording, from, to, 4 * kMostSpans);
    const auto too_many = [&](const std::string& how_many) {
        return UsageError(
            fmt::format("from {} to {} there are {} spans, and a figure has room for {}: choose a "
                        "shorter window with --from and --to",
                        format_time(from), format_time(to), how_many, kMostSpans));
    };
    if (!window) throw too_many("far more");
    if (const std::size_t spans = figures::spans_of(*window); spans > kMostSpans)
        throw too_many(grouped(spans));
    return figures::timeline_plot(*scenario, *window, title_of(*scenario),
                                  fmt::format("{}, under {}", source_of(o, *scenario), policy.spec()));
}

// --vary POINTER=VALUES
lab::Axis parse_vary(const std::string& text) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || text.front() != '/')
        throw UsageError(
            fmt::format("--vary {}: POINTER=VALUES is expected, as /tasks/0/count=2,4,8", shorten(text)));
    try {
        return {text.substr(0, sign), lab::parse_values(std::string_view(text).substr(sign + 1))};
    } catch (const lab::LabError& error) {
        throw UsageError(fmt::format("--vary {}: {}", shorten(text), error.what()));
    }
}

plot::Plot costs(const FigureOptions& o) {
    const Scenario scenario = o.load();
    lab::Axis vary{"", {""}};
    if (!o.vary.empty()) vary = parse_vary(o.vary);
    const std::size_t runs = vary.values.size() * std::max<std::size_t>(1, o.policies.size());
    if (runs > kMostRuns)
        throw UsageError(fmt::format("these are {} bars, and a figure has room for {}", runs, kMostRuns));
    figures::CostsInput input{.title = "What it costs: " + scenario.name,
                              .source = source_of(o, scenario),
                              .x_label = vary.pointer,
                              .runs = {}};
    // All is checked before anything runs.
    std::vector<std::pair<std::string, Scenario>> scenarios;
    for (const std::string& value : vary.values) {
        FigureOptions changed = o;
        if (!vary.pointer.empty()) changed.sets.push_back(vary.pointer + "=" + value);
        scenarios.emplace_back(value, changed.load());
        for (const std::string& spec : policies_of(o, scenarios.back().second))
            make_policy(spec, scenarios.back().second.cpus);
    }
    for (const auto& [value, changed] : scenarios) {
        for (const std::string& spec : policies_of(o, changed)) {
            const Run run = run_of(changed, spec, o.quiet);
            input.runs.push_back(
                {value, run.policy, run.overhead, run.statistics.yields, run.statistics.switches.total()});
        }
    }
    return figures::costs_plot(input);
}

// The axis that the curves run along.
std::size_t axis_of(const FigureOptions& o, const lab::SweepSpec& spec) {
    std::vector<std::string> pointers;
    for (const lab::Axis& axis : spec.axes) pointers.push_back(axis.pointer);
    if (o.along.empty()) {
        const std::optional<std::size_t> axis = lab::numeric_axis(spec);
        if (!axis) throw UsageError("no axis of this sweep has numbers for values, so there are no curves");
        return *axis;
    }
    const auto place = std::find(pointers.begin(), pointers.end(), o.along);
    if (place == pointers.end())
        throw UsageError(fmt::format("--along {}: the sweep has no such axis{} (there {} {})",
                                     shorten(o.along), did_you_mean(o.along, pointers),
                                     pointers.size() == 1 ? "is" : "are", fmt::join(pointers, ", ")));
    const auto axis = static_cast<std::size_t>(place - pointers.begin());
    if (!lab::numbers_of(spec.axes[axis].values))
        throw UsageError(fmt::format("--along {}: its values are no numbers", o.along));
    return axis;
}

// What was asked for, or else what costs most where tasks yield or switch, and what decides between the two.
std::vector<lab::Measure> measures_for(const FigureOptions& o) {
    try {
        if (!o.measure.empty()) return {lab::find_measure(o.measure)};
        return {lab::default_measures(true).front(), lab::default_measures(false).front(),
                lab::yield_share()};
    } catch (const lab::LabError& error) {
        throw UsageError(fmt::format("--measure {}: {}", shorten(o.measure), error.what()));
    }
}

plot::Plot sweep(const FigureOptions& o) {
    std::ifstream in(o.scenario, std::ios::binary);
    if (!in || std::filesystem::is_directory(o.scenario))
        throw UsageError(
            fmt::format("{}: cannot be read; `switchyard sweep ... --results FILE` writes such a file",
                        shorten(o.scenario)));
    lab::SweepReader reader(in, o.scenario);
    const lab::SweepSpec& spec = reader.spec();
    const std::vector<lab::Measure> measures = measures_for(o);
    const std::size_t axis = axis_of(o, spec);
    lab::Results results(spec, measures);
    for (lab::Row row; reader.next(row);) results.add(row);
    if (results.runs() == 0)
        throw UsageError(fmt::format("{}: no run of the sweep is in it yet", o.scenario));
    const std::size_t measure = o.measure.empty() && !lab::yields(results, 2) ? 1 : 0;
    const std::vector<lab::Curve> list = lab::curves(results, measure, axis);
    constexpr std::size_t kMostCurves = 8, kMostPanels = 6;
    if (spec.policies.size() > kMostCurves || list.size() > kMostPanels * spec.policies.size())
        throw UsageError(
            fmt::format("the sweep has {} curves, and a figure has room for {} panels of {}: sweep fewer "
                        "policies or values",
                        list.size(), kMostPanels, kMostCurves));
    return figures::sweep_plot(results, measure, axis, command_of(o));
}

plot::Plot yield_row(const FigureOptions& o) {
    std::vector<std::string> names;
    for (const YieldRow& row : yield_rows()) names.emplace_back(row.label);
    const auto place = std::find(names.begin(), names.end(), o.row);
    if (place == names.end())
        throw UsageError(fmt::format("unknown row '{}'{} (there are '{}')", o.row, did_you_mean(o.row, names),
                                     fmt::join(names, "', '")));
    const YieldRow& row = yield_rows()[static_cast<std::size_t>(place - names.begin())];
    figures::YieldCurve curve{.row = row.label, .simulated = {}, .published = {}, .source = {}};
    for (std::size_t i = 0; i < kYieldContexts.size(); ++i)
        curve.published.push_back({.x = static_cast<double>(kYieldContexts[i]), .y = row.published[i]});
    for (int n = kYieldContexts.front(); n <= kYieldContexts.back(); ++n) {
        // As many as in the table where it has a cell, so that the two agree to the last digit.
        const bool in_table =
            std::find(kYieldContexts.begin(), kYieldContexts.end(), n) != kYieldContexts.end();
        const YieldCost c = yield_cost(row, n, in_table ? kYields : kYields / 10);
        const Overhead& parts = c.overhead;
        curve.simulated.push_back({.contexts = n,
                                   .system = c.per_yield(parts.system),
                                   .switching = c.per_yield(parts.context_switch + parts.address_space),
                                   .cache = c.per_yield(parts.cache_refill),
                                   .choosing = c.per_yield(parts.select),
                                   .refilling = c.per_yield(parts.recalc)});
    }
    curve.source =
        fmt::format("{}; published: the 1997 document on sched_yield, its last table", command_of(o));
    return figures::yield_plot(curve);
}

plot::Plot table(const FigureOptions& o, const Table& table) {
    if (o.row.empty()) return plot_of(table, table.reproduce(true), command_of(o));
    if (table.name != "yield-table") throw UsageError("--row goes with `figure yield-table`");
    return yield_row(o);
}

struct Size {
    int width, height;
};

Size parse_size(const std::string& text) {
    Size size{};
    int end = 0;
    const bool good = std::sscanf(text.c_str(), "%5dx%5d%n", &size.width, &size.height, &end) == 2 &&
                      static_cast<std::size_t>(end) == text.size();
    const auto fits = [](int n) { return n >= kLeastSize && n <= kMostSize; };
    if (!good || !fits(size.width) || !fits(size.height))
        throw UsageError(fmt::format("--size {}: WIDTHxHEIGHT is expected, each from {} to {} pixels", text,
                                     kLeastSize, kMostSize));
    return size;
}

// "svg" or "png".
std::string format_of(const FigureOptions& o) {
    std::string format = o.format;
    const std::size_t slash = o.output.rfind('/'), dot = o.output.rfind('.');
    const bool has_ending = dot != std::string::npos && (slash == std::string::npos || dot > slash);
    if (format.empty() && has_ending) {
        format = o.output.substr(dot + 1);
        if (format != "svg" && format != "png")
            throw UsageError(
                fmt::format("--output {}: the ending says neither svg nor png; --format does", o.output));
    }
    if (format.empty()) format = "svg";
    if (format == "png" && !plot::has_png())
        throw UsageError(fmt::format("this build cannot write PNG, as it was built without {}; SVG works",
                                     plot::why_no_png()));
    if (format == "png" && o.output.empty() && isatty(STDOUT_FILENO) != 0)
        throw UsageError("a PNG file on a terminal is of no use: --output FILE.png");
    return format;
}

// FigureOptions that were given and do not belong to this figure.
void refuse_what_does_not_belong(const CLI::App& command, const std::string& what, const std::string& kind) {
    static const std::vector<std::pair<const char*, const char*>> kBelongs{
        {"--row", "table"},
        {"--set", "histogram timeline costs"},
        {"--seed", "histogram timeline costs"},
        {"--until", "histogram costs"},
        {"--policy", "histogram timeline costs"},
        {"--vary", "costs"},
        {"--from", "timeline"},
        {"--to", "timeline"},
        {"--measure", "sweep"},
        {"--along", "sweep"},
    };
    for (const auto& [option, kinds] : kBelongs)
        if (command.get_option(option)->count() != 0 && std::string(kinds).find(kind) == std::string::npos)
            throw UsageError(fmt::format("{} does not go with `figure {}`", option, what));
}

int execute_figure(const FigureOptions& o, const CLI::App& command) {
    static const std::vector<std::string> kKinds{"histogram", "timeline", "costs", "sweep"};
    std::vector<std::string> names = kKinds;
    for (const Table& t : tables()) names.push_back(t.name);
    const auto known = std::find(names.begin(), names.end(), o.what);
    if (known == names.end())
        throw UsageError(fmt::format("unknown figure '{}'{} (there are {})", o.what,
                                     did_you_mean(o.what, names), fmt::join(names, ", ")));
    const bool is_table = known - names.begin() >= static_cast<std::ptrdiff_t>(kKinds.size());
    refuse_what_does_not_belong(command, o.what, is_table ? "table" : o.what);
    if (is_table && !o.scenario.empty())
        throw UsageError(fmt::format("`figure {}` takes no SUBJECT: it is a published table", o.what));
    if (!is_table && o.scenario.empty())
        throw UsageError(
            fmt::format("`figure {}` needs a SUBJECT: {}", o.what,
                        o.what == "sweep" ? "a results file of `switchyard sweep`" : "a scenario"));
    const Size size = parse_size(o.size);
    const std::string format = format_of(o);
    plot::Plot p;
    if (is_table)
        p = table(o, *std::find_if(tables().begin(), tables().end(),
                                   [&](const Table& t) { return t.name == o.what; }));
    else
        p = o.what == "histogram"  ? histogram(o)
            : o.what == "timeline" ? timeline(o)
            : o.what == "costs"    ? costs(o)
                                   : sweep(o);
    const plot::Drawing drawing =
        plot::layout(p, size.width, size.height, figure_options(size.width, size.height, o.theme));
    deliver(format == "png" ? plot::png(drawing) : plot::svg(drawing), o.output);
    return kDone;
}

}  // namespace

plot::LayoutOptions figure_options(int width, int height, const std::string& theme) {
    return plot::options_for_file(width, height,
                                  theme == "dark"    ? plot::Theme::dark
                                  : theme == "print" ? plot::Theme::print
                                                     : plot::Theme::light);
}

plot::Plot plot_of(const Table& table, const TableResult& result, const std::string& command) {
    figures::TableInput input{.name = table.name,
                              .summary = table.summary,
                              .source = fmt::format("{}; published: {}", command, table.source),
                              .cells = {}};
    for (const Cell& c : result.cells)
        input.cells.push_back({c.row, c.column, c.unit, c.published, c.simulated,
                               std::isnan(c.published) ? 0 : c.tolerance(), c.scored});
    return figures::table_plot(input);
}

void add_figure(CLI::App& app, int& exit_code) {
    auto o = std::make_shared<FigureOptions>();
    o->format.clear();
    CLI::App* command = app.add_subcommand("figure", "a run or a published table as a picture, SVG or PNG");
    command
        ->add_option(
            "FIGURE", o->what,
            "a table from `switchyard list tables`; of a scenario: histogram, timeline, costs; or sweep")
        ->required()
        ->type_name("");
    command
        ->add_option(
            "SUBJECT", o->scenario,
            "a scenario: a file, '-', or a name from `switchyard list scenarios`; for sweep, its results")
        ->type_name("");
    command->add_option("--row", o->row, "yield-table: one row, with its parts for every N from 2 to 40")
        ->type_name("ROW");
    command->add_option("--set", o->sets, "change a value of the scenario; repeatable")
        ->type_name("POINTER=VALUE")
        ->expected(1)
        ->take_all();
    command->add_option("--seed", o->seed, "another seed for the random numbers")->type_name("N");
    command->add_option("--until", o->until, "another end, in simulated time")->type_name("TIME");
    command->add_option("--policy", o->policies, "NAME[:option=value,...]; repeatable, but for a timeline")
        ->type_name("POLICY")
        ->expected(1)
        ->take_all();
    command->add_option("--vary", o->vary, "costs: a bar for each of these values, as for `switchyard sweep`")
        ->type_name("POINTER=VALUES");
    command
        ->add_option("--measure", o->measure,
                     "sweep: a name from `switchyard list measures`, or POINTER[:PER]")
        ->type_name("MEASURE");
    command
        ->add_option("--along", o->along,
                     "sweep: the axis that the curves run along; else the last one with numbers")
        ->type_name("POINTER");
    command->add_option("--from", o->from, "timeline: where the window begins (0)")->type_name("TIME");
    command->add_option("--to", o->to, "timeline: where it ends (10 ms later)")->type_name("TIME");
    command->add_option("--size", o->size, "in pixels; letters grow with it")
        ->type_name("WIDTHxHEIGHT")
        ->capture_default_str();
    command->add_option("--theme", o->theme, "light, dark, or print: shades of grey")
        ->check(one_of({"light", "dark", "print"}))
        ->capture_default_str();
    command->add_option("--format", o->format, "svg or png; otherwise as the file's name ends, or svg")
        ->check(one_of({"svg", "png"}));
    command->add_option("--output", o->output, "write to this file, whole or not at all")->type_name("FILE");
    command->add_flag("--quiet", o->quiet, "no progress");
    set_examples(*command,
                 {"switchyard figure yield-table --row 'before, processes'",
                  "switchyard figure timeline two-hogs --from 195ms --to 405ms",
                  "switchyard figure costs yield-processes --vary /tasks/0/count=2,4,8,20,40 --until 1s"});
    command->callback([o, command, &exit_code] { exit_code = execute_figure(*o, *command); });
}

}  // namespace sim::cli
