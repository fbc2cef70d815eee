// `switchyard sweep`: a workload under every combination of values, policies and seeds, as tables and curves.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <thread>

#include "sim/base/whole_file.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/lab/crossover.h"
#include "sim/lab/curves.h"
#include "sim/lab/parallel.h"
#include "sim/lab/sweep_file.h"
#include "sim/lab/sweep_run.h"
#include "sim/lab/values.h"

namespace sim::cli {
namespace {

using lab::Crossover;
using lab::Measure;
using lab::Results;
using lab::Row;
using lab::Shard;
using lab::Sweep;
using lab::SweepSpec;
using nlohmann::ordered_json;

constexpr unsigned kMostJobs = 1024;

struct SweepOptions : CommonOptions {
    std::vector<std::string> vary, measures, merge;
    std::string seeds, results, shard, from, along;
    unsigned jobs = 0;  // 0: one for each core
    bool refine = false;

    unsigned threads() const { return jobs > 0 ? jobs : std::max(1u, std::thread::hardware_concurrency()); }
};

// --- progress ---

// How many runs are done, how fast, and how long it will take, on standard error, when that is a terminal.
class Bar {
  public:
    Bar(std::uint64_t runs, std::uint64_t before, bool quiet)
        : on_(!quiet && isatty(STDERR_FILENO) != 0), runs_(runs), before_(before), done_(before) {}
    ~Bar() {
        if (shown_) fmt::print(stderr, "\r{:79}\r", "");
    }
    Bar(const Bar&) = delete;
    Bar& operator=(const Bar&) = delete;

    void one_is_done() { ++done_; }
    // Runs that are under way count by the parts of them that are done; any thread may tell.
    void add_parts(std::uint64_t parts) { parts_ += parts; }
    static constexpr std::uint64_t kParts = 1000;  // that a run has

    void show() {
        if (!on_) return;
        const auto now = Clock::now();
        if (now < next_) return;
        next_ = now + std::chrono::milliseconds(100);
        shown_ = true;
        const double here = static_cast<double>(parts_) / static_cast<double>(kParts);
        const double all = static_cast<double>(runs_ - before_);
        const double seconds = std::chrono::duration<double>(now - begin_).count();
        const double share = (static_cast<double>(before_) + here) / static_cast<double>(runs_);
        fmt::print(stderr, "\r[{}] {}/{} runs, {:.3g}/s, {} left ", bar(share, 24), done_, runs_,
                   here / seconds, here > 0 ? span(seconds / here * (all - here)) : "?");
        std::fflush(stderr);
    }

  private:
    using Clock = std::chrono::steady_clock;  // wall clock: for the person who waits

    static std::string span(double seconds) {
        if (seconds < 100) return fmt::format("{:.0f} s", seconds);
        if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
        return fmt::format("{:.0f} h", seconds / 3600);
    }

