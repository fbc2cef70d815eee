// The pane LABORATORY: curves of several policies as functions of one number of the scenario, drawn while
// they are computed, and the crossovers of the curves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/control/control.h"
#include "ui/panels/laboratory_pane.h"
#include "ui/panels/panel_helpers.h"
#include "ui/platform/imgui_versions.h"
#include "ui/platform/shapes.h"
#include "ui/view/format.h"
#include "ui/view/text_table.h"

namespace ui {
namespace laboratory_pane {
namespace {

void draw_buttons(Frame& frame) {
    const Laboratory& lab = *frame.model.laboratory;
    ImGui::BeginDisabled(!lab.has_sweep());
    if (ImGui::Button("Copy as command"))
        frame.ask([](Control& control) { control.laboratory().copy_command(); });
    ImGui::EndDisabled();
    explain_item("Copies the `switchyard sweep` command that makes the same table.");
    same_line_if_fits(ImGui::CalcTextSize("Save figure").x + 2 * ImGui::GetStyle().FramePadding.x);
    ImGui::BeginDisabled(!lab.has_sweep() || !lab.is_complete());
    if (ImGui::Button("Save figure")) frame.ask([](Control& control) { control.laboratory().save_figure(); });
    ImGui::EndDisabled();
    explain_item(lab.has_sweep() && lab.is_complete()
                     ? "Writes the figure (SVG) and the results (JSON) to the current directory. `switchyard "
                       "figure sweep` draws the same figure from the results."
                     : "The figure can be saved as soon as all runs are done.");
    if (frame.model.can_leave_lab_run) {
        same_line_if_fits(ImGui::CalcTextSize("Back").x + 2 * ImGui::GetStyle().FramePadding.x);
        if (ImGui::Button("Back")) frame.ask([](Control& control) { control.laboratory().leave_run(); });
        explain_item("Returns to the run that was open before a point was clicked.");
    }
}

std::string run_count_text(const Laboratory& lab) {
    const std::uint64_t all = lab.spec().runs(), done = lab.results().added_run_count();
    if (done == all) return fmt::format("{} of {} each", pluralize(all, "run", "s"), lab.time_per_run());
    return fmt::format("{} of {} of {} each", group_digits(done), pluralize(all, "run", "s"),
                       lab.time_per_run());
}

void draw_progress(Frame& frame) {
    const Laboratory& lab = *frame.model.laboratory;
    if (!lab.has_sweep()) return;
    std::string text = run_count_text(lab);
    for (const auto& [reason, runs] : lab.results().abnormal_stops())
        text += fmt::format(" \u00b7 runs that ended early: {} ({})", runs, reason);
    if (lab.is_complete()) {
        ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
        draw_ellipsized_text(text, ImGui::GetContentRegionAvail().x);
        ImGui::PopStyleColor();
        return;
    }
    const std::optional<double> left = lab.seconds_left();
    if (lab.is_stopped())
        text += " \u00b7 stopped";
    else if (left)
        text += *left < 100 ? fmt::format(" \u00b7 {:.0f} s left", *left)
                            : fmt::format(" \u00b7 {:.0f} min left", *left / 60);
    const char* label = lab.is_stopped() ? "Continue" : "Stop";
    const float button = ImGui::CalcTextSize("Continue").x + 2 * ImGui::GetStyle().FramePadding.x;
    const float width =
        std::max(1.0f, ImGui::GetContentRegionAvail().x - button - ImGui::GetStyle().ItemSpacing.x);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetFrameHeight();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float share = static_cast<float>(lab.progress());
    fill_rect(list, at, {at.x + width, at.y + height}, with_alpha(frame.theme.text, 0.06f));
    fill_rect(list, at, {at.x + width * share, at.y + height}, with_alpha(frame.theme.accent, 0.35f));
    set_cursor_screen_pos({at.x + frame.px(6), at.y + ImGui::GetStyle().FramePadding.y});
    draw_ellipsized_text(text, width - frame.px(12));
    set_cursor_screen_pos({at.x + width + ImGui::GetStyle().ItemSpacing.x, at.y});
    if (ImGui::Button(label, {button, 0}))
        frame.ask([stop = !lab.is_stopped()](Control& control) {
            stop ? control.laboratory().stop() : control.laboratory().resume();
        });
}

void draw_error(Frame& frame, const std::string& input_error) {
    const std::string& text = input_error.empty() ? frame.model.laboratory->error() : input_error;
    if (text.empty()) return;
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.error);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

// Draws text with line breaks only between words. ImGui's own wrapping also breaks after a decimal point.
void draw_wrapped_text(const std::string& text) {
    const float width = ImGui::GetContentRegionAvail().x;
    std::string line;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        const std::string longer = line.empty() ? word : line + " " + word;
        if (!line.empty() && ImGui::CalcTextSize(longer.c_str()).x > width) {
            ImGui::TextUnformatted(line.c_str());
            line = word;
        } else {
            line = longer;
        }
        begin = end + 1;
    }
    ImGui::TextUnformatted(line.c_str());
}

void draw_crossovers(Frame& frame) {
    const Laboratory& lab = *frame.model.laboratory;
    if (!lab.has_sweep() || lab.crossovers().empty()) return;
    ImGui::Spacing();
    dim_text(frame, "Crossovers");
    for (const sim::lab::Crossover& c : lab.crossovers()) {
        draw_wrapped_text(with_micro_sign(lab.crossover_text(c)));
        ImGui::Spacing();
    }
}

void draw_label(Frame& frame, const char* label, float width) {
    dim_text(frame, label);
    ImGui::SetNextItemWidth(width);
}

// At the left, draws the boxes in which the user specifies the sweep. At the right, draws the curves of the
// sweep.
void draw_wide_layout(Frame& frame, LabRequest& r) {
    const float left = std::min(frame.px(300), ImGui::GetContentRegionAvail().x * 0.3f);
    begin_child("asked", {left, 0});
    std::string wrong;
    draw_label(frame, "x axis", -1);
    draw_axis_combo(frame, r);
    draw_label(frame, "values", -1);
    draw_values_box(frame, r, wrong);
    draw_error(frame, wrong);
    draw_label(frame, "y axis", -1);
    draw_measure_combo(frame, r);
    const ImVec2 row = ImGui::GetCursorPos();
    const float half = std::floor(left * 0.45f);
    draw_label(frame, "runs per point", half);
    draw_seeds_combo(r);
    set_cursor_pos({row.x + half + ImGui::GetStyle().ItemSpacing.x, row.y});
    ImGui::BeginGroup();
    const char* each_run = "simulated time per run";
    draw_label(
        frame,
        ImGui::CalcTextSize(each_run).x <= ImGui::GetContentRegionAvail().x ? each_run : "time per run", -1);
    draw_run_duration_box(frame, r);
    ImGui::EndGroup();
    ImGui::Spacing();
    dim_text(frame, "under");
    draw_policy_checkboxes(frame, r);
    ImGui::Spacing();
    draw_buttons(frame);
    draw_crossovers(frame);
    ImGui::EndChild();
    ImGui::SameLine();
    begin_child("grown", {0, 0}, false, ImGuiWindowFlags_NoScrollbar);
    draw_progress(frame);
    const ImVec2 free = ImGui::GetContentRegionAvail();
    draw_curves(frame, {free.x, std::max(free.y, frame.px(60))});
    ImGui::EndChild();
}

// The width at which each box shows its text (axis, values or measure) completely.
float request_box_width(const Frame& frame, const LabRequest& r) {
    const auto width = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
    const float text = std::max({width(axis_name(lab_axes(frame.model.a->scenario()), r.pointer)),
                                 width(r.values), width(measure_label(*frame.model.laboratory, r))});
    const float arrow = ImGui::GetFrameHeight(), padding = 2 * ImGui::GetStyle().FramePadding.x;
    return std::max(frame.px(140), std::ceil(text + arrow + padding));
}

// Draws the boxes of the request above the curves.
void draw_compact_layout(Frame& frame, LabRequest& r) {
    const float whole = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.x;
    const bool two =
        whole < 3 * request_box_width(frame, r) + 2 * gap;  // true: two boxes per row; false: three
    const float third = std::floor((whole - (two ? 1 : 2) * gap) / (two ? 2 : 3));
    std::string wrong;
    int i = 0;
    const auto cell = [&] {
        if (i++ % (two ? 2 : 3) != 0) ImGui::SameLine(0, gap);
        ImGui::SetNextItemWidth(third);
    };
    cell(), draw_axis_combo(frame, r);
    cell(), draw_values_box(frame, r, wrong);
    cell(), draw_measure_combo(frame, r);
    cell(), draw_policies_combo(frame, r);
    cell(), draw_seeds_combo(r);
    cell(), draw_run_duration_box(frame, r);
    draw_error(frame, wrong);
    draw_buttons(frame);
    const Laboratory& lab = *frame.model.laboratory;
    if (lab.has_sweep() && lab.is_complete())
        same_line_if_fits(ImGui::CalcTextSize(run_count_text(lab).c_str()).x);
    draw_progress(frame);
    const ImVec2 free = ImGui::GetContentRegionAvail();
    draw_curves(frame, {free.x, std::max(free.y, frame.px(170))});
}

}  // namespace
}  // namespace laboratory_pane

