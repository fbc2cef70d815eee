// The pane DECISION: one call of schedule() in detail, with tasks, pseudo-code, candidates in search order,
// recalculated counters and cost. All parts of the pane show the state at the cursor's step. DecisionPage
// computes the contents; the files that decision_pane.h lists draw them. In a low pane, the code and the
// tables scroll separately, so that the current line and the current task are both visible.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "ui/control/control.h"
#include "ui/panels/decision_pane.h"
#include "ui/panels/drawing.h"
#include "ui/panels/panel_helpers.h"
#include "ui/platform/imgui_versions.h"
#include "ui/view/two_runs.h"

namespace ui {
namespace {

constexpr float kCostBarHeight = 18;
constexpr float kBothWidth = 600;  // least pane width at which two decisions are drawn side by side

// --- the line at the top ---

void draw_head(Frame& frame, const DecisionPage& page, float width, const std::string& label) {
    const DecisionHeadline& head = page.head;
    const Theme& theme = frame.theme;
    // At a small width, for example in half of a pane next to another decision, the names of the tasks are in
    // the smaller font.
    const bool narrow = width < frame.px(400);
    ImFont* const title = narrow ? frame.fonts.sans : frame.fonts.title;
    TextFlow flow(frame, width, std::round(pixel_size(*title) * 1.3f));
    if (!label.empty()) flow.text(title, theme.accent, label);
    flow.text(frame.fonts.sans, theme.text_dim, head.which);
    flow.chip(title, theme.text, colour_of(frame, head.prev), page.cursor.name(head.prev));
    switch (head.outcome) {
        case DecisionHeadline::Outcome::hidden:
            flow.text(title, theme.text_dim, "→");
            flow.text(title, theme.warning, "?");
            break;
        case DecisionHeadline::Outcome::switches:
            flow.text(title, theme.text_dim, "→");
            flow.chip(title, theme.text, colour_of(frame, head.next), page.cursor.name(head.next));
            break;
        case DecisionHeadline::Outcome::goes_on:
            flow.text(title, theme.text_dim, "continues");
            break;
    }
    // The text `where` states time and CPU. In a narrow pane that compares two runs, it is omitted if both
    // runs are at the same time and the machine has only one CPU.
    const bool omits_time = narrow && !label.empty() && !has_runs_at_different_times(frame.model);
    if (!omits_time || page.cursor.run.scenario().cpus > 1)
        flow.text(frame.fonts.sans, theme.text_dim, head.where);
    flow.finish();
}

ImU32 tone_colour(const Theme& theme, DecisionPage::Tone tone) {
    switch (tone) {
        case DecisionPage::Tone::question:
            return theme.warning;
        case DecisionPage::Tone::right:
            return theme.ok;
        case DecisionPage::Tone::wrong:
            return theme.error;
        case DecisionPage::Tone::plain:
            break;
    }
    return theme.text;
}

void draw_sentence(Frame& frame, const DecisionPage& page, float width) {
    const std::string lines = wrapped_text(frame.fonts.sans, page.sentence, width);
    const float height = ImGui::CalcTextSize(lines.c_str()).y;
    draw_text(frame.fonts.sans, ImGui::GetCursorScreenPos(), tone_colour(frame.theme, page.tone), lines);
    // Reserves at least two lines, so that the parts below do not move.
    ImGui::Dummy(ImVec2(width, std::max(height, 2 * ImGui::GetTextLineHeight())));
}

// Draws buttons with the numbered answers to a question that is not about a task.
void draw_answer_buttons(Frame& frame, const DecisionPage& page, float width) {
    const float left = ImGui::GetCursorPosX();
    float x = 0;
    int number = 0;
    for (const Answer& answer : page.answers) {
        const std::string label = fmt::format("{}: {}", ++number, answer.text);
        const float wide = text_width(frame.fonts.sans, label) + 2 * ImGui::GetStyle().FramePadding.x;
        if (x > 0 && x + wide <= width)
            ImGui::SameLine(left + x);
        else
            x = 0;
        if (ImGui::Button(label.c_str()))
            frame.ask(
                [says = answer.says](Control& control) { control.prediction_quiz().answer_question(says); });
        x += wide + frame.px(8);
    }
}

// --- moving through the steps ---

void go_to_step(Frame& frame, std::size_t step) {
    frame.ask([step](Control& control) { control.navigator().show_decision_step(step); });
}

void draw_step_controls(Frame& frame, const Cursor& c, float width) {
    const std::size_t count = c.in.steps.size();
    const std::size_t at = c.stepping ? c.at : count - 1;
    const auto button = [&](const char* sign, const char* what, bool can, std::size_t to) {
        ImGui::BeginDisabled(!can);
        if (ImGui::Button(sign)) go_to_step(frame, to);
        ImGui::EndDisabled();
        if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) ImGui::SetTooltip("%s", what);
        ImGui::SameLine(0, frame.px(3));
    };
    const float left = ImGui::GetCursorPosX();
    button("⏮", "Go to the first step", !c.stepping || at > 0, 0);
    button("⏴", "Step back (Left)", !c.stepping || at > 0, c.stepping ? at - 1 : count - 1);
    button("⏵", "Step forward (Right)", !c.stepping || at + 1 < count, c.stepping ? at + 1 : 0);
    button("⏭", "Go to the last step", c.stepping && at + 1 < count, count - 1);
    ImGui::SameLine(0, frame.px(8));