    bool on_, shown_ = false;
    std::uint64_t runs_, before_, done_;
    std::atomic<std::uint64_t> parts_ = 0;
    Clock::time_point begin_ = Clock::now(), next_ = begin_ + std::chrono::milliseconds(500);
};

// --- running ---

struct Finished {
    Row row;
    std::string line;
};

Finished run_one(const Sweep& sweep, std::uint64_t run, Bar& bar) {
    constexpr std::uint64_t kSlice = 1 << 20;  // decisions: some 50 ms
    lab::SweepRun one(sweep, run);
    std::uint64_t told = 0;
    while (!one.advance(kSlice)) {
        const auto parts = static_cast<std::uint64_t>(one.progress() * static_cast<double>(Bar::kParts));
        if (parts > told && parts < Bar::kParts) bar.add_parts(parts - told), told = parts;
    }
    Finished finished{one.row(), {}};
    finished.line = lab::row_line(sweep.spec(), finished.row);
    bar.add_parts(Bar::kParts - told);
    return finished;
}

void run_all(const Sweep& sweep, const Shard& shard, const SweepOptions& o, Results& results) {
    const SweepSpec& spec = sweep.spec();
    std::unique_ptr<lab::SweepWriter> writer;
    if (!o.results.empty())
        writer = std::make_unique<lab::SweepWriter>(o.results, spec, shard,
                                                    [&](const Row& row) { results.add(row); });
    const std::uint64_t before = writer ? writer->rows() : 0, all = shard.runs_of(spec.runs());
    Bar bar(all, before, o.quiet);
    lab::in_order(
        o.threads(), all - before,
        [&](std::uint64_t k) { return run_one(sweep, shard.run(before + k), bar); },
        [&](std::uint64_t, const Finished& finished) {
            if (writer) writer->append(finished.line);
            results.add(finished.row);
            bar.one_is_done();
        },
        [&] { bar.show(); });
}

// --- measures ---

// The measures that were asked for, or those that may be shown when none was, and what decides between them.
std::vector<Measure> collected_measures(const SweepOptions& o) {
    std::vector<Measure> list;
    std::vector<Problem> problems;
    for (const std::string& text : o.measures) {
        try {
            list.push_back(lab::find_measure(text));
        } catch (const lab::LabError& error) {
            problems.push_back({"--measure " + shorten(text, 100), 0, 0, {}, error.what()});
        }
    }
    if (!problems.empty()) throw ScenarioError(std::move(problems));
    if (!list.empty()) return list;
    for (const bool yields : {true, false})
        for (const Measure& measure : lab::default_measures(yields)) list.push_back(measure);
    list.push_back(lab::yield_share());
    return list;
}

// The indices of the measures to show.
std::vector<std::size_t> shown_measures(const SweepOptions& o, const Results& results) {
    const std::size_t count = results.measures().size();
    std::vector<std::size_t> shown;
    if (!o.measures.empty()) {
        for (std::size_t i = 0; i < count; ++i) shown.push_back(i);
        return shown;
    }
    const bool yields = results.runs() > 0 && lab::yields(results, count - 1);
    std::size_t first = yields ? 0 : lab::default_measures(true).size();
    for (const Measure& measure : lab::default_measures(yields)) {
        static_cast<void>(measure);
        shown.push_back(first++);
    }
    return shown;
}

// --- crossovers ---

// The axis along which the curves run, if any.
std::optional<std::size_t> curve_axis(const SweepOptions& o, const SweepSpec& spec) {
    if (o.along.empty()) return lab::numeric_axis(spec);
    std::vector<std::string> pointers;
    for (std::size_t axis = 0; axis < spec.axes.size(); ++axis) {
        if (spec.axes[axis].pointer == o.along || spec.axes[axis].pointer == "/" + o.along) {
            if (lab::numbers_of(spec.axes[axis].values)) return axis;
            throw UsageError(fmt::format("--along {}: its values are no numbers", o.along));
        }
        pointers.push_back(spec.axes[axis].pointer);
    }
    throw UsageError(fmt::format("--along {}: there is no such axis; there {} {}", shorten(o.along),
                                 pointers.size() == 1 ? "is" : "are", fmt::join(pointers, ", ")));
}

struct Crossings {
    std::size_t measure = 0, axis = 0;
    std::vector<Crossover> list;
};

// Those of the first measure that is shown. Nothing without numbers to draw curves over, or with a single
// policy.
std::optional<Crossings> find_crossings(const Results& results, std::size_t measure,
                                        std::optional<std::size_t> axis) {
    const SweepSpec& spec = results.spec();
    if (!axis || spec.axes[*axis].values.size() < 2 || spec.policies.size() < 2) return std::nullopt;
    return Crossings{measure, *axis, lab::crossovers(lab::curves(results, measure, *axis))};
}

void refine_all(Crossings& crossings, const Sweep& sweep, const Measure& measure, const SweepOptions& o) {
    const SweepSpec& spec = sweep.spec();
    for (Crossover& crossover : crossings.list) {
        std::vector<std::string> values;
        for (std::size_t axis = 0; axis < spec.axes.size(); ++axis)
            values.push_back(spec.axes[axis].values[crossover.at[axis]]);
        crossover = lab::refine(crossover, [&](std::size_t policy, std::int64_t x) -> std::optional<double> {
            values[crossings.axis] = fmt::format("{}", x);
            std::vector<double> there;
            lab::in_order(
                std::min<unsigned>(o.threads(), static_cast<unsigned>(spec.seeds())), spec.seeds(),
                [&](std::uint64_t k) {
                    lab::SweepRun run(sweep, values, policy, spec.first_seed + k);
                    run.advance(std::numeric_limits<std::uint64_t>::max());
                    return lab::value_of(measure, run.row().summary);
                },
                [&](std::uint64_t, std::optional<double> value) {
                    if (value) there.push_back(*value);
                },
                [] {});
            const lab::Estimate estimate = lab::estimate_of(there);
            if (estimate.n == 0) return std::nullopt;
            return estimate.mean;
        });
    }
}

// --- what is shown ---

struct Report {
    const SweepOptions& options;
    const Results& results;
    std::vector<std::size_t> measures;
    std::optional<Crossings> crossings;

