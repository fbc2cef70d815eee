// The dialog to save a scenario or a script, or to export a run.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/text.h"
#include "ui/app/overlay_parts.h"
#include "ui/panels/drawing.h"
#include "ui/platform/imgui_versions.h"
#include "ui/view/edited_script.h"
#include "ui/view/format.h"
#include "ui/view/saving.h"

namespace ui {
namespace {

std::string joined_lines(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
    return text;
}

}  // namespace

SaveDialogText save_dialog_text(const App& app) {
    SaveDialogText words;
    try {
        std::vector<std::string> values = changes_to_save(app.control().source_text(), app.model());
        for (std::string& value : values)
            if (value.starts_with("/policy=")) value = "the policy " + value.substr(8);
        const std::string changes = joined_lines(values);
        const std::string workload = app.control().is_text_edited() ? "the edited workload\n" : "";
        const std::size_t stops = app.control().tour_recorder().stops().size();
        const std::string tour =
            stops == 0 ? "" : fmt::format("a tour of {}\n", pluralize(stops, "stop", "s"));
        words.changes = (changes + workload + tour).empty()
                            ? "The scenario has no changes: this saves a copy."
                            : "Changes that the file will contain:\n" + tour + workload + changes;
    } catch (const std::exception& problem) {
        // Shows the problem instead of the changes; for example, a file of the scenario is missing.
        words.changes = words_of(problem);
    }
    if (const std::string left_out = joined_lines(state_not_in_file(app.model())); !left_out.empty())
        words.left_out = "Not saved in the file:\n" + left_out;
    words.changes = sim::printable_lines(words.changes);
    return words;
}

SaveDialogText export_dialog_text(const App& app) {
    SaveDialogText words;
    const std::optional<TimeRange>& selection = app.view().selection;
    const std::string what =
        selection ? fmt::format("The selected range ({})", range_text(selection->begin, selection->end))
                  : "The whole run";
    words.changes = fmt::format("{} under {} is exported. The file extension selects the format:\n{}", what,
                                app.model().a->history().policy().spec(), joined_lines(export_endings()));
    if (app.model().b != nullptr) words.left_out = "Not saved in the file:\nrun B";
    return words;
}

namespace overlays {
namespace {

// Saves under the typed name. Replaces an existing file only if the box already shows the question whether
// to replace it.
void try_to_save(App& app) {
    OverlayBox& box = app.overlay_box();
    const std::string typed = box.typed.data();
    const bool replace = !box.question.empty();
    Control& control = app.control();
    const SaveResult saved = app.overlay() == App::Overlay::save_script ? control.save_script(typed, replace)
                             : app.overlay() == App::Overlay::export_run
                                 ? control.exporter().begin_export(typed, replace)
                                 : control.save_as(typed, replace);
    const bool asks = saved.outcome == SaveResult::Outcome::exists;
    box.question = asks ? sim::printable_lines(saved.words) : "";
    box.problem = asks ? "" : sim::printable_lines(saved.words);
    if (saved.outcome == SaveResult::Outcome::saved) {
        app.unsaved_prompt().close_after_save();
        return;
    }
    if (app.overlay() == App::Overlay::save) box.words = save_dialog_text(app);
}

// True if Enter was pressed in this frame. Repeats of a held key do not count, because they would answer
// the question that the first press causes.
bool is_enter_pressed() {
    const ImGuiKey keys[] = {ImGuiKey_Enter, kKeypadEnter};
    return std::any_of(std::begin(keys), std::end(keys),
                       [](ImGuiKey key) { return is_key_pressed(key, /*repeat=*/false); });
}

// The initial file name in the box.
std::string proposed_file_name(const App& app) {
    if (app.overlay() == App::Overlay::save) return proposed_file(app.control().source_text());
    if (app.overlay() == App::Overlay::export_run) return proposed_export_file(app.control().source_text());
    const EditedScript& script = app.control().script();
    return script.is_builtin ? unused_copy_name(script.name, {}) : script.name;
}

const char* save_dialog_title(Overlay overlay) {
    return overlay == Overlay::save_script  ? "Save the script as"
           : overlay == Overlay::export_run ? "Export as"
                                            : "Save as";
}

}  // namespace

void draw_save_dialog(App& app, Frame& frame) {
    OverlayBox& box = app.overlay_box();
    const bool is_export = app.overlay() == App::Overlay::export_run;
    const float height = app.overlay() == App::Overlay::save_script ? 190 : 300;
    if (!begin_overlay_box(save_dialog_title(app.overlay()), frame, is_export ? 760 : 620, height))
        app.show_overlay(App::Overlay::none);
    if (box.just_opened) {
        const std::string name = sanitize_for_text_box(proposed_file_name(app), box.typed.size() - 1);
        box.typed[name.copy(box.typed.data(), name.size())] = '\0';
    }
    if (box.just_opened || !(ImGui::IsAnyItemActive() || ImGui::IsAnyMouseDown())) focus_next_item();
    ImGui::SetNextItemWidth(-1);
    const bool entered =
        ImGui::InputText("##file", box.typed.data(), box.typed.size(),
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll) &&
        is_enter_pressed();
    if (ImGui::IsItemEdited()) {
        box.problem.clear();
        box.question.clear();
    }
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.error);
    for (const std::string& said : {box.problem, box.question})
        if (!said.empty()) ImGui::TextWrapped("%s", said.c_str());
    ImGui::PopStyleColor();
    ImGui::Spacing();
    if (ImGui::Button(!box.question.empty() ? "Replace" : is_export ? "Export" : "Save") || entered)
        app.ask(try_to_save);
    begin_child("words");
    draw_dim_text(frame, box.words.changes);
    ImGui::Spacing();
    draw_dim_text(frame, box.words.left_out);
    ImGui::EndChild();
    ImGui::End();
}

}  // namespace overlays
}  // namespace ui
