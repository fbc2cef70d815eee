// The pane COSTS: CPU time by purpose, and the cost per context switch and per yield.
#include <fmt/format.h>

#include <cmath>

#include "ui/panels/activity_fill.h"
#include "ui/panels/drawing.h"
#include "ui/panels/panel_helpers.h"
#include "ui/platform/imgui_versions.h"
#include "ui/view/cost_report.h"
#include "ui/view/decision_cursor.h"
#include "ui/view/text_table.h"
#include "ui/view/two_runs.h"

namespace ui {
namespace {

using sim::Nanos;

constexpr std::array<CostScope, 3> kScopes{CostScope::until_now, CostScope::selection, CostScope::whole};

// The unit in which the costs of two runs are compared.
enum class CostUnit { yield, a_switch, time };

CostUnit common_cost_unit(const CostReport& a, const CostReport& b) {
    if (a.yields > 0 && b.yields > 0) return CostUnit::yield;
    if (a.switches > 0 && b.switches > 0) return CostUnit::a_switch;
    return CostUnit::time;
}

const char* name_of(CostUnit unit) {
    return unit == CostUnit::yield ? "per yield" : unit == CostUnit::a_switch ? "per switch" : "time";
}

std::uint64_t count_of(const CostReport& r, CostUnit unit) {
    return unit == CostUnit::yield ? r.yields : unit == CostUnit::a_switch ? r.switches : 1;
}

double nanos_per_unit(Nanos time, std::uint64_t count) {
    return count == 0 ? 0.0 : static_cast<double>(time.count()) / static_cast<double>(count);
}

std::string signed_text(double ns) {
    const Nanos size{std::llround(std::abs(ns) * 10)};
    if (size == Nanos{}) return "0";
    return (ns < 0 ? "\u2212" : "+") + mean_time_text(size, 10);
}

// The title of the part of the run whose costs are shown. If two runs are at different times, the title
// contains both times.
std::string title_of(const Model& model, CostScope scope, const ViewState& view) {
    std::string title = scope_title(*model.a, scope, view);
    if (scope == CostScope::until_now && has_runs_at_different_times(model))
        title += ", B " + instant_text(model.b->now());
    return title;
}

// Draws a bar of the length `width` * `fullness`, with a segment for each kind of CPU time. A tooltip shows
// the name of the kind under the mouse.
void draw_report_bar(Frame& frame, const CostReport& report, ImVec2 at, float width, float height,
                     double fullness) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    fill_rect(list, at, ImVec2(at.x + width, at.y + height), frame.theme.background);
    const double all = static_cast<double>(std::max(Nanos{1}, report.parts.total()).count());
    const bool hovered = ImGui::IsMouseHoveringRect(at, ImVec2(at.x + width, at.y + height)) &&
                         ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    double sum = 0;
    for (std::size_t i = 0; i < kCostParts; ++i) {
        const double part = static_cast<double>(cost_parts()[i].of(report.parts).count()) / all;
        const auto x = [&](double share) {
            return at.x + std::round(width * static_cast<float>(fullness * share));
        };
        const ImVec2 from(x(sum), at.y), to(x(sum + part), at.y + height);
        sum += part;
        if (part <= 0) continue;
        fill(list, frame.fonts, frame.theme, fill_of(frame.theme, cost_parts()[i].activity), from, to);
        if (hovered && ImGui::GetMousePos().x >= from.x && ImGui::GetMousePos().x < to.x)
            ImGui::SetTooltip("%s", fmt::format("{}: {} of {}\n{}", cost_parts()[i].name, percent(part),
                                                span(report.parts.total()), cost_parts()[i].meaning)
                                        .c_str());
    }
}

// Draws a bar for each scope. A click on a bar selects the scope of the table.
void draw_cost_scope_bars(Frame& frame) {
    const Model& model = frame.model;
    float label = 0;
    for (const CostScope scope : kScopes)
        label = std::max(label, ImGui::CalcTextSize(title_of(model, scope, frame.view).c_str()).x);
    label += ImGui::GetStyle().ItemSpacing.x + frame.px(8);
    const float height = std::floor(ImGui::GetTextLineHeight());
    const float total = ImGui::GetContentRegionAvail().x;
    const bool beside =
        total - label > frame.px(140);  // true: bars are at the right of their labels; false: below
    for (const CostScope scope : kScopes) {
        if (scope == CostScope::selection && !frame.view.selection) continue;
        const std::optional<CostReport> a = costs_of(*model.a, scope, frame.view);
        const std::optional<CostReport> b =
            model.b == nullptr ? std::nullopt : costs_of(*model.b, scope, frame.view);
        const int lines = (model.b != nullptr ? 2 : 1) + (beside ? 0 : 1);
        ImGui::PushID(static_cast<int>(scope));
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float x0 = ImGui::GetCursorPosX();
        if (ImGui::Selectable(
                title_of(model, scope, frame.view).c_str(), frame.view.costs == scope, 0,
                ImVec2(0, height * static_cast<float>(lines) + frame.px(2) * static_cast<float>(lines - 1))))
            frame.view.costs = scope;
        const float after = ImGui::GetCursorPosY();
        float y = at.y + (beside ? 0 : height + frame.px(2));
        const float x = at.x + (beside ? label : frame.px(8));
        const float mark = model.b != nullptr ? ImGui::CalcTextSize("A ").x : 0;
        const float width = at.x + total - x - mark - frame.px(4);
        double longest = 0;
        const CostUnit unit = a && b ? common_cost_unit(*a, *b) : CostUnit::time;
        // If both runs have yields, the lengths of the bars are in proportion to the time per yield.
        // Otherwise all bars have the same length.
        const bool scaled = unit == CostUnit::yield;
        if (scaled) longest = static_cast<double>(std::max(a->time_per_yield(), b->time_per_yield()).count());
        for (const std::optional<CostReport>* report : {&a, &b}) {
            if (report == &b && model.b == nullptr) continue;
            if (model.b != nullptr)
                ImGui::GetWindowDrawList()->AddText(ImVec2(x, y), frame.theme.text_dim,
                                                    report == &a ? "A" : "B");
            if (*report) {
                const double fullness =
                    scaled && longest > 0 ? static_cast<double>((*report)->time_per_yield().count()) / longest
                                          : 1.0;
                draw_report_bar(frame, **report, ImVec2(x + mark, y), width, height, fullness);
            } else {
                ImGui::GetWindowDrawList()->AddText(ImVec2(x + mark, y), frame.theme.text_dim,
                                                    "computing ...");
                frame.view.moving = true;
            }
            y += height + frame.px(2);
        }
        set_cursor_pos(ImVec2(x0, after));
        ImGui::PopID();
    }
}

// The width of a swatch and of the space after it.
float swatch_width(const Frame& frame) {
    return std::floor(std::floor(ImGui::GetTextLineHeight() * 0.75f) * 1.5f) + frame.px(6);
}

void draw_swatch(Frame& frame, sim::CpuActivity activity) {
    const float size = std::floor(ImGui::GetTextLineHeight() * 0.75f);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float y = at.y + std::floor((ImGui::GetTextLineHeight() - size) / 2);
    fill(*ImGui::GetWindowDrawList(), frame.fonts, frame.theme, fill_of(frame.theme, activity),
         ImVec2(at.x, y), ImVec2(at.x + std::floor(size * 1.5f), y + size));
    set_cursor_pos_x(ImGui::GetCursorPosX() + swatch_width(frame));
}

// The cells of the table, used for the drawing and for the pane's text.
struct CostCells {
    std::vector<std::string> header;
    // One row per displayed kind of CPU time, then a row with the sum.
    std::vector<std::vector<std::string>> rows;
    std::vector<const CostPart*> parts;  // the kind of CPU time of each row except the last
};

// The kinds of CPU time to show. Stolen time and interrupt time are omitted if no report contains any.
std::vector<const CostPart*> shown_parts(std::initializer_list<const CostReport*> reports) {
    std::vector<const CostPart*> shown;
    for (const CostPart& part : cost_parts()) {
        const bool rare =
            part.activity == sim::CpuActivity::stolen || part.activity == sim::CpuActivity::interrupt;
        const bool takes_time = std::any_of(reports.begin(), reports.end(), [&](const CostReport* r) {
            return part.of(r->parts) != Nanos{};
        });
        if (!rare || takes_time) shown.push_back(&part);
    }
    return shown;
}

CostCells cells_of_one_run(const CostReport& r) {
    CostCells cells{{"", "time", "share", "per switch"}, {}, shown_parts({&r})};
    if (r.yields > 0) cells.header.emplace_back("per yield");
    const auto add = [&](const char* name, Nanos time) {
        cells.rows.push_back({name, span(time, r.parts.total()), percent(r.share(time)),
                              mean_time_text(time, r.switches, r.parts.total())});
        if (r.yields > 0) cells.rows.back().push_back(mean_time_text(time, r.yields, r.parts.total()));
    };
    for (const CostPart* part : cells.parts) add(part->name, part->of(r.parts));
    add("all", r.parts.total());
    return cells;
}

CostCells cells_of_two_runs(const CostReport& a, const CostReport& b) {
    const CostUnit unit = common_cost_unit(a, b);
    const std::string each_name = name_of(unit);
    CostCells cells{{"", "A share", "B share", "A " + each_name, "B " + each_name, "difference"},
                    {},
                    shown_parts({&a, &b})};
    const Nanos whole = std::max(a.parts.total(), b.parts.total());
    const auto add = [&](const char* name, Nanos ta, Nanos tb) {
        const std::uint64_t na = count_of(a, unit), nb = count_of(b, unit);
        cells.rows.push_back({name, percent(a.share(ta)), percent(b.share(tb)), mean_time_text(ta, na, whole),
                              mean_time_text(tb, nb, whole),
                              signed_text(nanos_per_unit(tb, nb) - nanos_per_unit(ta, na))});
    };
    for (const CostPart* part : cells.parts) add(part->name, part->of(a.parts), part->of(b.parts));
    add("all", a.parts.total(), b.parts.total());
    return cells;
}

std::string cost_sentence(const CostReport& r) {
    std::string text;
    if (r.yields > 0) text += span(r.time_per_yield()) + " per yield, ";
    if (r.switches > 0) text += span(r.kernel_time_per_switch()) + " of kernel time per switch, ";
    return text + fmt::format("{} {}, {} {}", group_digits(r.switches),
                              r.switches == 1 ? "switch" : "switches", group_digits(r.yields),
                              r.yields == 1 ? "yield" : "yields");
}

// The width of the widest text of each column, in pixels.
std::vector<float> column_widths(const Frame& frame, const CostCells& cells) {
    std::vector<float> widths;
    for (std::size_t c = 0; c < cells.header.size(); ++c) {
        float widest = ImGui::CalcTextSize(cells.header[c].c_str()).x;
        for (const auto& row : cells.rows) widest = std::max(widest, ImGui::CalcTextSize(row[c].c_str()).x);
        widths.push_back(std::ceil(widest) + (c == 0 ? swatch_width(frame) : 0));
    }
    return widths;
}

// Removes columns that do not fit. Columns of shares are removed first, because the bars also show shares.
CostCells columns_that_fit(const Frame& frame, CostCells cells) {
    const float padding = 2 * ImGui::GetStyle().CellPadding.x;
    while (cells.header.size() > 2) {
        float sum = 0;
        for (const float width : column_widths(frame, cells)) sum += width + padding;
        if (sum <= ImGui::GetContentRegionAvail().x) break;
        const auto is_share = [](const std::string& title) { return title.ends_with("share"); };
        const bool shares = std::any_of(cells.header.begin(), cells.header.end(), is_share);
        for (std::size_t c = cells.header.size(); c-- > 1;) {
            if (shares ? !is_share(cells.header[c]) : c + 2 != cells.header.size()) continue;
            const auto at = static_cast<std::ptrdiff_t>(c);
            cells.header.erase(cells.header.begin() + at);
            for (auto& row : cells.rows) row.erase(row.begin() + at);
            if (!shares) break;
        }
    }
    return cells;
}

void draw_cost_table(Frame& frame, const CostCells& all_cells) {
    const CostCells cells = columns_that_fit(frame, all_cells);
    const int columns = static_cast<int>(cells.header.size());
    if (!begin_table("costs", columns,
                     ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_BordersInnerH |
                         ImGuiTableFlags_NoSavedSettings))
        return;
    for (const float width : column_widths(frame, cells))
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, width);
    ImGui::TableNextRow();
    for (int c = 1; c < columns; ++c) {
        ImGui::TableSetColumnIndex(c);
        draw_right_aligned_text(cells.header[static_cast<std::size_t>(c)], frame.theme.text_dim);
    }
    for (std::size_t i = 0; i < cells.rows.size(); ++i) {
        const std::vector<std::string>& row = cells.rows[i];
        ImGui::TableNextRow();
        ImGui::TableSetColumnIndex(0);
        const bool sum = i == cells.parts.size();
        bool nothing = true;
        for (std::size_t c = 1; c < row.size(); ++c)
            nothing = nothing && (row[c] == "0 ns" || row[c] == "0 %" || row[c] == "-" || row[c] == "0");
        const ImU32 colour = nothing ? frame.theme.text_dim : frame.theme.text;
        if (!sum) draw_swatch(frame, cells.parts[i]->activity);
        draw_ellipsized_text(row[0], ImGui::GetContentRegionAvail().x);
        if (!sum) explain_item(cells.parts[i]->meaning);
        for (int c = 1; c < columns; ++c) {
            ImGui::TableSetColumnIndex(c);
            draw_right_aligned_text(row[static_cast<std::size_t>(c)], colour);
        }
    }
    ImGui::EndTable();
}

