#include <algorithm>
#include <array>

#include "ui/panels/panel.h"

namespace ui {
namespace {

constexpr std::array<Panel, 18> kPanels{{
    {"timeline", "Timeline", draw_timeline, timeline_text},
    {"decision", "Decision", draw_decision, decision_text},
    {"run_queue", "Run queue", draw_run_queue, run_queue_text},
    {"animation", "Animation", draw_animation, animation_text},
    {"context_switch", "Switch", draw_context_switch, context_switch_text},
    {"tasks", "Tasks", draw_tasks, tasks_text},
    {"costs", "Costs", draw_costs, costs_text},
    {"system", "System", draw_system, system_text},
    {"invariants", "Invariants", draw_invariants, invariants_text},
    {"caches", "Caches", draw_caches, caches_text},
    {"waits", "Waits", draw_waits, waits_text},
    {"laboratory", "Laboratory", draw_laboratory, laboratory_text},
    {"jobs", "Jobs", draw_jobs, jobs_text},
    {"script", "Script", draw_script, script_text},
    {"workload", "Workload", draw_workload, workload_text},
    {"scenario", "Scenario", draw_scenario, scenario_text},
    {"gantt", "Gantt chart", draw_gantt, gantt_text},
    {"what_if", "What if", draw_what_if, what_if_text},
}};

}  // namespace

std::span<const Panel> panels() { return kPanels; }

const Panel* find_panel(std::string_view id) {
    const auto found =
        std::find_if(kPanels.begin(), kPanels.end(), [id](const Panel& p) { return p.id == id; });
    return found == kPanels.end() ? nullptr : &*found;
}

ImU32 colour_of(const Frame& frame, sim::TaskId p) {
    const sim::TaskId first = frame.model.a == nullptr ? 1 : frame.model.a->session().machine().first_task();
    return p < first ? frame.theme.idle : frame.theme.task_colour(p - first);
}

ImU32 mm_colour(const Theme& theme, sim::MmId mm) {
    return mm == sim::kKernelMm ? theme.system_call : theme.task_colour(mm - 1);
}

void draw_mm_mark(const Frame& frame, sim::MmId mm, bool borrowed, ImVec2 min, ImVec2 max) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 colour = mm_colour(frame.theme, mm);
    if (!borrowed) return fill_rect(list, min, max, colour);
    fill_rect(list, min, max, blend(with_alpha(colour, 0.3f), frame.theme.background));
    fill_pattern(list, frame.fonts, Pattern::hatch, min, max, colour);
}

std::string ellipsized_text(const std::string& text, float width) {
    if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
    // Finds the longest fitting prefix by binary search.
    const std::string dots = "…";
    std::size_t fits = 0, least_too_long = text.size();
    const auto begin_of_character = [&](std::size_t n) {
        while (n > 0 && n < text.size() && (static_cast<unsigned char>(text[n]) & 0xc0) == 0x80) --n;
        return n;
    };
    while (fits + 1 < least_too_long) {
        const std::size_t middle = begin_of_character((fits + least_too_long) / 2);
        if (middle <= fits) break;
        if (ImGui::CalcTextSize((text.substr(0, middle) + dots).c_str()).x <= width)
            fits = middle;
        else
            least_too_long = middle;
    }
    return text.substr(0, fits) + dots;
}

void draw_ellipsized_text(const std::string& text, float width) {
    const std::string cut = ellipsized_text(text, width);
    ImGui::TextUnformatted(cut.c_str());
    if (cut.size() != text.size() && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", text.c_str());
}

bool draw_message_if_no_scenario(Frame& frame) {
    if (frame.model.a != nullptr) return false;
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
    ImGui::TextUnformatted("No scenario is open. Ctrl+O opens one.");
    ImGui::PopStyleColor();
    return true;
}

}  // namespace ui
