#include "ui/control/app_state.h"

#include <fmt/format.h>

#include <filesystem>
#include <new>
#include <utility>

#include "sim/replay/session.h"
#include "sim/trace_io/import/input_kind.h"
#include "sim/trace_io/import/trace_files.h"
#include "sim/trace_io/rt_app/rt_app.h"
#include "sim/trace_io/scenario/recorded_run.h"
#include "ui/view/edited_script.h"
#include "ui/view/format.h"

namespace ui {
namespace {

using ScenarioPtr = std::shared_ptr<const sim::Scenario>;

ScenarioPtr read(const sim::ScenarioText& text, const std::vector<std::string>& sets) {
    return std::make_shared<const sim::Scenario>(sim::parse_scenario(text, sets));
}

}  // namespace

std::string words_of(const std::exception& problem) {
    const auto* all = dynamic_cast<const sim::ScenarioError*>(&problem);
    if (dynamic_cast<const std::bad_alloc*>(&problem) != nullptr)
        return "There is not enough memory for this action.";
    if (all == nullptr) return problem.what();
    std::string words;
    for (const sim::Problem& one : all->problems()) words += (words.empty() ? "" : "\n") + one.text();
    return words;
}

std::unique_ptr<Run> AppState::make_run(const ScenarioPtr& scenario, const std::string& policy,
                                        const std::vector<sim::Intervention>& interventions) {
    // Removes an unmodified script that no run uses, so that its file is read again.
    const std::string name(sim::name_in_spec(policy));
    const auto text = scripts.texts().find(name);
    const std::string* const kept = scripts.file_text(name);
    if (text != scripts.texts().end() && kept != nullptr && *kept == text->second && !uses_script(name))
        scripts.remove(name);
    auto run = std::make_unique<Run>(
        std::make_unique<sim::Session>(scenario, scripts.make_policy(policy, scenario->cpus), interventions));
    model.own_scripts = scripts.names();
    return run;
}

namespace {

// The first remark, without the file's name at its beginning, and the number of the other remarks. Empty if
// there are no remarks.
std::string first_remark(const std::string& path, const std::vector<std::string>& remarks) {
    if (remarks.empty()) return "";
    const std::string& first = remarks.front();
    const std::string file = sim::printable(path) + ": ";
    std::string text = " Note: " + (first.starts_with(file) ? first.substr(file.size()) : first);
    if (remarks.size() > 1)
        text +=
            fmt::format("; `switchyard import` prints {}", pluralize(remarks.size() - 1, "more note", "s"));
    return text;
}

// A summary of a trace and the first remark about it.
std::string trace_summary(const std::string& path, const sim::trace_io::RecordedRun& recorded) {
    std::string text = fmt::format(
        "{}: a trace of {} on {}, {} in {}.", sim::printable(std::filesystem::path(path).filename().string()),
        pluralize(recorded.made.tasks, "task", "s"), pluralize(recorded.made.cpus, "CPU", "s"),
        pluralize(recorded.made.switches, "switch", "es"), span(recorded.made.length));
    return text + first_remark(path, recorded.remarks);
}

}  // namespace

// Opens an rt-app workload as the scenario that `switchyard import` makes from it.
void AppState::open_workload(const std::string& path, const std::string& policy) {
    namespace io = sim::trace_io;
    io::Notes notes;
    const io::Workload workload =
        io::read_workload(path, io::TraceFiles({path}).take_text_of_only_file(), {}, notes);
    const std::string name = std::filesystem::path(path).stem().string();
    replace_scenario(
        path,
        {.file = sim::printable(path), .text = workload.scenario, .folder = "", .name = sim::printable(name)},
        policy);
    origin_ = Origin::workload;
    say(fmt::format("{}: an rt-app workload with {}.",
                    sim::printable(std::filesystem::path(path).filename().string()),
                    pluralize(workload.entries, "task group", "s")) +
        first_remark(path, io::note_sentences(path, notes)));
}

void AppState::open(const std::string& path_or_name, const std::string& policy) {
    const sim::trace_io::InputKind kind = sim::trace_io::kind_of_file(path_or_name);
    if (kind == sim::trace_io::InputKind::workload) return open_workload(path_or_name, policy);
    if (kind == sim::trace_io::InputKind::scenario) {
        sim::ScenarioText text = sim::find_scenario(path_or_name);
        return text.name.empty() ? replace_scenario(path_or_name, std::move(text), policy)
                                 : open(std::move(text), policy, /*is_job_table=*/true);
    }
    auto recorded = std::make_unique<const RecordedTrace>(
        sim::trace_io::read_recorded_run({path_or_name}, import_options));
    const std::string words = trace_summary(path_or_name, recorded->run());
    sim::ScenarioText text{.file = sim::printable(path_or_name),
                           .text = recorded->run().scenario,
                           .folder = "",
                           .name = sim::printable(std::filesystem::path(path_or_name).stem().string())};
    replace_scenario(path_or_name, std::move(text), policy, std::move(recorded));
    origin_ = Origin::trace;
    say(words);
}

const char* AppState::origin_phrase() const {
    return origin_ == Origin::trace      ? "was made from a trace"
           : origin_ == Origin::workload ? "was made from a workload"
           : origin_ == Origin::table    ? "was entered as a table"
                                         : "came from a link";
}

void AppState::open(sim::ScenarioText text, const std::string& policy, bool is_job_table) {
    const std::string name = text.name;
    replace_scenario(name, std::move(text), policy);
    if (is_job_table) origin_ = Origin::table;
}

void AppState::replace_scenario(const std::string& source, sim::ScenarioText text, const std::string& policy,
                                std::unique_ptr<const RecordedTrace> recorded) {
    ScenarioPtr scenario = read(text, {});
    auto run = make_run(scenario, policy.empty() ? scenario->policy : policy);
    auto trace_comparison = recorded ? std::make_unique<RunTraceComparison>(*recorded, *run) : nullptr;
    end_compare();
    source_ = source;
    origin_ = Origin::other;
    edited_ = false;
    text_ = std::move(text);
    scenario_ = std::move(scenario);
    const std::uint64_t opened = model.opened + 1;
    model = {};
    model.opened = opened;
    model.own_scripts = scripts.names();
    model.scenario_name = scenario_->name;
    static_cast<ScenarioViewState&>(view) = {};
    trace_comparison_.reset();
    recorded_ = std::move(recorded);
    show_run_a(std::move(run), std::move(trace_comparison));
}

bool AppState::rebuild_runs(std::vector<std::string> sets, const std::string& policy) {
    return rebuild_runs(latest_text(), std::move(sets), policy);
}

bool AppState::rebuild_runs(const std::string& text, std::vector<std::string> sets,
                            const std::string& policy) {
    sim::ScenarioText changed = text_;
    changed.text = text;
    if (!edited_) saved_text_ = text_.text;
    const bool ends = rebuild_runs(std::move(changed), std::move(sets), policy);
    edited_ = text_.text != saved_text_;
    return ends;
}

bool AppState::rebuild_runs(sim::ScenarioText text, std::vector<std::string> sets,
                            const std::string& policy) {
    ScenarioPtr scenario = read(text, sets);
    auto a = make_run(scenario, policy);
    const bool ends = b_ && !b_->history().interventions().empty();
    auto b = b_ && !ends ? make_run(scenario, b_policy_) : nullptr;
    auto trace_comparison = make_trace_comparison(*a);
    text_ = std::move(text);
    scenario_ = std::move(scenario);
    model.sets = std::move(sets);
    end_compare();
    if (b) compare(std::move(b));
    show_run_a(std::move(a), std::move(trace_comparison));
    return ends;
}

void AppState::replace_text_and_save(sim::ScenarioText text, const std::function<void()>& write) {
    ScenarioPtr scenario = read(text, {});
    auto a = make_run(scenario, scenario->policy);
    auto b = b_ ? make_run(scenario, b_->history().policy().spec(), b_->history().interventions()) : nullptr;
    auto trace_comparison = make_trace_comparison(*a);
    write();
    origin_ = Origin::other;
    edited_ = false;
    source_ = text.file;
    text_ = std::move(text);
    scenario_ = std::move(scenario);
    model.scenario_name = scenario_->name;
    model.sets.clear();
    if (b) compare(std::move(b));
    show_run_a(std::move(a), std::move(trace_comparison));
}

void AppState::replace_run_a(const std::string& policy) {
    auto a = make_run(scenario_, policy);
    auto trace_comparison = make_trace_comparison(*a);
    show_run_a(std::move(a), std::move(trace_comparison));
}

namespace {

bool switches_to_script(const sim::Intervention& intervention, const std::string& name) {
    return intervention.kind == sim::Intervention::Kind::policy &&
           sim::name_in_spec(intervention.policy) == name;
}

}  // namespace

bool AppState::uses_script(const std::string& name) const {
    for (const Run* run : {a_.get(), b_.get()}) {
        if (run == nullptr) continue;
        if (run->history().policy().name == name) return true;
        for (const sim::Intervention& i : run->history().interventions())
            if (switches_to_script(i, name)) return true;
    }
    return false;
}

AppState::RebuildResult AppState::replace_script(const std::string& name, const std::string& new_name,
                                                 const std::string& text, bool rebuilds_both) {
    sim::script_policy_of(new_name, text);  // throws if the script is invalid
    const sim::ScriptTexts before = scripts.texts();
    RebuildResult renewed;
    std::unique_ptr<Run> a, b;
    std::unique_ptr<RunTraceComparison> trace_comparison;  // for `a`
    std::string b_policy = b_policy_;
    scripts.set_text_for_runs(new_name, text);
    try {
        if (a_ && a_->history().policy().name == name) {
            a = make_run(scenario_, spec_with_script(a_->history().policy(), new_name, text));
            renewed.a = true;
            trace_comparison = make_trace_comparison(*a);
        }
        if (rebuilds_both && b_) {
            const sim::RunHistory& history = b_->history();
            std::vector<sim::Intervention> done = history.interventions();
            const bool is_of_it = history.policy().name == name;
            for (sim::Intervention& i : done) {
                if (!switches_to_script(i, name)) continue;
                i.policy = new_name + i.policy.substr(name.size());
                i.scripts = {{new_name, text}};
                renewed.b = true;
            }
            renewed.b = renewed.b || is_of_it;
            renewed.ends_comparison = is_of_it && !done.empty();
            if (is_of_it && done.empty()) b_policy = spec_with_script(history.policy(), new_name, text);
            if (renewed.b && !renewed.ends_comparison)
                b = make_run(scenario_, is_of_it ? b_policy : history.policy().spec(), done);
        }
    } catch (...) {
        const auto was = before.find(new_name);
        if (was == before.end())
            scripts.remove(new_name);
        else
            scripts.set_text_for_runs(new_name, was->second);
        throw;
    }
    if (renewed.ends_comparison) end_compare();
    if (b) {
        compare(std::move(b));
        b_policy_ = b_policy;
    }
    if (a) show_run_a(std::move(a), std::move(trace_comparison));
    model.own_scripts = scripts.names();
    return renewed;
}

std::unique_ptr<RunTraceComparison> AppState::make_trace_comparison(const Run& run) const {
    return recorded_ ? std::make_unique<RunTraceComparison>(*recorded_, run) : nullptr;
}

void AppState::show_run_a(std::unique_ptr<Run> run, std::unique_ptr<RunTraceComparison> trace_comparison) {
    trace_comparison_ = std::move(trace_comparison);
    a_ = std::move(run);
    model.a = a_.get();
    model.recorded = recorded_.get();
    model.trace_comparison = trace_comparison_.get();
    model.difference.reset();
}

void AppState::compare(const std::string& policy) {
    compare(make_run(scenario_, policy));
    b_policy_ = policy;
}

void AppState::compare(std::unique_ptr<Run> run) {
    b_ = std::move(run);
    model.b = b_.get();
    model.difference.reset();
}

void AppState::end_compare() { compare(std::unique_ptr<Run>()); }

Deadline AppState::deadline_after(std::chrono::milliseconds wait) const {
    return wait_without_limit ? Deadline::max() : Deadline::clock::now() + wait;
}

void AppState::simulate(Run& run, Deadline end, const std::function<bool()>& should_stop) const {
    while (!run.history().is_complete() && !should_stop() && Deadline::clock::now() < end)
        run.session().history().extend(64);  // 64 decisions; about 20 ms with a slow policy script
}

}  // namespace ui
