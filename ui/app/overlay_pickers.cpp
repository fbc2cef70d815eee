// The overlays with a list to choose from (commands, scenarios, scripts), and the box for going to a
// position.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "sim/base/human_text.h"
#include "sim/base/text.h"
#include "sim/os/files.h"
#include "sim/scenario/job_values.h"
#include "ui/app/overlay_parts.h"
#include "ui/panels/drawing.h"
#include "ui/platform/imgui_versions.h"
#include "ui/platform/shapes.h"
#include "ui/view/saving.h"

namespace ui::overlays {

void draw_command_palette(App& app, Frame& frame) {
    OverlayBox& box = app.overlay_box();
    if (!begin_overlay_box("All commands", frame, 620, 560)) app.show_overlay(App::Overlay::none);
    const bool entered = draw_filter_box(box, "search words", matching_commands(app).size());
    const std::vector<const Command*> found = matching_commands(app);
    const auto take = [&](const Command* command) {
        app.show_overlay(App::Overlay::none);
        app.ask([command](App& a) { a.run_with_needed_panes(*command); });
    };
    begin_child("commands");
    for (std::size_t i = 0; i < found.size(); ++i) {
        ImGui::PushID(found[i]->id.c_str());
        const ImVec2 at = ImGui::GetCursorScreenPos();
        if (ImGui::Selectable("##command", i == box.chosen)) take(found[i]);
        if (i == box.chosen && box.chosen_moved) ImGui::SetScrollHereY();
        ImGui::PopID();
        const std::string keys = keys_text(*found[i]);
        const float right = ImGui::CalcTextSize(keys.c_str()).x;
        const float width = ImGui::GetContentRegionAvail().x;
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.AddText(at, frame.theme.text, (found[i]->group + ": " + found[i]->title).c_str());
        list.AddText({at.x + width - right, at.y}, frame.theme.text_dim, keys.c_str());
    }
    if (found.empty()) draw_dim_text(frame, "No command matches.");
    ImGui::EndChild();
    if (entered && box.chosen < found.size()) take(found[box.chosen]);
    ImGui::End();
}

namespace {

// Draws the first segments of a run. If they are not computed yet, draws only the background.
void draw_thumbnail(Frame& frame, const Thumbnail* thumbnail, ImVec2 at, ImVec2 size) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    fill_rect(list, at, {at.x + size.x, at.y + size.y}, with_alpha(frame.theme.text, 0.06F));
    if (thumbnail == nullptr) return;
    const float height = std::floor(size.y / static_cast<float>(thumbnail->cpus));
    for (const Thumbnail::Box& box : thumbnail->boxes) {
        const float begin = std::floor(at.x + size.x * box.begin), end = std::floor(at.x + size.x * box.end);
        const float top = at.y + height * static_cast<float>(box.cpu);
        fill_rect(list, {begin, top},
                  {std::max(begin + 1, end - (end - begin > 3 ? 1.0F : 0.0F)), top + height - 1},
                  frame.theme.task_colour(box.task));
    }
}

}  // namespace

void draw_scenario_picker(App& app, Frame& frame) {
    OverlayBox& box = app.overlay_box();
    if (!begin_overlay_box("Open a scenario", frame, 760, 640)) app.show_overlay(App::Overlay::none);
    const bool asks = app.backend().can_choose_file();
    if (asks && ImGui::Button("Open a file..."))
        app.ask([](App& a) {
            a.show_overlay(App::Overlay::none);
            a.backend().choose_file();
        });
    const bool entered = draw_filter_box(box, asks ? "search words" : "search words, or the path of a file",
                                         matching_scenarios(app).size());
    const std::vector<ListedScenario> found = matching_scenarios(app);
    const auto take = [&](const std::string& name) {
        app.show_overlay(App::Overlay::none);
        app.ask([name](App& a) {
            a.unsaved_prompt().replace_scenario([name](App& now) { now.control().open_soon(name); });
        });
    };
    begin_child("scenarios");
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (i == 0 || found[i].group != found[i - 1].group) {
            if (i > 0) ImGui::Spacing();
            draw_dim_text(frame, sim::upper_case(found[i].group));
        }
        ImGui::PushID(static_cast<int>(i));
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x;
        const bool is_wide = width > frame.px(400), has_picture = is_wide && !found[i].question.empty();
        const ImVec2 picture(frame.px(150), frame.px(44));
        const float wrap = width - (is_wide ? picture.x + frame.px(24) : frame.px(12));
        const std::string heading = sim::printable(found[i].name) + "   " + found[i].title;
        const std::string question = found[i].question;
        const std::string watch = found[i].hint.empty() ? "" : "Hint: " + found[i].hint;
        const auto height_of = [&](const std::string& text) {
            return text.empty() ? 0 : ImGui::CalcTextSize(text.c_str(), nullptr, false, wrap).y;
        };
        const float height = std::max(height_of(heading) + ImGui::GetStyle().ItemSpacing.y +
                                          height_of(question) + height_of(watch),
                                      has_picture ? picture.y : 0) +
                             frame.px(10);
        if (ImGui::Selectable("##scenario", i == box.chosen, 0, {width, height})) take(found[i].name);
        if (i == box.chosen && box.chosen_moved) ImGui::SetScrollHereY();
        ImGui::PopID();
        const ImVec2 after = ImGui::GetCursorPos();
        if (has_picture && ImGui::IsRectVisible(at, {at.x + width, at.y + height}))
            draw_thumbnail(frame, app.thumbnails().find(found[i].name),
                           {at.x + width - picture.x - frame.px(8), at.y + frame.px(5)}, picture);
        set_cursor_screen_pos({at.x + frame.px(6), at.y + frame.px(2)});
        ImGui::BeginGroup();
        ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + wrap);
        ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.accent);
        ImGui::TextUnformatted(heading.c_str());
        ImGui::PopStyleColor();
        ImGui::TextUnformatted(question.c_str());
        if (!watch.empty()) draw_dim_text(frame, watch);
        ImGui::PopTextWrapPos();
        ImGui::EndGroup();
        set_cursor_pos(after);
        ImGui::Spacing();
    }
    if (found.empty()) draw_dim_text(frame, "Enter opens the file with the typed name.");
    ImGui::EndChild();
    if (entered) {
        if (found.empty())
            take(box.typed.data());
        else if (box.chosen < found.size())
            take(found[box.chosen].name);
    }
    ImGui::End();
}

