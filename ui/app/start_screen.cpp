#include "ui/app/start_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "sim/base/text.h"
#include "sim/core/policy_names.h"
#include "sim/explain/explain.h"
#include "sim/scenario/value_edit.h"
#include "ui/app/app.h"
#include "ui/app/top_bar.h"
#include "ui/panels/drawing.h"
#include "ui/panels/panel_helpers.h"
#include "ui/panels/policy_choices.h"
#include "ui/panels/workload_state.h"
#include "ui/view/decision_cursor.h"
#include "ui/view/decision_page.h"
#include "ui/view/edited_scenario.h"
#include "ui/view/knobs.h"

namespace ui {
namespace {

void draw_command_button(App& app, Frame& frame, const char* label, const char* id,
                         bool is_highlighted = false) {
    const Command* const command = app.commands().find(id);
    if (is_highlighted) ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.accent);
    ImGui::PushID(id);
    if (ImGui::Button(label)) app.ask([command](App& a) { a.run(*command); });
    ImGui::PopID();
    if (is_highlighted) ImGui::PopStyleColor();
    const std::string key = command->keys.empty() ? "" : "   " + display_name(command->keys.front());
    if (!ImGui::IsAnyItemActive()) explain_item(command->title + key);
    ImGui::SameLine(0, frame.px(4));
}

// The latest spec of each policy, so that a policy that is chosen again keeps its quantum.
struct LatestPolicySpecs {
    std::map<std::string, std::string> specs;  // by name

    std::string latest_spec_of(const std::string& name) const {
        const auto found = specs.find(name);
        return found == specs.end() ? name : found->second;
    }
};

// Draws the box to choose the policy. `width`: in pixels at scale 1.
void draw_policy_box(Frame& frame, float width) {
    const std::string spec = frame.model.a->history().policy().spec();
    const std::string title(sim::policy_title(sim::name_in_spec(spec)));
    LatestPolicySpecs& used = frame.memory.of<LatestPolicySpecs>();
    used.specs[std::string(sim::name_in_spec(spec))] = spec;
    ImGui::SetNextItemWidth(frame.px(width));
    if (ImGui::BeginCombo("##policy", ellipsized_text(title, frame.px(width - 40)).c_str(),
                          ImGuiComboFlags_HeightLarge)) {
        if (const std::string chosen = draw_policy_choices(frame, spec, false); !chosen.empty())
            frame.ask([again = used.latest_spec_of(chosen)](Control& control) { control.set_policy(again); });
        ImGui::EndCombo();
    }
    explain_item("The policy of the scheduler");
}

// Draws a box for the policy's quantum, if the policy has one.
void draw_quantum_box(Frame& frame) {
    const sim::NamedPolicy& policy = frame.model.a->history().policy();
    const auto option = policy.options.find("quantum");
    if (option == policy.options.end()) return;
    int quantum = 0;
    const std::string& value = option->second;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), quantum);
    // The quantum is a list, for which there is no box.
    if (error != std::errc{} || end != value.data() + value.size()) return;
    ImGui::SameLine(0, frame.px(10));
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("quantum");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(frame.px(100));
    const bool changed = ImGui::InputInt("##quantum", &quantum, 1, 5);
    if (changed && (quantum < 1 || quantum > 1'000'000)) {
        frame.ask(
            [](Control& control) { control.say("quantum: expected a whole number from 1 to 1000000"); });
    } else if (changed) {
        const std::string spec = with_option(policy, "quantum", fmt::format("{}", quantum));
        frame.ask([spec](Control& control) { control.set_policy(spec, "quantum"); });
    }
    for (const sim::OptionInfo& info : policy.known_options)
        if (info.name == "quantum") explain_item(info.summary);
}

void draw_cpus_box(Frame& frame) {
    int cpus = static_cast<int>(frame.model.a->scenario().cpus);
    ImGui::SameLine(0, frame.px(10));
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("CPUs");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(frame.px(90));
    if (ImGui::InputInt("##cpus", &cpus, 1, 4))
        frame.ask([cpus](Control& control) {
            control.edit_scenario(
                [cpus](const sim::JsonTree& tree) {
                    return sim::with_value_at(tree, "/cpus", fmt::format("{}", std::clamp(cpus, 1, 64)),
                                              &sim::scenario_schema());
                },
                "/cpus", fmt::format("CPUs: {}", cpus));
        });
    explain_item("Number of CPUs, 1 to 64");
}

// Draws the name of the scenario, with an asterisk if the scenario has unsaved changes.
void draw_scenario_name(App& app, Frame& frame, float width) {
    ImGui::SameLine(0, frame.px(14));
    ImGui::AlignTextToFramePadding();
    const std::string& file = app.control().file();
    const std::string name =
        sim::printable(frame.model.scenario_name) + (app.control().has_changes() ? " *" : "");
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
    ImGui::TextUnformatted(ellipsized_text(name, width).c_str());
    ImGui::PopStyleColor();
    explain_item((file.empty() ? "The scenario is not saved in a file" : sim::printable(file)) +
                 (app.control().has_changes() ? "; it has unsaved changes" : ""));
}

}  // namespace

std::string decision_reason(const App& app) {
    const Run* const run = app.model().a;
    if (run == nullptr || is_outcome_hidden(app.view())) return "";
    return run->position_explanation();
}

