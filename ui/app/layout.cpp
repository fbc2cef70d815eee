// The parts of the window: top bar, panes, the band at the bottom, and overlays. A small window has tabs
// instead of a layout.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "sim/base/human_text.h"
#include "sim/base/text.h"
#include "ui/app/app.h"
#include "ui/app/bottom_bar.h"
#include "ui/app/layouts.h"
#include "ui/app/overlays.h"
#include "ui/app/presenter.h"
#include "ui/app/start_screen.h"
#include "ui/app/top_bar.h"
#include "ui/app/tour.h"
#include "ui/app/why_box.h"
#include "ui/app/window_settings.h"
#include "ui/panels/caption_target.h"
#include "ui/panels/script_box.h"
#include "ui/platform/imgui_versions.h"
#include "ui/platform/memory.h"
#include "ui/view/presentation.h"

namespace ui {
namespace {

// The widths of the tabs. They are equal if the longest title fits; otherwise each is the width of its
// title plus an equal part of the spare width. Empty if the titles do not fit in the width `total_width`.
std::vector<float> tab_widths(std::span<const char* const> ids, float total_width) {
    const float each = std::floor(total_width / static_cast<float>(ids.size()));
    std::vector<float> widths;
    float sum = 0, longest = 0;
    for (const char* id : ids) {
        widths.push_back(ImGui::CalcTextSize(find_panel(id)->title).x + ImGui::GetStyle().FramePadding.x);
        sum += widths.back();
        longest = std::max(longest, widths.back());
    }
    if (longest <= each) return std::vector<float>(ids.size(), total_width / static_cast<float>(ids.size()));
    const float spare = std::floor((total_width - sum) / static_cast<float>(ids.size()));
    if (spare < 0) return {};
    for (float& width : widths) width += spare;
    return widths;
}

}  // namespace

Frame App::make_frame(float dt) {
    return {control_.model(), view(), memory_, *theme_, backend_.fonts(), dt, requests_};
}

void App::draw_window() {
    apply_theme(*theme_, backend_.fonts().scale);
    if (titled_ != model().scenario_name) {
        titled_ = model().scenario_name;
        backend_.set_title(fmt::format("{} - Switchyard", titled_));
        return_freed_memory();  // returns the memory of the previous scenario to the operating system
    }
    if (const std::string& file = control_.file(); opened_ != file) {
        opened_ = file;
        if (!file.empty()) {
            add_recent_file(recent_, file);
            save_window_settings();
        }
    }
    Frame frame = make_frame(ImGui::GetIO().DeltaTime);
    view().pointed.reset();
    hovered_pane_.clear();
    drawn_.clear();
    if (uses_controls_) show_focus_border(focus_is_drawn_);
    begin_tab_stops();
    const ImVec2 whole = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(whole);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0F);
    ImGui::Begin("switchyard", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImGui::PopStyleVar(2);
    outlined_.reset();
    if (view().presenting) {
        draw_presenters_view(frame);
    } else if (view().bare) {
        draw_pane(find_panel(view().alone) != nullptr ? view().alone : "timeline", {0, 0}, whole, false);
    } else if (view().start) {
        draw_start_screen_top(*this, frame);
        draw_start_panes(frame);
        draw_start_screen_bottom(*this, frame);
    } else {
        draw_top_bar(*this, frame);
        draw_panes(frame);
        draw_bottom_bar(*this, frame);
    }
    ImGui::End();
    draw_overlays(*this, frame);
    draw_answer_to_why_not(frame);
    update_and_draw_strokes(frame, drawing_, overlay_ == Overlay::none && model().error.empty());
    if (view().presenting) {
        toggle_toolbar_on_right_click(view());
        draw_pointing_ring(frame, ring_);
        draw_black_screen(frame);
    }
    focus_is_drawn_ = end_tab_stops();
    overlay_box_.just_opened = false;
    ScriptEditorState& box = memory_.of<ScriptEditorState>();
    if (!box.is_drawn) box.is_typed_into = false;
    box.is_drawn = false;
    if (std::exchange(box.asks_to_save, false)) ask([](App& a) { a.save_script(); });
}

// Draws a pane at a position in the window.
void App::draw_pane(std::string_view id, ImVec2 at, ImVec2 size, bool titled) {
    const Panel& panel = *find_panel(id);
    drawn_.push_back(&panel);
    if (size.x < 8 || size.y < 8) return;
    Frame frame = make_frame(ImGui::GetIO().DeltaTime);
    set_cursor_screen_pos(at);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(frame.px(8), frame.px(6)));
    ImGui::PushStyleColor(ImGuiCol_ChildBg, theme_->panel);
    begin_child(panel.id, size, true);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows |
                               ImGuiHoveredFlags_AllowWhenBlockedByActiveItem))
        hovered_pane_ = panel.id;
    // A very low pane has no title, to leave the height for its content.
    if (titled && size.y > frame.px(130)) {
        ImGui::PushStyleColor(ImGuiCol_Text, theme_->text_dim);
        ImGui::TextUnformatted(sim::upper_case(panel.title).c_str());
        ImGui::PopStyleColor();
    }
    panel.draw(frame);
    ImGui::EndChild();
}