namespace {

// Uses the script `path` as policy of run A, or of run B if the user chooses a script to compare. If `path`
// is a directory, only replaces the typed text by `path`.
void run_chosen_script(App& app, Frame& frame, const std::string& path) {
    OverlayBox& box = app.overlay_box();
    if (!path.empty() && sim::os::is_separator(path.back())) {
        box.replacement = path;
        box.chosen = 0;
        return;
    }
    const bool compares = is_choosing_script_to_compare(app);
    app.show_overlay(App::Overlay::none);
    frame.ask([path, compares](Control& control) {
        if (compares)
            control.comparison().compare_with(path);
        else
            control.set_policy(path);
    });
}

}  // namespace

void draw_script_picker(App& app, Frame& frame) {
    OverlayBox& box = app.overlay_box();
    const bool compares = is_choosing_script_to_compare(app);
    if (!begin_overlay_box(compares ? "Compare with a policy script"
                                    : "Run under a policy "
                                      "script",
                           frame, 760, 560))
        app.show_overlay(App::Overlay::none);
    const bool asks = app.backend().can_choose_file();
    if (asks && !compares && ImGui::Button("Open a file..."))
        app.ask([](App& a) {
            a.show_overlay(App::Overlay::none);
            a.backend().choose_file();
        });
    const bool entered =
        draw_filter_box(box, "search words, or the path of a .lua file", matching_scripts(app).size());
    if (const std::string typed = box.typed.data(); typed != box.listed_for || box.just_opened) {
        box.listed_for = typed;
        box.completions = path_completions_of(typed);
    }
    const std::vector<PolicyGroup::Choice> found = matching_scripts(app);
    std::optional<std::string> taken;
    begin_child("scripts");
    for (std::size_t i = 0; i < found.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x;
        if (ImGui::Selectable("##script", i == box.chosen)) taken = found[i].spec;
        if (i == box.chosen && box.chosen_moved) ImGui::SetScrollHereY();
        ImGui::PopID();
        const std::string name = sim::printable(found[i].spec);
        const float name_width = std::max(frame.px(130), ImGui::CalcTextSize(name.c_str()).x + frame.px(16));
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.AddText({at.x + frame.px(4), at.y}, frame.theme.text, name.c_str());
        list.AddText({at.x + name_width, at.y}, frame.theme.text_dim,
                     ellipsized_text(found[i].summary, width - name_width).c_str());
    }
    if (found.empty()) draw_dim_text(frame, "Enter opens the file with the typed name.");
    ImGui::EndChild();
    // Tab replaces the typed text by the chosen entry.
    if (std::exchange(box.completes, false) && box.chosen < found.size())
        box.replacement = found[box.chosen].spec;
    if (entered && found.empty()) taken = box.typed.data();
    if (entered && box.chosen < found.size()) taken = found[box.chosen].spec;
    if (taken && !taken->empty()) run_chosen_script(app, frame, *taken);
    ImGui::End();
}

void draw_go_to_box(App& app, Frame& frame) {
    OverlayBox& box = app.overlay_box();
    if (!begin_overlay_box("Go to", frame, 420, 150)) app.show_overlay(App::Overlay::none);
    const bool entered = draw_filter_box(box, "12.5ms, or switch 37, or decision 37", 0);
    draw_dim_text(frame, "A time (10 is 10 ms), or the number of a switch or decision.");
    ImGui::End();
    if (!entered) return;
    std::string text = box.typed.data();
    if (sim::is_plain_number(text)) text += "ms";
    app.show_overlay(App::Overlay::none);
    frame.ask([text](Control& control) { control.navigator().go_to(text); });
}

}  // namespace ui::overlays
