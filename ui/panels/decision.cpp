// DECISION: one schedule() with its inside. Who had the CPU and who gets it; the pseudo-code with the line
// that is carried out; the tasks in the order in which they were looked at; the counters that were refilled;
// and what it all cost. A cursor goes over the steps, and everything shows what is known at that step.
//
// When the pane is too low for all of it, the pseudo-code and the tables scroll, each on its own, so that the
// current line and the current task are seen together.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "ui/app/app.h"
#include "ui/panels/decision_parts.h"
#include "ui/panels/pieces.h"

namespace ui {
namespace {

using sim::Phase;

bool by_goodness(const Cursor& c) { return c.policy().criterion == "goodness"; }

// Whether something is shown for the first time since `key` changed: then it scrolls to where the cursor is.
bool changed_since(const char* id, std::uint64_t key) {
    int& last = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID(id), -1);
    const int now = static_cast<int>(key & 0x7fffffff);
    if (last == now) return false;
    last = now;
    return true;
}

std::uint64_t key_of(const Cursor& c) {
    const std::uint64_t step = 2 * std::uint64_t{c.at} + (c.stepping ? 1 : 0);
    return (c.decision().number * 0x9e3779b97f4a7c15u ^ step * 0xbf58476d1ce4e5b9u) >> 8;
}

// --- the line at the top ---

void draw_head(Frame& frame, const Cursor& c, float width, const std::string& label) {
    const bool hidden = outcome_hidden(frame.view);
    const sim::DecisionView& view = c.decision();
    const Theme& theme = frame.theme;
    ImFont* const title = frame.fonts.title;
    Flow flow(frame, width, std::round(pixel_size(*title) * 1.3f));
    if (!label.empty()) flow.text(title, theme.accent, label);
    flow.text(frame.fonts.sans, theme.text_dim,
              hidden || !c.switched() ? "decision " + grouped(view.number)
                                      : "switch " + grouped(view.switch_number));
    flow.chip(title, theme.text, colour_of(frame, view.record.other), c.name(view.record.other));
    if (hidden) {
        flow.text(title, theme.text_dim, "→");
        flow.text(title, theme.warning, "?");
    } else if (c.switched()) {
        flow.text(title, theme.text_dim, "→");
        flow.chip(title, theme.text, colour_of(frame, view.record.task), c.name(view.record.task));
    } else {
        flow.text(title, theme.text_dim, "goes on");
    }
    flow.text(frame.fonts.sans, theme.text_dim, cpu_words(c) + "at " + instant(view.record.time));
    flow.finish();
}

void draw_sentence(Frame& frame, const Cursor& c, float width) {
    const std::optional<bool> right = predicted_right(c, frame.view);
    const bool told = right && !(c.stepping && !c.over());
    const std::string text = sentence(c, frame.view);
    const float height = ImGui::CalcTextSize(text.c_str(), nullptr, false, width).y;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImU32 colour = outcome_hidden(frame.view) ? frame.theme.warning
                         : told                     ? (*right ? frame.theme.ok : frame.theme.error)
                                                    : frame.theme.text;
    draw_text(frame.fonts.sans, at, colour, text, width);
    // Two lines at least, so that what is below stays where it is from step to step.
    ImGui::Dummy(ImVec2(width, std::max(height, 2 * ImGui::GetTextLineHeight())));
}

// --- going through the steps ---

void go_to(Frame& frame, std::size_t step) {
    frame.view.level = DepthLevel::inside;
    frame.view.inside_step = step;
}

void draw_controls(Frame& frame, const Cursor& c, float width) {
    const std::size_t count = c.in.steps.size();
    const std::size_t at = c.stepping ? c.at : count - 1;
    const auto button = [&](const char* sign, const char* what, bool can, std::size_t to) {
        ImGui::BeginDisabled(!can);
        if (ImGui::Button(sign)) go_to(frame, to);
        ImGui::EndDisabled();
        if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) ImGui::SetTooltip("%s", what);
        ImGui::SameLine(0, frame.px(3));
    };
    const float left = ImGui::GetCursorPosX();
    button("⏮", "To the first step", !c.stepping || at > 0, 0);
    button("⏴", "A step back (Left)", !c.stepping || at > 0, c.stepping ? at - 1 : count - 1);
    button("⏵", "A step on (Right)", !c.stepping || at + 1 < count, c.stepping ? at + 1 : 0);
    button("⏭", "To the last step", c.stepping && at + 1 < count, count - 1);
    ImGui::SameLine(0, frame.px(8));

