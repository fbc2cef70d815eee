// The tables of DECISION: the candidates of the search, and the recalculation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "ui/control/control.h"
#include "ui/panels/decision_pane.h"
#include "ui/panels/drawing.h"
#include "ui/panels/panel_helpers.h"
#include "ui/platform/imgui_versions.h"

namespace ui {
namespace {

constexpr float kBothTablesWidth = 560;  // least width for tables side by side

bool is_recalculating(const DecisionPage& page) { return page.refill.active; }

// A column of a table. `right`: right-aligned, as for numbers.
struct TableColumn {
    const char* title;
    const char* widest;  // text that sets the width; null: the remaining width
    bool right;
};

void draw_header(Frame& frame, std::span<const TableColumn> columns) {
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
            draw_right_aligned_text(column.title);
        else
            ImGui::TextUnformatted(column.title);
    }
    ImGui::PopStyleColor();
}

struct TitledTable {
    const char* id;
    const std::string& title;
    std::vector<TableColumn> columns;
    std::size_t rows;
};

// Draws a title and a table. Calls draw_row(i) for each visible row, and then calls then() inside the
// table.
template <typename DrawRow, typename Then>
void draw_table(Frame& frame, const TitledTable& table, ImVec2 size, DrawRow draw_row, Then then) {
    ImGui::BeginGroup();
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
    draw_ellipsized_text(table.title, size.x);
    ImGui::PopStyleColor();
    size.y = std::max(size.y - ImGui::GetTextLineHeightWithSpacing(), 2 * table_row_height());
    const ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit |
                                  ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_PadOuterX;
    if (begin_table(table.id, static_cast<int>(table.columns.size()), flags, size)) {
        draw_header(frame, table.columns);
        ImGuiListClipper clipper;
        clipper.Begin(static_cast<int>(table.rows), table_row_height());
        while (clipper.Step()) {
            for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
                ImGui::PushID(row);
                ImGui::TableNextRow(ImGuiTableRowFlags_None, table_row_height());
                draw_row(static_cast<std::size_t>(row));
                ImGui::PopID();
            }
        }
        then();
        ImGui::EndTable();
    }
    ImGui::EndGroup();
}

void scroll_to_row(Frame& frame, const Cursor& c, std::size_t row) {
    if (!cursor_moved_since_last_call("followed", c)) return;
    const float height = table_row_height(), visible = ImGui::GetWindowHeight() - height;
    const float top = static_cast<float>(row) * height;
    ImGui::SetScrollY(std::max(0.0f, top - (visible - height) / 2));
    frame.view.moving = true;
}

// Draws the name of a task. A click anywhere in the row selects the task.
void task_cell(Frame& frame, sim::TaskId p, const std::string& name) {
    draw_task_swatch(frame, p);
    const std::string cut = short_name(frame.fonts.sans, name, ImGui::GetContentRegionAvail().x);
    const bool selected = frame.view.task == p;
    if (ImGui::Selectable((escape_for_imgui_label(cut) + "##row").c_str(), selected,
                          ImGuiSelectableFlags_SpanAllColumns))
        frame.ask([p](Control& control) { control.selection().toggle_task(p); });
    if (ImGui::IsItemHovered()) frame.report_hovered_task(p);
}

void explain_row(const std::string& text) {
    if (!text.empty()) ImGui::SetTooltip("%s", text.c_str());
}

// --- candidates ---

constexpr const char* kBest = "◆ best so far";
constexpr const char* kBestSign = "◆";
constexpr const char* kBriefBonus = "+20 prio +1 mm";

// The columns of the table of candidates that fit in the pane, and whether their texts are short.
struct CandidateColumns {
    bool numbers = true;          // position in the search order
    const char* bonus = nullptr;  // widest text of the column with goodness() bonuses; null: no column
    bool brief = false;           // true: the bonus column uses the short form of the bonus
    bool words = false;           // true: words are shown next to the marker of the best candidate

    std::vector<TableColumn> table_columns(const DecisionPage& page) const {
        std::vector<TableColumn> columns;
        if (numbers) columns.push_back({"", "▶ 1 000", true});
        columns.push_back({"task", nullptr, false});
        if (page.candidates.by_key)
            columns.push_back({page.cursor.policy().criterion.c_str(), "-0 000 000.000 ms", true});
        else if (page.candidates.by_script && !page.candidates.by_goodness)
            columns.push_back({"", "slices 1 000", true});  // the value that the script reports
        else
            columns.push_back({"counter", "counter", true});
        if (page.hidden) {
            columns.push_back({"", "prev", false});
            return columns;
        }
        if (bonus != nullptr) columns.push_back({"bonus", bonus, true});
        columns.push_back({page.candidates.by_goodness ? "goodness" : "best so far",
                           page.candidates.by_key ? "not eligible" : "1 000", true});
        columns.push_back({"", words ? kBest : kBestSign, false});
        return columns;
    }
};

