// The pane CACHES: the number of entries that each task has in the TLB and cache of the selected CPU, with
// the task that ran last at the top; and the address space that is loaded.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/control/control.h"
#include "ui/panels/panel_helpers.h"
#include "ui/platform/imgui_versions.h"
#include "ui/view/decision_cursor.h"
#include "ui/view/text_table.h"
#include "ui/view/two_runs.h"
#include "ui/view/wait_words.h"

namespace ui {
namespace {

using sim::ResidentEntries;
using sim::TaskId;

// The TLB or the cache. `size`: number of entries. `held` and `needed`: members of ResidentEntries with the
// number of entries that a task has, and that a task needs.
struct HardwareCache {
    const char* name;
    const char* unit;  // "entries" or "lines"
    std::uint32_t size = 0;
    std::uint32_t ResidentEntries::*held;
    std::uint32_t ResidentEntries::*needed;
    std::string about;  // TLB: whether it has tags; cache: the size of its lines

    std::uint32_t held_entries(const std::vector<ResidentEntries>& contents) const {
        std::uint32_t sum = 0;
        for (const ResidentEntries& r : contents) sum += r.*held;
        return sum;
    }
};

// The TLB and the cache, if the scenario models them.
std::vector<HardwareCache> caches_of(const Run& run, sim::CpuId c) {
    const sim::CostModel& costs = run.scenario().machine.costs;
    std::vector<HardwareCache> caches;
    if (costs.tlb.entries > 0)
        caches.push_back(
            {"TLB", "entries", costs.tlb.entries, &ResidentEntries::tlb_entries, &ResidentEntries::tlb_needed,
             costs.tlb.tagged ? "with tags (not flushed when other page tables are loaded)"
                              : fmt::format("without tags (flushed {} times so far)",
                                            group_digits(run.session().machine().cpu(c).tlb_flushes))});
    if (costs.cache.size > 0)
        caches.push_back({"Cache", "lines", costs.cache.size / costs.cache.line, &ResidentEntries::lines,
                          &ResidentEntries::lines_needed, fmt::format("of {} bytes each", costs.cache.line)});
    return caches;
}

std::string cache_title(const HardwareCache& cache, const std::vector<ResidentEntries>& contents) {
    const auto holds = [&](const ResidentEntries& r) { return r.*cache.held > 0; };
    const auto tasks = static_cast<std::uint64_t>(std::count_if(contents.begin(), contents.end(), holds));
    return fmt::format("{} of {} {} {}; holds {} of {}", cache.name, group_digits(cache.size), cache.unit,
                       cache.about, cache.unit,
                       tasks == 0   ? "no task"
                       : tasks == 1 ? "1 task"
                                    : group_digits(tasks) + " tasks");
}

const char* const kNoModel =
    "This machine has no model of TLB and caches: the cost of a switch includes their refill.";

std::string cpu_title(const Run& run, sim::CpuId c) {
    const sim::Machine& m = run.session().machine();
    const TaskId p = m.cpu(c).current;
    return fmt::format("cpu{} {} and {}", c, m.is_idle_task(p) ? "is idle" : "runs " + run.name(p),
                       loaded_mm_text(run, c));
}

std::string share_text(std::uint32_t held, std::uint32_t needed) {
    return fmt::format("{} of {}", held, needed);
}

// Draws a bar with a segment for each task; the rest of the bar is free space.
void draw_cache_bar(Frame& frame, const Run& run, const HardwareCache& cache,
                    const std::vector<ResidentEntries>& contents) {
    const float width = ImGui::GetContentRegionAvail().x,
                height = std::round(ImGui::GetTextLineHeight() * 1.2f);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy(ImVec2(width, height));
    const bool hovered = ImGui::IsItemHovered();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    fill_rect(list, at, ImVec2(at.x + width, at.y + height), frame.theme.background);
    fill_pattern(list, frame.fonts, Pattern::dots, at, ImVec2(at.x + width, at.y + height), frame.theme.grid);
    // The number of entries of each task is an expected value, and a task does not displace its own
    // entries. Therefore the sum can exceed the size.
    const double whole = std::max(cache.size, cache.held_entries(contents));
    double sum = 0;
    for (const ResidentEntries& r : contents) {
        const float from = at.x + std::round(width * static_cast<float>(sum / whole));
        sum += r.*cache.held;
        const float to = at.x + std::round(width * static_cast<float>(sum / whole));
        if (to <= from) continue;
        const float gap = to - from > frame.px(4) ? 1.0f : 0.0f;
        fill_rect(list, ImVec2(from, at.y), ImVec2(to - gap, at.y + height), colour_of(frame, r.task));
        const std::string name = run.name(r.task);
        const float room = to - from - frame.px(6);
        if (ImGui::CalcTextSize(name.c_str()).x <= room)
            list.AddText(
                ImVec2(from + frame.px(3), at.y + std::floor((height - ImGui::GetTextLineHeight()) / 2)),
                readable_text_colour(colour_of(frame, r.task)), name.c_str());
        if (hovered && ImGui::GetMousePos().x >= from && ImGui::GetMousePos().x < to)
            ImGui::SetTooltip("%s", fmt::format("{}: {} {} that the task needs are present", name,
                                                share_text(r.*cache.held, r.*cache.needed), cache.unit)
                                        .c_str());
    }
}

void draw_share_cell(Frame& frame, TaskId p, std::uint32_t held, std::uint32_t needed) {
    const float text = ImGui::CalcTextSize("9 999 of 9 999").x;
    const float width = ImGui::GetContentRegionAvail().x;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float bar = width - text - frame.px(8);
    if (bar > frame.px(20) && needed > 0) {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const float height = std::floor(ImGui::GetTextLineHeight() * 0.6f);
        const float y = at.y + std::floor((ImGui::GetTextLineHeight() - height) / 2);
        const float share = static_cast<float>(held) / static_cast<float>(needed);
        fill_rect(list, ImVec2(at.x, y), ImVec2(at.x + bar, y + height), frame.theme.background);
        fill_rect(list, ImVec2(at.x, y), ImVec2(at.x + std::round(bar * share), y + height),
                  colour_of(frame, p));
    }
    draw_right_aligned_text(share_text(held, needed), held == 0 ? frame.theme.text_dim : frame.theme.text);
}

void draw_cache_use_table(Frame& frame, const Run& run, const std::vector<HardwareCache>& caches,
                          const std::vector<ResidentEntries>& contents) {
    const ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingStretchProp |
                                  ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoSavedSettings;
    const float height = std::max(frame.px(60), ImGui::GetContentRegionAvail().y);
    if (!begin_table("residents", 1 + static_cast<int>(caches.size()), flags, ImVec2(0, height))) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 1);
    for (const HardwareCache& cache : caches)
        ImGui::TableSetupColumn(cache.name, ImGuiTableColumnFlags_WidthStretch, 1.4f);
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    ImGui::TableSetColumnIndex(0);
    dim_text(frame, "latest task first");
    for (std::size_t i = 0; i < caches.size(); ++i) {
        ImGui::TableSetColumnIndex(1 + static_cast<int>(i));
        draw_right_aligned_text(caches[i].name, frame.theme.text_dim);
        explain_item(fmt::format("The number of {} that the task needs and would find here if it ran now.",
                                 caches[i].unit));
    }
    const sim::Machine& m = run.session().machine();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(contents.size()));
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const ResidentEntries& r = contents[static_cast<std::size_t>(i)];
            ImGui::TableNextRow();
            ImGui::TableSetColumnIndex(0);
            const ImVec2 at = ImGui::GetCursorScreenPos();
            const float side = std::floor(ImGui::GetTextLineHeight() * 0.62f);
            const float y = at.y + std::floor((ImGui::GetTextLineHeight() - side) / 2);
            fill_rect(*ImGui::GetWindowDrawList(), ImVec2(at.x, y), ImVec2(at.x + side, y + side),
                      colour_of(frame, r.task));
            if (frame.view.show_mms)
                draw_mm_mark(frame, m.task[r.task].mm, false, ImVec2(at.x + side + 1, y),
                             ImVec2(at.x + side + frame.px(4), y + side));
            set_cursor_pos_x(ImGui::GetCursorPosX() + side + frame.px(8));
            ImGui::PushID(i);
            const bool selected = frame.view.task == r.task;
            const std::string name = ellipsized_text(run.name(r.task), ImGui::GetContentRegionAvail().x);
            if (ImGui::Selectable((escape_for_imgui_label(name) + "##task").c_str(), selected,
                                  ImGuiSelectableFlags_SpanAllColumns))
                frame.ask([p = r.task](Control& control) { control.selection().toggle_task(p); });
            ImGui::PopID();
            for (std::size_t s = 0; s < caches.size(); ++s) {
                ImGui::TableSetColumnIndex(1 + static_cast<int>(s));
                draw_share_cell(frame, r.task, r.*caches[s].held, r.*caches[s].needed);
            }
        }
    }
    ImGui::EndTable();
}

