// The dialog that appears before the window closes or another scenario is opened. It states which changes
// would be lost, and asks whether to save them.
#include "ui/app/overlay_parts.h"

namespace ui::overlays {

void draw_unsaved_question(App& app, Frame& frame) {
    OverlayBox& box = app.overlay_box();
    if (!begin_overlay_box("Save the changes first?", frame, 520, 170)) app.show_overlay(App::Overlay::none);
    ImGui::TextWrapped("%s", app.unsaved_prompt().unsaved_changes().c_str());
    ImGui::Spacing();
    const bool enter = !box.just_opened && (is_key_pressed(ImGuiKey_Enter, /*repeat=*/false) ||
                                            is_key_pressed(kKeypadEnter, /*repeat=*/false));
    if (ImGui::Button("Save...") || enter) app.ask([](App& a) { a.unsaved_prompt().save(); });
    ImGui::SameLine();
    if (ImGui::Button("Discard")) app.ask([](App& a) { a.unsaved_prompt().discard(); });
    ImGui::SameLine();
    if (ImGui::Button("Cancel")) app.ask([](App& a) { a.show_overlay(App::Overlay::none); });
    draw_dim_text(frame, "Enter saves, Esc cancels.");
    ImGui::End();
}

}  // namespace ui::overlays