    const SweepSpec& spec() const { return results.spec(); }
    std::string text() const;
    std::string csv() const;
    ordered_json json() const;

  private:
    std::string heading() const;
    std::string table(std::size_t measure) const;
    std::string crossover_lines() const;
    std::string order_of(std::vector<lab::Curve> curves) const;
    std::string cell(std::size_t measure, const lab::Estimate& estimate) const;
};

std::string count_of(std::uint64_t n, const char* one, const char* many) {
    return fmt::format("{} {}", grouped(n), n == 1 ? one : many);
}

std::string Report::heading() const {
    const SweepSpec& s = spec();
    std::string text = fmt::format("{}: {}: {}, {}, {}", s.scenario, count_of(s.runs(), "run", "runs"),
                                   count_of(s.points(), "point", "points"),
                                   count_of(s.policies.size(), "policy", "policies"),
                                   s.seeds() == 1 ? fmt::format("seed {}", s.first_seed)
                                                  : fmt::format("seeds {} to {}", s.first_seed, s.last_seed));
    if (!s.sets.empty()) text += fmt::format("\nwith {}", fmt::join(s.sets, " "));
    if (results.runs() < s.runs())
        text += fmt::format("\n{} of the runs {} there so far", grouped(results.runs()),
                            results.runs() == 1 ? "is" : "are");
    for (const auto& [reason, runs] : results.odd_ends())
        text += fmt::format("\n{} ended early: {}", count_of(runs, "run", "runs"), reason);
    if (s.seeds() > 1) text += "\nmeans over the seeds, with their 95 % intervals";
    return text + "\n";
}

std::string Report::cell(std::size_t measure, const lab::Estimate& estimate) const {
    const Measure& m = results.measures()[measure];
    if (estimate.n == 0) return "-";
    if (!estimate.half) return m.text(estimate.mean);
    return fmt::format("{} +- {}", m.text(estimate.mean), m.text(*estimate.half));
}

// Rows are points, columns the axes and then the policies.
std::string Report::table(std::size_t measure) const {
    const SweepSpec& s = spec();
    std::vector<std::vector<std::string>> lines(1);
    for (const lab::Axis& axis : s.axes) lines[0].push_back(shorten(axis.pointer, 60));
    for (const std::string& policy : s.policies) lines[0].push_back(policy);
    for (std::uint64_t point = 0; point < s.points(); ++point) {
        std::vector<std::string>& line = lines.emplace_back();
        const std::vector<std::size_t> at = s.values_at(point);
        for (std::size_t axis = 0; axis < s.axes.size(); ++axis)
            line.push_back(shorten(s.axes[axis].values[at[axis]], 40));
        for (std::size_t policy = 0; policy < s.policies.size(); ++policy)
            line.push_back(cell(measure, results.estimate(measure, point, policy)));
    }
    std::vector<std::size_t> width(lines[0].size());
    for (const auto& line : lines)
        for (std::size_t column = 0; column < line.size(); ++column)
            width[column] = std::max(width[column], line[column].size());
    const Measure& m = results.measures()[measure];
    std::string text = m.label;
    if (!m.unit.empty() && m.label.find(m.unit) == std::string::npos) text += fmt::format(" ({})", m.unit);
    text += "\n";
    for (const auto& line : lines) {
        for (std::size_t column = 0; column < line.size(); ++column)
            text += fmt::format("{}{:>{}}", column == 0 ? "" : "  ", line[column], width[column]);
        text += "\n";
    }
    return text;
}

// Curves that never cross, from the lowest to the highest: "a, b, c". Empty when they touch, or have gaps.
std::string Report::order_of(std::vector<lab::Curve> curves) const {
    for (const lab::Curve& curve : curves)
        for (const lab::CurvePoint& p : curve.points)
            if (p.y.n == 0) return {};
    std::sort(curves.begin(), curves.end(), [](const lab::Curve& a, const lab::Curve& b) {
        return a.points.front().y.mean < b.points.front().y.mean;
    });
    std::string text;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        for (std::size_t k = 0; i > 0 && k < curves[i].points.size(); ++k)
            if (curves[i - 1].points[k].y.mean >= curves[i].points[k].y.mean) return {};
        text += (i == 0 ? "" : ", ") + spec().policies[curves[i].policy];
    }
    return text;
}

std::string Report::crossover_lines() const {
    const SweepSpec& s = spec();
    const Measure& m = results.measures()[crossings->measure];
    const lab::Axis& axis = s.axes[crossings->axis];
    const std::string unit = lab::numbers_of(axis.values)->unit;
    std::string text;
    for (const Crossover& c : crossings->list) {
        std::string where;
        for (std::size_t other = 0; other < s.axes.size(); ++other)
            if (other != crossings->axis)
                where += fmt::format("{}{}={}", where.empty() ? "" : ", ", s.axes[other].pointer,
                                     shorten(s.axes[other].values[c.at[other]], 40));
        const auto side = [&](double x, double below, double above) {
            return fmt::format("{:.10g}{}: {} against {}", x, unit, m.text(below), m.text(above));
        };
        const bool exact = options.refine && c.is_exact();
        text +=
            fmt::format("  {}{}{} is {} than {} from {} on ({}; {}){}\n", where, where.empty() ? "" : ": ",
                        s.policies[c.below], m.is_cost ? "cheaper" : "lower", s.policies[c.above],
                        exact ? fmt::format("{:.10g}", c.right) : fmt::format("about {:.4g}{}", c.x, unit),
                        side(c.left, c.below_left, c.above_left), side(c.right, c.below_right, c.above_right),
                        c.is_clear ? "" : ", as far as the intervals tell");
    }
    if (text.empty()) {
        text = fmt::format("\nNo two curves of {} cross along {}", m.label, axis.pointer);
        const std::string order = s.axes.size() == 1
                                      ? order_of(lab::curves(results, crossings->measure, crossings->axis))
                                      : std::string{};
        return text + (order.empty() ? "" : "; from the lowest to the highest: " + order) + ".\n";
    }
    return fmt::format("\nCrossovers of {} along {}{}\n{}", m.label, axis.pointer,
                       options.refine ? ", to the neighbouring whole numbers"
                                      : ", on straight lines between the neighbouring values",
                       text);
}

std::string Report::text() const {
    std::string text = heading();
    for (const std::size_t measure : measures) text += "\n" + table(measure);
    if (crossings) text += crossover_lines();
    return text;
}

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

// A line for each measure, point and policy. What is not there is empty.
std::string Report::csv() const {
    const SweepSpec& s = spec();
    std::string text = "measure,unit";
    for (const lab::Axis& axis : s.axes) text += "," + csv_field(axis.pointer);
    text += ",policy,n,mean,half_width\n";
    for (const std::size_t measure : measures) {
        const Measure& m = results.measures()[measure];
        for (std::uint64_t point = 0; point < s.points(); ++point) {
            const std::vector<std::size_t> at = s.values_at(point);
            for (std::size_t policy = 0; policy < s.policies.size(); ++policy) {
                const lab::Estimate e = results.estimate(measure, point, policy);
                text += fmt::format("{},{}", csv_field(m.name), csv_field(m.unit));
                for (std::size_t axis = 0; axis < s.axes.size(); ++axis)
                    text += "," + csv_field(s.axes[axis].values[at[axis]]);
                text += fmt::format(",{},{},{},{}\n", csv_field(s.policies[policy]), e.n,
                                    e.n > 0 ? fmt::format("{:.10g}", e.mean) : "",
                                    e.half ? fmt::format("{:.10g}", *e.half) : "");
            }
        }
    }
    return text;
}

ordered_json Report::json() const {
    const SweepSpec& s = spec();
    const auto values_at = [&](const std::vector<std::size_t>& at, std::optional<std::size_t> without) {
        ordered_json values = ordered_json::object();
        for (std::size_t axis = 0; axis < s.axes.size(); ++axis)
            if (axis != without) values[s.axes[axis].pointer] = s.axes[axis].values[at[axis]];
        return values;
    };
    ordered_json json{{"format", "switchyard-sweep-report/1"}};
    json.update(lab::to_json(s));
    json["runs"] = s.runs();
    json["runs_there"] = results.runs();
    ordered_json list = ordered_json::array();
    for (const std::size_t measure : measures) {
        const Measure& m = results.measures()[measure];
        ordered_json points = ordered_json::array();
        for (std::uint64_t point = 0; point < s.points(); ++point)
            for (std::size_t policy = 0; policy < s.policies.size(); ++policy) {
                const lab::Estimate e = results.estimate(measure, point, policy);
                points.push_back({{"values", values_at(s.values_at(point), std::nullopt)},
                                  {"policy", s.policies[policy]},
                                  {"n", e.n},
                                  {"mean", e.n > 0 ? ordered_json(e.mean) : ordered_json()},
                                  {"half_width", e.half ? ordered_json(*e.half) : ordered_json()}});
            }
        list.push_back(
            {{"name", m.name}, {"label", m.label}, {"unit", m.unit}, {"points", std::move(points)}});
    }
    json["measures"] = std::move(list);
    ordered_json crossed = ordered_json::array();
    if (crossings) {
        json["crossovers_of"] = results.measures()[crossings->measure].name;
        json["crossovers_along"] = s.axes[crossings->axis].pointer;
        for (const Crossover& c : crossings->list)
            crossed.push_back(
                {{"values", values_at(c.at, crossings->axis)},
                 {"below", s.policies[c.below]},
                 {"above", s.policies[c.above]},
                 {"x", c.x},
                 {"left", {{"x", c.left}, {"below", c.below_left}, {"above", c.above_left}}},
                 {"right", {{"x", c.right}, {"below", c.below_right}, {"above", c.above_right}}},
                 {"exact", options.refine && c.is_exact()},
                 {"clear", c.is_clear}});
    }
    json["crossovers"] = std::move(crossed);
    return json;
}

void show(const SweepOptions& o, const Results& results, const Sweep* sweep) {
    const std::vector<std::size_t> measures = shown_measures(o, results);
    Report report{o, results, measures,
                  find_crossings(results, measures.front(), curve_axis(o, results.spec()))};
    if (o.refine) refine_all(*report.crossings, *sweep, results.measures()[measures.front()], o);
    deliver(o.json()            ? report.json().dump(2) + "\n"
            : o.format == "csv" ? report.csv()
                                : report.text(),
            o.output);
}

// --- what was asked for ---

Shard parse_shard(const std::string& text) {
    Shard shard;
    if (text.empty()) return shard;
    std::uint64_t index = 0, count = 0;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, index);
    if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '/' ||
        std::from_chars(first.ptr + 1, end, count).ptr != end || first.ptr + 1 == end)
        throw UsageError(
            fmt::format("--shard {}: the shard's number and how many there are, like 1/4", shorten(text)));
    if (count < 1 || count > lab::kMaxShards)
        throw UsageError(fmt::format("--shard {}: from 1 to {} shards", shorten(text), lab::kMaxShards));
    if (index < 1 || index > count)
        throw UsageError(fmt::format("--shard {}: the shards of {} are 1/{} to {}/{}", shorten(text), count,
                                     count, count, count));
    return {index - 1, count};
}