    const std::string hint = c.stepping ? "←/→ one line, Esc out" : "I looks inside";
    const float hint_width = text_width(frame.fonts.sans, hint);
    float room = width - (ImGui::GetCursorPosX() - left);
    const bool hinted = room - hint_width > frame.px(170);
    if (hinted) room -= hint_width + frame.px(10);
    if (room < frame.px(90)) {
        ImGui::NewLine();
        room = width;
    }
    int step = static_cast<int>(at) + 1;
    const std::string format = c.stepping ? "step %d of " + grouped(count) : grouped(count) + " steps";
    ImGui::SetNextItemWidth(room);
    if (ImGui::SliderInt("##step", &step, 1, static_cast<int>(count), format.c_str(),
                         ImGuiSliderFlags_AlwaysClamp))
        go_to(frame, static_cast<std::size_t>(std::max(step, 1)) - 1);
    if (hinted) {
        ImGui::SameLine(0, frame.px(10));
        ImGui::AlignTextToFramePadding();
        ImGui::TextDisabled("%s", hint.c_str());
    }
}

// --- the pseudo-code ---

std::string times_text(const LineCost& line) { return line.times == 0 ? "" : grouped(line.times) + " ×"; }
std::string cost_text(const LineCost& line) { return line.cost == sim::Nanos{} ? "" : "+" + span(line.cost); }

// The pseudo-code laid out in a width: every line wrapped, what it has cost at the right.
struct CodeLayout {
    float mark, cost, times, text_right, line, padding;
    std::vector<float> indent, height;
    float total = 0;
};

CodeLayout lay_out_code(Frame& frame, const Cursor& c, const std::vector<LineCost>& whole, float width) {
    ImFont* const mono = frame.fonts.mono;
    CodeLayout layout{};
    layout.mark = frame.px(24);
    for (const LineCost& line : whole) {
        layout.cost = std::max(layout.cost, text_width(mono, cost_text(line)));
        layout.times = std::max(layout.times, text_width(mono, times_text(line)));
    }
    layout.cost += frame.px(8);
    layout.times += frame.px(10);
    const float least = frame.px(120);
    if (width - layout.mark - layout.cost - layout.times < least)
        layout.times = 0;  // in the text and the hover
    layout.text_right = std::max(width - layout.cost - layout.times, layout.mark + least);
    layout.line = pixel_size(*mono);
    layout.padding = frame.px(3);
    for (const sim::PseudoLine& line : c.policy().pseudo_code) {
        const float indent = layout.mark + static_cast<float>(line.indent) * frame.px(15);
        const float room = std::max(layout.text_right - indent, frame.px(60));
        const ImVec2 size = mono->CalcTextSizeA(layout.line, 1e9f, room, line.text);
        layout.indent.push_back(indent);
        layout.height.push_back(std::round(std::max(size.y, layout.line) + layout.padding));
        layout.total += layout.height.back();
    }
    return layout;
}

void draw_code(Frame& frame, const Cursor& c, ImVec2 size) {
    Cursor end = c;
    end.at = c.in.steps.size() - 1;
    const std::vector<LineCost> lines = line_costs(c);
    const auto& code = c.policy().pseudo_code;
    const Theme& theme = frame.theme;
    ImFont* const mono = frame.fonts.mono;
    if (!ImGui::BeginChild("code", size, false, ImGuiWindowFlags_None)) {
        ImGui::EndChild();
        return;
    }
    const float width = ImGui::GetContentRegionAvail().x;
    const CodeLayout layout = lay_out_code(frame, c, line_costs(end), width);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    float y = 0, lit_top = 0, lit_bottom = 0;
    for (std::size_t i = 0; i < code.size(); ++i) {
        const float height = layout.height[i];
        // Lines of the same kind of work go on with what the first of them says.
        const std::size_t current = c.step().line;
        const bool lit = c.stepping && i >= current && code[i].phase == c.step().phase && i - current < 2 &&
                         code[i].phase != Phase::yield;
        const bool first_lit = c.stepping && i == current;
        const ImVec2 at(origin.x, origin.y + y);
        if (lit || first_lit) {
            fill_rect(list, at, ImVec2(at.x + width, at.y + height), with_alpha(theme.accent, 0.22f));
            fill_rect(list, at, ImVec2(at.x + frame.px(4), at.y + height), theme.accent);
            if (first_lit) {
                lit_top = y;
                draw_text(mono, ImVec2(at.x + frame.px(8), at.y + layout.padding / 2), theme.accent, "▶");
            }
            lit_bottom = y + height;
        }
        const bool reached = lines[i].times > 0 || lit ||
                             (i > 0 && code[i].phase == code[i - 1].phase && lines[i - 1].times > 0);
        const ImU32 colour = reached ? theme.text : theme.text_dim;
        const float text_y = at.y + layout.padding / 2;
        draw_text(mono, ImVec2(at.x + layout.indent[i], text_y), colour, code[i].text,
                  std::max(layout.text_right - layout.indent[i], frame.px(60)));
        const std::string cost = cost_text(lines[i]), times = times_text(lines[i]);
        draw_text(mono, ImVec2(at.x + width - frame.px(2) - text_width(mono, cost), text_y), theme.text,
                  cost);
        if (layout.times > 0)
            draw_text(mono, ImVec2(at.x + width - layout.cost - text_width(mono, times), text_y),
                      theme.text_dim, times);
        if (ImGui::IsWindowHovered() && lines[i].times > 0 &&
            ImGui::IsMouseHoveringRect(at, ImVec2(at.x + width, at.y + height)))
            ImGui::SetTooltip("carried out %s, %s", (grouped(lines[i].times) + " times").c_str(),
                              span(lines[i].cost).c_str());
        y += height;
    }
    ImGui::Dummy(ImVec2(width, y));
    if (changed_since("scrolled", key_of(c)) && c.stepping) {
        // Always to the same place for the same step: who steps back sees the same picture again.
        ImGui::SetScrollY(std::max(0.0f, (lit_top + lit_bottom - ImGui::GetWindowHeight()) / 2));
        frame.view.moving = true;
    }
    ImGui::EndChild();
}

