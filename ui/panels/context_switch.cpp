// The pane SWITCH: the current context switch as a diagram. It shows which state is saved, loaded, skipped,
// kept or flushed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/panels/drawing.h"
#include "ui/panels/panel_helpers.h"
#include "ui/platform/shapes.h"
#include "ui/view/decision_page.h"
#include "ui/view/text_table.h"
#include "ui/view/two_runs.h"

namespace ui {
namespace {

using sim::SwitchStep;

// The word and the colour for the effect of a step on the state of the previous task.
struct Badge {
    const char* text;
    ImU32 Theme::*colour;
};
Badge badge_of(const SwitchStep& step) {
    switch (step.kept) {
        case SwitchStep::OldContents::kept:
            return {"● kept", &Theme::ok};
        case SwitchStep::OldContents::flushed:
            return {"✗ flushed", &Theme::warning};
        case SwitchStep::OldContents::none:
            break;
    }
    return {"", &Theme::text_dim};
}

std::string cost_text(const SwitchStep& step, sim::Nanos whole) {
    if (!step.happens) return "spared";
    return step.cost == sim::Nanos{} ? "" : span(step.cost, whole);
}

// The index of the first step that belongs to the next task.
std::size_t first_step_of_next_task(const sim::SwitchView& view) {
    for (std::size_t i = 0; i < view.steps.size(); ++i)
        if (view.steps[i].begins_next) return i;
    return view.steps.size();
}

void draw_task_card(Frame& frame, const Cursor& c, sim::TaskId p, const char* role, ImVec2 min, ImVec2 size) {
    const Theme& theme = frame.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 max(min.x + size.x, min.y + size.y);
    const float line = std::max(1.0f, std::round(frame.scale() * theme.line_width));
    fill_rect(list, min, max, blend(with_alpha(theme.text, 0.06f), theme.panel));
    fill_rect(list, min, ImVec2(min.x + std::round(frame.px(6)), max.y), colour_of(frame, p));
    if (frame.view.show_mms) {
        const sim::Machine& known = c.decision().after.is_live(p) ? c.decision().after : c.decision().before;
        draw_mm_mark(frame, known.task[p].mm, false, ImVec2(min.x + std::round(frame.px(7)), min.y),
                     ImVec2(min.x + std::round(frame.px(10)), max.y));
    }
    draw_frame(list, min, max, theme.panel_border, line);
    const sim::Machine& m = c.decision().after.is_live(p) ? c.decision().after : c.decision().before;
    ImFont* const sans = frame.fonts.sans;
    const float left = min.x + frame.px(14), room = size.x - frame.px(20),
                row = pixel_size(*sans) + frame.px(4);
    float y = min.y + frame.px(6);
    draw_text(sans, ImVec2(left, y), theme.text_dim, ellipsized_text(sans, role, room));
    y += row;
    draw_text(frame.fonts.title, ImVec2(left, y), theme.text, short_name(frame.fonts.title, c.name(p), room));
    y += pixel_size(*frame.fonts.title) + frame.px(6);
    const std::string mm = mm_text(m, c.run.scenario(), p);
    const bool idle = m.is_idle_task(p);
    const std::string state = idle                                          ? "idle task"
                              : !c.decision().after.is_live(p)              ? "has exited"
                              : m.task[p].state == sim::TaskState::runnable ? scheduling_key_text(c, m, p)
                                                                            : "is asleep";
    for (const std::string& words : {mm, state}) {
        const float height = sans->CalcTextSizeA(pixel_size(*sans), FLT_MAX, room, words.c_str()).y;
        if (y + height > max.y) break;
        draw_text(sans, ImVec2(left, y), theme.text_dim, words, room);
        y += height + row - pixel_size(*sans);
    }
    if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(min, max)) return;
    frame.report_hovered_task(p);
    ImGui::SetTooltip("%s", fmt::format("{}: {}\n{}\n{}", role, c.name(p), mm, state).c_str());
}

void draw_arrow(Frame& frame, float x1, float x2, float y, ImU32 colour) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float half = std::max(1.0f, std::round(frame.px(1))), tip = std::round(frame.px(6));
    const float direction = x2 > x1 ? 1.0f : -1.0f, base = x2 - direction * tip;
    fill_rect(list, ImVec2(std::min(x1, base), y - half), ImVec2(std::max(x1, base), y + half), colour);
    polygon(list, {ImVec2(x2, y), ImVec2(base, y - tip), ImVec2(base, y + tip)}, colour);
}