void draw_laboratory(Frame& frame) {
    if (draw_message_if_no_scenario(frame) || frame.model.laboratory == nullptr) return;
    LabRequest& r = frame.view.laboratory;
    if (r.pointer.empty())
        r = default_lab_request(frame.model.a->scenario(), frame.model.a->history().policy().spec());
    const ImVec2 free = ImGui::GetContentRegionAvail();
    if (free.x >= frame.px(760) && free.y >= frame.px(280))
        laboratory_pane::draw_wide_layout(frame, r);
    else
        laboratory_pane::draw_compact_layout(frame, r);
}

std::string laboratory_text(const Model& model, const ViewState& view) {
    if (model.a == nullptr) return "No scenario is open.\n";
    std::string text;
    const LabRequest& r = view.laboratory;
    if (!r.pointer.empty()) {
        text += fmt::format("{} = {}\n{}, simulated time per run {}\n", r.pointer, r.values,
                            laboratory_pane::seeds_text(r.seeds), r.until);
        for (const std::string& policy : r.policies) text += "under " + policy + "\n";
    }
    if (model.laboratory == nullptr) return text;
    const Laboratory& lab = *model.laboratory;
    if (!lab.error().empty()) text += lab.error() + "\n";
    if (!lab.has_sweep()) return text.empty() ? "No sweep has been made yet.\n" : text;
    text += laboratory_pane::run_count_text(lab) +
            (lab.is_stopped() && !lab.is_complete() ? ", stopped\n" : "\n");
    for (const auto& [reason, runs] : lab.results().abnormal_stops())
        text += fmt::format("runs that ended early: {} ({})\n", runs, reason);
    // Adds the table that `switchyard sweep` prints.
    const sim::lab::SweepSpec& spec = lab.spec();
    TextTable table(std::string(spec.policies.size() + 1, 'r'));
    std::vector<std::string> heading{lab.axis().pointer};
    heading.insert(heading.end(), spec.policies.begin(), spec.policies.end());
    table.add(heading);
    for (std::uint64_t point = 0; point < spec.points(); ++point) {
        std::vector<std::string> line{lab.axis().values[point]};
        for (std::size_t policy = 0; policy < spec.policies.size(); ++policy) {
            const sim::lab::MeanEstimate e = lab.results().estimate(lab.measure_index(), point, policy);
            std::string cell = e.n == 0 ? "-" : lab.measure().text(e.mean);
            if (e.half) cell += " +- " + lab.measure().text(*e.half);
            line.push_back(cell);
        }
        table.add(line);
    }
    text += with_micro_sign(lab.measure().label) + "\n" + table.text();
    for (const sim::lab::Crossover& c : lab.crossovers())
        text += with_micro_sign(lab.crossover_text(c)) + "\n";
    return text;
}

}  // namespace ui
