// The pane WAITS, from the start of the run to the position: the reasons why tasks gave up the CPU, the times
// for which they waited, and the task groups that ended the waits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/panels/drawing.h"
#include "ui/panels/panel_helpers.h"
#include "ui/platform/imgui_versions.h"
#include "ui/view/cost_report.h"
#include "ui/view/text_table.h"
#include "ui/view/two_runs.h"
#include "ui/view/wait_words.h"

namespace ui {
namespace {

using sim::Nanos;
using sim::WaitAttribution;

struct WaitRow {
    std::string cause;
    std::uint64_t count = 0;  // number of switches; in the row of a group pair, number of completed waits
    Nanos waited{};
    // The row has only the waits of one group that another group ended. The row of all waits is above.
    bool is_group_pair = false;
};

std::string waiter_and_waker_text(const sim::Scenario& scenario, const WaitAttribution& b) {
    const std::string& waiter = scenario.groups[b.waiter].name;
    if (b.waker == WaitAttribution::kNoWaker) return waiter + ", wait ended by no task";
    return waiter + ", wait ended by " + scenario.groups[b.waker].name;
}

// The rows of the table, one for each cause of waits. A channel (lock, pipe etc.) is a cause; channels are in
// the order of the scenario. Below a channel is a row for each pair of a waiting group and the group that
// ended its waits, sorted by decreasing total time.
std::vector<WaitRow> rows_of(const Run& run) {
    const sim::Statistics& s = run.session().statistics();
    std::vector<WaitRow> rows;
    if (s.arrivals.switches > 0)
        rows.push_back({"wait for an external arrival", s.arrivals.switches, s.arrivals.waited});
    if (s.sleeps.switches > 0)
        rows.push_back({"sleep until the task's timer", s.sleeps.switches, s.sleeps.waited});
    if (s.exit_switches > 0) rows.push_back({"exit", s.exit_switches, {}});
    for (sim::ChannelId c = 0; c < s.waits.size(); ++c) {
        if (s.waits[c].switches == 0) continue;
        rows.push_back({channel_words(run.scenario().channels[c]), s.waits[c].switches, s.waits[c].waited});
        const auto first = static_cast<std::ptrdiff_t>(rows.size());
        for (const WaitAttribution& b : s.wait_attributions)
            if (b.channel == c)
                rows.push_back({waiter_and_waker_text(run.scenario(), b), b.waits, b.waited, true});
        std::stable_sort(rows.begin() + first, rows.end(),
                         [](const WaitRow& a, const WaitRow& b) { return a.waited > b.waited; });
    }
    return rows;
}

std::string title_of(const Run& run) {
    const std::uint64_t n = run.session().statistics().switches.voluntary;
    return fmt::format("{} voluntary switch{} until {}, by cause; each wait is counted when it ends",
                       group_digits(n), n == 1 ? "" : "es", instant_text(run.now()));
}

std::vector<std::string> cells_of(const WaitRow& row) {
    const bool timed = row.waited != Nanos{};
    return {row.cause, group_digits(row.count), timed ? span(row.waited) : "-",
            timed ? mean_time_text(row.waited, row.count) : "-"};
}

const std::vector<std::string> kHeader{"cause", "times", "waited", "each"};
const char* const kMeaning[] = {
    "cause of the waits; below each cause, the group that waited and the group that ended the waits",
    "number of voluntary switches; in the rows of task groups, number of ended waits",
    "total time off the CPU until the wake-up", "average time off the CPU"};

void draw_waits_of(Frame& frame, const Run& run, const char* label) {
    const std::vector<WaitRow> rows = rows_of(run);
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
    draw_paragraph((*label == 0 ? "" : std::string(label) + "  ") + title_of(run));
    ImGui::PopStyleColor();
    if (rows.empty()) {
        dim_text(frame, "No task has given up the CPU yet.");
        return;
    }
    const ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit |
                                  ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoSavedSettings;
    ImGui::PushID(static_cast<int>(ImGui::GetFontSize()));
    if (begin_table("waits", 4, flags, ImVec2(0, std::max(frame.px(60), ImGui::GetContentRegionAvail().y)))) {
        ImGui::TableSetupScrollFreeze(0, 1);
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
        for (const char* widest : {"999 999 999", "999 min", "99.9 ms"})
            ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, ImGui::CalcTextSize(widest).x);
        ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
        for (std::size_t c = 0; c < kHeader.size(); ++c) {
            ImGui::TableSetColumnIndex(static_cast<int>(c));
            if (c == 0)
                dim_text(frame, kHeader[c]);
            else
                draw_right_aligned_text(kHeader[c], frame.theme.text_dim);
            explain_item(kMeaning[c]);
        }
        ImGuiListClipper clipper;
        clipper.Begin(static_cast<int>(rows.size()));
        while (clipper.Step()) {
            for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
                const WaitRow& row = rows[static_cast<std::size_t>(i)];
                const std::vector<std::string> cells = cells_of(row);
                const ImU32 colour = row.is_group_pair ? frame.theme.text_dim : frame.theme.text;
                ImGui::TableNextRow();
                ImGui::TableSetColumnIndex(0);
                if (row.is_group_pair) set_cursor_pos_x(ImGui::GetCursorPosX() + frame.px(16));
                ImGui::PushStyleColor(ImGuiCol_Text, colour);
                draw_ellipsized_text(cells[0], ImGui::GetContentRegionAvail().x);
                ImGui::PopStyleColor();
                for (std::size_t c = 1; c < cells.size(); ++c) {
                    ImGui::TableSetColumnIndex(static_cast<int>(c));
                    draw_right_aligned_text(cells[c], cells[c] == "-" ? frame.theme.text_dim : colour);
                }
            }
        }
        ImGui::EndTable();
    }
    ImGui::PopID();
}

std::string waits_text_of(const Run& run) {
    const std::vector<WaitRow> rows = rows_of(run);
    if (rows.empty()) return title_of(run) + "\nNo task has given up the CPU yet.\n";
    TextTable table("lrrr");
    table.add(kHeader);
    for (const WaitRow& row : rows) {
        std::vector<std::string> cells = cells_of(row);
        if (row.is_group_pair) cells[0] = "  " + cells[0];
        table.add(cells);
    }
    return title_of(run) + "\n" + table.text();
}

}  // namespace

void draw_waits(Frame& frame) {
    if (draw_message_if_no_scenario(frame)) return;
    if (frame.model.b == nullptr) return draw_waits_of(frame, *frame.model.a, "");
    const float half = std::floor((ImGui::GetContentRegionAvail().y - ImGui::GetStyle().ItemSpacing.y) / 2);
    for (const bool first : {true, false}) {
        if (begin_child(first ? "a" : "b", ImVec2(0, first ? half : 0)))
            draw_waits_of(frame, first ? *frame.model.a : *frame.model.b, first ? "A" : "B");
        ImGui::EndChild();
    }
}

std::string waits_text(const Model& model, const ViewState&) {
    if (model.a == nullptr) return "No scenario is open.\n";
    if (model.b == nullptr) return waits_text_of(*model.a);
    return fmt::format("{}: {}\n{}: {}", run_label(true), waits_text_of(*model.a), run_label(false),
                       waits_text_of(*model.b));
}

}  // namespace ui