namespace {

// Draws the reason in at most two lines; the tooltip shows the whole reason.
void draw_decision_reason(Frame& frame, const std::string& reason, float width) {
    coloured_text(frame.theme.accent, "WHY ");
    ImGui::SameLine();
    const float left = ImGui::GetCursorPosX(), room = width - left;
    const std::string lines = wrapped_text(frame.fonts.sans, reason, room);
    const std::size_t first = lines.find('\n');
    ImGui::TextUnformatted(lines.substr(0, first).c_str());
    explain_item(reason);
    if (first == std::string::npos) {
        ImGui::NewLine();
        return;
    }
    set_cursor_pos_x(left);
    std::string rest = lines.substr(first + 1);
    std::replace(rest.begin(), rest.end(), '\n', ' ');
    draw_ellipsized_text(rest, room);
}

}  // namespace

void draw_start_screen_top(App& app, Frame& frame) {
    const float pad = frame.px(8);
    set_cursor_pos({pad, pad});
    ImGui::BeginGroup();
    draw_command_button(app, frame, "Open / Examples", "open");
    draw_command_button(app, frame, "Lessons", "lessons");
    draw_command_button(app, frame, "New", "new");
    draw_command_button(app, frame, "Save", "save");
    draw_command_button(app, frame, "Undo", "undo");
    draw_command_button(app, frame, "Redo", "redo");
    const float more = ImGui::GetWindowWidth() - pad - button_width("More");
    // In a narrow window, the boxes for policy, quantum and CPUs are in a second row.
    const bool one_row = ImGui::GetCursorPosX() + frame.px(700) < more;
    if (!one_row) {
        set_cursor_pos_x(more);
        draw_command_button(app, frame, "More", "layout");
        ImGui::NewLine();
        set_cursor_pos_x(pad);
    }
    if (frame.model.a != nullptr) {
        if (one_row) ImGui::SameLine(0, frame.px(18));
        draw_policy_box(frame, one_row ? 310 : 230);
        draw_quantum_box(frame);
        draw_cpus_box(frame);
        const float room =
            (one_row ? more : ImGui::GetWindowWidth()) - ImGui::GetItemRectMax().x - frame.px(34);
        if (room > frame.px(40)) draw_scenario_name(app, frame, room);
    }
    if (one_row) {
        ImGui::SameLine();
        set_cursor_pos_x(more);
        draw_command_button(app, frame, "More", "layout");
        ImGui::NewLine();
    }
    ImGui::EndGroup();
}

float start_screen_bottom_height(const Frame& frame) {
    return 3 * ImGui::GetTextLineHeightWithSpacing() + ImGui::GetFrameHeightWithSpacing() + frame.px(12);
}

void draw_start_screen_bottom(App& app, Frame& frame) {
    if (frame.model.a == nullptr) return;
    const float pad = frame.px(10), width = ImGui::GetWindowWidth() - 2 * pad;
    const float top = ImGui::GetWindowHeight() - start_screen_bottom_height(frame);
    set_cursor_pos({pad, top + frame.px(4)});
    const std::string why = decision_reason(app);
    if (!why.empty()) {
        draw_decision_reason(frame, why, width);
    } else {
        dim_text(frame, "Play the run, or step to the first decision.");
        ImGui::NewLine();
    }
    set_cursor_pos_x(pad);
    draw_command_button(app, frame, "|◀", "go.beginning");
    draw_command_button(app, frame, "◀", "step.decision.back");
    draw_command_button(app, frame, frame.view.playing ? "II pause" : "▶ play", "play", frame.view.playing);
    draw_command_button(app, frame, "▶", "step.decision.forward");
    draw_command_button(app, frame, "▶|", "go.end");
    ImGui::SameLine(0, frame.px(8));
    draw_speed_combo(frame);
    ImGui::SameLine(0, frame.px(14));
    ImGui::AlignTextToFramePadding();
    push_font(frame.fonts.mono);
    ImGui::TextUnformatted(position_text(*frame.model.a, frame.view).c_str());
    ImGui::PopFont();
    set_cursor_pos_x(pad);
    const std::string& message = frame.model.message;
    if (!frame.model.edited->is_valid() && !frame.view.editing)
        coloured_text(
            frame.theme.error,
            ellipsized_text(
                fmt::format("The edited scenario has an error, so the run is an earlier one: {} shows the "
                            "error, {} undoes the edit.",
                            app.key_of_command("edit"), app.key_of_command("undo")),
                width));
    else if (const std::string& question = frame.model.a->scenario().question;
             message.empty() && !question.empty())
        draw_ellipsized_text(question, width);
    else if (message.empty())
        dim_text(frame,
                 ellipsized_text(
                     "Space plays the run.   Arrow keys step.   Click a cell to edit it. Drag ▲ to change an "
                     "arrival, the end of a job's last box to change its burst.   Ctrl+V pastes a table.   ? "
                     "shows "
                     "all keys.",
                     width));
    else
        coloured_text(
            frame.memory.of<WorkloadPaneState>().refused.empty() ? frame.theme.accent : frame.theme.error,
            ellipsized_text(message, width));
}

}  // namespace ui
