#include "ui/app/place.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/scenario/builtin_files.h"
#include "ui/app/app.h"
#include "ui/view/tabs.h"

namespace ui {
namespace {

std::string words_for_position(const sim::Session& session) {
    return session.is_behind_event() ? fmt::format("event {}", session.machine().globals().events)
                                     : sim::format_time(session.now());
}

bool sees_laboratory(const ViewState& view) {
    return view.alone.empty() ? view.tab == Tab::laboratory : view.alone == info_of(Tab::laboratory).pane;
}

bool open_scenario(Control& control, const sim::Link& place) {
    return place.text.empty() ? control.open(place.scenario, place.policy)
                              : control.open(sim::carried_scenario(place), place.policy);
}

// Sets the changed values. Returns whether the scenario accepts all of them.
bool set_values(App& app, const sim::Link& place) {
    Control& control = app.control();
    for (const std::string& set : place.sets) {
        const std::size_t equals = set.find('=');
        if (equals == std::string::npos) {
            open_scenario(control, place);
            control.set_error(fmt::format("--set {}: expected POINTER=VALUE", sim::printable(set)));
            return false;
        }
        control.set_value(set.substr(0, equals), set.substr(equals + 1));
        if (!app.model().error.empty()) return false;
    }
    return true;
}

// Selects the panes and their contents; earlier choices have no effect.
void show(App& app, const sim::Link& place) {
    ViewState& view = app.view();
    const bool asks = !place.vary.empty();
    const TabInfo* const tab = tab_named(place.tab);
    view.tab = ViewState{}.tab;
    view.narrow_tab = ViewState{}.narrow_tab;
    view.alone.clear();
    view.bare = place.bare;
    app.show_alone(place.panel);
    if (tab != nullptr)
        show_tab(view, tab->tab);
    else if (asks && place.panel.empty())
        show_tab(view, Tab::laboratory);
    if (asks)
        view.laboratory =
            lab_request(place, app.model().a->scenario(), app.model().a->recording().policy().spec());
    if (!place.show) return;
    app.control().history().show({place.show->begin, place.show->end});
    app.control().history().forget_back();
}

}  // namespace

LabRequest lab_request(const sim::Link& link, const sim::Scenario& scenario, const std::string& policy) {
    const std::size_t equals = link.vary.find('=');
    LabRequest request{.pointer = link.vary.substr(0, equals),
                       .values = link.vary.substr(equals + 1),
                       .policies = link.with,
                       .measure = link.measure,
                       .seeds = link.seeds,
                       .until = link.until};
    const LabRequest usual = default_lab_request(scenario, policy);
    if (request.policies.empty()) request.policies = usual.policies;
    if (request.until.empty()) request.until = usual.until;
    return request;
}

bool go_to_place(App& app, const sim::Link& place) {
    app.set_theme(place.theme);
    app.set_scale(static_cast<float>(place.scale) / 100);
    Control& control = app.control();
    if (!open_scenario(control, place) || !set_values(app, place)) return false;
    // Presenting starts at a stop of the tour, so it is set before the position.
    if (app.view().presenting != place.present) app.toggle_presenting();
    if (!place.sets.empty()) control.navigator().go_to_start();
    if (!place.compare.empty()) control.comparison().compare_with(place.compare);
    if (!app.model().error.empty()) return false;
    if (!place.at.empty() && !control.navigator().go_to(place.at)) return false;
    if (place.switch_number && !control.navigator().go_to(fmt::format("switch {}", *place.switch_number)))
        return false;
    show(app, place);
    // After a move to an explicit position, the window is not at a stop of the tour.
    if (!place.sets.empty() || !place.compare.empty() || !place.at.empty() || place.switch_number)
        app.view().stop.reset();
    return true;
}

sim::Link place_of(App& app) {
    const Model& model = app.model();
    const ViewState& view = app.view();
    const sim::Scenario& scenario = model.a->scenario();
    const std::string policy = model.a->recording().policy().spec();
    sim::Link place;
    place.sets = model.sets;
    if (policy != sim::make_policy(scenario.policy, scenario.cpus).spec()) place.policy = policy;
    if (model.b != nullptr) place.compare = model.b->recording().policy().spec();
    place.at = words_for_position(model.a->session());
    if (const TimeRange usual = app.control().history().around_position(); view.shown != usual)
        place.show = {view.shown.begin, view.shown.end};
    place.panel = view.alone;
    if (view.tab != ViewState{}.tab) place.tab = info_of(view.tab).name;
    place.theme = app.theme().name;
    place.scale = static_cast<int>(std::lround(100 * app.scale()));
    place.present = view.presenting;
    const LabRequest& request = view.laboratory;
    if (sees_laboratory(view) && !request.pointer.empty() &&
        request != default_lab_request(scenario, policy)) {
        place.vary = request.pointer + "=" + request.values;
        place.with = request.policies;
        place.until = request.until;
        place.measure = request.measure;
        place.seeds = request.seeds;
    }

    const sim::ScenarioText& source = app.control().source_text();
    if (app.control().is_builtin()) {
        place.scenario = source.file.substr(0, source.file.rfind('.'));
        return place;
    }
    place.scenario = source.file;
    if (!sim::carries_text()) return place;
    try {
        sim::Link with_text = place;
        sim::carry(with_text, source);
        if (app.control().came_in_a_link() || to_link(with_text).size() < sim::kLongestSafeLink)
            return with_text;
    } catch (const sim::ScenarioError&) {  // the scenario needs other files; its text is not enough
    }
    return place;
}

}  // namespace ui
