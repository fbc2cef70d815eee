// User actions that store an intervention in the scenario.
#include <fmt/format.h>

#include "sim/base/units.h"
#include "sim/core/intervene.h"
#include "sim/replay/intervention.h"
#include "sim/scenario/json_edit.h"
#include "sim/scenario/value_edit.h"
#include "ui/control/control.h"
#include "ui/view/format.h"

namespace ui {
namespace {

constexpr const char* kInterventions = "/interventions";

// The time at which a change of the scenario takes effect: the time of the position, or 1 ns later if
// events of this time have already happened.
sim::Nanos time_of_effect(const sim::Machine& m) {
    const sim::Globals& g = m.globals();
    return g.events > g.events_at_last_advance ? g.now + sim::Nanos{1} : g.now;
}

}  // namespace

std::string intervention_refusal(const Run& run, sim::ScenarioIntervention::Kind kind, sim::TaskId p) {
    const sim::Machine& m = run.session().machine();
    const bool is_wake = kind == sim::ScenarioIntervention::Kind::wake;
    std::string why = sim::refusal(
        {.kind = is_wake ? sim::Intervention::Kind::wake : sim::Intervention::Kind::kill, .task = p}, m);
    if (why.empty() && sim::predict_intervention_result(kind, m, p) == sim::InterventionResult::asleep)
        why = "the task is already asleep";
    return why;
}

void Control::store_intervention(sim::ScenarioIntervention::Kind kind, sim::TaskId p, std::int32_t priority) {
    if (!state_.is_open()) return;
    const Run& run = state_.a();
    std::string why = intervention_refusal(run, kind, p);
    if (why.empty() && !edited_.is_valid()) why = "The edited scenario has problems: correct them first.";
    if (!why.empty()) return state_.say(why);
    const std::string name = run.name(p);
    std::string json = fmt::format("{{\"{}\": {}, ", to_string(kind), sim::json_string(name));
    if (kind == sim::ScenarioIntervention::Kind::renice) json += fmt::format("\"priority\": {}, ", priority);
    json += fmt::format("\"at\": \"{}\"}}", sim::format_time(time_of_effect(run.session().machine())));
    edit_scenario(
        [&](const sim::JsonTree& tree) {
            const sim::JsonValue* const list = sim::value_at(tree, kInterventions);
            if (list == nullptr)
                return sim::with_value_at(tree, kInterventions, "[" + json + "]", &sim::scenario_schema());
            return sim::with_inserted_element(tree, kInterventions, list->size(), json);
        },
        {}, fmt::format("{} {} at {}", to_string(kind), name, instant_text(run.now())));
    if (!edited_.is_valid()) state_.say(edited_.problems.front().message);
}

void Control::add_task_at_position() {
    if (!state_.is_open()) return;
    constexpr sim::Nanos kBurst{10'000'000};
    try {
        add_job({sim::unused_job_name(state_.scenario()),
                 time_of_effect(state_.a().session().machine()),
                 kBurst,
                 {}});
    } catch (const sim::ScenarioError& problem) {  // such as "max_tasks" that does not allow another task
        state_.say(problem.problems().front().message);
    }
}

}  // namespace ui