// The widest text of the bonus column; null if the policy has no bonuses.
const char* widest_bonus_text(const DecisionPage& page) {
    const char* widest = nullptr;
    if (!page.candidates.by_goodness) return widest;
    const auto widen = [&](const char* text) {
        if (widest == nullptr || std::strlen(text) > std::strlen(widest)) widest = text;
    };
    const bool several_cpus = page.cursor.run.scenario().cpus > 1;
    for (const CandidateRow& row : page.candidates.rows) {
        const sim::Candidate& candidate = row.candidate;
        const bool weighed = candidate.goodness >= 0 && !sim::is_real_time(candidate);
        if (weighed && candidate.bonus == 0) continue;
        widen("+1 prev");
        if (weighed && candidate.bonus == 1) continue;
        if (const char* const why = sim::reason_not_compared(candidate))
            widen(why);
        else if (sim::is_real_time(candidate))
            widen("1000 + 50");
        else if (candidate.for_priority == 0)
            widen("+1 prev, +20 last CPU");
        else
            widen(several_cpus ? "+20 priority, +1 mm, +15 last CPU" : "+20 priority, +1 mm");
    }
    return widest;
}

CandidateColumns fitting_candidate_columns(Frame& frame, const DecisionPage& page, float width) {
    CandidateColumns columns;
    columns.numbers = width >= frame.px(480);
    if (page.hidden) return columns;
    if (width > frame.px(270)) columns.bonus = widest_bonus_text(page);
    columns.words = width > frame.px(columns.bonus != nullptr ? 420 : 360);
    if (columns.bonus == nullptr) return columns;
    // The names of tasks have precedence; the remaining width determines the form of the bonus.
    const auto width_of = [](const char* text) { return ImGui::CalcTextSize(text).x; };
    const float besides = (columns.numbers ? width_of("▶ 1 000") : 0) + width_of("counter") +
                          width_of("goodness") + width_of(columns.words ? kBest : kBestSign) +
                          frame.px(14 + 6 * 12);
    columns.brief = width - besides - width_of(columns.bonus) < frame.px(100);
    if (columns.brief && std::strlen(columns.bonus) > std::strlen(kBriefBonus))
        columns.bonus = page.cursor.run.scenario().cpus > 1 ? "+20 prio +1 mm +15 cpu" : kBriefBonus;
    if (width - besides - width_of(columns.bonus) < frame.px(60)) columns.bonus = nullptr;
    return columns;
}

// Draws the last row, "no task". In a question, it is a button that selects "no task" as the answer.
void draw_no_task_row(Frame& frame, const DecisionPage& page, const CandidateColumns& columns) {
    const CandidateTable& table = page.candidates;
    if (columns.numbers) {
        ImGui::TableNextColumn();
        if (table.chooses) draw_right_aligned_text("0");
    }
    ImGui::TableNextColumn();
    const sim::TaskId idle = page.cursor.decision().record.cpu;
    draw_task_swatch(frame, idle);
    if (!table.chooses)
        ImGui::TextDisabled("%s", table.no_task);
    else if (ImGui::SmallButton(columns.numbers ? table.no_task : "0 no task (idle)"))
        frame.ask([idle](Control& control) {
            control.prediction_quiz().answer_question({PredictionQuestion::next_task, idle});
        });
}

// Draws the name of a candidate. In a question, the name is a button that selects the task as the answer.
void draw_candidate_name(Frame& frame, const DecisionPage& page, const CandidateColumns& columns,
                         std::size_t i) {
    const sim::TaskId p = page.candidates.rows[i].candidate.task;
    const std::string name = page.cursor.name(p);
    if (page.candidates.rows[i].differs) {
        coloured_text(frame.theme.warning, "≠");
        ImGui::SameLine(0, frame.px(4));
    }
    if (!page.hidden) {
        task_cell(frame, p, name);
        if (ImGui::IsItemHovered()) explain_row(search_sentence(page, i));
        return;
    }
    draw_task_swatch(frame, p);
    const float room = ImGui::GetContentRegionAvail().x;
    if (!page.candidates.chooses) {
        ImGui::TextUnformatted(short_name(frame.fonts.sans, name, room).c_str());
        return;
    }
    const std::string numbered = !columns.numbers && i < 9 ? fmt::format("{} {}", i + 1, name) : name;
    if (ImGui::SmallButton(
            escape_for_imgui_label(ellipsized_text(frame.fonts.sans, numbered, room - frame.px(14))).c_str()))
        frame.ask([p](Control& control) {
            control.prediction_quiz().answer_question({PredictionQuestion::next_task, p});
        });
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Predict that %s runs next", name.c_str());
}