    const std::string hint = c.stepping ? "←/→: one line; Esc: leave" : "I: one level in";
    const float hint_width = text_width(frame.fonts.sans, hint);
    float room = width - (ImGui::GetCursorPosX() - left);
    const bool hinted = room - hint_width > frame.px(170);
    if (hinted) room -= hint_width + frame.px(10);
    if (room < frame.px(90)) {
        ImGui::NewLine();
        room = width;
    }
    int step = static_cast<int>(at) + 1;
    const std::string format =
        c.stepping ? "step %d of " + group_digits(count) : group_digits(count) + " steps";
    ImGui::SetNextItemWidth(room);
    for (const ImGuiCol grab : {ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive})
        ImGui::PushStyleColor(grab, text_highlight_colour(frame.theme));
    const bool moved = ImGui::SliderInt("##step", &step, 1, static_cast<int>(count), format.c_str(),
                                        ImGuiSliderFlags_AlwaysClamp);
    ImGui::PopStyleColor(2);
    if (moved) go_to_step(frame, static_cast<std::size_t>(std::max(step, 1)) - 1);
    if (hinted) {
        ImGui::SameLine(0, frame.px(10));
        ImGui::AlignTextToFramePadding();
        ImGui::TextDisabled("%s", hint.c_str());
    }
}

// --- the costs ---

// Draws the terms of the cost and returns their height. `dry`: only measures, without drawing.
float draw_legend(Frame& frame, const DecisionCost& costs, const sim::Overhead& sum, float width, bool dry) {
    TextFlow flow(frame, width, std::round(ImGui::GetTextLineHeight() * 1.25f), dry);
    const char* plus = nullptr;
    for (const CostTerm& part : cost_terms(sum, costs.whole_time)) {
        if (plus != nullptr) flow.separator(frame.fonts.sans, frame.theme.text_dim, plus);
        plus = "+";
        const bool differs = costs.differs(*part.kind);
        flow.cost(frame.fonts.sans, differs ? frame.theme.warning : frame.theme.text, *part.kind,
                  (differs ? "≠ " : "") + part.text);
    }
    if (plus == nullptr && costs.whole_time > sim::Nanos{})
        flow.text(frame.fonts.sans, frame.theme.text_dim, "no cost so far");
    return flow.finish();
}

void draw_cost_bar(Frame& frame, const DecisionCost& costs, ImVec2 min, ImVec2 max) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float width = max.x - min.x;
    const auto all = static_cast<double>(std::max<std::int64_t>(costs.whole_time.count(), 1));
    const auto x = [&](std::int64_t n) {
        return min.x +
               static_cast<float>(std::round(static_cast<double>(width) * static_cast<double>(n) / all));
    };
    fill_rect(list, min, max, frame.theme.background);
    std::int64_t until = 0;
    for (const CostKind& kind : cost_kinds()) {
        const std::int64_t from = until;
        until += (costs.so_far.*kind.part).count();
        fill_cost_rectangle(frame, kind, ImVec2(x(from), min.y), ImVec2(x(until), max.y));
    }
    draw_frame(list, min, max, frame.theme.panel_border, std::max(1.0f, std::round(frame.scale())));
}

