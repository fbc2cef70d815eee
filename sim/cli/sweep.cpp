// `switchyard sweep`: runs a workload under every combination of values, policies and seeds.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <memory>
#include <optional>
#include <thread>

#include "sim/base/atomic_file.h"
#include "sim/base/input_file.h"
#include "sim/base/join.h"
#include "sim/base/text.h"
#include "sim/cli/command.h"
#include "sim/cli/file_arguments.h"
#include "sim/cli/output.h"
#include "sim/cli/scenario_input.h"
#include "sim/cli/slurm_script.h"
#include "sim/cli/sweep_report.h"
#include "sim/cli/sweep_runs.h"
#include "sim/lab/command_line.h"
#include "sim/lab/curves.h"
#include "sim/lab/sweep_file.h"
#include "sim/lab/values.h"
#include "sim/scenario/renamed_keys.h"

namespace sim::cli {
namespace {

using lab::Measure;
using lab::Row;
using lab::Shard;
using lab::Sweep;
using lab::SweepResults;
using lab::SweepSpec;

constexpr unsigned kMostJobs = 1024;

struct SweepOptions : CommonOptions {
    std::vector<std::string> vary, measures, merge;
    std::string seeds, results, shard, results_from, x_axis, slurm;
    std::uint64_t shards = 0;  // 0: not specified
    unsigned jobs = 0;         // 0: one per core
    bool refine = false;

    unsigned threads() const { return jobs > 0 ? jobs : std::max(1u, std::thread::hardware_concurrency()); }
};

// --- measures ---

// Returns the requested measures. If none are requested, returns three lists in one: the default measures for
// runs with many yields, the default measures for other runs, and the share of schedule() calls that yields
// made. After the runs, this share decides which default measures are shown (shown_measures()).
std::vector<Measure> collected_measures(const SweepOptions& o) {
    std::vector<Measure> list;
    std::vector<Problem> problems;
    for (const std::string& text : o.measures) {
        try {
            list.push_back(parse_measure_option(text));
        } catch (const lab::LabError& error) {
            problems.push_back({"--measure " + shorten(text, 100), 0, 0, {}, error.what()});
        }
    }
    if (!problems.empty()) throw ScenarioError(std::move(problems));
    if (!list.empty()) return list;
    for (const bool yields : {true, false})
        for (const Measure& measure : lab::default_measures(yields)) list.push_back(measure);
    list.push_back(lab::yield_share_measure());
    return list;
}

// Throws ScenarioError for a measure of a task group that does not exist.
void check_measure_groups(const std::vector<Measure>& measures, const Scenario& scenario) {
    std::vector<Problem> problems;
    for (const Measure& measure : measures) {
        try {
            check_task_group(measure, scenario);
        } catch (const lab::LabError& error) {
            problems.push_back({"--measure " + shorten(measure.name, 100), 0, 0, {}, error.what()});
        }
    }
    if (!problems.empty()) throw ScenarioError(std::move(problems));
}

// The measures to show, as indices into results.measures().
std::vector<std::size_t> shown_measures(const SweepOptions& o, const SweepResults& results) {
    const std::size_t count = results.measures().size();
    std::vector<std::size_t> shown;
    if (!o.measures.empty()) {
        for (std::size_t i = 0; i < count; ++i) shown.push_back(i);
        return shown;
    }
    const bool yields = results.added_run_count() > 0 && lab::is_yielding_workload(results, count - 1);
    std::size_t first = yields ? 0 : lab::default_measures(true).size();
    for (const Measure& measure : lab::default_measures(yields)) {
        static_cast<void>(measure);
        shown.push_back(first++);
    }
    return shown;
}

// --- crossovers ---

// The x axis of the curves; std::nullopt: no axis is numeric.
std::optional<std::size_t> curve_axis(const SweepOptions& o, const SweepSpec& spec) {
    if (o.x_axis.empty()) return lab::last_numeric_axis(spec);
    std::vector<std::string> pointers;
    const std::string wanted = with_current_key(o.x_axis.starts_with('/') ? o.x_axis : "/" + o.x_axis);
    for (std::size_t axis = 0; axis < spec.axes.size(); ++axis) {
        if (spec.axes[axis].pointer == wanted) {
            if (lab::numbers_of(spec.axes[axis].values)) return axis;
            throw UsageError(fmt::format("--x-axis {}: the values of this axis are not numbers", o.x_axis));
        }
        pointers.push_back(spec.axes[axis].pointer);
    }
    throw UsageError(fmt::format("--x-axis {}: the sweep has no such axis (available: {})", shorten(o.x_axis),
                                 pointers.empty() ? "none" : join(pointers, ", ")));
}

// The crossovers of a measure's curves; std::nullopt if there is no numeric axis, or if there is only one
// axis value or only one policy.
std::optional<CurveCrossings> find_crossings(const SweepResults& results, std::size_t measure,
                                             std::optional<std::size_t> axis) {
    const SweepSpec& spec = results.spec();
    if (!axis || spec.axes[*axis].values.size() < 2 || spec.policies.size() < 2) return std::nullopt;
    return CurveCrossings{measure, *axis, lab::crossovers(lab::curves(results, measure, *axis))};
}

// --- output ---

void show(const SweepOptions& o, const SweepResults& results, const Sweep* sweep) {
    const std::vector<std::size_t> measures = shown_measures(o, results);
    SweepReport report{results, measures,
                       find_crossings(results, measures.front(), curve_axis(o, results.spec())), o.refine};
    if (o.refine)
        refine_crossings(*report.crossings, *sweep, results.measures()[measures.front()], o.threads());
    write_output_text(o.is_json()         ? report.json()
                      : o.format == "csv" ? report.csv()
                                          : report.text(),
                      o.output);
}

// --- options ---

Shard parse_shard(const std::string& text) {
    Shard shard;
    if (text.empty()) return shard;
    std::uint64_t index = 0, count = 0;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, index);
    if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '/' ||
        std::from_chars(first.ptr + 1, end, count).ptr != end || first.ptr + 1 == end)
        throw UsageError(
            fmt::format("--shard {}: expected the number of the shard and the number of shards, such as 1/4",
                        shorten(text)));
    if (count < 1 || count > lab::kMaxShards)
        throw UsageError(fmt::format("--shard {}: expected 1 to {} shards", shorten(text), lab::kMaxShards));
    if (index < 1 || index > count)
        throw UsageError(fmt::format("--shard {}: with {} shards, expected 1/{} to {}/{}", shorten(text),
                                     count, count, count, count));
    return {index - 1, count};
}

