// The box of an overlay, with the text box that filters its list.
#include <algorithm>

#include "ui/app/overlay_parts.h"
#include "ui/panels/drawing.h"
#include "ui/platform/shapes.h"

namespace ui::overlays {

bool begin_overlay_box(const char* title, Frame& frame, float width, float height) {
    const ImVec2 whole = ImGui::GetIO().DisplaySize;
    ImGui::GetBackgroundDrawList();
    const ImVec2 size{std::min(frame.px(width), whole.x * 0.96F),
                      std::min(frame.px(height), whole.y * 0.92F)};
    ImGui::SetNextWindowPos({(whole.x - size.x) / 2, (whole.y - size.y) / 2});
    ImGui::SetNextWindowSize(size);
    ImGui::SetNextWindowBgAlpha(1);
    ImGui::Begin(title, nullptr,
                 ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings);
    return !close_button();
}

void draw_dim_text(Frame& frame, const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
    ImGui::TextWrapped("%s", text.c_str());
    ImGui::PopStyleColor();
}

bool draw_filter_box(OverlayBox& box, const char* hint, std::size_t entry_count) {
    if (box.just_opened) {
        const std::string start = std::exchange(box.starts_with, {});
        box.typed[start.copy(box.typed.data(), box.typed.size() - 1)] = '\0';
        box.chosen = 0;
        box.replacement.clear();
        box.completes = false;
    }
    // No other item of the overlay needs the keyboard, so this box regains the focus, even after a click
    // elsewhere.
    if (box.just_opened || !(ImGui::IsAnyItemActive() || ImGui::IsAnyMouseDown())) focus_next_item();
    ImGui::SetNextItemWidth(-1);
    struct FilterBoxData {
        OverlayBox& box;
        std::size_t& chosen;
        std::size_t entry_count;
    } choice{box, box.chosen, entry_count};
    const std::size_t before = box.chosen;
    const auto move = [](ImGuiInputTextCallbackData* data) {
        auto& [of, chosen, n] = *static_cast<FilterBoxData*>(data->UserData);
        if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) of.completes = true;
        if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways && !of.replacement.empty()) {
            data->DeleteChars(0, data->BufTextLen);
            data->InsertChars(0, of.replacement.c_str());
            of.replacement.clear();
        }
        if (data->EventFlag != ImGuiInputTextFlags_CallbackHistory) return 0;
        if (data->EventKey == ImGuiKey_UpArrow && chosen > 0) --chosen;
        if (data->EventKey == ImGuiKey_DownArrow && chosen + 1 < n) ++chosen;
        return 0;
    };
    const bool entered = ImGui::InputTextWithHint(
        "##filter", hint, box.typed.data(), box.typed.size(),
        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackHistory |
            ImGuiInputTextFlags_CallbackCompletion | ImGuiInputTextFlags_CallbackAlways,
        move, &choice);
    box.chosen = entry_count == 0 ? 0 : std::min(box.chosen, entry_count - 1);
    box.chosen_moved = box.just_opened || box.chosen != before;
    return entered;
}

}  // namespace ui::overlays
