// `switchyard figure`: draws a run, a published table or a sweep.
#include "sim/cli/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include "sim/base/join.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/file_arguments.h"
#include "sim/cli/output.h"
#include "sim/lab/command_line.h"
#include "sim/os/files.h"
#include "sim/os/streams.h"
#include "sim/plot/png.h"
#include "sim/plot/svg.h"
#include "sim/replay/run_history.h"

namespace sim::cli {
namespace {

constexpr int kLeastSize = 160, kMostSize = 8000;  // pixels

struct PixelSize {
    int width, height;
};

PixelSize parse_size(const std::string& text) {
    PixelSize size{};
    int end = 0;
    const bool good = std::sscanf(text.c_str(), "%5dx%5d%n", &size.width, &size.height, &end) == 2 &&
                      static_cast<std::size_t>(end) == text.size();
    const auto fits = [](int n) { return n >= kLeastSize && n <= kMostSize; };
    if (!good || !fits(size.width) || !fits(size.height))
        throw UsageError(fmt::format("--size {}: expected WIDTHxHEIGHT, each from {} to {} pixels", text,
                                     kLeastSize, kMostSize));
    return size;
}

// "svg" or "png", from --format or from the ending of --output.
std::string format_of(const FigureOptions& o) {
    std::string format = o.format;
    const std::size_t slash = o.output.find_last_of(os::kSeparators), dot = o.output.rfind('.');
    const bool has_ending = dot != std::string::npos && (slash == std::string::npos || dot > slash);
    if (format.empty() && has_ending) {
        format = o.output.substr(dot + 1);
        if (format != "svg" && format != "png")
            throw UsageError(fmt::format(
                "--output {}: expected a file name that ends in .svg or .png, or --format", o.output));
    }
    if (format.empty()) format = "svg";
    if (format == "png" && !plot::supports_png())
        throw UsageError(fmt::format("this build cannot write PNG because it was built without {}; use SVG",
                                     plot::why_no_png()));
    if (format == "png" && o.output.empty() && os::is_terminal(os::kStandardOutput))
        throw UsageError("a PNG file cannot be written to a terminal; use --output FILE.png");
    return format;
}

// Rejects options that do not apply to this figure.
void reject_inapplicable_options(const Command& command, const std::string& figure_name,
                                 const std::string& kind) {
    static const std::vector<std::pair<const char*, const char*>> kBelongs{
        {"--row", "table"},
        {"--set", "histogram latency timeline gantt vruntime costs"},
        {"--seed", "histogram latency timeline gantt vruntime costs"},
        {"--until", "histogram latency costs"},
        {"--policy", "histogram latency timeline gantt vruntime costs"},
        {"--vary", "costs"},
        {"--entry", "latency"},
        {"--waits", "latency"},
        {"--cpu", "vruntime"},
        {"--row-per", "gantt"},
        {"--from", "timeline gantt vruntime"},
        {"--to", "timeline gantt vruntime"},
        {"--measure", "sweep"},
        {"--x-axis", "sweep"},
        {"--xlabel", "histogram latency timeline gantt vruntime costs sweep"},
    };
    for (const auto& [option, kinds] : kBelongs)
        if (command.option(option).is_given() && std::string(kinds).find(kind) == std::string::npos)
            throw UsageError(fmt::format("{} cannot be used with `figure {}`", option, figure_name));
}

// The height in pixels that the rows of the figure need, at most `height`.
int gantt_height(const plot::Plot& p, int height) {
    constexpr int kAround = 350, kRow = 70;  // pixels
    return std::min(height, kAround + kRow * static_cast<int>(p.panels.front().lanes.size()));
}

constexpr std::array kKinds{"histogram", "latency", "timeline", "gantt", "vruntime", "costs", "sweep"};

int execute_figure(const FigureOptions& o, const Command& command) {
    const std::vector<std::string> names = figure_names();
    const auto known = std::find(names.begin(), names.end(), o.what);
    if (known == names.end())
        throw UsageError(fmt::format("unknown figure '{}'{} (available: {})", o.what,
                                     did_you_mean(o.what, names), join(names, ", ")));
    const bool is_table = known - names.begin() >= std::ssize(kKinds);
    reject_inapplicable_options(command, o.what, is_table ? "table" : o.what);
    if (is_table && !o.scenario.empty())
        throw UsageError(fmt::format("`figure {}` takes no SUBJECT: it is a published table", o.what));
    if (!is_table && o.scenario.empty())
        throw UsageError(
            fmt::format("`figure {}` needs a SUBJECT: {}", o.what,
                        o.what == "sweep" ? "a results file of `switchyard sweep`" : "a scenario"));
    PixelSize size = parse_size(o.size);
    const std::string format = format_of(o);
    plot::Plot p;
    if (is_table)
        p = draw_table(o, *std::find_if(tables::all_tables().begin(), tables::all_tables().end(),
                                        [&](const tables::Table& t) { return t.name == o.what; }));
    else
        p = o.what == "histogram"  ? draw_histogram(o)
            : o.what == "latency"  ? draw_latency(o)
            : o.what == "timeline" ? draw_timeline(o)
            : o.what == "gantt"    ? draw_gantt(o)
            : o.what == "vruntime" ? draw_vruntime(o)
            : o.what == "costs"    ? draw_costs(o)
                                   : draw_sweep(o);
    if (!o.title.empty()) p.title = o.title;
    for (plot::Panel& panel : p.panels) {
        if (o.x_label.empty()) break;
        panel.x.label = o.x_label;
        panel.x.detail.clear();
    }
    if (is_table && !command.option("--size").is_given())
        size.height = tables::height_fitting_labels(p, size.height);
    if (o.what == "gantt" && !command.option("--size").is_given()) size.height = gantt_height(p, size.height);
    const plot::Drawing drawing =
        plot::layout(p, size.width, size.height, tables::figure_options(size.width, size.height, o.theme));
    write_output_bytes(format == "png" ? plot::png(drawing) : plot::svg(drawing), o.output);
    return kDone;
}

// Adds the options that select the run or the table, and the part of it that is drawn.
void add_subject_options(Command& command, FigureOptions& o) {
    command
        .add_option("FIGURE", o.what,
                    "figure to draw: a table from `switchyard list tables`; histogram, latency, timeline, "
                    "gantt, vruntime or costs of a scenario; or sweep")
        .required()
        .type_name("");
    command
        .add_option("SUBJECT", o.scenario,
                    "scenario to draw: a file, '-', or a name from `switchyard list scenarios`; for the "
                    "figure sweep: a results file of `switchyard sweep`")
        .type_name("");
    command
        .add_option("--row", o.row,
                    "yield-table: draw only this row, with the cost components for every N from 2 to 40")
        .type_name("ROW");
    command.add_repeatable("--set", o.sets, "POINTER=VALUE", "change a value of the scenario; repeatable");
    command.add_option("--seed", o.seed, "set the seed of the random numbers").type_name("N");
    command.add_option("--until", o.until, "end the run at this simulated time").type_name("TIME");
    command.add_repeatable("--policy", o.policies, "POLICY",
                           "policy: NAME[:option=value,...]; repeatable except for timeline, gantt and "
                           "vruntime");
    command
        .add_option("--vary", o.vary,
                    "costs: draw a bar for each of these values, in the syntax of `switchyard sweep`")
        .type_name("POINTER=VALUES");
    command.add_option("--entry", o.entry, "latency: draw only the waits of this task group")
        .type_name("NAME");
    command
        .add_option("--waits", o.waits,
                    "latency: draw all waits for a CPU (wait), or only the waits after a wake-up (wakeup)")
        .check(one_of({"wait", "wakeup"}))
        .show_default();
    command
        .add_option("--measure", o.measure,
                    "sweep: measure to draw: a name from `switchyard list "
                    "measures`, or POINTER[:PER]")
        .type_name("MEASURE");
    command
        .add_option("--x-axis", o.x_axis, "sweep: x axis of the curves (default: the last axis with numbers)")
        .type_name("POINTER");
    command.add_option("--from", o.from, "timeline, gantt, vruntime: start of the time range (default 0)")
        .type_name("TIME");
    command
        .add_option("--to", o.to,
                    "timeline, gantt, vruntime: end of the time range (default: timeline 10 ms after the "
                    "start, vruntime 200 ms after the start, gantt the end of the run)")
        .type_name("TIME");
    command.add_option("--cpu", o.cpu, "vruntime: draw the run queue of this CPU (default 0)").type_name("N");
    command
        .add_option("--row-per", o.row_per,
                    "gantt: draw one row per CPU, or one row per task with the "
                    "results of the task")
        .check(one_of({"cpu", "task"}))
        .show_default();
}

void add_appearance_options(Command& command, FigureOptions& o) {
    command.add_option("--title", o.title, "title above the figure, instead of the default")
        .type_name("TEXT");
    command
        .add_option("--xlabel", o.x_label, "label below the x axis, instead of the default; not for a table")
        .type_name("TEXT");
    command.add_option("--size", o.size, "size in pixels; text scales with it")
        .type_name("WIDTHxHEIGHT")
        .show_default();
    command.add_option("--theme", o.theme, "light, dark, or print (shades of grey)")
        .check(one_of({"light", "dark", "print"}))
        .show_default();
    command
        .add_option("--format", o.format,
                    "svg or png (default: the ending of the output file; svg if "
                    "there is none)")
        .check(one_of({"svg", "png"}));
}

}  // namespace

std::string figure_command_line(const FigureOptions& o) {
    std::string text = "switchyard figure " + lab::quote_for_shell(o.what);
    const auto add = [&](const char* option, const std::string& value) {
        if (!value.empty())
            text += fmt::format(" {}{}{}", option, *option == 0 ? "" : " ", lab::quote_for_shell(value));
    };
    add("", o.scenario);
    add("--row", o.row);
    for (const std::string& set : o.sets) add("--set", set);
    if (o.seed) add("--seed", fmt::format("{}", *o.seed));
    add("--until", o.until);
    for (const std::string& policy : o.policies) add("--policy", policy);
    add("--vary", o.vary);
    add("--entry", o.entry);
    if (o.waits != FigureOptions{}.waits) add("--waits", o.waits);
    add("--from", o.from);
    add("--to", o.to);
    if (o.row_per != FigureOptions{}.row_per) add("--row-per", o.row_per);
    if (o.cpu != 0) add("--cpu", std::to_string(o.cpu));
    add("--measure", o.measure);
    add("--x-axis", o.x_axis);
    add("--title", o.title);
    add("--xlabel", o.x_label);
    return text;
}

std::vector<std::string> figure_names() {
    std::vector<std::string> names(kKinds.begin(), kKinds.end());
    for (const tables::Table& table : tables::all_tables()) names.push_back(table.name);
    return names;
}

void add_figure_command(Command& program) {
    auto o = std::make_shared<FigureOptions>();
    o->format.clear();
    Command& command = program.add_command("figure", "draw a run or a published table as SVG or PNG");
    add_subject_options(command, *o);
    add_appearance_options(command, *o);
    add_output_option(command, o->output);
    command.add_flag("--quiet", o->quiet, "do not show progress");
    command.set_examples(
        {"switchyard figure yield-table --row 'before, processes'",
         "switchyard figure timeline two-hogs --from 195ms --to 405ms --title 'Turns of 210 ms'",
         "switchyard figure costs yield-processes --vary /tasks/0/count=2,4,8,20,40 --until 1s"});
    command.set_action([o, &command] { return execute_figure(*o, command); });
}

}  // namespace sim::cli
