#include "ui/control/tour_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/base/units.h"
#include "sim/scenario/json_text.h"
#include "sim/scenario/scenario_json.h"
#include "sim/scenario/value_edit.h"
#include "ui/view/layouts.h"
#include "ui/view/presentation.h"
#include "ui/view/tabs.h"

namespace ui {
namespace {

using Depth = sim::TourStop::Depth;

// The position of the run, for a tour stop. Right after a decision: the number of this switch or decision.
// Right after another event: the number of events. Otherwise: the time.
sim::SeekTarget place_of(const Run& run) {
    const sim::Globals& g = run.session().machine().globals();
    if (const std::optional<sim::DecisionView> last = run.history().decision_at(g.decisions);
        last && last->after.globals().events == g.events && last->after.globals().now == g.now) {
        const bool is_switch = last->record.task != last->record.other;
        return {.kind = is_switch ? sim::StepEventKind::context_switch : sim::StepEventKind::decision,
                .n = is_switch ? g.switches : g.decisions};
    }
    if (g.events > 0) {
        sim::Moment at = run.history().beginning();
        run.history().state_after(g.events, at);
        if (at.machine.globals().now == g.now) return {.kind = sim::StepEventKind::event, .n = g.events};
    }
    return {.kind = {}, .n = 0, .time = g.now};
}

std::string edited_scenario_text(const AppState& state) {
    std::string text = state.text().text;
    for (const std::string& set : state.model.sets) text += "\n" + set;
    return text;
}

Depth depth_of(DepthLevel level) {
    return level == DepthLevel::inside           ? Depth::inside
           : level == DepthLevel::context_switch ? Depth::context_switch
                                                 : Depth::time;
}

const char* name_of(Depth depth) {
    return depth == Depth::inside ? "inside" : depth == Depth::context_switch ? "switch" : "time";
}

// The pane, or part of a pane, that the presenter's view shows, as a name in sim::kTourSubjects; empty: no
// such name.
std::string subject_of(const ViewState& view) {
    if (!view.presenting) return {};
    if (!view.subject.empty()) return view.subject;
    const std::string_view shown = presented_pane(view);
    for (const char* subject : sim::kTourSubjects)
        if (part_of_tour_subject(subject).empty() && pane_of_tour_subject(subject) == shown) return subject;
    return {};
}

// The name of the selected tab. Empty if the pane DECISION is selected, because a tour stop without a pane
// shows this pane.
std::string selected_tab_name(const ViewState& view) {
    if (view.start) return {};
    const std::string_view shown = selected_tab_pane(view);
    const auto tab =
        std::find_if(kTabs.begin(), kTabs.end(), [&](const TabInfo& t) { return t.pane == shown; });
    return tab == kTabs.end() ? std::string() : tab->name;
}

std::string json_of(const sim::TourStop& stop) {
    nlohmann::ordered_json json{{"at", place_text(stop.at)}};
    const auto add = [&](const char* key, const std::string& value) {
        if (!value.empty()) json[key] = value;
    };
    add("title", stop.title);
    json["caption"] = stop.caption;
    add("notes", stop.notes);
    add("policy", stop.policy);
    add("compare", stop.compare);
    add("pane", stop.pane);
    add("subject", stop.subject);
    json["depth"] = name_of(stop.depth);
    if (stop.decision_step > 1) json["decision_step"] = stop.decision_step;
    if (stop.span > sim::Nanos{}) json["time_range"] = sim::format_time(stop.span);
    return sim::json_text(json);
}

}  // namespace

std::string place_text(const sim::SeekTarget& place) {
    return place.kind ? fmt::format("{} {}", to_string(*place.kind), place.n) : sim::format_time(place.time);
}

std::string stop_text(const sim::TourStop& stop) {
    std::string text = place_text(stop.at);
    if (!stop.policy.empty()) text += " under " + stop.policy;
    if (!stop.compare.empty()) text += ", compared with " + stop.compare;
    if (!stop.pane.empty()) text += ", pane " + stop.pane;
    if (stop.depth != Depth::time) text += fmt::format(", depth: {}", name_of(stop.depth));
    if (stop.decision_step > 1) text += fmt::format(", step {} of the decision", stop.decision_step);
    return text;
}

bool TourRecorder::can_extend_scenario_tour() const {
    return stops_.empty() && state_.is_open() && !state_.scenario().tour.empty();
}

sim::TourStop TourRecorder::stop_of_current_state() const {
    const ViewState& view = state_.view;
    const Run* const b = state_.model.b;
    return {.at = place_of(state_.a()),
            .title = {},
            .caption = {},
            .notes = {},
            .policy = state_.a().history().policy().spec(),
            .compare = b == nullptr ? "" : b->history().policy().spec(),
            .pane = selected_tab_name(view),
            .subject = subject_of(view),
            .depth = depth_of(view.level),
            .decision_step =
                view.level == DepthLevel::inside
                    ? static_cast<std::uint32_t>(std::min<std::size_t>(view.inside_step, 999'999) + 1)
                    : 1,
            .span = view.shown.end - view.shown.begin};
}

std::vector<std::string> TourRecorder::state_not_in_stop() const {
    std::vector<std::string> lines;
    if (!state_.a().history().interventions().empty()) lines.emplace_back("the interventions in this run");
    if (state_.model.b != nullptr && !state_.model.b->history().interventions().empty())
        lines.emplace_back("the interventions in run B");
    if (!stops_.empty() && edited_scenario_text(state_) != written_for_)
        lines.emplace_back(
            "the values at the earlier stops: the scenario has changed since then, and all stops will show "
            "the saved scenario");
    if (const TimeRange shown = state_.view.shown;
        std::abs((state_.a().now() - shown.begin).count() - (shown.end - state_.a().now()).count()) >
        (shown.end - shown.begin).count() / 2)
        lines.emplace_back(
            "the visible time range: the stop shows the position in the middle of the "
            "timeline");
    return lines;
}

std::string TourRecorder::recording_refusal() const {
    if (!state_.is_open()) return "Open a scenario first.";
    if (stops_.size() >= kMost) return fmt::format("A tour has at most {} stops.", kMost);
    for (const Run* run : {state_.model.a, state_.model.b}) {
        if (run == nullptr) continue;
        const std::string spec = run->history().policy().spec();
        const std::string unsaved =
            fmt::format("Save the script {} first: a tour contains only the names of its policies.", spec);
        try {
            sim::make_policy(spec, state_.scenario().cpus);
        } catch (const std::exception&) {
            return unsaved;
        }
        const std::string script(sim::name_in_spec(spec));
        const auto edited = state_.scripts.texts().find(script);
        const auto* const kept = state_.scripts.file_text(script);
        if (edited != state_.scripts.texts().end() && kept != nullptr && *kept != edited->second)
            return unsaved;
    }
    return {};
}

void TourRecorder::add_stop(const std::string& title, const std::string& caption, const std::string& notes) {
    if (stops_.empty()) written_for_ = edited_scenario_text(state_);
    stops_.push_back(stop_of_current_state());
    stops_.back().title = title;
    stops_.back().caption = caption;
    stops_.back().notes = notes;
    is_changed_ = true;
    state_.say(
        fmt::format("Recorded stop {}: {}. Now go to the position of the next "
                    "stop.",
                    stops_.size(), stop_text(stops_.back())));
}

void TourRecorder::remove_last_stop() {
    if (stops_.empty()) return;
    stops_.pop_back();
    is_changed_ = !stops_.empty();
}

void TourRecorder::discard_stops() {
    stops_.clear();
    is_changed_ = false;
}

void TourRecorder::extend_scenario_tour() {
    if (!can_extend_scenario_tour()) return;
    std::vector<sim::TourStop> stops = state_.scenario().tour;
    // A stop without a policy uses the scenario's policy. The user may change the scenario's policy, so its
    // current spec is stored in the stop.
    const std::string own = sim::make_policy(state_.scenario().policy, state_.scenario().cpus).spec();
    for (sim::TourStop& stop : stops)
        if (stop.policy.empty()) stop.policy = own;
    stops_ = std::move(stops);
    written_for_ = edited_scenario_text(state_);
}

std::string TourRecorder::text_with_tour(const std::string& file, const std::string& text) const {
    if (stops_.empty()) return text;
    std::string list;
    for (const sim::TourStop& stop : stops_) list += (list.empty() ? "" : ",\n        ") + json_of(stop);
    const sim::JsonTree tree(file, text, nullptr, sim::kMaxScenarioBytes);
    return sim::with_value_at(tree, "/tour", "[\n        " + list + "\n    ]", &sim::scenario_schema());
}

}  // namespace ui