void draw_result_cells(Frame& frame, const DecisionPage& page, const CandidateColumns& columns,
                       const CandidateRow& row) {
    const CandidateTable& table = page.candidates;
    const sim::Candidate& candidate = row.candidate;
    if (columns.bonus != nullptr) {
        ImGui::TableNextColumn();
        if (row.seen)
            draw_right_aligned_text(bonus_text(candidate, page.cursor.decision().log, columns.brief));
    }
    ImGui::TableNextColumn();
    if (row.seen)
        draw_right_aligned_text(
            table.by_goodness                                        ? std::to_string(candidate.goodness)
            : candidate.remark == sim::CandidateRemark::not_eligible ? "not eligible"
            // While the search proceeds, several candidates can be the best one in turn; only the last of
            // them runs.
            : (table.by_script ? candidate.best : candidate.goodness > 0) &&
                    (!table.by_key || candidate.task == page.cursor.decision().log.decision.next)
                ? "yes"
                : "no");
    ImGui::TableNextColumn();
    if (row.best)
        coloured_text(frame.theme.ok, columns.words ? fmt::format("{} {}", kBestSign, table.best_word)
                                                    : std::string(kBestSign));
}

// The value that the policy compares: a prio, or a virtual time in ms. For a task that the search has not
// examined, the value is the one at the start of the decision.
std::string compared_value(const DecisionPage& page, const CandidateRow& row) {
    const sim::Candidate& candidate = row.candidate;
    const sim::NamedPolicy& policy = page.cursor.policy();
    const sim::Machine& m = page.cursor.decision().before;
    const bool found = !page.hidden && row.seen;
    if (page.candidates.by_script)  // the unit of a script's value is unknown
        return found ? fmt::format("{}", candidate.key) : std::string();
    if (!found && !m.is_live(candidate.task)) return {};
    const bool real_time = found ? candidate.remark == sim::CandidateRemark::real_time
                                 : sim::is_real_time(m.sched_class[candidate.task]);
    const std::int64_t key = found ? candidate.key : policy.policy->candidate_key(m, candidate.task);
    if (policy.criterion == "prio") return std::to_string(key);
    if (real_time) return fmt::format("real time {}", key);
    return fmt::format("{:.3f} ms", static_cast<double>(key) / 1e6);
}

void draw_candidate_row(Frame& frame, const DecisionPage& page, const CandidateColumns& columns,
                        std::size_t i) {
    const CandidateRow& row = page.candidates.rows[i];
    const Theme& theme = frame.theme;
    if (row.current)
        ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, with_alpha(theme.accent, 0.22f));
    else if (row.best)
        ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, with_alpha(theme.ok, 0.14f));
    else if (row.differs)
        ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, with_alpha(theme.warning, 0.16f));
    ImGui::PushStyleColor(ImGuiCol_Text, page.hidden || row.seen ? theme.text : theme.text_dim);
    if (columns.numbers) {
        ImGui::TableNextColumn();
        draw_right_aligned_text((row.current ? "▶ " : "") + group_digits(i + 1));
    }
    ImGui::TableNextColumn();
    draw_candidate_name(frame, page, columns, i);
    ImGui::TableNextColumn();
    if (page.candidates.by_script && !page.candidates.by_goodness && !page.candidates.by_key)
        draw_right_aligned_text(
            scheduling_key_text(page.cursor, page.cursor.decision().before, row.candidate.task));
    else
        draw_right_aligned_text(page.candidates.by_key ? compared_value(page, row)
                                                       : std::to_string(row.candidate.counter));
    if (page.hidden) {
        ImGui::TableNextColumn();
        if (row.prev) ImGui::TextDisabled("prev");
    } else {
        draw_result_cells(frame, page, columns, row);
    }
    ImGui::PopStyleColor();
}

// --- recalculation ---