// Removes whole sentences at the end until the text fits, because half a sentence might state the opposite.
std::string sentences_that_fit(ImFont* font, const std::string& text, float width) {
    std::string all = text;
    while (!all.empty() && text_width(font, all) > width) {
        const std::size_t end = all.rfind(". ", all.size() - 2);
        all.erase(end == std::string::npos ? 0 : end + 1);
    }
    return all;
}

struct StepColumns {
    float number, cost, badge, text;  // widths of the columns in pixels
    sim::Nanos whole;                 // total cost of all steps

    float detail() const { return text + cost + badge; }
};

// The height of a step in pixels, not rounded.
float height_of_step(Frame& frame, const SwitchStep& step, const StepColumns& columns, bool details) {
    ImFont* const sans = frame.fonts.sans;
    const float size = pixel_size(*sans), padding = frame.px(4);
    float height = size + 2 * padding;
    if (details) height += sans->CalcTextSizeA(size, 1e9f, columns.detail(), step.detail.c_str()).y + padding;
    return height;
}

// Draws a step of the switch. Returns the height of the drawing.
float draw_step(Frame& frame, const SwitchStep& step, std::size_t number, const StepColumns& columns,
                ImVec2 at, bool details) {
    const Theme& theme = frame.theme;
    ImFont* const sans = frame.fonts.sans;
    const float size = pixel_size(*sans), padding = frame.px(4), left = columns.number;
    const float height = height_of_step(frame, step, columns, details);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float width = columns.number + columns.text + columns.cost + columns.badge;
    const float y = at.y + padding;
    const ImU32 ink = step.happens ? theme.text : theme.text_dim;
    draw_text(sans, ImVec2(at.x + frame.px(6), y), theme.text_dim, std::to_string(number));
    const std::string title = ellipsized_text(sans, step.title, columns.text);
    draw_text(sans, ImVec2(at.x + left, y), ink, title);
    if (!details) {
        const float x = text_width(sans, title) + frame.px(12);
        draw_text(sans, ImVec2(at.x + left + x, y), theme.text_dim,
                  sentences_that_fit(sans, step.detail, columns.text - x - frame.px(8)));
    }
    const std::string cost = cost_text(step, columns.whole);
    const float right = at.x + left + columns.text + columns.cost - frame.px(10);
    draw_text(sans, ImVec2(right - text_width(sans, cost), y), step.happens ? theme.text : theme.text_dim,
              cost);
    const Badge badge = badge_of(step);
    draw_text(sans, ImVec2(right + frame.px(10), y), theme.*badge.colour, badge.text);
    if (details)
        draw_text(sans, ImVec2(at.x + left, y + size + padding), theme.text_dim, step.detail,
                  columns.detail());
    fill_rect(list, ImVec2(at.x, at.y + height), ImVec2(at.x + width, at.y + height + 1), theme.grid);
    if (!details && ImGui::IsWindowHovered() &&
        ImGui::IsMouseHoveringRect(at, ImVec2(at.x + width, at.y + height))) {
        ImGui::BeginTooltip();
        ImGui::PushTextWrapPos(frame.px(420));
        ImGui::TextUnformatted((step.title + ": " + step.detail).c_str());
        ImGui::PopTextWrapPos();
        ImGui::EndTooltip();
    }
    return std::round(height);
}

void draw_wrapped(ImU32 colour, const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    draw_paragraph(text);
    ImGui::PopStyleColor();
}