// Rejects options that have no meaning if the results come from a file.
void refuse_scenario_options(const SweepOptions& o, const char* option) {
    const std::pair<const char*, bool> given[] = {{"the scenario", !o.scenario.empty()},
                                                  {"--vary", !o.vary.empty()},
                                                  {"--policy", !o.policies.empty()},
                                                  {"--seeds", !o.seeds.empty()},
                                                  {"--set", !o.sets.empty()},
                                                  {"--seed", o.seed.has_value()},
                                                  {"--until", !o.until.empty()},
                                                  {"--shard", !o.shard.empty()},
                                                  {"--slurm", !o.slurm.empty()},
                                                  {"--shards", o.shards > 0},
                                                  {"--refine", o.refine},
                                                  {"--jobs", o.jobs > 0}};
    for (const auto& [name, is_given] : given)
        if (is_given)
            throw UsageError(fmt::format("{} reads the sweep from the results; leave out {}", option, name));
}

int show_results_file(const SweepOptions& o) {
    refuse_scenario_options(o, "--results-from");
    if (!o.results.empty()) throw UsageError("--results-from only reads results; leave out --results");
    const std::vector<Measure> measures = collected_measures(o);
    InputFile in(o.results_from);
    lab::SweepReader reader(in, in.name());
    SweepResults results(reader.spec(), measures);
    for (Row row; reader.next(row);) results.add(row);
    show(o, results, nullptr);
    return kDone;
}

int merge_results_files(const SweepOptions& o) {
    refuse_scenario_options(o, "--merge");
    const std::vector<Measure> measures = collected_measures(o);
    std::deque<InputFile> streams;
    std::deque<lab::SweepReader> readers;
    std::vector<lab::SweepReader*> shards;
    for (const std::string& file : o.merge) {
        InputFile& in = streams.emplace_back(file);
        shards.push_back(&readers.emplace_back(in, in.name()));
    }
    lab::SweepMerger merger(shards);
    SweepResults results(merger.spec(), measures);
    // Writes the merged file row by row, because it may be larger than memory.
    std::optional<AtomicFile> merged;
    if (!o.results.empty()) merged.emplace(o.results).write(lab::header_line(merger.spec(), {}));
    std::string line;
    for (Row row; merger.next(row, line);) {
        if (merged) merged->write(line);
        results.add(row);
    }
    if (merged) merged->finish();
    show(o, results, nullptr);
    return kDone;
}