// What has no meaning when rows come from a file.
void refuse_scenario_options(const SweepOptions& o, const char* option) {
    const std::pair<const char*, bool> given[] = {{"a scenario", !o.scenario.empty()},
                                                  {"--vary", !o.vary.empty()},
                                                  {"--policy", !o.policies.empty()},
                                                  {"--seeds", !o.seeds.empty()},
                                                  {"--set", !o.sets.empty()},
                                                  {"--seed", o.seed.has_value()},
                                                  {"--until", !o.until.empty()},
                                                  {"--shard", !o.shard.empty()},
                                                  {"--refine", o.refine},
                                                  {"--jobs", o.jobs > 0}};
    for (const auto& [name, is_given] : given)
        if (is_given)
            throw UsageError(
                fmt::format("{} takes the sweep as it is in the file; leave {} out", option, name));
}

int show_file(const SweepOptions& o) {
    refuse_scenario_options(o, "--from");
    if (!o.results.empty()) throw UsageError("--from reads results and writes none; leave --results out");
    const std::vector<Measure> measures = collected_measures(o);
    std::ifstream in(o.from, std::ios::binary);
    if (!in || std::filesystem::is_directory(o.from))
        throw UsageError(fmt::format("{}: cannot be read", o.from));
    lab::SweepReader reader(in, o.from);
    Results results(reader.spec(), measures);
    for (Row row; reader.next(row);) results.add(row);
    show(o, results, nullptr);
    return kDone;
}