void draw_caches_of(Frame& frame, const Run& run, const char* label) {
    const sim::CpuId c = selected_cpu(run, frame.view);
    const sim::CpuId cpus = run.scenario().cpus;
    if (*label != 0) {
        coloured_text(frame.theme.accent, label);
        ImGui::SameLine();
    }
    if (cpus > 1) {
        if (ImGui::SmallButton("◀"))
            frame.ask([](Control& control) { control.selection().select_adjacent_cpu(-1); });
        explain_item("Select the CPU above (Shift+U)");
        ImGui::SameLine(0, frame.px(3));
        if (ImGui::SmallButton("▶"))
            frame.ask([](Control& control) { control.selection().select_adjacent_cpu(1); });
        explain_item("Select the CPU below (U)");
        ImGui::SameLine(0, frame.px(8));
    }
    draw_ellipsized_text(cpu_title(run, c), ImGui::GetContentRegionAvail().x);
    if (!run.residency().is_modelled()) {
        ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
        ImGui::PushTextWrapPos(0);
        ImGui::TextUnformatted(kNoModel);
        ImGui::PopTextWrapPos();
        ImGui::PopStyleColor();
        return;
    }
    const std::vector<HardwareCache> caches = caches_of(run, c);
    const std::vector<ResidentEntries> contents = run.residency().contents(run.session().machine(), c);
    for (const HardwareCache& cache : caches) {
        ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
        draw_ellipsized_text(cache_title(cache, contents), ImGui::GetContentRegionAvail().x);
        ImGui::PopStyleColor();
        draw_cache_bar(frame, run, cache, contents);
    }
    if (contents.empty()) {
        dim_text(frame, "No task has run on this CPU yet.");
        return;
    }
    draw_cache_use_table(frame, run, caches, contents);
}

