#include "ui/control/desk.h"

#include <new>
#include <utility>

#include "sim/replay/session.h"

namespace ui {
namespace {

using ScenarioPtr = std::shared_ptr<const sim::Scenario>;

std::unique_ptr<Run> make_run(const ScenarioPtr& scenario, const std::string& policy,
                              const std::vector<sim::Intervention>& interventions = {}) {
    return std::make_unique<Run>(
        std::make_unique<sim::Session>(scenario, sim::make_policy(policy, scenario->cpus), interventions));
}

ScenarioPtr read(const sim::ScenarioText& text, const std::vector<std::string>& sets) {
    return std::make_shared<const sim::Scenario>(sim::parse_scenario(text, sets));
}

}  // namespace

std::string words_of(const std::exception& problem) {
    const auto* all = dynamic_cast<const sim::ScenarioError*>(&problem);
    if (dynamic_cast<const std::bad_alloc*>(&problem) != nullptr)
        return "There is not enough memory for this.";
    if (all == nullptr) return problem.what();
    std::string words;
    for (const sim::Problem& one : all->problems()) words += (words.empty() ? "" : "\n") + one.text();
    return words;
}

void Desk::open(const std::string& path_or_name, const std::string& policy) {
    put(path_or_name, sim::find_scenario(path_or_name), policy);
}

void Desk::open(sim::ScenarioText text, const std::string& policy) {
    const std::string name = text.name;
    put(name, std::move(text), policy);
}

void Desk::put(const std::string& source, sim::ScenarioText text, const std::string& policy) {
    ScenarioPtr scenario = read(text, {});
    auto run = make_run(scenario, policy.empty() ? scenario->policy : policy);
    end_compare();
    source_ = source;
    text_ = std::move(text);
    scenario_ = std::move(scenario);
    model = {};
    model.scenario_name = scenario_->name;
    static_cast<ScenarioView&>(view) = {};
    show_a(std::move(run));
}

bool Desk::use(std::vector<std::string> sets, const std::string& policy) {
    sim::ScenarioText text = latest_text();
    ScenarioPtr scenario = read(text, sets);
    auto a = make_run(scenario, policy);
    const bool ends = b_ && !b_->recording().interventions().empty();
    auto b = b_ && !ends ? make_run(scenario, b_policy_) : nullptr;
    text_ = std::move(text);
    scenario_ = std::move(scenario);
    model.sets = std::move(sets);
    end_compare();
    if (b) compare(std::move(b));
    show_a(std::move(a));
    return ends;
}

void Desk::take_over(sim::ScenarioText text, const std::function<void()>& write) {
    ScenarioPtr scenario = read(text, {});
    auto a = make_run(scenario, scenario->policy);
    auto b =
        b_ ? make_run(scenario, b_->recording().policy().spec(), b_->recording().interventions()) : nullptr;
    write();
    source_ = text.file;
    text_ = std::move(text);
    scenario_ = std::move(scenario);
    model.scenario_name = scenario_->name;
    model.sets.clear();
    if (b) compare(std::move(b));
    show_a(std::move(a));
}

void Desk::run_a(const std::string& policy) { show_a(make_run(scenario_, policy)); }

void Desk::show_a(std::unique_ptr<Run> run) {
    a_ = std::move(run);
    model.a = a_.get();
    model.difference.reset();
}

void Desk::compare(const std::string& policy) {
    compare(make_run(scenario_, policy));
    b_policy_ = policy;
}

void Desk::compare(std::unique_ptr<Run> run) {
    b_ = std::move(run);
    model.b = b_.get();
    model.difference.reset();
}

void Desk::end_compare() { compare(std::unique_ptr<Run>()); }

Deadline Desk::deadline(std::chrono::milliseconds wait) const {
    return patient ? Deadline::max() : Deadline::clock::now() + wait;
}

void Desk::simulate(Run& run, Deadline end, const std::function<bool()>& enough) const {
    while (!run.recording().is_complete() && !enough() && Deadline::clock::now() < end)
        run.session().recording().extend(64);
}

}  // namespace ui