void draw_page_costs(Frame& frame, const DecisionPage& page, float width) {
    ImFont* const sans = frame.fonts.sans;
    const DecisionCost& costs = page.costs;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = frame.px(kCostBarHeight);
    ImGui::Dummy(ImVec2(width, height));
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", costs.total.c_str());
    draw_text(sans, ImVec2(at.x, at.y + (height - pixel_size(*sans)) / 2), frame.theme.text,
              costs.equation_start);
    // The left edge of the bar is the same for every step.
    const float left =
        std::max(text_width(sans, costs.equation_start), text_width(sans, costs.longest)) + frame.px(8);
    if (width - left > frame.px(80))
        draw_cost_bar(frame, costs, ImVec2(at.x + left, at.y), ImVec2(at.x + width, at.y + height));
    draw_legend(frame, costs, costs.so_far, width, false);
}

// --- the whole pane ---

// True if the presenter's view is about this part of the pane and there is no room for another part.
bool is_only_part_shown(const Frame& frame, std::string_view part, float height) {
    return frame.view.presenting && frame.view.subject == part && height < 14 * table_row_height();
}

// Draws the pseudo-code and the tables, side by side or one above the other.
void draw_code_and_tables(Frame& frame, const DecisionPage& page, ImVec2 room) {
    if (is_only_part_shown(frame, "decision.code", room.y)) return draw_code(frame, page, room);
    if (is_only_part_shown(frame, "decision.tasks", room.y)) return draw_tables(frame, page, room);
    const std::size_t rows = page.candidates.rows.size(), visits = page.refill.rows.size();
    const bool low = room.y < 12 * table_row_height();
    const float chosen = table_selector_height(frame, page, room.x);
    const float table_whole = chosen + table_height(std::max(rows, std::min<std::size_t>(visits, 6)));
    const float table_least =
        chosen + table_height(std::min<std::size_t>(std::max(rows, visits), low ? 2 : 4));
    if (room.x > frame.px(980)) {
        const float half = std::round(room.x * 0.55f), gap = frame.px(16);
        const float height = std::max(room.y, table_least);
        draw_code(frame, page, ImVec2(half - gap, height));
        ImGui::SameLine(0, gap);
        draw_tables(frame, page, ImVec2(room.x - half, height));
        return;
    }
    const CodeLayout code = lay_out_code(frame, page, room.x);
    const float both = room.y - ImGui::GetStyle().ItemSpacing.y;
    // During a recalculation the tables get up to half of the room, because the code of a recalculation is
    // short.
    const bool recalculates = std::any_of(page.refill.rows.begin(), page.refill.rows.end(),
                                          std::mem_fn(&RecalculationRow::current));
    const float wanted = recalculates ? std::min(chosen + table_height(visits), std::round(both / 2)) : 0;
    float table = std::max(wanted, std::min(table_whole, std::max(table_least, both - code.total)));
    if (frame.view.candidates_first) {
        const float all =
            chosen > 0 && !frame.view.prefers_recalculation ? chosen + table_height(rows) : table_whole;
        const bool has_code = page.cursor.stepping || both - all >= code.min_height();
        if (!has_code) return draw_tables(frame, page, room);
        table = std::max(wanted, std::min(all, both - code.min_height()));
    }
    const float height = std::max(std::min(code.total, both - table), code.min_height());
    draw_code(frame, page, ImVec2(room.x, height));
    draw_tables(frame, page, ImVec2(room.x, std::max(both - height, std::min(table, table_least))));
}

