// The overlay that lists the keys of all commands; a click on a key starts to change it.
#include <algorithm>

#include "ui/app/overlay_parts.h"
#include "ui/panels/drawing.h"
#include "ui/platform/imgui_versions.h"

namespace ui::overlays {
namespace {

// The largest width of a key (x) and of a title (y), in pixels.
ImVec2 key_and_title_widths(const App& app, const Frame& frame) {
    ImVec2 widest;
    for (const Command& command : app.commands().all()) {
        widest.x = std::max(widest.x, text_width(frame.fonts.sans, keys_text(command)));
        widest.y = std::max(widest.y, text_width(frame.fonts.sans, command.title));
    }
    return widest;
}

}  // namespace

void draw_help(App& app, Frame& frame) {
    const float gap = frame.px(12);
    const ImVec2 widest = key_and_title_widths(app, frame), pair{widest.x + gap, widest.y + gap};
    const float beside = 2 * (pair.x + pair.y) + frame.px(40);  // width of the box with two commands per row
    if (!begin_overlay_box("Keys", frame, beside / frame.px(1), 760)) app.show_overlay(App::Overlay::none);
    draw_dim_text(frame, app.rebinding_command().empty()
                             ? "Keys are identified by their position on the keyboard. Click a key "
                               "to change it; Esc closes this list."
                             : "Press the new key. Esc keeps the old key.");
    ImGui::Separator();
    begin_child("keys");
    const bool two = ImGui::GetContentRegionAvail().x > 2 * pair.x + frame.px(440);
    std::string group;
    if (begin_table("table", two ? 4 : 2)) {
        for (int column = 0; column < (two ? 4 : 2); column += 2) {
            ImGui::TableSetupColumn("key", ImGuiTableColumnFlags_WidthFixed, pair.x);
            ImGui::TableSetupColumn("title", ImGuiTableColumnFlags_WidthStretch);
        }
        std::size_t in_group = 0;
        for (const Command& command : app.commands().all()) {
            if (command.group != group) {
                group = command.group;
                in_group = 0;
                ImGui::TableNextRow();
                ImGui::TableNextColumn();
                ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.accent);
                ImGui::TextUnformatted(group.c_str());
                ImGui::PopStyleColor();
            }
            if (!two || in_group++ % 2 == 0) ImGui::TableNextRow();
            ImGui::TableNextColumn();
            ImGui::PushID(command.id.c_str());
            const bool waiting = app.rebinding_command() == command.id;
            const std::string label = waiting                ? "press a key"
                                      : command.keys.empty() ? "-"
                                                             : keys_text(command);
            if (ImGui::SmallButton(label.c_str()))
                app.ask([id = command.id](App& a) { a.start_rebinding(id); });
            ImGui::PopID();
            ImGui::TableNextColumn();
            ImGui::TextWrapped("%s", command.title.c_str());
        }
        ImGui::EndTable();
    }
    ImGui::Separator();
    draw_dim_text(
        frame,
        "Mouse: the wheel zooms at the pointer; with Shift it scrolls the tracks. Drag over the timeline to "
        "select a time range; drag with the right button or with Shift to move the view. Click to go to that "
        "time, Alt+click to set cursor A, Alt+Shift+click to set cursor B. Drag the gap between two panes to "
        "resize the panes.");
    ImGui::EndChild();
    ImGui::End();
}

}  // namespace ui::overlays