void draw_head(Frame& frame, const Cursor& c, const std::string& label, float width) {
    const Theme& theme = frame.theme;
    const sim::SwitchView& view = c.in.switch_view;
    ImFont* const sans = frame.fonts.sans;
    TextFlow head(frame, width, std::round(ImGui::GetTextLineHeight() * 1.3f));
    if (!label.empty()) head.text(sans, theme.accent, label);
    head.text(sans, theme.text_dim,
              view.switched ? "switch " + group_digits(c.decision().switch_number)
                            : "decision " + group_digits(c.decision().number));
    if (c.run.scenario().cpus > 1)
        head.text(sans, theme.text_dim, fmt::format("on cpu{}", c.decision().record.cpu));
    if (!view.switched || view.cost > sim::Nanos{})
        head.text(sans, theme.text, view.switched ? span(view.cost) + " in total" : "no switch");
    const sim::Overhead overhead = sim::decision_overhead(c.decision(), c.run.scenario().machine.costs);
    for (const CostKind& kind : cost_kinds()) {
        const bool of_switch = kind.part == &sim::Overhead::context_switch ||
                               kind.part == &sim::Overhead::address_space ||
                               kind.part == &sim::Overhead::cache_refill;
        const sim::Nanos cost = overhead.*kind.part;
        if (of_switch && cost != sim::Nanos{})
            head.cost(sans, theme.text_dim, kind, fmt::format("{} {}", kind.name, span(cost, view.cost)));
    }
    // The head of the pane also names the effect on the TLB. This effect is often the most important one,
    // and its step may be out of view.
    const auto tlb = std::find_if(view.steps.begin(), view.steps.end(),
                                  [](const SwitchStep& step) { return step.title == "TLB"; });
    if (tlb != view.steps.end() && view.cost > sim::Nanos{} && tlb->kept != SwitchStep::OldContents::none) {
        const Badge badge = badge_of(*tlb);
        head.text(sans, theme.*badge.colour, fmt::format("TLB {}", badge.text));
    }
    head.finish();
}

// The layout of the pane: the cards of the two tasks are at both sides of the steps; in a narrow pane, they
// are above the steps.
struct SwitchLayout {
    bool switched, wide;
    float width, gap, side, card_height;

    float steps_x() const { return wide ? side + gap : 0; }      // left edge of the steps
    float steps_width() const { return width - 2 * steps_x(); }  // width of the steps
    float right_card_x() const { return wide ? width - side : side + gap; }
};

SwitchLayout switch_layout(Frame& frame, const Cursor& c, float width) {
    SwitchLayout s{.switched = c.in.switch_view.switched,
                   .wide = false,
                   .width = width,
                   .gap = frame.px(26),
                   .side = 0,
                   .card_height = 0};
    s.wide = width > frame.px(600) && s.switched;
    s.side = s.wide ? std::clamp(std::round(width * 0.17f), frame.px(112), frame.px(220))
                    : std::floor((width - s.gap) / 2);
    s.card_height =
        3 * (pixel_size(*frame.fonts.sans) + frame.px(4)) + pixel_size(*frame.fonts.title) + frame.px(16);
    return s;
}

void draw_cards(Frame& frame, const Cursor& c, const SwitchLayout& s, ImVec2 origin, float height) {
    draw_task_card(frame, c, c.decision().record.other, "prev", origin, ImVec2(s.side, height));
    draw_task_card(frame, c, c.decision().record.task, "next", ImVec2(origin.x + s.right_card_x(), origin.y),
                   ImVec2(s.side, height));
}

StepColumns step_columns(Frame& frame, const sim::SwitchView& view, float width) {
    ImFont* const sans = frame.fonts.sans;
    StepColumns columns{.number = frame.px(26), .cost = 0, .badge = 0, .text = 0, .whole = view.cost};
    for (const SwitchStep& step : view.steps) {
        columns.cost = std::max(columns.cost, text_width(sans, cost_text(step, view.cost)) + frame.px(18));
        columns.badge = std::max(columns.badge, text_width(sans, badge_of(step).text) + frame.px(4));
    }
    columns.text = std::max(width - columns.number - columns.cost - columns.badge, frame.px(80));
    return columns;
}