// --- the tables ---

float row_height() { return ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y; }

// A title, the header and so many rows.
float table_height(std::size_t rows) {
    return ImGui::GetTextLineHeightWithSpacing() +
           row_height() * static_cast<float>(1 + std::max<std::size_t>(rows, 1)) + 2;
}

// A column of a table: wide enough for `widest`, or as wide as there is room; numbers stand at the right.
struct TableColumn {
    const char* title;
    const char* widest;  // null: what is left
    bool right;
};

void set_up(Frame& frame, std::span<const TableColumn> columns) {
    for (const TableColumn& column : columns) {
        if (column.widest == nullptr)
            ImGui::TableSetupColumn(column.title, ImGuiTableColumnFlags_WidthStretch);
        else
            ImGui::TableSetupColumn(column.title, ImGuiTableColumnFlags_WidthFixed,
                                    std::max(text_width(frame.fonts.sans, column.widest),
                                             text_width(frame.fonts.sans, column.title)));
    }
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
    for (const TableColumn& column : columns) {
        ImGui::TableNextColumn();
        if (column.right)
            right_text(column.title);
        else
            ImGui::TextUnformatted(column.title);
    }
    ImGui::PopStyleColor();
}

// Brings a row into view when the cursor has moved.
void follow_row(Frame& frame, const Cursor& c, std::size_t row) {
    if (!changed_since("followed", key_of(c))) return;
    const float height = row_height(), visible = ImGui::GetWindowHeight() - height;
    const float top = static_cast<float>(row) * height;
    ImGui::SetScrollY(std::max(0.0f, top - (visible - height) / 2));
    frame.view.moving = true;
}

// The answers to a question that is not about a task, each a button with its number.
void draw_answers(Frame& frame, const Cursor& c, float width) {
    const float left = ImGui::GetCursorPosX();
    float x = 0;
    int number = 0;
    for (const Answer& answer : answers(c, frame.view.ask)) {
        const std::string label = fmt::format("{}: {}", ++number, answer.text);
        const float wide = text_width(frame.fonts.sans, label) + 2 * ImGui::GetStyle().FramePadding.x;
        if (x > 0 && x + wide <= width)
            ImGui::SameLine(left + x);
        else
            x = 0;
        if (ImGui::Button(label.c_str())) frame.ask([says = answer.says](App& app) { app.predict(says); });
        x += wide + frame.px(8);
    }
}

// The name of a task with its square, over the whole row: a click selects the task.
void task_cell(Frame& frame, sim::TaskId p, const std::string& name) {
    task_chip(frame, p);
    const std::string cut = short_name(frame.fonts.sans, name, ImGui::GetContentRegionAvail().x);
    const bool selected = frame.view.task == p;
    if (ImGui::Selectable((cut + "##row").c_str(), selected, ImGuiSelectableFlags_SpanAllColumns))
        frame.ask([p, selected](App& app) {
            app.select_task(selected ? std::nullopt : std::optional<sim::TaskId>(p));
        });
}

std::string looked_at(const Cursor& c, bool hidden) {
    const std::size_t all = hidden ? choosable(c).size() : c.decision().log.candidates.size();
    if (hidden)
        return fmt::format(
            "{} to choose from{}", grouped(all),
            c.policy().policy->keeps_running_task_queued() ? ", in the order of the search" : "");
    if (!c.stepping || c.step().candidates == all)
        return fmt::format("{} looked at, in this order", grouped(all));
    return fmt::format("{} of {} looked at", grouped(c.step().candidates), grouped(all));
}

