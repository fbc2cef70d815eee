// The box that records a stop of a tour: its title, its caption, and what it shows.
#include <fmt/format.h>

#include "ui/app/overlay_parts.h"
#include "ui/panels/drawing.h"
#include "ui/platform/imgui_versions.h"

namespace ui::overlays {
namespace {

void add_typed_stop(App& app) {
    OverlayBox& box = app.overlay_box();
    TourRecorder& recorder = app.control().tour_recorder();
    box.problem = recorder.recording_refusal();
    if (!box.problem.empty()) return;
    recorder.add_stop(box.typed.data(), box.caption.data(), box.notes.data());
    box.typed[0] = box.caption[0] = box.notes[0] = '\0';
    app.show_overlay(App::Overlay::none);
}

// Adds the stop that has been typed, if any, and opens the dialog to save the tour.
void save_tour(App& app) {
    const OverlayBox& box = app.overlay_box();
    if (box.typed[0] != '\0' || box.caption[0] != '\0' || box.notes[0] != '\0') add_typed_stop(app);
    if (app.overlay_box().problem.empty()) app.show_overlay(App::Overlay::save);
}

// The first call asks the user, the second call discards the recorded stops.
void discard_tour(App& app) {
    OverlayBox& box = app.overlay_box();
    if (box.question.empty()) {
        box.question = "Discard all recorded stops?";
        return;
    }
    box.question.clear();
    app.control().tour_recorder().discard_stops();
}

}  // namespace

std::vector<std::string> tour_stop_lines(const App& app) {
    const TourRecorder& recorder = app.control().tour_recorder();
    std::vector<std::string> lines;
    for (const sim::TourStop& stop : recorder.stops())
        lines.push_back(fmt::format("{}. {}{}{}", lines.size() + 1, stop.title,
                                    stop.title.empty() ? "" : ": ", stop_text(stop)));
    lines.push_back(
        fmt::format("{}. (new) {}", lines.size() + 1, stop_text(recorder.stop_of_current_state())));
    for (const std::string& line : recorder.state_not_in_stop())
        lines.push_back("Not stored in the stop: " + line + ".");
    if (recorder.can_extend_scenario_tour())
        lines.emplace_back(
            "Saving will replace this scenario's tour, unless you press \"Continue the "
            "scenario's tour\".");
    return lines;
}

void draw_tour_stop_dialog(App& app, Frame& frame) {
    OverlayBox& box = app.overlay_box();
    const TourRecorder& recorder = app.control().tour_recorder();
    if (!begin_overlay_box("Record a tour", frame, 640, 500)) app.show_overlay(App::Overlay::none);
    if (box.just_opened) {
        // Removes text that was typed in another overlay, because all overlays share `typed`. `caption`
        // belongs only to this dialog, so an unfinished caption is kept.
        box.typed[0] = '\0';
        focus_next_item();
    }
    ImGui::SetNextItemWidth(-1);
    const bool titled =
        ImGui::InputTextWithHint("##title", "Title of this stop of the tour", box.typed.data(),
                                 TourRecorder::kLongestTitle + 1, ImGuiInputTextFlags_EnterReturnsTrue) &&
        !box.just_opened;
    draw_dim_text(frame, "Caption (Ctrl+Enter adds the stop):");
    const bool captioned =
        ImGui::InputTextMultiline("##caption", box.caption.data(), TourRecorder::kLongestCaption + 1,
                                  {-1, frame.px(90)}, ImGuiInputTextFlags_EnterReturnsTrue);
    draw_dim_text(
        frame, fmt::format("Presenter's notes (only in the notes window, {}):", app.key_of_command("notes")));
    const bool noted =
        ImGui::InputTextMultiline("##notes", box.notes.data(), TourRecorder::kLongestCaption + 1,
                                  {-1, frame.px(54)}, ImGuiInputTextFlags_EnterReturnsTrue);
    if (!box.problem.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.error);
        ImGui::TextWrapped("%s", box.problem.c_str());
        ImGui::PopStyleColor();
    }
    if (ImGui::Button("Add this stop") || titled || captioned || noted) app.ask(add_typed_stop);
    ImGui::SameLine();
    if (recorder.can_extend_scenario_tour() && ImGui::Button("Continue the scenario's tour"))
        app.ask([](App& a) { a.control().tour_recorder().extend_scenario_tour(); });
    if (!recorder.stops().empty()) {
        if (ImGui::Button("Remove the last stop"))
            app.ask([](App& a) { a.control().tour_recorder().remove_last_stop(); });
        ImGui::SameLine();
        if (ImGui::Button("Save the tour...")) app.ask(save_tour);
        ImGui::SameLine();
        if (ImGui::Button(box.question.empty() ? "Discard all stops"
                                               : "Really discard "
                                                 "all?"))
            app.ask(discard_tour);
    } else {
        ImGui::NewLine();
    }
    begin_child("stops");
    for (const std::string& line : tour_stop_lines(app)) draw_dim_text(frame, line);
    ImGui::EndChild();
    ImGui::End();
}

}  // namespace ui::overlays