std::string caches_text_of(const Run& run, const ViewState& view) {
    const sim::CpuId c = selected_cpu(run, view);
    std::string text = cpu_title(run, c) + "\n";
    if (!run.residency().is_modelled()) return text + kNoModel + "\n";
    const std::vector<HardwareCache> caches = caches_of(run, c);
    const std::vector<ResidentEntries> contents = run.residency().contents(run.session().machine(), c);
    for (const HardwareCache& cache : caches) text += cache_title(cache, contents) + "\n";
    if (contents.empty()) return text + "No task has run on this CPU yet.\n";
    TextTable table("l" + std::string(caches.size(), 'r'));
    std::vector<std::string> header{"latest task first"};
    for (const HardwareCache& cache : caches) header.emplace_back(cache.name);
    table.add(header);
    for (const ResidentEntries& r : contents) {
        std::vector<std::string> row{run.name(r.task)};
        for (const HardwareCache& cache : caches) row.push_back(share_text(r.*cache.held, r.*cache.needed));
        table.add(row);
    }
    return text + table.text();
}

}  // namespace

void draw_caches(Frame& frame) {
    if (draw_message_if_no_scenario(frame)) return;
    if (is_outcome_hidden(frame.view)) return dim_text(frame, kHiddenUntilChosen);
    if (frame.model.b == nullptr) return draw_caches_of(frame, *frame.model.a, "");
    const float half = std::floor((ImGui::GetContentRegionAvail().y - ImGui::GetStyle().ItemSpacing.y) / 2);
    for (const bool first : {true, false}) {
        if (begin_child(first ? "a" : "b", ImVec2(0, first ? half : 0)))
            draw_caches_of(frame, first ? *frame.model.a : *frame.model.b, first ? "A" : "B");
        ImGui::EndChild();
    }
}

std::string caches_text(const Model& model, const ViewState& view) {
    if (model.a == nullptr) return "No scenario is open.\n";
    if (is_outcome_hidden(view)) return std::string(kHiddenUntilChosen) + "\n";
    if (model.b == nullptr) return caches_text_of(*model.a, view);
    return fmt::format("{}: {}\n{}: {}", run_label(true), caches_text_of(*model.a, view), run_label(false),
                       caches_text_of(*model.b, view));
}

}  // namespace ui