int merge_files(const SweepOptions& o) {
    refuse_scenario_options(o, "--merge");
    const std::vector<Measure> measures = collected_measures(o);
    std::deque<std::ifstream> streams;
    std::deque<lab::SweepReader> readers;
    std::vector<lab::SweepReader*> shards;
    for (const std::string& file : o.merge) {
        std::ifstream& in = streams.emplace_back(file, std::ios::binary);
        if (!in || std::filesystem::is_directory(file))
            throw UsageError(fmt::format("{}: cannot be read", file));
        shards.push_back(&readers.emplace_back(in, file));
    }
    lab::SweepMerger merger(shards);
    Results results(merger.spec(), measures);
    try {
        // Row by row: the merged file may be larger than the memory.
        std::optional<WholeFile> merged;
        if (!o.results.empty()) merged.emplace(o.results).out() << lab::header_line(merger.spec(), {});
        std::string line;
        for (Row row; merger.next(row, line);) {
            if (merged) merged->out() << line;
            results.add(row);
        }
        if (merged) merged->finish();
    } catch (const FileError& problem) {
        throw UsageError(problem.what());
    }
    show(o, results, nullptr);
    return kDone;
}

int execute_sweep(const SweepOptions& o) {
    if (!o.from.empty() && !o.merge.empty()) throw UsageError("--from and --merge exclude each other");
    if (!o.from.empty()) return show_file(o);
    if (!o.merge.empty()) return merge_files(o);
    if (o.scenario.empty()) throw UsageError("SCENARIO is required, or --from or --merge with results files");
    const Shard shard = parse_shard(o.shard);

    lab::SweepRequest request{o.sets, o.vary, o.policies, o.seeds};
    if (o.seed) request.sets.push_back(fmt::format("/seed={}", *o.seed));
    if (!o.until.empty()) request.sets.push_back(fmt::format("/until=\"{}\"", o.until));
    // What is wrong with the measures is told together with what is wrong with the sweep.
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
    collect([&] { made.emplace(find_scenario(o.scenario), request, o.threads()); });
    if (!problems.empty()) throw ScenarioError(std::move(problems));
    const Sweep& sweep = *made;
    const std::optional<std::size_t> axis = curve_axis(o, sweep.spec());
    if (o.refine) {
        if (!axis || !lab::numbers_of(sweep.spec().axes[*axis].values)->integers)
            throw UsageError("--refine needs an axis of whole numbers");
        if (sweep.spec().axes[*axis].values.size() < 2)
            throw UsageError("--refine needs two values to look between");
        if (sweep.spec().policies.size() < 2) throw UsageError("--refine needs two policies to compare");
        if (shard.count > 1) throw UsageError("--refine needs all runs; leave --shard out");
    }
    Results results(sweep.spec(), measures);
    run_all(sweep, shard, o, results);
    show(o, results, &sweep);
    return kDone;
}

}  // namespace