void draw_cost_list(Frame& frame) {
    const sim::MachineSpec& machine = frame.model.a->scenario().machine;
    ImGui::Dummy(ImVec2(0, frame.px(4)));
    dim_text(frame, "Costs" + (machine.name.empty() ? std::string{} : " of " + machine.name));
    if (!begin_table("prices", 3, ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings)) return;
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed);
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, ImGui::CalcTextSize("99.99 \u00b5s").x);
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
    for (const NamedCost& p : named_costs(machine.costs)) {
        const sim::Cost& cost = *p.cost;
        ImGui::TableNextRow();
        ImGui::TableSetColumnIndex(0);
        ImGui::TextUnformatted(p.name);
        explain_item(p.meaning);
        ImGui::TableSetColumnIndex(1);
        draw_right_aligned_text(span(cost.time), frame.theme.text);
        ImGui::TableSetColumnIndex(2);
        ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
        const std::string source = with_micro_sign(cost.source);
        if (const float room = ImGui::GetContentRegionAvail().x; room < frame.px(120))
            draw_ellipsized_text(source, room);
        else
            draw_paragraph(source);
        ImGui::PopStyleColor();
    }
    ImGui::EndTable();
}

}  // namespace

void draw_costs(Frame& frame) {
    if (draw_message_if_no_scenario(frame)) return;
    if (is_outcome_hidden(frame.view)) return dim_text(frame, kHiddenUntilChosen);
    const Model& model = frame.model;
    if (frame.view.costs == CostScope::selection && !frame.view.selection)
        frame.view.costs = CostScope::until_now;
    draw_cost_scope_bars(frame);
    const std::optional<CostReport> a = costs_of(*model.a, frame.view.costs, frame.view);
    const std::optional<CostReport> b =
        model.b == nullptr ? std::nullopt : costs_of(*model.b, frame.view.costs, frame.view);
    if (!a || (model.b != nullptr && !b)) return;
    ImGui::Dummy(ImVec2(0, frame.px(2)));
    draw_paragraph((b ? "Run A  " : "") + cost_sentence(*a));
    if (b) draw_paragraph("Run B  " + cost_sentence(*b));
    draw_cost_table(frame, b ? cells_of_two_runs(*a, *b) : cells_of_one_run(*a));
    draw_cost_list(frame);
}