// --- on a cluster ---

// Rejects mistakes that would otherwise be reported later, by a job on another machine.
void check_slurm_options(const SweepOptions& o) {
    if (o.slurm.empty()) {
        if (o.shards > 0)
            throw UsageError("--shards needs --slurm; for one part of a sweep, use --shard I/N");
        return;
    }
    if (o.results.empty()) throw UsageError("--slurm needs --results, the file that the merge writes");
    if (!o.shard.empty()) throw UsageError("--slurm adds --shard itself; leave out --shard");
    if (o.scenario == "-")
        throw UsageError(
            "--slurm: every Slurm task reads the scenario, so the scenario must be a file or a "
            "name");
}

// Writes the job script instead of simulating.
int write_slurm_script(const SweepOptions& o, std::uint64_t runs) {
    const std::uint64_t shards = o.shards > 0 ? o.shards : std::min(runs, kUsualSlurmShards);
    if (shards > runs)
        throw UsageError(fmt::format("--shards {}: there {} only {} run{}", shards, runs == 1 ? "is" : "are",
                                     runs, runs == 1 ? "" : "s"));
    SlurmJob job{o.slurm, o.results, runs, shards, std::max(1u, o.jobs), {non_option_path(o.scenario)}, {}};
    const auto add = [](std::vector<std::string>& words, const char* option, const std::string& value) {
        if (!value.empty()) words.insert(words.end(), {option, value});
    };
    for (const std::string& set : o.sets) add(job.sweep, "--set", set);
    if (o.seed) add(job.sweep, "--seed", fmt::format("{}", *o.seed));
    add(job.sweep, "--until", o.until);
    for (const std::string& vary : o.vary) add(job.sweep, "--vary", vary);
    for (const std::string& policy : o.policies) add(job.sweep, "--policy", policy);
    add(job.sweep, "--seeds", o.seeds);
    for (const std::string& measure : o.measures) add(job.tables, "--measure", measure);
    add(job.tables, "--x-axis", o.x_axis);
    if (o.refine) job.tables.emplace_back("--refine");
    add(job.tables, "--format", o.format);
    add(job.tables, "--output", non_option_path(o.output));
    write_atomically(o.slurm, slurm_script(job));
    if (!o.quiet)
        print_immediately(fmt::format("{} runs in {} shards: sbatch {}\n", group_digits(runs),
                                      group_digits(shards),
                                      printable(lab::quote_for_shell(non_option_path(o.slurm)))));
    return kDone;
}

int execute_sweep(const SweepOptions& o) {
    if (!o.results_from.empty() && !o.merge.empty())
        throw UsageError("--results-from and --merge exclude each other");
    if (!o.results_from.empty()) return show_results_file(o);
    if (!o.merge.empty()) return merge_results_files(o);
    if (o.scenario.empty())
        throw UsageError("SCENARIO is required, or --results-from or --merge with results files");
    const Shard shard = parse_shard(o.shard);
    check_slurm_options(o);

    lab::SweepRequest request{o.sets, o.vary, o.policies, o.seeds};
    if (o.seed) request.sets.push_back(fmt::format("/seed={}", *o.seed));
    if (!o.until.empty()) request.sets.push_back(fmt::format("/until=\"{}\"", o.until));
    // Problems with the measures are reported together with those of the sweep.
    std::vector<Problem> problems;
    std::vector<Measure> measures;
    std::optional<Sweep> made;
    const auto collect = [&](const auto& part) {
        try {
            part();
        } catch (const ScenarioError& error) {
            problems.insert(problems.end(), error.problems().begin(), error.problems().end());
        }
    };
    collect([&] { measures = collected_measures(o); });
    request.latency = std::any_of(measures.begin(), measures.end(), lab::needs_latency);
    collect([&] {
        const ScenarioText text = read_scenario(o.scenario);
        made.emplace(text, request, o.threads());
        std::vector<std::string> first = request.sets;  // settings of the first run
        for (const lab::Axis& axis : made->spec().axes)
            first.push_back(axis.pointer + "=" + axis.values.front());
        std::vector<Problem> notices;
        (void)parse_scenario(text, first, &notices);
        o.print_notices(notices);
        o.print_vary_notices(o.vary);
    });
    if (!problems.empty()) throw ScenarioError(std::move(problems));
    const Sweep& sweep = *made;
    check_measure_groups(measures, sweep.scenario(0));
    const std::optional<std::size_t> axis = curve_axis(o, sweep.spec());
    if (o.refine) {
        if (!axis || !lab::numbers_of(sweep.spec().axes[*axis].values)->integers)
            throw UsageError("--refine needs an axis of whole numbers");
        if (sweep.spec().axes[*axis].values.size() < 2)
            throw UsageError("--refine needs an axis with at least two values");
        if (sweep.spec().policies.size() < 2) throw UsageError("--refine needs two policies to compare");
        if (shard.count > 1) throw UsageError("--refine needs all runs; leave out --shard");
    }
    if (!o.slurm.empty()) return write_slurm_script(o, sweep.spec().runs());
    SweepResults results(sweep.spec(), measures);
    run_shard(sweep, shard, o.results, o.threads(), o.quiet, results);
    show(o, results, &sweep);
    return kDone;
}

}  // namespace

