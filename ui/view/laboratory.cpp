#include "ui/view/laboratory.h"
#include "sim/scenario/workload_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "sim/base/join.h"
#include "sim/base/units.h"
#include "sim/core/action.h"
#include "sim/core/policy.h"
#include "sim/figures/sweep_figure.h"
#include "sim/lab/axis_words.h"
#include "sim/lab/command_line.h"
#include "sim/lab/sweep_file.h"
#include "sim/lab/values.h"
#include "sim/plot/layout.h"
#include "sim/plot/svg.h"
#include "sim/scenario/scenario_json.h"

namespace ui {
namespace {

namespace lab = sim::lab;
using Clock = std::chrono::steady_clock;
using sim::Nanos;

constexpr Nanos kLongestRun{2'000'000'000};  // per run, unless the request specifies more
constexpr std::size_t kMostRows = 20'000;    // if more results are cached, a new sweep clears them
constexpr std::uint64_t kFirstChunk = 16;
constexpr int kFigureWidth = 960, kFigureHeight = 600;  // size as in `switchyard figure`
constexpr const char* kPatchedYield = "linux-2.0:yield=one_tick";

std::string pointer_of_setting(const std::string& setting) {
    const std::string pointer = setting.substr(0, setting.find('='));
    return pointer.starts_with('/') ? pointer : '/' + pointer;
}

bool sets_pointer(const std::string& setting, const std::string& pointer) {
    return pointer_of_setting(setting) == pointer;
}

// Replaces the setting of `pointer` in `sets`, or appends one.
void set_value(std::vector<std::string>& sets, const std::string& pointer, const std::string& value) {
    const std::string set = pointer + "=" + value;
    for (std::string& there : sets)
        if (sets_pointer(there, pointer)) {
            there = set;
            return;
        }
    sets.push_back(set);
}

std::string error_lines(const sim::ScenarioError& error) {
    std::string text;
    for (const sim::Problem& problem : error.problems()) text += (text.empty() ? "" : "\n") + problem.text();
    return text;
}

// The values of `candidates` and the value `current_value`, sorted, separated by commas. Values outside
// least..most are left out.
std::string values_in_range(std::vector<std::int64_t> candidates, std::int64_t current_value,
                            std::int64_t least, std::int64_t most) {
    candidates.push_back(current_value);
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    std::erase_if(candidates, [&](std::int64_t n) { return n < least || n > most; });
    return sim::join(candidates, ",");
}

std::string default_time_per_run(const std::optional<Nanos>& scenario_time) {
    return sim::format_time(scenario_time && *scenario_time <= kLongestRun ? *scenario_time : kLongestRun);
}

}  // namespace

std::vector<Knob> lab_axes(const sim::Scenario& scenario) {
    std::vector<Knob> axes = knobs_of(scenario);
    std::erase_if(axes, [](const Knob& knob) { return knob.kind == Knob::Kind::seed; });
    return axes;
}

std::string suggested_lab_values(const Knob& knob, const sim::Scenario& scenario) {
    const std::int64_t now = value_of(knob, scenario);
    switch (knob.kind) {
        case Knob::Kind::count: {
            // True if the task table has no room for four times the current number of tasks, or for 64 tasks.
            const bool is_table_small = knob.most < std::max<std::int64_t>(4 * now, 64);
            const std::int64_t most = is_table_small ? knob.most : sim::kMaxTasks / 2;
            if (now <= 80) return values_in_range({2, 4, 8, 10, 20, 40, 80}, now, 1, most);
            return values_in_range({now / 16, now / 8, now / 4, now / 2, 2 * now}, now, 1,
                                   std::min(most, 2 * now));
        }
        case Knob::Kind::priority:
            return values_in_range({1, 5, 10, 15, 20, 30, 40}, now, knob.least, knob.most);
        case Knob::Kind::nice:
            return values_in_range({-20, -15, -10, -5, 0, 5, 10, 15, 19}, now, knob.least, knob.most);
        case Knob::Kind::rt_priority:
            return values_in_range({1, 20, 40, 60, 80, 99}, now, knob.least, knob.most);
        case Knob::Kind::hz:
            return values_in_range({20, 50, 100, 200, 500, 1000}, now, knob.least,
                                   std::max<std::int64_t>(1000, now));
        case Knob::Kind::cost: {
            std::vector<std::int64_t> list;
            if (now == 0)
                list = {0, 1'000, 2'000, 4'000, 8'000};
            else
                list = {now / 4, now / 2, now, 2 * now, 4 * now};
            std::string text;
            for (std::int64_t& n : list) n = std::max(n, knob.least);
            list.erase(std::unique(list.begin(), list.end()), list.end());
            for (const std::int64_t n : list)
                text += (text.empty() ? "" : ",") + scenario_value_text(knob, n);
            return text;
        }
        case Knob::Kind::seed:
            break;
    }
    return fmt::format("{}", now);
}

LabRequest default_lab_request(const sim::Scenario& scenario, const std::string& policy) {
    LabRequest request;
    const std::vector<Knob> axes = lab_axes(scenario);
    // The first axis that is a number of tasks or the timer frequency: these have the greatest effect.
    const auto best = std::find_if(axes.begin(), axes.end(), [](const Knob& knob) {
        return knob.kind == Knob::Kind::count || knob.kind == Knob::Kind::hz;
    });
    const Knob& axis = *best;  // the axes always contain HZ
    request.pointer = axis.pointer;
    request.values = suggested_lab_values(axis, scenario);
    const bool yields = std::any_of(scenario.steps.begin(), scenario.steps.end(), [](const sim::Step& step) {
        return step.action == sim::action_index("yield");
    });
    std::vector<std::string> all{policy, "linux-2.0"};
    if (yields && policy.starts_with("linux-2.0")) all.emplace_back(kPatchedYield);
    all.emplace_back("sorted-queue");
    for (const std::string& wanted : all) {
        try {
            const std::string spec = sim::make_policy(wanted, scenario.cpus).spec();
            std::vector<std::string>& list = request.policies;
            if (std::find(list.begin(), list.end(), spec) == list.end()) list.push_back(spec);
        } catch (const sim::PolicyError&) {  // the policy does not support this number of CPUs
        }
    }
    request.until = default_time_per_run(scenario.until);
    return request;
}

std::vector<std::string> lab_policies(const LabRequest& request) {
    std::vector<std::string> list;
    const auto add = [&](const std::string& spec) {
        if (std::find(list.begin(), list.end(), spec) == list.end()) list.push_back(spec);
    };
    for (const sim::PolicyInfo& info : sim::policies()) {
        add(info.name);
        if (info.name == "linux-2.0") add(kPatchedYield);
    }
    for (const std::string& policy : request.policies) add(policy);
    return list;
}

std::vector<std::size_t> coarse_to_fine_order(std::size_t n) {
    std::vector<std::size_t> order;
    if (n > 0) order.push_back(0);
    if (n > 1) order.push_back(n - 1);
    std::deque<std::pair<std::size_t, std::size_t>> gaps;
    if (n > 2) gaps.emplace_back(0, n - 1);
    while (!gaps.empty()) {
        const auto [left, right] = gaps.front();
        gaps.pop_front();
        if (right - left < 2) continue;
        const std::size_t middle = left + (right - left) / 2;
        order.push_back(middle);
        gaps.emplace_back(left, middle);
        gaps.emplace_back(middle, right);
    }
    return order;
}

std::string error_in_values(std::string_view text) {
    try {
        const std::size_t count = lab::parse_values(text).size();
        if (count > kMostLabValues)
            return fmt::format("{} values exceed the limit of {}; use `switchyard sweep`", count,
                               kMostLabValues);
    } catch (const lab::LabError& error) {
        return error.what();
    }
    return {};
}

// --- requests ---

namespace {

// Checks the request and returns the values of its axis. Throws lab::LabError if the request is invalid.
std::vector<std::string> parse_axis_values(const LabRequest& r) {
    if (const std::string wrong = error_in_values(r.values); !wrong.empty()) throw lab::LabError(wrong);
    if (r.policies.empty()) throw lab::LabError("no policy is chosen");
    if (r.policies.size() > kMostLabPolicies)
        throw lab::LabError(
            fmt::format("a figure has at most {} curves; choose fewer policies", kMostLabPolicies));
    const std::vector<std::string> values = lab::parse_values(r.values);
    if (values.size() * r.policies.size() * r.seeds > kMostLabRuns)
        throw lab::LabError(fmt::format(
            "{} values, {} policies and {} seeds exceed the limit of {} runs; use `switchyard sweep`",
            values.size(), r.policies.size(), r.seeds, kMostLabRuns));
    if (!lab::numbers_of(values))
        throw lab::LabError("curves need numbers with one kind of unit; use `switchyard sweep` for texts");
    return values;
}

// The window's settings, without those that the axis `pointer` replaces.
std::vector<std::string> settings_without_axis(std::vector<std::string> settings,
                                               const std::string& pointer) {
    std::erase_if(settings, [&](const std::string& setting) {
        const std::string there = pointer_of_setting(setting);
        return there == pointer || there.starts_with(pointer + "/");
    });
    return settings;
}

// Determines the simulated time of each run, and adds it to `settings` unless it equals that of the scenario.
Nanos set_time_per_run(const LabRequest& r, const sim::ScenarioText& text,
                       std::vector<std::string>& settings) {
    std::optional<Nanos> own;
    try {
        own = sim::parse_scenario(text, settings).until;
    } catch (const sim::ScenarioError&) {
        // Ignored: the sweep reports the error later, unless a value of the axis replaces the invalid value.
    }
    std::string why;
    const std::string until = r.until.empty() ? default_time_per_run(own) : r.until;
    const std::optional<Nanos> end = sim::parse_time(until, why);
    if (!end) throw lab::LabError(fmt::format("time per run: {}", why));
    if (own != end) {
        std::erase_if(settings, [](const std::string& setting) { return sets_pointer(setting, "/until"); });
        settings.push_back(fmt::format("/until=\"{}\"", sim::format_time(*end)));
    }
    return *end;
}

}  // namespace

void Laboratory::clear() { *this = Laboratory(); }

void Laboratory::set_request(const BaseScenario& scenario, const LabRequest& request) {
    if (is_current_request(scenario, request)) return;
    asked_ = true;
    subject_ = scenario;
    request_ = request;
    error_.clear();
    stopped_ = false;
    try {
        begin_sweep();
    } catch (const sim::ScenarioError& error) {
        error_ = error_lines(error);
    } catch (const std::exception& error) {
        error_ = error.what();
    }
}

namespace {

// True if all task groups of the scenario are jobs. For jobs, the default measure is the mean waiting time.
bool are_all_jobs(const sim::Scenario& scenario) {
    for (std::size_t i = 0; i < scenario.groups.size(); ++i)
        if (!sim::has_single_burst(scenario, i)) return false;
    return true;
}

}  // namespace

void Laboratory::begin_sweep() {
    const LabRequest& r = request_;
    std::string pointer = r.pointer;
    if (!pointer.starts_with('/')) pointer.insert(0, 1, '/');
    const std::vector<std::string> values = parse_axis_values(r);
    std::vector<std::string> measures;
    std::optional<lab::Measure> measure;
    if (!r.measure.empty()) measure = lab::find_measure(r.measure);
    if (measure) measures.push_back(measure->name);

    sim::ScenarioText text =
        subject_.linked_text.name.empty() ? sim::find_scenario(subject_.source) : subject_.linked_text;
    lab::SweepRequest request;
    request.sets = settings_without_axis(subject_.sets, pointer);
    request.vary = {pointer + "=" + r.values};
    request.policies = r.policies;
    if (r.seeds != 1) request.seeds = fmt::format("{}", r.seeds);
    request.latency = measure && needs_latency(*measure);
    const Nanos end = set_time_per_run(r, text, request.sets);

    std::string base = text.text + "\n" + pointer;
    for (const std::string& set : request.sets) base += "\n" + set;
    if (request.latency) base += "\nlatency";
    auto sweep = std::make_unique<lab::Sweep>(std::move(text), request);
    if (measure) check_task_group(*measure, sweep->scenario(0));
    if (!measure && are_all_jobs(sweep->scenario(0))) measures.push_back("mean-waiting");

    run_.reset();
    sweep_ = std::move(sweep);
    swept_ = subject_;
    swept_request_ = r;
    measures_ = std::move(measures);
    until_ = sim::format_time(end);
    unit_ = lab::numbers_of(values)->unit;
    if (base != base_ || rows_.size() > kMostRows) rows_.clear();
    base_ = std::move(base);
    collect_results();
    order_runs(values);
    spent_ = {};
    worked_ = {};
    update_figure();
}

// Determines the order of the runs. The runs with the first seed are first, with values from coarse to fine,
// so that the shape of the curves is visible early.
void Laboratory::order_runs(const std::vector<std::string>& values) {
    order_.clear();
    current_ = 0;
    const lab::NumericValues numbers = *lab::numbers_of(values);
    std::vector<std::size_t> by_x(values.size());
    for (std::size_t i = 0; i < by_x.size(); ++i) by_x[i] = i;
    std::stable_sort(by_x.begin(), by_x.end(),
                     [&](std::size_t a, std::size_t b) { return numbers.values[a] < numbers.values[b]; });
    for (std::uint64_t seed = 0; seed < spec().seeds(); ++seed)
        for (const std::size_t place : coarse_to_fine_order(by_x.size()))
            for (std::size_t policy = 0; policy < spec().policies.size(); ++policy)
                if (const std::uint64_t run = spec().first_run(by_x[place], policy) + seed;
                    !results_->has_run(run))
                    order_.push_back(run);
}

// The key of a run, unique among the runs with the same base_.
std::string Laboratory::cache_key_of(std::uint64_t run) const {
    const lab::RunCoordinates coordinates = spec().coordinates(run);
    return fmt::format("{}\n{}\n{}", axis().values[coordinates.at[0]], spec().policies[coordinates.policy],
                       coordinates.seed);
}

// Collects the cached results of the sweep's runs, in the requested measures.
void Laboratory::collect_results() {
    std::vector<lab::Measure> list;
    for (const std::string& name : measures_) list.push_back(lab::find_measure(name));
    if (list.empty())
        list = {lab::default_measures(true).front(), lab::default_measures(false).front(),
                lab::yield_share_measure()};
    results_ = std::make_unique<lab::SweepResults>(spec(), std::move(list));
    for (std::uint64_t run = 0; run < spec().runs(); ++run) {
        const auto row = rows_.find(cache_key_of(run));
        if (row == rows_.end()) continue;
        row->second.run = run;
        results_->add(row->second);
    }
}

// --- simulation ---

void Laboratory::store_result(lab::Row row) {
    results_->add(row);
    const std::string key = cache_key_of(row.run);
    rows_.insert_or_assign(key, std::move(row));
}

bool Laboratory::work(Deadline deadline) {
    if (!has_sweep() || stopped_) return false;
    const Clock::time_point first = Clock::now();
    if (first - worked_ < std::chrono::milliseconds(250)) spent_ += first - worked_;
    bool changed = false;
    while (current_ < order_.size()) {
        const Clock::time_point begin = Clock::now();
        if (!run_) {
            run_ = std::make_unique<lab::SweepRun>(*sweep_, order_[current_]);
            chunk_ = kFirstChunk;
        }
        const bool over = run_->advance(chunk_);
        const Clock::time_point now = Clock::now();
        if (now - begin < std::chrono::microseconds(500))
            chunk_ = std::min(chunk_ * 2, std::uint64_t{1} << 16);
        if (now - begin > std::chrono::microseconds(2000)) chunk_ = std::max(chunk_ / 2, std::uint64_t{1});
        if (over) {
            store_result(run_->row());
            run_.reset();
            ++current_;
            changed = true;
        }
        if (now >= deadline) break;
    }
    if (changed) update_figure();
    worked_ = Clock::now();
    spent_ += worked_ - first;
    return current_ < order_.size();
}

double Laboratory::progress() const {
    return (static_cast<double>(results_->added_run_count()) + (run_ ? run_->progress() : 0)) /
           static_cast<double>(spec().runs());
}

std::optional<double> Laboratory::seconds_left() const {
    if (current_ == order_.size()) return 0;
    const double done = static_cast<double>(current_) + (run_ ? run_->progress() : 0);
    if (spent_.count() < 0.5 || done <= 0) return std::nullopt;
    return spent_.count() * (static_cast<double>(order_.size()) - done) / done;
}

// --- results ---

void Laboratory::update_figure() {
    measure_ = measures_.empty() && !lab::is_yielding_workload(*results_, 2) ? 1 : 0;
    curves_ = lab::curves(*results_, measure_, 0);
    crossovers_ = lab::crossovers(lab::keep_common_points(curves_, *results_));
    plot_ = sim::figures::sweep_plot(*results_, measure_, 0, {});
    plot_.source.clear();
    revision_ = ++drawn_;
}

std::optional<double> Laboratory::x_coordinate_of(const std::string& value) const {
    const std::vector<std::string> both{axis().values.front(), value};
    const std::optional<lab::NumericValues> numbers = lab::numbers_of(both);
    if (!numbers) return std::nullopt;
    return numbers->values.back();
}

std::uint64_t Laboratory::run_at(std::size_t curve, std::size_t point) const {
    return curves_[curve].points[point].run;
}

std::string Laboratory::point_text(std::size_t curve, std::size_t point) const {
    const lab::Curve& c = curves_[curve];
    const lab::CurvePoint& p = c.points[point];
    const lab::Measure& m = measure();
    const auto with_unit = [&](const std::string& text) {
        return m.unit.empty() ? text : text + " " + m.unit;
    };
    std::string text = fmt::format("{}, {}\n{}: ", spec().policies[c.policy],
                                   lab::axis_value_text(axis(), axis().values[p.value]), m.label);
    if (p.y.n == 0) return text + "-";
    text += with_unit(m.text(p.y.mean));
    if (p.y.half) text += fmt::format(" \u00b1 {} (95 %)", with_unit(m.text(*p.y.half)));
    if (spec().seeds() == 1) return text + fmt::format("\nseed {}", spec().first_seed);
    text += fmt::format("\nmean of {} seeds:", p.y.n);
    for (std::uint64_t k = 0; k < spec().seeds(); ++k)
        if (results_->has_run(p.run + k))
            text += fmt::format("{} {}", k == 0 ? "" : ",", m.text(results_->value(measure_, p.run + k)));
    return text;
}

std::string Laboratory::crossover_text(const lab::Crossover& c) const {
    return lab::crossover_text(c, spec(), measure(), *lab::numbers_of(axis().values));
}

std::vector<std::string> Laboratory::settings_of(std::uint64_t run) const {
    const lab::RunCoordinates coordinates = spec().coordinates(run);
    std::vector<std::string> sets = swept_.sets;
    // Removes the settings of values below the JSON pointer of the axis, because the value of the axis would
    // overwrite them.
    std::erase_if(sets, [&](const std::string& set) {
        return pointer_of_setting(set).starts_with(axis().pointer + "/");
    });
    set_value(sets, axis().pointer, axis().values[coordinates.at[0]]);
    for (const std::string& set : spec().sets)
        if (sets_pointer(set, "/until")) set_value(sets, "/until", set.substr(set.find('=') + 1));
    if (coordinates.seed != spec().first_seed) set_value(sets, "/seed", fmt::format("{}", coordinates.seed));
    return sets;
}

const std::string& Laboratory::policy_of(std::uint64_t run) const {
    return spec().policies[spec().coordinates(run).policy];
}

std::string Laboratory::command() const {
    lab::SweepRequest request;
    request.sets = spec().sets;
    request.vary = {axis().pointer + "=" + swept_request_.values};
    request.policies = spec().policies;
    if (spec().seeds() > 1) request.seeds = fmt::format("{}", spec().seeds());
    return lab::sweep_command(swept_.source, request, measures_.empty() ? std::string{} : measures_.front());
}

std::string Laboratory::results_file_text() const {
    std::string text = lab::header_line(spec(), {});
    for (std::uint64_t run = 0; run < spec().runs(); ++run)
        text += lab::row_line(spec(), rows_.at(cache_key_of(run)));
    return text;
}

std::string Laboratory::figure_svg(const std::string& results_name) const {
    std::string command = "switchyard figure sweep " + lab::quote_for_shell(results_name);
    if (!measures_.empty()) command += " --measure " + lab::quote_for_shell(measures_.front());
    return sim::plot::svg(sim::plot::layout(sim::figures::sweep_plot(*results_, measure_, 0, command),
                                            kFigureWidth, kFigureHeight,
                                            sim::plot::options_for_file(kFigureWidth, kFigureHeight)));
}

}  // namespace ui