void draw_recalculation_row(Frame& frame, const DecisionPage& page, bool with_state, std::size_t i) {
    const RecalculationRow& row = page.refill.rows[i];
    const RecalculatedCounter& v = row.recalculated_counter;
    if (row.current) ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, with_alpha(frame.theme.accent, 0.22f));
    ImGui::PushStyleColor(ImGuiCol_Text, row.done ? frame.theme.text : frame.theme.text_dim);
    ImGui::TableNextColumn();
    if (v.task == sim::kNoTask) {
        ImGui::TextUnformatted("all other tasks");
    } else {
        task_cell(frame, v.task, page.cursor.name(v.task));
        if (ImGui::IsItemHovered()) explain_row(recalculation_sentence(page, i));
        if (with_state) {
            ImGui::TableNextColumn();
            ImGui::TextDisabled("%s", not_runnable_word(page.cursor, v.task));
        }
        ImGui::TableNextColumn();
        draw_right_aligned_text(row.done ? fmt::format("{} → {}", v.before, v.after)
                                         : std::to_string(v.before));
    }
    ImGui::PopStyleColor();
}

void draw_recalculation(Frame& frame, const DecisionPage& page, ImVec2 size) {
    const RecalculationTable& table = page.refill;
    const bool with_state = size.x >= frame.px(230);
    std::vector<TableColumn> columns{{"task", nullptr, false}};
    if (with_state) columns.push_back({"", "asleep", false});
    columns.push_back({"counter", "00 → 00", true});
    draw_table(
        frame, {"refill", table.title, columns, table.rows.size()}, size,
        [&](std::size_t i) { draw_recalculation_row(frame, page, with_state, i); },
        [&] {
            // The scroll position depends only on the step, also for steps before and after the
            // recalculation.
            scroll_to_row(frame, page.cursor, page.cursor.stepping && table.done > 0 ? table.done - 1 : 0);
        });
}

}  // namespace

float table_row_height() { return ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y; }

float table_height(std::size_t row_count) {
    return ImGui::GetTextLineHeightWithSpacing() +
           table_row_height() * static_cast<float>(1 + std::max<std::size_t>(row_count, 1)) + 2;
}

void draw_candidates(Frame& frame, const DecisionPage& page, ImVec2 size) {
    const CandidateTable& table = page.candidates;
    const CandidateColumns columns = fitting_candidate_columns(frame, page, size.x);
    const std::size_t rows = table.rows.size() + (table.no_task != nullptr ? 1 : 0);
    draw_table(
        frame, {"candidates", table.title, columns.table_columns(page), rows}, size,
        [&](std::size_t i) {
            if (i < table.rows.size())
                draw_candidate_row(frame, page, columns, i);
            else
                draw_no_task_row(frame, page, columns);
        },
        [&] {
            if (!page.hidden && !table.rows.empty()) scroll_to_row(frame, page.cursor, table.followed);
        });
}

float table_selector_height(Frame& frame, const DecisionPage& page, float width) {
    const bool chooses =
        !page.refill.rows.empty() && width <= frame.px(kBothTablesWidth) && !is_recalculating(page);
    return chooses ? ImGui::GetFrameHeightWithSpacing() : 0;
}

void draw_tables(Frame& frame, const DecisionPage& page, ImVec2 size) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    frame.report_part_rectangle("tasks", corner, ImVec2(corner.x + size.x, corner.y + size.y));
    if (page.refill.rows.empty()) return draw_candidates(frame, page, size);
    const float gap = frame.px(12);
    if (size.x > frame.px(kBothTablesWidth)) {
        const float right = std::max(std::round(size.x * 0.36f), frame.px(230));
        draw_candidates(frame, page, ImVec2(size.x - right - gap, size.y));
        ImGui::SameLine(0, gap);
        draw_recalculation(frame, page, ImVec2(right, size.y));
        return;
    }
    // Only one table fits: draws the table with the cursor, or the table that the user selected. If the
    // code is at the left, an ImGui group keeps the table below the buttons.
    ImGui::BeginGroup();
    const float chosen = table_selector_height(frame, page, size.x);
    if (chosen > 0) {
        if (choice_button(frame, "search", !frame.view.prefers_recalculation))
            frame.view.prefers_recalculation = false;
        ImGui::SameLine(0, frame.px(4));
        if (choice_button(frame, "recalc", frame.view.prefers_recalculation))
            frame.view.prefers_recalculation = true;
        size.y -= chosen;
    }
    if (is_recalculating(page) || frame.view.prefers_recalculation)
        draw_recalculation(frame, page, size);
    else
        draw_candidates(frame, page, size);
    ImGui::EndGroup();
}

}  // namespace ui