void draw_candidates(Frame& frame, const Cursor& c, ImVec2 size) {
    const bool hidden = outcome_hidden(frame.view), chooses = hidden && frame.view.ask == Ask::who;
    const sim::DecisionLog& log = c.decision().log;
    const std::vector<sim::Candidate> to_choose = hidden ? choosable(c) : std::vector<sim::Candidate>{};
    const std::vector<sim::Candidate>& listed = hidden ? to_choose : log.candidates;
    const Theme& theme = frame.theme;
    const bool goodness = by_goodness(c);
    ImGui::BeginGroup();
    ImGui::PushStyleColor(ImGuiCol_Text, theme.text_dim);
    text_cut(looked_at(c, hidden), size.x);
    ImGui::PopStyleColor();
    size.y -= ImGui::GetTextLineHeightWithSpacing();

    // The widest bonus of any; no column where there is none.
    const char* widest_bonus = nullptr;
    const auto widen = [&](const char* text) {
        if (widest_bonus == nullptr || std::strlen(text) > std::strlen(widest_bonus)) widest_bonus = text;
    };
    for (const sim::Candidate& candidate : log.candidates) {
        if (!goodness || (candidate.bonus == 0 && !sim::is_real_time(candidate) && candidate.goodness >= 0))
            continue;
        const bool plain = candidate.bonus == 1 && candidate.goodness >= 0 && !sim::is_real_time(candidate);
        widen("+1 prev");
        if (plain) continue;
        if (const char* const why = sim::not_weighed(candidate))
            widen(why);
        else if (sim::is_real_time(candidate))
            widen("1000 + 50");
        else if (candidate.for_priority == 0)
            widen("+1 prev, +20 last CPU");
        else
            widen(c.run.scenario().cpus > 1 ? "+20 priority, +1 mm, +15 last CPU" : "+20 priority, +1 mm");
    }
    const bool narrow = size.x < frame.px(480), bonus = widest_bonus != nullptr && size.x > frame.px(270);
    const bool words = size.x > frame.px(bonus ? 420 : 360);
    // Names come first: what is left for them decides how the bonus is put.
    const auto width_of = [](const char* text) { return ImGui::CalcTextSize(text).x; };
    const float besides = (narrow ? 0 : width_of("▶ 1 000")) + width_of("counter") + width_of("goodness") +
                          (words ? width_of("◆ best so far") : width_of("◆")) + frame.px(14 + 6 * 12);
    const bool brief = bonus && size.x - besides - width_of(widest_bonus) < frame.px(100);
    if (brief && std::strlen(widest_bonus) > std::strlen("+20 prio +1 mm"))
        widest_bonus = c.run.scenario().cpus > 1 ? "+20 prio +1 mm +15 cpu" : "+20 prio +1 mm";
    const std::size_t looked = c.step().candidates;
    const bool weighs = c.stepping && (c.step().phase == Phase::consider || c.step().phase == Phase::keep);
    const std::size_t rows = listed.size() + (chooses || listed.empty() ? 1 : 0);
    std::vector<TableColumn> columns;
    if (!narrow) columns.push_back({"", "▶ 1 000", true});
    columns.push_back({"task", nullptr, false});
    columns.push_back({"counter", "counter", true});
    if (hidden)
        columns.push_back({"", "prev", false});
    else if (bonus)
        columns.push_back({"bonus", widest_bonus, true});
    if (!hidden) columns.push_back({goodness ? "goodness" : "its turn", "1 000", true});
    if (!hidden) columns.push_back({"", words ? "◆ best so far" : "◆", false});
    const ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit |
                                  ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_PadOuterX;
    if (ImGui::BeginTable("candidates", static_cast<int>(columns.size()), flags,
                          ImVec2(size.x, std::max(size.y, 2 * row_height())))) {
        set_up(frame, columns);
        ImGuiListClipper clipper;
        clipper.Begin(static_cast<int>(rows), row_height());
        while (clipper.Step()) {
            for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
                const auto i = static_cast<std::size_t>(row);
                ImGui::PushID(row);
                ImGui::TableNextRow(ImGuiTableRowFlags_None, row_height());
                if (i >= listed.size()) {  // nobody, or the choice of it
                    if (!narrow) {
                        ImGui::TableNextColumn();
                        if (chooses) right_text("0");
                    }
                    ImGui::TableNextColumn();
                    const sim::TaskId idle = c.decision().record.cpu;
                    task_chip(frame, idle);
                    if (!chooses)
                        ImGui::TextDisabled(hidden ? "nobody" : "nobody is runnable");
                    else if (ImGui::SmallButton(narrow ? "0 nobody: idle" : "nobody: the idle task"))
                        frame.ask([idle](App& app) { app.predict({Ask::who, idle}); });
                    ImGui::PopID();
                    continue;
                }
                const sim::Candidate& candidate = listed[i];
                const bool seen = !hidden && i < looked;
                const bool current = weighs && i + 1 == looked;
                const bool best = seen && c.step().best == candidate.task;
                const bool dim = !hidden && !seen;
                if (current)
                    ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, with_alpha(theme.accent, 0.22f));
                else if (best)
                    ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, with_alpha(theme.ok, 0.14f));
                ImGui::PushStyleColor(ImGuiCol_Text, dim ? theme.text_dim : theme.text);
                if (!narrow) {
                    ImGui::TableNextColumn();
                    if (current)
                        right_text("▶ " + grouped(i + 1));
                    else
                        right_text(grouped(i + 1));
                }
                ImGui::TableNextColumn();
                const std::string name = c.name(candidate.task);
                if (hidden && !chooses) {
                    task_chip(frame, candidate.task);
                    ImGui::TextUnformatted(
                        short_name(frame.fonts.sans, name, ImGui::GetContentRegionAvail().x).c_str());
                } else if (hidden) {
                    task_chip(frame, candidate.task);
                    const std::string numbered = narrow && i < 9 ? fmt::format("{} {}", i + 1, name) : name;
                    const std::string cut =
                        cut_to(frame.fonts.sans, numbered, ImGui::GetContentRegionAvail().x - frame.px(14));
                    if (ImGui::SmallButton(cut.c_str()))
                        frame.ask([p = candidate.task](App& app) { app.predict({Ask::who, p}); });
                    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s runs next", name.c_str());
                } else {
                    task_cell(frame, candidate.task, name);
                    if (seen && ImGui::IsItemHovered()) {
                        const auto& steps = c.in.steps;
                        const auto step = std::find_if(steps.begin(), steps.end(), [&](const auto& s) {
                            return s.phase == Phase::consider && s.candidates == i + 1;
                        });
                        if (step != steps.end())
                            ImGui::SetTooltip("%s",
                                              sim::describe(*step, c.decision(), c.policy(),
                                                            sim::names_in(c.decision(), c.run.scenario()))
                                                  .c_str());
                    }
                }
                ImGui::TableNextColumn();
                right_text(std::to_string(candidate.counter));
                if (hidden || bonus) ImGui::TableNextColumn();
                if (hidden && candidate.task == log.prev) ImGui::TextDisabled("prev");
                if (seen && bonus) right_text(bonus_text(candidate, log, brief));
                if (!hidden) {
                    ImGui::TableNextColumn();
                    if (seen)
                        right_text(goodness                 ? std::to_string(candidate.goodness)
                                   : candidate.goodness > 0 ? "yes"
                                                            : "no");
                }
                if (!hidden) ImGui::TableNextColumn();
                if (best) {
                    const bool runs = !c.stepping || c.handed_over();
                    ImGui::PushStyleColor(ImGuiCol_Text, theme.ok);
                    ImGui::TextUnformatted(!words ? "◆" : runs ? "◆ runs" : "◆ best so far");
                    ImGui::PopStyleColor();
                }
                ImGui::PopStyleColor();
                ImGui::PopID();
            }
        }
        if (!hidden && !log.candidates.empty()) {
            std::size_t row = looked == 0 ? 0 : looked - 1;
            if (!weighs && looked > 0 && c.step().best != sim::kNoTask) {
                const auto best = std::find_if(log.candidates.begin(), log.candidates.end(),
                                               [&](const auto& x) { return x.task == c.step().best; });
                if (best != log.candidates.end())
                    row = static_cast<std::size_t>(best - log.candidates.begin());
            }
            follow_row(frame, c, row);
        }
        ImGui::EndTable();
    }
    ImGui::EndGroup();
}

