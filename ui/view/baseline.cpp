#include "ui/view/baseline.h"

namespace ui {

void Baseline::record(const Model& model) {
    if (model.a == nullptr) return;
    const Run& run = *model.a;
    const sim::Scenario& scenario = run.scenario();
    const std::string spec = run.history().policy().spec();
    const bool another = scenario_ != model.scenario_name || groups_ != scenario.groups.size();
    const bool unchanged = model.sets.empty();
    if (another) {
        *this = Baseline();
        scenario_ = model.scenario_name;
        policy_ = spec;
        groups_ = scenario.groups.size();
    }
    if (another || (unchanged && run_ != run.id())) {
        run_ = run.id();
        knobs_ = knobs_of(scenario);
        values_.clear();
        for (const Knob& knob : knobs_) values_.push_back(value_of(knob, scenario));
    }
    // The result of a run with interventions is not that of the unchanged scenario.
    if (unchanged && spec == policy_ && run.history().interventions().empty()) outcome_ = outcome_of(run);
}

bool Baseline::is_changed(const Model& model) const {
    return !model.sets.empty() || model.a->history().policy().spec() != policy_;
}

}  // namespace ui