// For each step, whether it is drawn with its description. Descriptions are added as long as they fit in
// `available_height`, first to the steps that flush or cost time. If the pane fills the window, all steps
// have descriptions.
std::vector<bool> steps_with_details(Frame& frame, const sim::SwitchView& view, const StepColumns& columns,
                                     float used_height, float available_height) {
    const auto height_of = [&](std::size_t i, bool details) {
        return std::round(height_of_step(frame, view.steps[i], columns, details));
    };
    for (std::size_t i = 0; i < view.steps.size(); ++i) used_height += height_of(i, false) + frame.px(3);
    std::vector<bool> details(view.steps.size(), !view.switched || frame.view.alone == "context_switch");
    for (int round = 0; round < 4; ++round) {
        for (std::size_t i = 0; i < view.steps.size(); ++i) {
            const SwitchStep& step = view.steps[i];
            const int rank = step.kept == SwitchStep::OldContents::flushed ? 0
                             : step.cost > sim::Nanos{}                    ? 1
                             : step.happens                                ? 2
                                                                           : 3;
            const float more = height_of(i, true) - height_of(i, false);
            if (details[i] || rank != round || used_height + more > available_height) continue;
            details[i] = true;
            used_height += more;
        }
    }
    return details;
}

// The positions of the drawn steps. A stripe at the left of each step has the colour of its task: prev for
// the first steps, then next.
struct DrawnSteps {
    float bottom = 0;
    float save_y = 0,
          load_y = 0;  // screen y of the steps with arrows to prev and next; 0: none
};

DrawnSteps draw_steps(Frame& frame, const Cursor& c, const StepColumns& columns,
                      const std::vector<bool>& details, ImVec2 origin, float y) {
    const sim::SwitchView& view = c.in.switch_view;
    const std::size_t loads = first_step_of_next_task(view);
    DrawnSteps steps;
    for (std::size_t i = 0; i < view.steps.size(); ++i) {
        const ImVec2 at(origin.x, origin.y + y);
        const float height = draw_step(frame, view.steps[i], i + 1, columns, at, details[i]);
        const float line_middle = at.y + std::round(pixel_size(*frame.fonts.sans) / 2 + frame.px(4));
        const std::string& title = view.steps[i].title;
        const bool registers =
            title.ends_with("registers") || title == "switch_to()" || title == "Floating point";
        frame.report_part_rectangle(
            registers ? "registers" : "memory", at,
            ImVec2(at.x + columns.number + columns.cost + columns.badge + columns.text, at.y + height));
        if (i == 0 || title == "switch_to()") steps.save_y = line_middle;
        if (i == loads) steps.load_y = line_middle;
        if (view.switched)
            fill_rect(*ImGui::GetWindowDrawList(), at, ImVec2(at.x + std::round(frame.px(3)), at.y + height),
                      colour_of(frame, i < loads ? c.decision().record.other : c.decision().record.task));
        y += height + frame.px(3);
    }
    steps.bottom = y;
    return steps;
}