const char* state_text(const sim::Machine& m, sim::TaskId p) {
    if (!m.is_live(p)) return "exited";
    return m.task[p].state == sim::TaskState::runnable ? "" : "asleep";
}

std::string visited_text(const RefillWalk& walk) {
    return walk.done == walk.count
               ? fmt::format("refill: {} visited, asleep or not", grouped(walk.count))
               : fmt::format("refill: {} of {} visited", grouped(walk.done), grouped(walk.count));
}

void draw_refill(Frame& frame, const Cursor& c, const RefillWalk& walk, ImVec2 size) {
    const Theme& theme = frame.theme;
    ImGui::BeginGroup();
    ImGui::PushStyleColor(ImGuiCol_Text, theme.text_dim);
    text_cut(visited_text(walk), size.x);
    ImGui::PopStyleColor();
    size.y -= ImGui::GetTextLineHeightWithSpacing();
    const bool current_step = c.stepping && c.step().phase == Phase::refill;
    const ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit |
                                  ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_PadOuterX;
    const bool narrow = size.x < frame.px(230);
    std::vector<TableColumn> columns{{"task", nullptr, false}};
    if (!narrow) columns.push_back({"", "asleep", false});
    columns.push_back({"counter", "00 → 00", true});
    if (ImGui::BeginTable("refill", static_cast<int>(columns.size()), flags,
                          ImVec2(size.x, std::max(size.y, 2 * row_height())))) {
        set_up(frame, columns);
        ImGuiListClipper clipper;
        clipper.Begin(static_cast<int>(walk.count), row_height());
        while (clipper.Step()) {
            for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
                const auto i = static_cast<std::size_t>(row);
                const Visit v = visit(c, walk, i);
                const bool done = i < walk.done, current = current_step && i + 1 == walk.done;
                ImGui::PushID(row);
                ImGui::TableNextRow(ImGuiTableRowFlags_None, row_height());
                if (current)
                    ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, with_alpha(theme.accent, 0.22f));
                ImGui::PushStyleColor(ImGuiCol_Text, done ? theme.text : theme.text_dim);
                ImGui::TableNextColumn();
                if (v.task == sim::kNoTask) {
                    ImGui::TextUnformatted("all others");
                } else {
                    task_cell(frame, v.task, c.name(v.task));
                    if (ImGui::IsItemHovered())
                        ImGui::SetTooltip("%s",
                                          sim::describe(c.in.steps[walk.first + i], c.decision(), c.policy(),
                                                        sim::names_in(c.decision(), c.run.scenario()))
                                              .c_str());
                    if (!narrow) {
                        ImGui::TableNextColumn();
                        ImGui::TextDisabled("%s", state_text(c.decision().after, v.task));
                    }
                    ImGui::TableNextColumn();
                    right_text(done ? fmt::format("{} → {}", v.before, v.after) : std::to_string(v.before));
                }
                ImGui::PopStyleColor();
                ImGui::PopID();
            }
        }
        // Where it stands depends on the step alone, before and after the refill, too.
        follow_row(frame, c, c.stepping && walk.done > 0 ? walk.done - 1 : 0);
        ImGui::EndTable();
    }
    ImGui::EndGroup();
}

