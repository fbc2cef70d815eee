#include "ui/app/window_link.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/scenario/builtin_files.h"
#include "ui/app/app.h"
#include "ui/view/tabs.h"

namespace ui {
namespace {

std::string position_in_link(const sim::Session& session) {
    return session.is_right_after_event() ? fmt::format("event {}", session.machine().globals().events)
                                          : sim::format_time(session.now());
}

bool is_laboratory_visible(const ViewState& view) {
    return view.alone.empty() ? view.layout == WindowLayout::laboratory || view.tab == Tab::laboratory
                              : view.alone == info_of(Tab::laboratory).pane;
}

bool open_scenario(Control& control, const sim::Link& link) {
    return link.text.empty() ? control.open(link.scenario, link.policy)
                             : control.open(sim::embedded_scenario(link), link.policy);
}

// Applies the link's changed values to the scenario. Returns true if the scenario accepts all of them.
bool apply_link_values(App& app, const sim::Link& link) {
    Control& control = app.control();
    for (const std::string& set : link.sets) {
        const std::size_t equals = set.find('=');
        if (equals == std::string::npos) {
            open_scenario(control, link);
            control.set_error(fmt::format("--set {}: expected POINTER=VALUE", sim::printable(set)));
            return false;
        }
        control.set_value(set.substr(0, equals), set.substr(equals + 1));
        if (!app.model().error.empty()) return false;
    }
    return true;
}

// Shows the panes that the link specifies, with their time range and laboratory request. The panes that were
// shown before have no effect.
void show_linked_panes(App& app, const sim::Link& link) {
    ViewState& view = app.view();
    const bool asks = !link.vary.empty();
    const TabInfo* const tab = tab_named(link.tab);
    view.tab = ViewState{}.tab;
    view.tab_at_laboratory = ViewState{}.tab_at_laboratory;
    view.narrow_tab = ViewState{}.narrow_tab;
    view.alone.clear();
    view.bare = link.bare;
    app.show_pane_alone(link.panel);
    if (tab != nullptr)
        show_tab(view, tab->tab);
    else if (asks && link.panel.empty())
        show_tab(view, Tab::laboratory);
    if (asks)
        view.laboratory =
            lab_request(link, app.model().a->scenario(), app.model().a->history().policy().spec());
    if (!link.show) return;
    app.control().history().show({link.show->begin, link.show->end});
    app.control().history().clear_back_ranges();
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

bool apply_link(App& app, const sim::Link& link) {
    app.set_theme(link.theme);
    app.set_scale(static_cast<float>(link.scale) / 100);
    Control& control = app.control();
    if (!open_scenario(control, link) || !apply_link_values(app, link)) return false;
    // Starting the presenter's view moves to a stop of the tour, so this is done before the position is
    // set.
    if (app.view().presenting != link.present) app.toggle_presenting();
    if (!link.sets.empty()) control.navigator().go_to_first_point_of_interest();
    if (!link.compare.empty()) control.comparison().compare_with(link.compare);
    if (!app.model().error.empty()) return false;
    if (!link.at.empty() && !control.navigator().go_to(link.at)) return false;
    if (link.switch_number && !control.navigator().go_to(fmt::format("switch {}", *link.switch_number)))
        return false;
    show_linked_panes(app, link);
    // A link with changed values, a comparison or a position does not show a stop of the tour.
    if (!link.sets.empty() || !link.compare.empty() || !link.at.empty() || link.switch_number)
        app.view().stop.reset();
    return true;
}

sim::Link link_of_window(App& app) {
    const Model& model = app.model();
    const ViewState& view = app.view();
    const sim::Scenario& scenario = model.a->scenario();
    const std::string policy = model.a->history().policy().spec();
    sim::Link link;
    link.sets = model.sets;
    if (policy != sim::make_policy(scenario.policy, scenario.cpus).spec()) link.policy = policy;
    if (model.b != nullptr) link.compare = model.b->history().policy().spec();
    link.at = position_in_link(model.a->session());
    if (const TimeRange usual = app.control().history().range_around_position(); view.shown != usual)
        link.show = {view.shown.begin, view.shown.end};
    link.panel = view.alone;
    if (view.tab != ViewState{}.tab) link.tab = info_of(view.tab).name;
    link.theme = app.theme().name;
    link.scale = static_cast<int>(std::lround(100 * app.scale()));
    link.present = view.presenting;
    const LabRequest& request = view.laboratory;
    if (is_laboratory_visible(view) && !request.pointer.empty() &&
        request != default_lab_request(scenario, policy)) {
        link.vary = request.pointer + "=" + request.values;
        link.with = request.policies;
        link.until = request.until;
        link.measure = request.measure;
        link.seeds = request.seeds;
    }

    const sim::ScenarioText& source = app.control().source_text();
    if (app.control().is_builtin()) {
        link.scenario = source.file.substr(0, source.file.rfind('.'));
        return link;
    }
    link.scenario = source.file;
    if (!sim::can_embed_text()) return link;
    try {
        sim::Link with_text = link;
        sim::embed_scenario(with_text, source);
        if (app.control().came_in_a_link() || format_link(with_text).size() < sim::kLongestSafeLink)
            return with_text;
    } catch (const sim::ScenarioError&) {  // the scenario needs other files, so its text is not enough
    }
    return link;
}

}  // namespace ui