void add_sweep_command(Command& program) {
    auto o = std::make_shared<SweepOptions>();
    Command& command = program.add_command(
        "sweep", "run a workload with every combination of values and show where the curves cross");
    add_scenario_options(command, *o);
    command.option("SCENARIO").required(false);
    command.add_repeatable(
        "--vary", o->vary, "POINTER=VALUES",
        "an axis: POINTER=VALUES; VALUES are 2,4,8 or 2..64*2 or 0..1/0.1 or 1..10, for example; "
        "repeatable; the first axis varies slowest");
    command.add_repeatable("--policy", o->policies, "POLICY",
                           "policy: NAME[:option=value,...]; repeatable (default: the scenario's own "
                           "policy)");
    command.add_option("--seeds", o->seeds, "run each point with N seeds, or with the seeds from A to B")
        .type_name("N|A..B");
    command.add_repeatable(
        "--measure", o->measures, "MEASURE",
        "measure to show: a name from `switchyard list measures`, or POINTER[:PER]; repeatable");
    command
        .add_option("--x-axis", o->x_axis,
                    "axis along which crossovers are searched (default: the last "
                    "axis with numbers)")
        .type_name("POINTER");
    command.add_flag("--refine", o->refine,
                     "also simulate values in between, until each crossover is "
                     "between two neighbouring whole numbers");
    command.add_option("--jobs", o->jobs, "number of parallel runs (default: one per core)")
        .type_name("J")
        .check(in_range(1u, kMostJobs));
    command
        .add_option("--results", o->results, "append each run to this file, and resume where the file ends")
        .type_name("FILE");
    command.add_option("--shard", o->shard, "run only part I of the N parts of the sweep").type_name("I/N");
    command.add_option("--merge", o->merge, "merge the results files of all shards into --results")
        .type_name("FILE...");
    command
        .add_option(
            "--slurm", o->slurm,
            "write a Slurm job script with a task for each shard and the merge, without running the sweep")
        .type_name("FILE");
    command
        .add_option("--shards", o->shards,
                    fmt::format("for --slurm: number of shards (default: one per run, but not more than {})",
                                kUsualSlurmShards))
        .type_name("N")
        .check(in_range(std::uint64_t{1}, kMostSlurmShards));
    command.add_option("--results-from", o->results_from, "show the results in this file, without a scenario")
        .type_name("FILE");
    command.add_option("--format", o->format, "text, csv or json")
        .check(one_of({"text", "csv", "json"}))
        .show_default();
    add_output_option(command, o->output);
    command.add_flag("--quiet", o->quiet, "do not show progress");
    command.set_examples(
        {"switchyard sweep yield-processes --vary /tasks/0/count=2,4,8,16,32 --policy linux-2.0 --policy "
         "sorted-queue --until 200ms --refine",
         "switchyard sweep web-server --vary /machine/hz=100,1000 --seeds 3 --until 2s --measure "
         "kernel-share",
         "switchyard sweep yield-threads --vary /tasks/0/count=2..32*2 --vary "
         "/machine/costs/considered=0.25us..1us*2 --until 100ms --results threads.jsonl --slurm job.sh"});
    command.set_action([o] { return execute_sweep(*o); });
}

}  // namespace sim::cli