void add_sweep(CLI::App& app, int& exit_code) {
    auto o = std::make_shared<SweepOptions>();
    CLI::App* command =
        app.add_subcommand("sweep", "a workload with every combination of values, as curves that cross");
    add_scenario_options(*command, *o);
    command->get_option("SCENARIO")->required(false);
    command
        ->add_option(
            "--vary", o->vary,
            "an axis: POINTER=2,4,8 or 2..64*2 or 0..1/0.1 or 1..10; repeatable, the first varies slowest")
        ->type_name("POINTER=VALUES")
        ->expected(1)
        ->take_all();
    command
        ->add_option("--policy", o->policies, "NAME[:option=value,...]; repeatable; else the scenario's own")
        ->type_name("POLICY")
        ->expected(1)
        ->take_all();
    command->add_option("--seeds", o->seeds, "each point with so many seeds, or with those from A to B")
        ->type_name("N|A..B");
    command
        ->add_option("--measure", o->measures,
                     "what to show: a name from `switchyard list measures`, or POINTER[:PER]; repeatable")
        ->type_name("MEASURE")
        ->expected(1)
        ->take_all();
    command->add_option("--along", o->along, "the axis for crossovers; else the last one with numbers")
        ->type_name("POINTER");
    command->add_flag("--refine", o->refine, "simulate between the values until each crossover is exact");
    command->add_option("--jobs", o->jobs, "how many runs at the same time; else one for each core")
        ->type_name("J")
        ->check(CLI::Range(1u, kMostJobs));
    command->add_option("--results", o->results, "append each run to this file, and go on where it ends")
        ->type_name("FILE");
    command->add_option("--shard", o->shard, "only the I-th of N parts of the sweep")->type_name("I/N");
    command->add_option("--merge", o->merge, "put the results files of all shards together, to --results")
        ->type_name("FILE...")
        ->expected(1, -1);
    command->add_option("--from", o->from, "show a results file again")->type_name("FILE");
    command->add_option("--format", o->format, "text, csv or json")
        ->check(one_of({"text", "csv", "json"}))
        ->capture_default_str();
    command->add_option("--output", o->output, "write to this file, whole or not at all")->type_name("FILE");
    command->add_flag("--quiet", o->quiet, "no progress");
    set_examples(
        *command,
        {"switchyard sweep yield-processes --vary /tasks/0/count=2,4,8,16,32 --policy linux-2.0 --policy "
         "sorted-queue --until 200ms --refine",
         "switchyard sweep web-server --vary /machine/hz=100,1000 --seeds 3 --until 2s --measure "
         "kernel-share",
         "switchyard sweep yield-threads --vary /tasks/0/count=2..32*2 --vary "
         "/machine/costs/considered=0.25us..1us*2 --until 100ms --format csv"});
    command->callback([o, &exit_code] { exit_code = execute_sweep(*o); });
}

}  // namespace sim::cli