// The candidates and, where there is one, the refill: side by side, or the one where the cursor is.
void draw_tables(Frame& frame, const Cursor& c, ImVec2 size) {
    const RefillWalk walk = outcome_hidden(frame.view) ? RefillWalk{} : refill_walk(c);
    if (walk.count == 0) {
        draw_candidates(frame, c, size);
        return;
    }
    const float gap = frame.px(12);
    if (size.x > frame.px(560)) {
        const float right = std::max(std::round(size.x * 0.36f), frame.px(230));
        draw_candidates(frame, c, ImVec2(size.x - right - gap, size.y));
        ImGui::SameLine(0, gap);
        draw_refill(frame, c, walk, ImVec2(right, size.y));
        return;
    }
    // Where the cursor is; otherwise one chooses.
    const bool refilling = c.stepping && c.step().phase == Phase::refill;
    if (!refilling) {
        if (choice(frame, "search", !frame.view.refill_in_front)) frame.view.refill_in_front = false;
        ImGui::SameLine(0, frame.px(4));
        if (choice(frame, "refill", frame.view.refill_in_front)) frame.view.refill_in_front = true;
        size.y -= ImGui::GetFrameHeightWithSpacing();
    }
    if (refilling || frame.view.refill_in_front)
        draw_refill(frame, c, walk, size);
    else
        draw_candidates(frame, c, size);
}

// --- the costs ---

std::string total_text(const Cursor& c, const sim::Overhead& sum) {
    const sim::Nanos all = c.in.steps.back().until;
    return c.stepping && !c.over() ? fmt::format("{} of {} =", span(sum.total()), span(all))
                                   : span(all) + " =";
}

float legend(Frame& frame, const sim::Overhead& sum, float width, bool dry) {
    Flow flow(frame, width, std::round(ImGui::GetTextLineHeight() * 1.25f), dry);
    bool first = true;
    for (const CostKind& kind : cost_kinds()) {
        if (sum.*kind.part == sim::Nanos{}) continue;
        if (!first) flow.text(frame.fonts.sans, frame.theme.text_dim, "+");
        first = false;
        flow.cost(frame.fonts.sans, frame.theme.text, kind,
                  fmt::format("{} {}", kind.name, span(sum.*kind.part)));
    }
    if (first) flow.text(frame.fonts.sans, frame.theme.text_dim, "nothing so far");
    return flow.finish();
}

void draw_costs_of(Frame& frame, const Cursor& c, float width) {
    const sim::Overhead sum = cost_so_far(c);
    const auto all = static_cast<double>(std::max<std::int64_t>(c.in.steps.back().until.count(), 1));
    ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = frame.px(18);
    ImGui::Dummy(ImVec2(width, height));
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("%s",
                          fmt::format("{} of {}", span(sum.total()), span(c.in.steps.back().until)).c_str());
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::string total = total_text(c, sum);
    draw_text(frame.fonts.sans, ImVec2(at.x, at.y + (height - pixel_size(*frame.fonts.sans)) / 2),
              frame.theme.text, total);
    // The bar begins at the same place whatever the step.
    const std::string whole = span(c.in.steps.back().until);
    const float left =
        std::max(text_width(frame.fonts.sans, total),
                 text_width(frame.fonts.sans, c.stepping ? whole + " of " + whole + " =" : whole + " =")) +
        frame.px(8);
    const float whole_width = width;
    if (width - left > frame.px(80)) {
        at.x += left;
        width -= left;
    } else {
        at.x += width;  // no room for a bar
        width = 0;
    }
    fill_rect(list, at, ImVec2(at.x + width, at.y + height), frame.theme.background);
    std::int64_t until = 0;
    for (const CostKind& kind : cost_kinds()) {
        const std::int64_t from = until;
        until += (sum.*kind.part).count();
        const auto x = [&](std::int64_t n) {
            return at.x +
                   static_cast<float>(std::round(static_cast<double>(width) * static_cast<double>(n) / all));
        };
        draw_cost(frame, kind, ImVec2(x(from), at.y), ImVec2(x(until), at.y + height));
    }
    draw_frame(list, at, ImVec2(at.x + width, at.y + height), frame.theme.panel_border,
               width > 0 ? std::max(1.0f, std::round(frame.scale())) : 0);
    legend(frame, sum, whole_width, false);
}

// --- all of it ---