// Draws one decision at ImGui's cursor. If `size` is too small, the pane scrolls.
void draw_decision_page(Frame& frame, const DecisionPage& page, ImVec2 size, const std::string& label,
                        bool with_controls) {
    const float top = ImGui::GetCursorPosY();
    const auto left_below = [&] { return size.y - (ImGui::GetCursorPosY() - top); };
    draw_head(frame, page, size.x, label);
    if (page.hidden) {
        draw_sentence(frame, page, size.x);
        draw_answer_buttons(frame, page, size.x);
        draw_candidates(frame, page, ImVec2(size.x, std::max(left_below(), table_height(2))));
        return;
    }
    if (with_controls) draw_step_controls(frame, page.cursor, size.x);
    draw_sentence(frame, page, size.x);
    if (const float room = left_below();
        is_only_part_shown(frame, "decision.code", room) || is_only_part_shown(frame, "decision.tasks", room))
        return draw_code_and_tables(frame, page, ImVec2(size.x, room));
    const float spacing = ImGui::GetStyle().ItemSpacing.y;
    const float costs =
        frame.px(kCostBarHeight) + spacing + draw_legend(frame, page.costs, page.costs.whole, size.x, true);
    draw_code_and_tables(frame, page, ImVec2(size.x, left_below() - costs - spacing));
    const ImVec2 below = ImGui::GetCursorScreenPos();
    draw_page_costs(frame, page, size.x);
    frame.report_part_rectangle("costs", below, ImVec2(below.x + size.x, ImGui::GetCursorScreenPos().y));
}

// Draws the error of a policy script that ended the run before the first decision.
void draw_failure(Frame& frame) {
    const Run& run = *frame.model.a;
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.error);
    draw_paragraph(failure_text(run));
    ImGui::PopStyleColor();
    const std::vector<std::string>& lines = run.policy().source_lines;
    const int failed = failed_line(run);
    begin_child("source", ImGui::GetContentRegionAvail());
    push_font(frame.fonts.mono);
    for (int number = 1; number <= static_cast<int>(lines.size()); ++number) {
        coloured_text(number == failed ? frame.theme.error : frame.theme.text_dim,
                      fmt::format("{} {:>4}  {}", number == failed ? "✗" : " ", number,
                                  lines[static_cast<std::size_t>(number) - 1]));
        if (number == failed && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
    }
    ImGui::PopFont();
    ImGui::EndChild();
}

void draw_no_decision_yet(Frame& frame) {
    if (frame.model.a->failure_at_position() != nullptr) return draw_failure(frame);
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(
        "schedule() has not been called yet. → steps to the first event, Shift+→ to the first switch.");
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

// Draws the results of run A and run B, and their ratio.
void draw_run_results(Frame& frame, float width, ImFont* font) {
    const ComparedCosts lines = compared_costs(frame.model);
    const Theme& theme = frame.theme;
    TextFlow flow(frame, width, std::round(pixel_size(*font) * 1.3f));
    for (const bool first : {true, false}) {
        flow.text(frame.fonts.sans, theme.accent, run_label(first));
        flow.text(font, theme.text, first ? lines.a : lines.b);
    }
    if (!lines.factor.empty()) flow.text(frame.fonts.sans, theme.text_dim, lines.factor);
    flow.finish();
}

// Draws two decisions side by side. The controls above them step through the decision with more steps.
void draw_decisions_side_by_side(Frame& frame, const DecisionPage& a, const DecisionPage& b, ImVec2 room) {
    const float gap = frame.px(20), half = std::floor((room.x - gap) / 2);
    float height = room.y;
    if (!a.hidden) {
        const bool a_is_longer = a.cursor.in.steps.size() >= b.cursor.in.steps.size();
        draw_step_controls(frame, a_is_longer ? a.cursor : b.cursor, room.x);
        height -= ImGui::GetFrameHeightWithSpacing();
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    for (const bool first : {true, false}) {
        if (!first) ImGui::SameLine(0, gap);
        begin_child(first ? "a" : "b", ImVec2(half, height));
        draw_decision_page(frame, first ? a : b, ImGui::GetContentRegionAvail(), run_label(first), false);
        ImGui::EndChild();
    }
    const float x = at.x + half + std::round(gap / 2);
    fill_rect(*ImGui::GetWindowDrawList(), ImVec2(x, at.y),
              ImVec2(x + std::max(1.0f, std::round(frame.scale())), at.y + height), frame.theme.panel_border);
}

void draw_decisions_in_tabs(Frame& frame, const DecisionPage& a, const DecisionPage& b) {
    if (!ImGui::BeginTabBar("runs")) return;
    for (const bool first : {true, false}) {
        const DecisionPage& page = first ? a : b;
        const std::string label = fmt::format(
            "{}: {}###{}", run_label(first),
            page.hidden
                ? "?"
                : escape_for_imgui_label(page.cursor.name(page.cursor.decision().record.task)) + " runs",
            first ? "a" : "b");
        if (!ImGui::BeginTabItem(label.c_str())) continue;
        draw_decision_page(frame, page, ImGui::GetContentRegionAvail(), run_label(first), true);
        ImGui::EndTabItem();
    }
    ImGui::EndTabBar();
}

}  // namespace

bool cursor_moved_since_last_call(const char* id, const Cursor& c) {
    const std::uint64_t step = 2 * std::uint64_t{c.at} + (c.stepping ? 1 : 0);
    const std::uint64_t key = (c.decision().number * 0x9e3779b97f4a7c15u ^ step * 0xbf58476d1ce4e5b9u) >> 8;
    int& last = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID(id), -1);
    const int now = static_cast<int>(key & 0x7fffffff);
    if (last == now) return false;
    last = now;
    return true;
}

