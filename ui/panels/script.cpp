// The pane SCRIPT: the editor for the script of run A's policy. The line with an error is highlighted.
#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string_view>

#include "ui/control/control.h"
#include "ui/panels/panel_helpers.h"
#include "ui/panels/script_box.h"
#include "ui/platform/shapes.h"
#include "ui/view/edited_script.h"

namespace ui {
namespace {

// The error to show: the error in the edited text or, if the runs execute exactly this text, the script error
// that ended a run.
struct ScriptError {
    std::string words;
    int line = 0;
};

ScriptError shown_error(const Model& model) {
    const EditedScript& script = *model.script;
    if (!script.problem.empty()) return {script.problem, script.line};
    if (script.is_changed()) return {};
    for (const Run* run : {model.a, model.b})
        if (const ScriptFailure* failure = run == nullptr ? nullptr : run->failure();
            failure != nullptr && failure->script == script.name)
            return {failure->words, failure->line};
    return {};
}

std::string script_state_text(const EditedScript& script) {
    std::string state = script.is_builtin    ? "built in; your changes create your own copy"
                        : !script.saved_text ? "not saved in a file yet"
                        : script.is_saved()  ? "saved"
                                             : "changed, not saved";
    if (script.is_changed() && script.problem.empty()) state += "; not run yet";
    if (script.changed_elsewhere) state += "; the file has changed on disk";
    return state;
}

void draw_button(Frame& frame, const char* label, bool enabled, const char* tooltip,
                 const std::function<void(Control&)>& on_click) {
    ImGui::BeginDisabled(!enabled);
    if (ImGui::Button(label)) frame.ask(on_click);
    ImGui::EndDisabled();
    explain_item(tooltip);
    ImGui::SameLine();
}

void draw_new_script_box(Frame& frame, const char* label) {
    ImGui::SetNextItemWidth(std::min(frame.px(150), ImGui::GetContentRegionAvail().x));
    if (ImGui::BeginCombo("##new", label, ImGuiComboFlags_HeightLarge)) {
        for (const sim::PolicyInfo& info : sim::script_policies()) {
            if (ImGui::Selectable(info.name.c_str()))
                frame.ask([name = info.name](Control& control) { control.copy_builtin_script(name); });
            explain_item(info.summary);
        }
        ImGui::EndCombo();
    } else {
        explain_item("Creates your own script as a copy of a built-in one.");
    }
}

void draw_script_bar(Frame& frame, const EditedScript& script) {
    coloured_text(frame.theme.text, sim::printable(script.name));
    ImGui::SameLine();
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
    draw_ellipsized_text(script_state_text(script), ImGui::GetContentRegionAvail().x);
    ImGui::PopStyleColor();
    draw_button(frame, "Run", true, "Ctrl+Enter runs the edited script and keeps the position.",
                [](Control& control) { control.run_script(); });
    frame.memory.of<ScriptEditorState>().asks_to_save = false;
    ImGui::BeginDisabled(!script.is_builtin && script.is_saved());
    if (ImGui::Button("Save")) frame.memory.of<ScriptEditorState>().asks_to_save = true;
    ImGui::EndDisabled();
    explain_item("Ctrl+S saves the script to its file (or asks for a file name) and runs the script.");
    ImGui::SameLine();
    draw_button(frame, "Revert", !script.is_saved() && (script.saved_text || script.is_changed()),
                "Discards all edits since the script was saved.",
                [](Control& control) { control.revert_script(); });
    draw_new_script_box(frame, "New script from...");
}

const char* const kNoScript =
    "This policy is written in C++ and has no script. Choose a policy script, or create your own policy "
    "script.";

}  // namespace

void draw_script(Frame& frame) {
    frame.memory.of<ScriptEditorState>().is_drawn = true;
    if (draw_message_if_no_scenario(frame)) return;
    const EditedScript& script = *frame.model.script;
    if (script.name.empty() || (script.text.empty() && script.in_force.empty() && !script.saved_text)) {
        ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
        ImGui::TextWrapped("%s", kNoScript);
        ImGui::PopStyleColor();
        draw_new_script_box(frame, "New script from...");
        return;
    }
    draw_script_bar(frame, script);
    const ScriptError trouble = shown_error(frame.model);
    if (!trouble.words.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.error);
        ImGui::TextWrapped("%s", trouble.words.c_str());
        ImGui::PopStyleColor();
    }
    if (const std::optional<std::string> typed = draw_code_box(
            frame, frame.memory.of<ScriptEditorState>(),
            {.name = script.name, .text = script.text, .revision = script.revision, .wrong = trouble.line}))
        frame.ask([typed](Control& control) { control.set_script_text(*typed); });
}

std::string script_text(const Model& model, const ViewState&) {
    if (model.a == nullptr) return "No scenario is open.\n";
    const EditedScript& script = *model.script;
    if (script.name.empty() || (script.text.empty() && script.in_force.empty() && !script.saved_text))
        return std::string(kNoScript) + "\n";
    const ScriptError trouble = shown_error(model);
    std::string all = fmt::format("{}, {}\n", script.name, script_state_text(script));
    if (!trouble.words.empty()) all += trouble.words + "\n";
    int number = 0;
    for (std::string_view rest = script.text; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        ++number;
        all += fmt::format("{} {:>3}  {}\n", number == trouble.line ? '>' : ' ', number, line);
    }
    return all;
}

}  // namespace ui