// One decision in the room from the cursor on, `size` large; with more when that is too low.
void draw_one(Frame& frame, const Cursor& c, ImVec2 size, const std::string& label, bool controls) {
    const float top = ImGui::GetCursorPosY();
    const float spacing = ImGui::GetStyle().ItemSpacing.y;
    draw_head(frame, c, size.x, label);
    if (outcome_hidden(frame.view)) {
        draw_sentence(frame, c, size.x);
        if (frame.view.ask != Ask::who) draw_answers(frame, c, size.x);
        draw_candidates(frame, c,
                        ImVec2(size.x, std::max(size.y - (ImGui::GetCursorPosY() - top), table_height(2))));
        return;
    }
    if (controls) draw_controls(frame, c, size.x);
    draw_sentence(frame, c, size.x);

    const sim::Overhead whole = cost_so_far(Cursor{c.run, c.in, c.in.steps.size() - 1, false});
    const float costs = frame.px(18) + spacing + legend(frame, whole, size.x, true);
    const float room = size.y - (ImGui::GetCursorPosY() - top) - costs - spacing;
    const std::size_t rows = c.decision().log.candidates.size(), visits = refill_walk(c).count;
    const float table_whole = table_height(std::max(rows, std::min<std::size_t>(visits, 6)));
    const bool low = room < 12 * row_height();
    const float table_least = table_height(std::min<std::size_t>(std::max(rows, visits), low ? 2 : 4));
    if (size.x > frame.px(980)) {
        const float half = std::round(size.x * 0.55f), gap = frame.px(16);
        const float height = std::max(room, table_least);
        draw_code(frame, c, ImVec2(half - gap, height));
        ImGui::SameLine(0, gap);
        draw_tables(frame, c, ImVec2(size.x - half, height));
    } else {
        Cursor end = c;
        end.at = c.in.steps.size() - 1;
        const CodeLayout code = lay_out_code(frame, c, line_costs(end), size.x);
        float table = std::min(table_whole, std::max(table_least, room - spacing - code.total));
        float height = std::min(code.total, room - spacing - table);
        const float least = std::min(code.total, 4 * (code.line + code.padding));
        height = std::max(height, least);
        table = std::max(room - spacing - height, table_least);
        draw_code(frame, c, ImVec2(size.x, height));
        draw_tables(frame, c, ImVec2(size.x, table));
    }
    draw_costs_of(frame, c, size.x);
}

void draw_nothing_yet(Frame& frame) {
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(
        "No schedule() has been made yet. → steps to the first event, Shift+→ to the first switch.");
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

// --- text ---

std::string without_trailing_blanks(const std::string& text) {
    std::string trimmed;
    for (const char ch : text) {
        if (ch == '\n') trimmed.erase(trimmed.find_last_not_of(' ') + 1);
        trimmed += ch;
    }
    return trimmed;
}

std::string one_text(const Cursor& c, const ViewState& view) {
    constexpr std::size_t kMost = 1000;  // rows of a table
    const bool hidden = outcome_hidden(view);
    const sim::DecisionLog& log = c.decision().log;
    std::string text = head_line(c, hidden) + "\n";
    if (c.stepping) text += fmt::format("step {} of {}\n", c.at + 1, c.in.steps.size());
    text += sentence(c, view) + "\n";
    const bool goodness = by_goodness(c);

    if (!hidden) {
        const std::vector<LineCost> lines = line_costs(c);
        const auto& code = c.policy().pseudo_code;
        text += "\n";
        for (std::size_t i = 0; i < code.size(); ++i) {
            const std::string left = fmt::format("{} {:{}}{}", c.stepping && c.step().line == i ? '>' : ' ',
                                                 "", 2 * code[i].indent, code[i].text);
            const std::string right =
                fmt::format("{:>7} {:>9}", lines[i].times == 0 ? "" : fmt::format("{} x", lines[i].times),
                            cost_text(lines[i]));
            text += right.find_first_not_of(' ') == std::string::npos
                        ? left + "\n"
                        : fmt::format("{:<82}{}\n", left, right);
        }
    }

    if (hidden && view.ask != Ask::who) {
        int number = 0;
        for (const Answer& answer : answers(c, view.ask))
            text += fmt::format("  {}: {}\n", ++number, answer.text);
    }
    const std::vector<sim::Candidate> to_choose = hidden ? choosable(c) : std::vector<sim::Candidate>{};
    const std::vector<sim::Candidate>& listed = hidden ? to_choose : log.candidates;
    text += "\n" + looked_at(c, hidden) + "\n";
    std::size_t width = 4;
    for (std::size_t i = 0; i < std::min(kMost, listed.size()); ++i)
        width = std::max(width, c.name(listed[i].task).size());
    for (std::size_t i = 0; i < std::min(kMost, listed.size()); ++i) {
        const sim::Candidate& candidate = listed[i];
        const bool seen = !hidden && i < c.step().candidates;
        const bool best = seen && c.step().best == candidate.task;
        const bool current = c.stepping && i + 1 == c.step().candidates &&
                             (c.step().phase == Phase::consider || c.step().phase == Phase::keep);
        std::string line = fmt::format("{} {:>5}  {:<{}}  counter {:>3}", current ? '>' : ' ', i + 1,
                                       c.name(candidate.task), width, candidate.counter);
        if (hidden && candidate.task == log.prev) line += "  prev";
        if (seen && goodness)
            line += fmt::format("  {:<14}  goodness {:>4}", bonus_text(candidate, log), candidate.goodness);
        else if (seen)
            line += candidate.goodness > 0 ? "  its turn" : "  not its turn";
        if (best) line += !c.stepping || c.handed_over() ? "  <- runs" : "  <- best so far";
        text += line + "\n";
    }
    if (listed.size() > kMost) text += fmt::format("  ... {} more\n", listed.size() - kMost);
    if (hidden && view.ask == Ask::who)
        text += fmt::format("  {:>5}  nobody: the idle task\n", 0);
    else if (listed.empty())
        text += hidden ? "  nobody\n" : "  nobody is runnable\n";
    if (hidden) return without_trailing_blanks(text);

    if (const RefillWalk walk = refill_walk(c); walk.count > 0) {
        text += "\n" + visited_text(walk) + "\n";
        for (std::size_t i = 0; i < std::min(kMost, walk.done); ++i) {
            const Visit v = visit(c, walk, i);
            const bool current = c.stepping && c.step().phase == Phase::refill && i + 1 == walk.done;
            text += v.task == sim::kNoTask
                        ? "  all others\n"
                        : fmt::format("{} {:<{}}  {:>3} -> {:<3} {}\n", current ? '>' : ' ', c.name(v.task),
                                      width, v.before, v.after, state_text(c.decision().after, v.task));
        }
        if (walk.done > kMost) text += fmt::format("  ... {} more\n", walk.done - kMost);
    }

    const sim::Overhead sum = cost_so_far(c);
    text += "\n" + total_text(c, sum);
    std::string plus = " ";
    for (const CostKind& kind : cost_kinds()) {
        if (sum.*kind.part == sim::Nanos{}) continue;
        text += fmt::format("{}{} {}", plus, kind.name, span(sum.*kind.part));
        plus = " + ";
    }
    return without_trailing_blanks(text + "\n");
}

}  // namespace