void draw_decision(Frame& frame) {
    if (draw_message_if_no_scenario(frame)) return;
    const std::optional<Cursor> a = cursor_in(frame.model.a, frame.view);
    const std::optional<Cursor> b = cursor_in(frame.model.b, frame.view);
    if (!a) return draw_no_decision_yet(frame);
    ImVec2 room = ImGui::GetContentRegionAvail();
    DecisionPage page_a = decision_page(*a, frame.view);
    if (!b) {
        ImGui::PushID("a");
        draw_decision_page(frame, page_a, room, "", true);
        ImGui::PopID();
        return;
    }
    DecisionPage page_b = decision_page(*b, frame.view);
    mark_differences(page_a, page_b);
    const bool side_by_side = room.x > frame.px(kBothWidth);
    draw_run_results(frame, room.x, side_by_side ? frame.fonts.title : frame.fonts.sans);
    room.y = ImGui::GetContentRegionAvail().y;
    if (side_by_side)
        draw_decisions_side_by_side(frame, page_a, page_b, room);
    else
        draw_decisions_in_tabs(frame, page_a, page_b);
}

std::string decision_text(const Model& model, const ViewState& view) {
    if (model.a == nullptr) return {};
    const std::optional<Cursor> a = cursor_in(model.a, view), b = cursor_in(model.b, view);
    if (!a && model.a->failure_at_position() == nullptr) return "schedule() has not been called yet.\n";
    if (!a) {
        std::string text = failure_text(*model.a) + "\n";
        const std::vector<std::string>& lines = model.a->policy().source_lines;
        if (const int line = failed_line(*model.a); line > 0 && line <= static_cast<int>(lines.size()))
            text += fmt::format("\n! {:>4}  {}\n", line, lines[static_cast<std::size_t>(line) - 1]);
        return text;
    }
    DecisionPage page_a = decision_page(*a, view);
    if (!b) return text_of(page_a);
    DecisionPage page_b = decision_page(*b, view);
    mark_differences(page_a, page_b);
    const ComparedCosts lines = compared_costs(model);
    std::string text;
    for (const bool first : {true, false})
        text += fmt::format("{}: {}\n", run_label(first), first ? lines.a : lines.b);
    if (!lines.factor.empty()) text += lines.factor + "\n";
    for (const bool first : {true, false})
        text += fmt::format("\n{}: {}", run_label(first), text_of(first ? page_a : page_b));
    return text;
}

}  // namespace ui