// Draws pane `shown` of `ids`, with tabs for all of them. Returns the pane that the user has selected.
std::string App::draw_tabs(std::span<const char* const> ids, const std::string& shown, ImVec2 at,
                           ImVec2 size) {
    const float height = ImGui::GetFrameHeight();
    std::vector<float> widths = tab_widths(ids, size.x);
    // Draws two rows of tabs if they do not fit in one row and the height allows it.
    const std::size_t in_first = (ids.size() + 1) / 2;
    const bool two_rows = widths.empty() && size.y > 5 * height;
    if (two_rows) {
        widths = tab_widths(ids.first(in_first), size.x);
        const std::vector<float> second = tab_widths(ids.subspan(in_first), size.x);
        if (widths.empty() || second.empty())
            widths.clear();
        else
            widths.insert(widths.end(), second.begin(), second.end());
    }
    std::string next = shown;
    set_cursor_screen_pos(at);
    if (widths.empty()) {
        ImGui::SetNextItemWidth(size.x);
        if (ImGui::BeginCombo("##pane", find_panel(shown)->title, ImGuiComboFlags_HeightLarge)) {
            for (const char* id : ids)
                if (ImGui::Selectable(find_panel(id)->title, shown == id)) next = id;
            ImGui::EndCombo();
        }
        draw_pane(shown, {at.x, at.y + height}, {size.x, size.y - height}, false);
        return next;
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const bool chosen = shown == ids[i];
        if (two_rows && i == in_first)
            set_cursor_screen_pos({at.x, at.y + height});
        else if (i > 0)
            ImGui::SameLine(0, 0);
        ImGui::PushStyleColor(ImGuiCol_Button, chosen ? theme_->panel : theme_->background);
        ImGui::PushStyleColor(ImGuiCol_Text, chosen ? theme_->text : theme_->text_dim);
        ImGui::PushID(ids[i]);
        if (ImGui::Button(find_panel(ids[i])->title, ImVec2(widths[i], height))) next = ids[i];
        ImGui::PopID();
        ImGui::PopStyleColor(2);
    }
    const float rows = two_rows ? 2 * height : height;
    draw_pane(shown, {at.x, at.y + rows}, {size.x, size.y - rows}, false);
    return next;
}

void App::draw_panes(Frame& frame) {
    const ImVec2 whole = ImGui::GetIO().DisplaySize;
    const float top = ImGui::GetCursorScreenPos().y;
    const float band = bottom_bar_height(frame);
    const float gap = frame.px(4);
    const ImVec2 at{gap, top};
    const ImVec2 size{whole.x - 2 * gap, std::max(1.0F, whole.y - top - band - gap)};

    if (find_panel(view().alone) != nullptr)
        draw_pane(view().alone, at, size, true);
    else if (has_room_for_layouts(frame.scale()))
        draw_layout(frame, at, size);
    else
        draw_panes_on_tabs(frame, at, size);
}

