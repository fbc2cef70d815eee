#include "ui/app/layouts.h"

#include <algorithm>

#include "ui/app/app.h"
#include "ui/view/layouts.h"
#include "ui/view/presentation.h"

namespace ui {
namespace {

// Handles the bar between two areas; the user drags this bar to resize the areas. `share`: the second area's
// share of the length `total_length`.
void handle_splitter(const char* id, ImVec2 at, ImVec2 size, bool is_vertical, float& share,
                     float total_length) {
    set_cursor_screen_pos(at);
    ImGui::InvisibleButton(id, size);
    if (ImGui::IsItemHovered() || ImGui::IsItemActive())
        ImGui::SetMouseCursor(is_vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    if (!ImGui::IsItemActive()) return;
    const ImVec2 by = ImGui::GetIO().MouseDelta;
    share = std::clamp(share - (is_vertical ? by.x : by.y) / total_length, 0.1F, 0.8F);
}

}  // namespace

bool has_room_for_layouts(float scale) {
    const ImVec2 whole = ImGui::GetIO().DisplaySize;
    return whole.x + 1 >= kLeastLayoutWidth * scale && whole.y + 1 >= kLeastLayoutHeight * scale;
}

void App::set_layout(WindowLayout layout) {
    if (view().bare) return control_.say("An embedded view shows only one pane.");
    if (view().presenting) toggle_presenting();
    if (view().start) toggle_start_screen();
    view().layout = layout;
    show_pane_alone("");
    save_window_settings();
    if (!has_room_for_layouts(backend_.fonts().scale))
        control_.say("This window is too small for layouts: it shows the panes as tabs.");
}

void App::draw_tabbed_area(ImVec2 at, ImVec2 size) {
    const std::vector<const char*> panes = tab_panes(view());
    select_tab_of(view(), draw_tabs(panes, selected_tab_pane(view()), at, size));
}

// Draws the timeline and the run queue at the left, the decision or one other pane at the right.
void App::draw_lecture_layout(ImVec2 at, ImVec2 size, float gap) {
    AreaSizes& areas = area_sizes(view(), model().b != nullptr);
    const float right = std::round(size.x * areas.right), left = size.x - right - gap;
    const float queue = std::round(size.y * areas.lower_height), timeline = size.y - queue - gap;
    draw_pane("timeline", at, {left, timeline}, true);
    draw_pane("run_queue", {at.x, at.y + timeline + gap}, {left, queue}, true);
    view().candidates_first = true;
    draw_tabbed_area({at.x + left + gap, at.y}, {right, size.y});
    view().candidates_first = false;
    handle_splitter("split right", {at.x + left, at.y}, {gap, size.y}, true, areas.right, size.x);
    handle_splitter("split queue", {at.x, at.y + timeline}, {left, gap}, false, areas.lower_height, size.y);
}

// Draws the decision in the whole right column; the timeline, the run queue and the tabs at the left.
void App::draw_kernel_layout(ImVec2 at, ImVec2 size, float gap) {
    AreaSizes& areas = area_sizes(view(), model().b != nullptr);
    const float right = std::round(size.x * areas.right), left = size.x - right - gap;
    const float queue = std::round(size.y * areas.lower_height), tabs = std::round(size.y * areas.tabs);
    const float timeline = std::max(1.0F, size.y - queue - tabs - 2 * gap);
    const float below_timeline = at.y + timeline + gap, below_queue = below_timeline + queue + gap;
    draw_pane("timeline", at, {left, timeline}, true);
    draw_pane("run_queue", {at.x, below_timeline}, {left, queue}, true);
    draw_pane("decision", {at.x + left + gap, at.y}, {right, size.y}, true);
    draw_tabbed_area({at.x, below_queue}, {left, tabs});
    handle_splitter("split right", {at.x + left, at.y}, {gap, size.y}, true, areas.right, size.x);
    handle_splitter("split queue", {at.x, below_timeline - gap}, {left, gap}, false, areas.lower_height,
                    size.y);
    handle_splitter("split tabs", {at.x, below_queue - gap}, {left, gap}, false, areas.tabs, size.y);
}

// Draws the laboratory in the left column. In the right column, draws the chart at the bottom, and the jobs
// or another pane above the chart.
void App::draw_laboratory_layout(ImVec2 at, ImVec2 size, float gap) {
    AreaSizes& areas = area_sizes(view(), model().b != nullptr);
    const float right = std::round(size.x * areas.right), left = size.x - right - gap;
    const float chart = std::round(size.y * areas.lower_height), tabs = size.y - chart - gap;
    const float x = at.x + left + gap;
    draw_pane("laboratory", at, {left, size.y}, true);
    draw_tabbed_area({x, at.y}, {right, tabs});
    draw_pane("gantt", {x, at.y + tabs + gap}, {right, chart}, true);
    handle_splitter("split right", {at.x + left, at.y}, {gap, size.y}, true, areas.right, size.x);
    handle_splitter("split chart", {x, at.y + tabs}, {right, gap}, false, areas.lower_height, size.y);
}

void App::draw_layout(Frame& frame, ImVec2 at, ImVec2 size) {
    const float gap = frame.px(4);
    float strip = 0;
    if (view().layout == WindowLayout::laboratory)
        strip = what_if_height(frame, size.x);
    else if (view().show_what_if)
        strip = 2 * ImGui::GetFrameHeightWithSpacing() + frame.px(14);
    const ImVec2 panes{size.x, strip > 0 ? size.y - strip - gap : size.y};
    switch (view().layout) {
        case WindowLayout::lecture:
            draw_lecture_layout(at, panes, gap);
            break;
        case WindowLayout::kernel:
            draw_kernel_layout(at, panes, gap);
            break;
        case WindowLayout::laboratory:
            draw_laboratory_layout(at, panes, gap);
            break;
    }
    if (strip > 0) draw_pane("what_if", {at.x, at.y + size.y - strip}, {size.x, strip}, false);
}

}  // namespace ui