std::string costs_text(const Model& model, const ViewState& view) {
    if (model.a == nullptr) return "No scenario is open.\n";
    if (is_outcome_hidden(view)) return std::string(kHiddenUntilChosen) + "\n";
    std::string text;
    for (const CostScope scope : kScopes) {
        if (scope == CostScope::selection && !view.selection) continue;
        text += title_of(model, scope, view) + "\n";
        const std::optional<CostReport> a = costs_of(*model.a, scope, view);
        const std::optional<CostReport> b =
            model.b == nullptr ? std::nullopt : costs_of(*model.b, scope, view);
        if (!a || (model.b != nullptr && !b)) {
            text += "computing\n\n";
            continue;
        }
        if (b) text += fmt::format("Run A {}: {}\n", model.a->policy().spec(), cost_sentence(*a));
        if (b) text += fmt::format("Run B {}: {}\n", model.b->policy().spec(), cost_sentence(*b));
        if (!b) text += cost_sentence(*a) + "\n";
        const CostCells cells = b ? cells_of_two_runs(*a, *b) : cells_of_one_run(*a);
        TextTable table("l" + std::string(cells.header.size() - 1, 'r'));
        table.add(cells.header);
        for (const auto& row : cells.rows) table.add(row);
        text += table.text() + "\n";
    }
    const sim::MachineSpec& machine = model.a->scenario().machine;
    text += "Costs" + (machine.name.empty() ? std::string{} : " of " + machine.name) + "\n";
    TextTable table("lrl");
    for (const NamedCost& p : named_costs(machine.costs)) {
        const sim::Cost& cost = *p.cost;
        table.add({p.name, span(cost.time), with_micro_sign(cost.source)});
    }
    return text + table.text();
}

}  // namespace ui
