#include "ui/app/presenter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/app/app.h"
#include "ui/app/tour.h"
#include "ui/panels/caption_target.h"
#include "ui/panels/drawing.h"
#include "ui/platform/shapes.h"
#include "ui/view/presentation.h"

namespace ui {
namespace {

// A headline higher than this share of the window's height gets smaller letters.
constexpr float kHeadline = 0.26F;
// Seconds for which the ring stays visible after the mouse button is released.
constexpr float kRingStays = 0.5F;

// The caption of the tour's stop, or the scenario's question if there is no caption.
std::string headline_text(const App& app) {
    const std::string caption = tour_caption(app);
    if (!caption.empty() || app.model().a == nullptr) return caption;
    return app.model().a->scenario().question;
}

}  // namespace

float draw_headline(App& app, Frame& frame, float top) {
    const float pad = frame.px(10), stripe = frame.px(6);
    const std::string heading = tour_heading(app), text = headline_text(app);
    if (heading.empty() && text.empty()) return 0;
    const ImVec2 whole = ImGui::GetIO().DisplaySize;
    const float left = stripe + pad, wrap = whole.x - left - pad;
    const auto height_of = [](ImFont* font, const std::string& lines) {
        return font->CalcTextSizeA(pixel_size(*font), FLT_MAX, 0, lines.c_str()).y;
    };
    ImFont* font = frame.fonts.title;
    std::string lines = wrapped_text(font, text, wrap);
    if (height_of(font, lines) > kHeadline * whole.y) {
        font = frame.fonts.sans;
        lines = wrapped_text(font, text, wrap);
    }
    const float title = heading.empty() ? 0 : ImGui::GetTextLineHeightWithSpacing();
    const float height = std::round(pad + title + (text.empty() ? 0 : height_of(font, lines)) + pad);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    fill_rect(list, {0, top}, {whole.x, top + height}, frame.theme.panel);
    fill_rect(list, {0, top}, {stripe, top + height}, frame.theme.accent);
    if (title > 0) draw_text(frame.fonts.sans, {left, top + pad * 0.6F}, frame.theme.accent, heading);
    draw_text(font, {left, top + pad * 0.6F + title}, frame.theme.text, lines);
    return height;
}

float draw_message(App& app, Frame& frame) {
    const std::string& message = app.model().message;
    if (message.empty()) return 0;
    const ImVec2 whole = ImGui::GetIO().DisplaySize;
    const float height = ImGui::GetTextLineHeightWithSpacing(), pad = frame.px(10);
    draw_text(frame.fonts.sans, {pad, whole.y - height}, frame.theme.accent,
              ellipsized_text(message, whole.x - 2 * pad));
    return height;
}

std::optional<CaptionTarget::Box> draw_caption_outline(App& app, Frame& frame, ImVec2 min, ImVec2 max) {
    if (app.view().subject.empty()) return std::nullopt;
    const bool whole_pane = part_of_tour_subject(app.view().subject).empty();
    const std::optional<CaptionTarget::Box>& part = frame.memory.of<CaptionTarget>().visible_box();
    if (!whole_pane && !part) return std::nullopt;
    const float margin = frame.px(3);
    const ImVec2 from = whole_pane ? min
                                   : ImVec2(std::max(min.x, std::floor(part->min.x - margin)),
                                            std::max(min.y, std::floor(part->min.y - margin)));
    const ImVec2 to = whole_pane ? max
                                 : ImVec2(std::min(max.x, std::ceil(part->max.x + margin)),
                                          std::min(max.y, std::ceil(part->max.y + margin)));
    // The outline is drawn in a child window that covers the pane and ignores the mouse.
    set_cursor_screen_pos(min);
    ImGui::PushStyleColor(ImGuiCol_ChildBg, IM_COL32(0, 0, 0, 0));
    ImGui::BeginChild("outline", {max.x - min.x, max.y - min.y}, false,
                      ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollbar);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 shade = with_alpha(frame.theme.background, 0.55F);
    fill_rect(list, min, {max.x, from.y}, shade);
    fill_rect(list, {min.x, from.y}, {from.x, to.y}, shade);
    fill_rect(list, {to.x, from.y}, {max.x, to.y}, shade);
    fill_rect(list, {min.x, to.y}, max, shade);
    draw_frame(list, from, to, frame.theme.accent, std::max(2.0F, std::round(frame.px(3))));
    ImGui::EndChild();
    ImGui::PopStyleColor();
    return CaptionTarget::Box{from, to};
}

void toggle_toolbar_on_right_click(ViewState& view) {
    const ImGuiIO& io = ImGui::GetIO();
    const auto button = static_cast<std::size_t>(ImGuiMouseButton_Right);
    if (!ImGui::IsMouseReleased(ImGuiMouseButton_Right) ||
        io.MouseDragMaxDistanceSqr[button] > io.MouseDragThreshold * io.MouseDragThreshold)
        return;
    constexpr ImGuiPopupFlags any = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;
    if (!ImGui::IsPopupOpen("", any)) view.show_toolbar = !view.show_toolbar;
}

void draw_pointing_ring(Frame& frame, PointingRing& pointing) {
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsMouseDown(ImGuiMouseButton_Left))
        pointing = {.at = io.MousePos, .left = kRingStays};
    else
        pointing.left = std::max(0.0F, pointing.left - io.DeltaTime);
    if (pointing.left <= 0) return;
    frame.view.moving = true;
    const float radius = io.DisplaySize.y / 20;
    ring(*ImGui::GetForegroundDrawList(), pointing.at, radius,
         with_alpha(frame.theme.cursor_a, pointing.left / kRingStays), 0, std::max(2.0F, radius / 6));
}

void draw_black_screen(Frame& frame) {
    if (!frame.view.blank) return;
    fill_rect(*ImGui::GetForegroundDrawList(), {0, 0}, ImGui::GetIO().DisplaySize, IM_COL32(0, 0, 0, 255));
}

}  // namespace ui