void draw_decision(Frame& frame) {
    if (nothing_open(frame)) return;
    const std::optional<Cursor> a = cursor_in(frame.model.a, frame.view);
    const std::optional<Cursor> b = cursor_in(frame.model.b, frame.view);
    if (!a) {
        draw_nothing_yet(frame);
        return;
    }
    const ImVec2 room = ImGui::GetContentRegionAvail();
    if (!b) {
        ImGui::PushID("a");
        draw_one(frame, *a, room, "", true);
        ImGui::PopID();
        return;
    }

    const std::string name_a = "A", name_b = "B";
    const float gap = frame.px(20);
    if (room.x > frame.px(820)) {
        const float half = std::floor((room.x - gap) / 2);
        const Cursor& longer = a->in.steps.size() >= b->in.steps.size() ? *a : *b;
        float height = room.y;
        if (!outcome_hidden(frame.view)) {
            draw_controls(frame, longer, room.x);
            height -= ImGui::GetFrameHeightWithSpacing();
        }
        const ImVec2 at = ImGui::GetCursorScreenPos();
        for (const bool first : {true, false}) {
            if (!first) ImGui::SameLine(0, gap);
            ImGui::BeginChild(first ? "a" : "b", ImVec2(half, height));
            draw_one(frame, first ? *a : *b, ImGui::GetContentRegionAvail(), first ? name_a : name_b, false);
            ImGui::EndChild();
        }
        const float x = at.x + half + std::round(gap / 2);
        fill_rect(*ImGui::GetWindowDrawList(), ImVec2(x, at.y),
                  ImVec2(x + std::max(1.0f, std::round(frame.scale())), at.y + height),
                  frame.theme.panel_border);
        return;
    }
    if (!ImGui::BeginTabBar("runs")) return;
    for (const bool first : {true, false}) {
        const Cursor& c = first ? *a : *b;
        const std::string label = fmt::format(
            "{}: {}###{}", first ? name_a : name_b,
            outcome_hidden(frame.view) ? "?" : c.name(c.decision().record.task) + " runs", first ? "a" : "b");
        if (!ImGui::BeginTabItem(label.c_str())) continue;
        draw_one(frame, c, ImGui::GetContentRegionAvail(), first ? name_a : name_b, true);
        ImGui::EndTabItem();
    }
    ImGui::EndTabBar();
}

std::string decision_text(const Model& model, const ViewState& view) {
    if (model.a == nullptr) return {};
    const std::optional<Cursor> a = cursor_in(model.a, view), b = cursor_in(model.b, view);
    if (!a) return "No schedule() has been made yet.\n";
    if (!b) return one_text(*a, view);
    return "A: " + one_text(*a, view) + "\nB: " + one_text(*b, view);
}

}  // namespace ui