// Draws the presenter's view: the headline, one pane, and the toolbar if it is shown.
void App::draw_presenters_view(Frame& frame) {
    if (view().show_toolbar) draw_top_bar(*this, frame);
    const float top = view().show_toolbar ? ImGui::GetCursorScreenPos().y : 0;
    const ImVec2 whole = ImGui::GetIO().DisplaySize;
    const float gap = frame.px(4);
    const float headline = draw_headline(*this, frame, top);
    const ImVec2 at{gap, top + headline + gap};
    const ImVec2 end{whole.x - gap, whole.y - std::max(gap, draw_message(*this, frame))};
    const std::string_view part = part_of_tour_subject(view().subject);
    const std::size_t place = std::hash<std::string>{}(
        fmt::format("{} {} {} {}", view().stop.value_or(0), whole.x, whole.y, headline));
    memory_.of<CaptionTarget>().set_part(part, place);
    const ImVec2 size{end.x - at.x, end.y - at.y};
    draw_pane(presented_pane(view()), at, size, false);
    outlined_ = draw_caption_outline(*this, frame, at, end);
}

// Draws the panes of the start screen. At the bottom is the Gantt chart. Above the chart is the whole
// scenario, or the table of jobs with the queue to its right (below it in a narrow window).
void App::draw_start_panes(Frame& frame) {
    const ImVec2 whole = ImGui::GetIO().DisplaySize;
    const float gap = frame.px(4);
    const float top = ImGui::GetCursorScreenPos().y + gap;
    const float height = std::max(1.0F, whole.y - top - start_screen_bottom_height(frame));
    const float width = whole.x - 2 * gap;
    const float chart = std::min(std::floor(height * 0.36F), frame.px(160));
    const float above = height - chart - gap;
    const bool side_by_side = width > frame.px(760);
    // The titles of the table fit into 750 pixels at scale 1; the queue needs 270.
    const float titles = std::min(frame.px(750), width - frame.px(270));
    const float table = side_by_side ? std::max(std::floor(width * 0.56F), titles) : width;
    const char* const queue = view().start_screen_animates ? "animation" : "run_queue";
    if (view().editing) {
        draw_pane("scenario", {gap, top}, {width, above}, true);
    } else if (side_by_side) {
        draw_pane("workload", {gap, top}, {table, above}, true);
        draw_pane(queue, {gap + table + gap, top}, {width - table - gap, above}, true);
    } else {
        const float upper = std::floor(above * 0.6F);
        draw_pane("workload", {gap, top}, {width, upper}, true);
        draw_pane(queue, {gap, top + upper + gap}, {width, above - upper - gap}, true);
    }
    draw_pane("gantt", {gap, top + above + gap}, {width, chart}, true);
}

// Draws the timeline at the top and the other panes on tabs below it. In a very small window, all panes are
// on tabs.
void App::draw_panes_on_tabs(Frame& frame, ImVec2 at, ImVec2 size) {
    const bool tiny = size.y < frame.px(260);
    std::vector<const char*> ids;
    for (const Panel& panel : panels())
        if (tiny || panel.id != std::string_view("timeline")) ids.push_back(panel.id);
    std::string& shown = view().narrow_tab;
    if (!tiny && shown == "timeline") shown = "decision";
    const float gap = frame.px(4);
    const float below = tiny ? size.y : size.y * 0.56F;
    if (!tiny) draw_pane("timeline", at, {size.x, size.y - below - gap}, false);
    shown = draw_tabs(ids, shown, {at.x, at.y + size.y - below}, {size.x, below});
}

std::string App::text(bool with_all_headings) const {
    std::string text = (with_all_headings ? "== The run\n" : "") + top_bar_text(*this) + tour_text(*this);
    if (view().start)
        if (const std::string why = decision_reason(*this); !why.empty()) text += "why: " + why + "\n";
    for (const Panel* panel : drawn_)
        text += fmt::format("\n== {}\n{}", panel->title, panel->text(model(), view()));
    text += with_all_headings ? "\n== The question and the key hints\n" : "\n";
    return sim::printable_lines(text + bottom_bar_text(*this) + overlay_text(*this));
}

}  // namespace ui