void draw_switch(Frame& frame, const Cursor& c, const std::string& label) {
    const Theme& theme = frame.theme;
    const sim::SwitchView& view = c.in.switch_view;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float top_y = ImGui::GetCursorPosY(), tip = frame.px(4);
    draw_head(frame, c, label, room.x);
    draw_wrapped(theme.text, view.summary);
    ImGui::Dummy(ImVec2(0, frame.px(2)));

    const SwitchLayout s = switch_layout(frame, c, room.x);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    float y = 0;
    if (s.switched && !s.wide) {
        draw_cards(frame, c, s, origin, s.card_height);
        draw_arrow(frame, origin.x + s.side + tip, origin.x + s.right_card_x() - tip,
                   origin.y + std::round(s.card_height / 2), theme.text_dim);
        y = s.card_height + frame.px(8);
    }
    const StepColumns columns = step_columns(frame, view, s.steps_width());
    const float below = ImGui::CalcTextSize(view.whose_prev.c_str(), nullptr, false, room.x).y + frame.px(16);
    const float rest = room.y - (ImGui::GetCursorPosY() - top_y) - below;
    const std::vector<bool> details = steps_with_details(frame, view, columns, y, rest);
    const float steps_x = origin.x + s.steps_x();
    const DrawnSteps steps = draw_steps(frame, c, columns, details, ImVec2(steps_x, origin.y), y);
    y = steps.bottom;
    if (s.wide) {
        y = std::max(y, s.card_height);
        draw_cards(frame, c, s, origin, y);
        if (steps.save_y > 0)
            draw_arrow(frame, steps_x - tip, origin.x + s.side + tip, steps.save_y, theme.text_dim);
        if (steps.load_y > 0)
            draw_arrow(frame, origin.x + s.right_card_x() - tip, steps_x + s.steps_width() + tip,
                       steps.load_y, theme.text_dim);
    }
    ImGui::Dummy(ImVec2(room.x, y + frame.px(4)));
    draw_wrapped(theme.text, view.whose_prev);
}

std::string switch_text(const Cursor& c) {
    const sim::SwitchView& view = c.in.switch_view;
    std::string text = decision_headline_text(c, false) + "\n" + view.summary + "\n\n";
    TextTable table("rlrl");
    for (std::size_t i = 0; i < view.steps.size(); ++i) {
        const SwitchStep& step = view.steps[i];
        table.add({std::to_string(i + 1), step.title, cost_text(step, view.cost),
                   step.kept == SwitchStep::OldContents::none ? "" : sim::to_string(step.kept)});
    }
    text += table.text() + "\n";
    for (std::size_t i = 0; i < view.steps.size(); ++i)
        text += fmt::format("{}. {}: {}\n", i + 1, view.steps[i].title, view.steps[i].detail);
    text += "\n" + view.whose_prev + "\n";
    return view.cost == sim::Nanos{} ? text : text + "in total: " + span(view.cost) + "\n";
}

const char* const kNothing = "schedule() has not been called yet.";

}  // namespace

void draw_context_switch(Frame& frame) {
    if (draw_message_if_no_scenario(frame)) return;
    const std::optional<Cursor> a = cursor_in(frame.model.a, frame.view);
    const std::optional<Cursor> b = cursor_in(frame.model.b, frame.view);
    if (!a || is_outcome_hidden(frame.view)) {
        draw_wrapped(frame.theme.text_dim, a ? kHiddenUntilChosen : kNothing);
        return;
    }
    if (!b) {
        draw_switch(frame, *a, "");
        return;
    }
    if (!ImGui::BeginTabBar("runs")) return;
    for (const bool first : {true, false}) {
        const Cursor& c = first ? *a : *b;
        const std::string label =
            fmt::format("{}: {}###{}", run_label(first),
                        c.is_switch() ? span(c.in.switch_view.cost) : "no switch", first ? "a" : "b");
        if (!ImGui::BeginTabItem(label.c_str())) continue;
        draw_switch(frame, c, run_label(first));
        ImGui::EndTabItem();
    }
    ImGui::EndTabBar();
}

std::string context_switch_text(const Model& model, const ViewState& view) {
    if (model.a == nullptr) return {};
    const std::optional<Cursor> a = cursor_in(model.a, view), b = cursor_in(model.b, view);
    if (!a) return std::string(kNothing) + "\n";
    if (is_outcome_hidden(view)) return std::string(kHiddenUntilChosen) + "\n";
    if (!b) return switch_text(*a);
    return fmt::format("{}: {}\n{}: {}", run_label(true), switch_text(*a), run_label(false), switch_text(*b));
}

}  // namespace ui
