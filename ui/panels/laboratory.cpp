// LABORATORY: curves of several policies over one number of the scenario, drawn while computed, and their
// crossovers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/core/policy.h"
#include "sim/lab/measure.h"
#include "sim/lab/values.h"
#include "ui/control/control.h"
#include "ui/panels/panel_helpers.h"
#include "ui/panels/plot_painter.h"
#include "ui/platform/shapes.h"
#include "ui/view/format.h"
#include "ui/view/laboratory.h"
#include "ui/view/text_table.h"

namespace ui {
namespace {

constexpr std::array<std::uint32_t, 4> kSeeds{1, 3, 5, 10};

// A text box that applies on Enter or when the focus leaves it.
struct TextBox {
    std::string typed;
    bool active = false;

    // Returns true if `text` has changed.
    bool draw(const char* id, const char* hint, std::string& text) {
        char buffer[1024];
        if (!active) typed = typeable(text, sizeof buffer - 1);
        std::snprintf(buffer, sizeof buffer, "%s", typed.c_str());
        if (ImGui::InputTextWithHint(id, hint, buffer, sizeof buffer)) typed = buffer;
        const bool left = ImGui::IsItemDeactivatedAfterEdit();
        active = ImGui::IsItemActive();
        if (!left || typed == text) return false;
        text = typed;
        return true;
    }
};

struct LaboratoryBoxes {
    TextBox pointer, values, until;
};

const Knob* knob_of(const std::vector<Knob>& axes, const std::string& pointer) {
    const auto found =
        std::find_if(axes.begin(), axes.end(), [&](const Knob& k) { return k.pointer == pointer; });
    return found == axes.end() ? nullptr : &*found;
}

// The label of the axis, or else its pointer.
std::string axis_name(const std::vector<Knob>& axes, const std::string& pointer) {
    const Knob* knob = knob_of(axes, pointer);
    return knob == nullptr ? pointer : knob->label;
}

void axis_combo(Frame& frame, LabRequest& r) {
    TextBox& box = frame.memory.of<LaboratoryBoxes>().pointer;
    const sim::Scenario& scenario = frame.model.a->scenario();
    const std::vector<Knob> axes = lab_axes(scenario);
    const auto choose = [&](const std::string& pointer) {
        if (const Knob* knob = knob_of(axes, pointer); knob != nullptr && pointer != r.pointer)
            r.values = lab_values(*knob, scenario);
        r.pointer = pointer;
    };
    if (ImGui::BeginCombo("##axis", label_of(axis_name(axes, r.pointer)).c_str(),
                          ImGuiComboFlags_HeightLarge)) {
        for (const Knob& knob : axes) {
            ImGui::PushID(knob.pointer.c_str());
            if (ImGui::Selectable(label_of(knob.label).c_str(), knob.pointer == r.pointer))
                choose(knob.pointer);
            ImGui::PopID();
            explain_item(fmt::format("{} {}", knob.meaning, knob.pointer));
        }
        ImGui::Separator();
        dim_text(frame, "another value, by JSON pointer:");
        ImGui::SetNextItemWidth(frame.px(220));
        std::string pointer = r.pointer;
        if (box.draw("##pointer", "/machine/costs/syscall", pointer) && !pointer.empty()) choose(pointer);
        ImGui::EndCombo();
    } else {
        explain_item("The value on the x axis.");
    }
}

void values_box(Frame& frame, LabRequest& r, std::string& wrong) {
    TextBox& box = frame.memory.of<LaboratoryBoxes>().values;
    box.draw("##values", "2,4,8 or 2..64*2 or 0..10/2", r.values);
    if (box.active) wrong = wrong_values(box.typed);
    explain_item(
        "The values, as for `switchyard sweep --vary`: 2,4,8 or 2..64*2 or 10..100/10 or 1us..8us*2. Enter "
        "applies them.");
}

std::string measure_text(const Laboratory& lab, const LabRequest& r) {
    if (r.measure.empty()) return lab.is_there() ? with_micro_sign(lab.measure().label) : "automatic";
    try {
        return with_micro_sign(sim::lab::find_measure(r.measure).label);
    } catch (const sim::lab::LabError&) {  // a link may specify anything; the laboratory reports the error
        return sim::printable(sim::shorten(r.measure));
    }
}

void measure_combo(Frame& frame, LabRequest& r) {
    const std::string label = measure_text(*frame.model.laboratory, r);
    if (ImGui::BeginCombo("##measure", label.c_str(), ImGuiComboFlags_HeightLarge)) {
        if (ImGui::Selectable("automatic, by workload", r.measure.empty())) r.measure.clear();
        for (const sim::lab::Measure& m : sim::lab::measures())
            if (ImGui::Selectable(with_micro_sign(m.label).c_str(), m.name == r.measure)) r.measure = m.name;
        ImGui::EndCombo();
    } else {
        explain_item("The measure on the y axis. Another measure needs no new runs.");
    }
}

void policy_boxes(Frame& frame, LabRequest& r) {
    const sim::CpuId cpus = frame.model.a->scenario().cpus;
    for (const std::string& spec : lab_policies(r)) {
        std::string why;
        try {
            sim::make_policy(spec, cpus);
        } catch (const sim::PolicyError& error) {
            why = error.what();
        }
        const auto there = std::find(r.policies.begin(), r.policies.end(), spec);
        bool chosen = there != r.policies.end();
        const bool last = chosen && r.policies.size() == 1;
        if (!chosen && why.empty() && r.policies.size() >= kMostLabPolicies)
            why = fmt::format("A figure has at most {} curves.", kMostLabPolicies);
        ImGui::BeginDisabled((!why.empty() && !chosen) || last);
        if (checkbox(label_of(spec).c_str(), &chosen)) {
            if (chosen)
                r.policies.push_back(spec);
            else
                r.policies.erase(there);
        }
        ImGui::EndDisabled();
        if (!why.empty()) explain_item(why);
    }
}

void policies_combo(Frame& frame, LabRequest& r) {
    const std::string label =
        r.policies.size() == 1 ? r.policies.front() : fmt::format("{} policies", r.policies.size());
    if (ImGui::BeginCombo("##policies", label.c_str(), ImGuiComboFlags_HeightLargest)) {
        policy_boxes(frame, r);
        ImGui::EndCombo();
    } else {
        std::string all;
        for (const std::string& policy : r.policies) all += (all.empty() ? "" : "\n") + policy;
        explain_item(all);
    }
}

std::string seeds_text(std::uint32_t n) { return n == 1 ? "1 seed" : fmt::format("{} seeds", n); }

void seeds_combo(LabRequest& r) {
    if (ImGui::BeginCombo("##seeds", seeds_text(r.seeds).c_str())) {
        for (const std::uint32_t n : kSeeds)
            if (ImGui::Selectable(seeds_text(n).c_str(), n == r.seeds)) r.seeds = n;
        ImGui::EndCombo();
    } else {
        explain_item(
            "The number of runs per point, each with other random numbers. With more than one, the means "
            "have 95 % intervals. If nothing is random, all runs are the same.");
    }
}

void until_box(Frame& frame, LabRequest& r) {
    frame.memory.of<LaboratoryBoxes>().until.draw("##until", "2s", r.until);
    explain_item("The simulated time of each run: 500ms, 2s, 1h. Shorter runs are faster but less exact.");
}

void buttons(Frame& frame) {
    const Laboratory& lab = *frame.model.laboratory;
    ImGui::BeginDisabled(!lab.is_there());
    if (ImGui::Button("Copy as command"))
        frame.ask([](Control& control) { control.laboratory().copy_command(); });
    ImGui::EndDisabled();
    explain_item("Copies the `switchyard sweep` command that makes the same table.");
    same_line_if_fits(ImGui::CalcTextSize("Save figure").x + 2 * ImGui::GetStyle().FramePadding.x);
    ImGui::BeginDisabled(!lab.is_there() || !lab.is_complete());
    if (ImGui::Button("Save figure")) frame.ask([](Control& control) { control.laboratory().save_figure(); });
    ImGui::EndDisabled();
    explain_item(lab.is_there() && lab.is_complete()
                     ? "Writes an SVG and its results to the current directory. `switchyard figure sweep` "
                       "draws the same figure from the results."
                     : "Available as soon as all runs are done.");
    if (frame.model.can_leave_lab_run) {
        same_line_if_fits(ImGui::CalcTextSize("Back").x + 2 * ImGui::GetStyle().FramePadding.x);
        if (ImGui::Button("Back")) frame.ask([](Control& control) { control.laboratory().leave_run(); });
        explain_item("Returns to the run that was open before a point was clicked.");
    }
}

std::string count_text(const Laboratory& lab) {
    const std::uint64_t all = lab.spec().runs(), done = lab.results().runs();
    if (done == all) return fmt::format("{} runs of {}", grouped(all), lab.each_run());
    return fmt::format("{} of {} runs of {}", grouped(done), grouped(all), lab.each_run());
}

void progress_line(Frame& frame) {
    const Laboratory& lab = *frame.model.laboratory;
    if (!lab.is_there()) return;
    std::string text = count_text(lab);
    for (const auto& [reason, runs] : lab.results().abnormal_stops())
        text += fmt::format(" \u00b7 {} ended early: {}", runs, reason);
    if (lab.is_complete()) {
        ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
        text_cut(text, ImGui::GetContentRegionAvail().x);
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
    text_cut(text, width - frame.px(12));
    set_cursor_screen_pos({at.x + width + ImGui::GetStyle().ItemSpacing.x, at.y});
    if (ImGui::Button(label, {button, 0}))
        frame.ask([stop = !lab.is_stopped()](Control& control) {
            stop ? control.laboratory().stop() : control.laboratory().go_on();
        });
}

void error_text(Frame& frame, const std::string& wrong) {
    const std::string& text = wrong.empty() ? frame.model.laboratory->error() : wrong;
    if (text.empty()) return;
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.error);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

// The knob's current value, on the x axis.
std::optional<double> present_x(const Model& model) {
    const Laboratory& lab = *model.laboratory;
    const std::vector<Knob> axes = lab_axes(model.a->scenario());
    const Knob* knob = knob_of(axes, lab.axis().pointer);
    if (knob == nullptr) return std::nullopt;
    return lab.x_of(setting(*knob, value_of(*knob, model.a->scenario())));
}

// The curves with a marker at the open run; laid out again on a change.
struct ShownCurves {
    std::uint64_t revision = 0;
    const Theme* theme = nullptr;
    ImVec2 size{};
    float scale = 0;
    std::optional<double> present;
    sim::plot::Plot plot;
    sim::plot::Drawing drawing;
};

// Uses the window's microsecond sign.
void sign_micro(sim::plot::Plot& plot) {
    const auto sign = [](std::string& text) { text = with_micro_sign(text); };
    sign(plot.title);
    sign(plot.subtitle);
    for (sim::plot::Panel& panel : plot.panels) {
        sign(panel.title);
        sign(panel.x.label);
        sign(panel.y.label);
        for (sim::plot::Note& note : panel.notes) sign(note.text);
    }
}

const ShownCurves& shown(Frame& frame, ImVec2 size) {
    ShownCurves& kept = frame.memory.of<ShownCurves>();
    const Laboratory& lab = *frame.model.laboratory;
    const std::optional<double> present = present_x(frame.model);
    if (kept.revision == lab.revision() && kept.theme == &frame.theme && kept.size.x == size.x &&
        kept.size.y == size.y && kept.scale == frame.scale() && kept.present == present)
        return kept;
    kept = {lab.revision(), &frame.theme, size, frame.scale(), present, lab.plot(), {}};
    sign_micro(kept.plot);
    // Beyond the curves, the marker would shrink them.
    const std::vector<sim::lab::Curve>& curves = lab.curves();
    const bool within = present && !curves.empty() && curves.front().points.front().x <= *present &&
                        *present <= curves.front().points.back().x;
    if (within)
        for (sim::plot::Panel& panel : kept.plot.panels)
            panel.notes.push_back({.x = *present, .y = {}, .text = "now"});
    // The subject is above, and the axis names the measure.
    if (size.y < frame.px(300)) kept.plot.title.clear();
    kept.drawing = lay_out(kept.plot, size, frame.theme, frame.fonts);
    return kept;
}

// Converts an index of drawn points, which omit points without values.
std::size_t point_of(const sim::lab::Curve& curve, std::size_t drawn) {
    for (std::size_t i = 0; i < curve.points.size(); ++i)
        if (curve.points[i].y.n > 0 && drawn-- == 0) return i;
    return 0;
}

void curves(Frame& frame, ImVec2 size) {
    const Laboratory& lab = *frame.model.laboratory;
    if (!lab.is_there() || size.x < 8 || size.y < 8) return;
    size = {std::floor(size.x), std::floor(size.y)};
    const ImVec2 place = ImGui::GetCursorScreenPos();
    const ImVec2 at{std::floor(place.x), std::floor(place.y)};
    ImGui::InvisibleButton("curves", size);
    const bool clicked = ImGui::IsItemClicked();
    const bool hovered = ImGui::IsItemHovered();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ShownCurves& s = shown(frame, size);
    draw(list, s.drawing, at, frame.fonts);
    if (!hovered) return;
    const sim::plot::Place* near = point_at(s.drawing, at, ImGui::GetIO().MousePos, frame.px(14));
    if (near == nullptr || near->series >= lab.curves().size()) return;
    const std::size_t point = point_of(lab.curves()[near->series], near->point);
    const ImVec2 middle{at.x + static_cast<float>(near->at.x) / sim::plot::kUnit,
                        at.y + static_cast<float>(near->at.y) / sim::plot::kUnit};
    ring(list, middle, frame.px(8), frame.theme.accent, 24, frame.px(2));
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const std::uint64_t run = lab.run_at(near->series, point);
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(with_micro_sign(lab.words(near->series, point)).c_str());
    if (!frame.view.bare)
        dim_text(frame, lab.spec().seeds() == 1
                            ? std::string("Click to open this run.")
                            : fmt::format("Click to open the run with seed {}.", lab.spec().first_seed));
    ImGui::EndTooltip();
    if (clicked && !frame.view.bare)
        frame.ask([run](Control& control) { control.laboratory().open_run(run); });
}

// Breaks between words only; ImGui also breaks after a decimal point.
void wrapped_text(const std::string& text) {
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

void crossover_lines(Frame& frame) {
    const Laboratory& lab = *frame.model.laboratory;
    if (!lab.is_there() || lab.crossovers().empty()) return;
    ImGui::Spacing();
    dim_text(frame, "Crossovers");
    for (const sim::lab::Crossover& c : lab.crossovers()) {
        wrapped_text(with_micro_sign(lab.words(c)));
        ImGui::Spacing();
    }
}

void labelled(Frame& frame, const char* label, float width) {
    dim_text(frame, label);
    ImGui::SetNextItemWidth(width);
}

// The request at the left, the curves at the right.
void draw_wide(Frame& frame, LabRequest& r) {
    const float left = std::min(frame.px(300), ImGui::GetContentRegionAvail().x * 0.3f);
    ImGui::BeginChild("asked", {left, 0});
    std::string wrong;
    labelled(frame, "x axis", -1);
    axis_combo(frame, r);
    labelled(frame, "values", -1);
    values_box(frame, r, wrong);
    error_text(frame, wrong);
    labelled(frame, "y axis", -1);
    measure_combo(frame, r);
    const ImVec2 row = ImGui::GetCursorPos();
    const float half = std::floor(left * 0.45f);
    labelled(frame, "runs per point", half);
    seeds_combo(r);
    set_cursor_pos({row.x + half + ImGui::GetStyle().ItemSpacing.x, row.y});
    ImGui::BeginGroup();
    const char* each_run = "simulated time per run";
    labelled(frame,
             ImGui::CalcTextSize(each_run).x <= ImGui::GetContentRegionAvail().x ? each_run : "time per run",
             -1);
    until_box(frame, r);
    ImGui::EndGroup();
    ImGui::Spacing();
    dim_text(frame, "under");
    policy_boxes(frame, r);
    ImGui::Spacing();
    buttons(frame);
    crossover_lines(frame);
    ImGui::EndChild();
    ImGui::SameLine();
    ImGui::BeginChild("grown", {0, 0}, false, ImGuiWindowFlags_NoScrollbar);
    progress_line(frame);
    const ImVec2 free = ImGui::GetContentRegionAvail();
    curves(frame, {free.x, std::max(free.y, frame.px(60))});
    ImGui::EndChild();
}

// Width of a box that shows the axis, the values and the measure completely.
float box_width(const Frame& frame, const LabRequest& r) {
    const auto width = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
    const float text = std::max({width(axis_name(lab_axes(frame.model.a->scenario()), r.pointer)),
                                 width(r.values), width(measure_text(*frame.model.laboratory, r))});
    const float arrow = ImGui::GetFrameHeight(), padding = 2 * ImGui::GetStyle().FramePadding.x;
    return std::max(frame.px(140), std::ceil(text + arrow + padding));
}

// The request above the curves.
void draw_compact(Frame& frame, LabRequest& r) {
    const float whole = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.x;
    const bool two = whole < 3 * box_width(frame, r) + 2 * gap;  // of the six boxes per row, otherwise three
    const float third = std::floor((whole - (two ? 1 : 2) * gap) / (two ? 2 : 3));
    std::string wrong;
    int i = 0;
    const auto cell = [&] {
        if (i++ % (two ? 2 : 3) != 0) ImGui::SameLine(0, gap);
        ImGui::SetNextItemWidth(third);
    };
    cell(), axis_combo(frame, r);
    cell(), values_box(frame, r, wrong);
    cell(), measure_combo(frame, r);
    cell(), policies_combo(frame, r);
    cell(), seeds_combo(r);
    cell(), until_box(frame, r);
    error_text(frame, wrong);
    buttons(frame);
    const Laboratory& lab = *frame.model.laboratory;
    if (lab.is_there() && lab.is_complete())
        same_line_if_fits(ImGui::CalcTextSize(count_text(lab).c_str()).x);
    progress_line(frame);
    const ImVec2 free = ImGui::GetContentRegionAvail();
    curves(frame, {free.x, std::max(free.y, frame.px(170))});
}

}  // namespace

void draw_laboratory(Frame& frame) {
    if (nothing_open(frame) || frame.model.laboratory == nullptr) return;
    LabRequest& r = frame.view.laboratory;
    if (r.pointer.empty())
        r = default_lab_request(frame.model.a->scenario(), frame.model.a->recording().policy().spec());
    const ImVec2 free = ImGui::GetContentRegionAvail();
    if (free.x >= frame.px(760) && free.y >= frame.px(280))
        draw_wide(frame, r);
    else
        draw_compact(frame, r);
}

std::string laboratory_text(const Model& model, const ViewState& view) {
    if (model.a == nullptr) return "No scenario is open.\n";
    std::string text;
    const LabRequest& r = view.laboratory;
    if (!r.pointer.empty()) {
        text += fmt::format("{} = {}\n{}, each run {}\n", r.pointer, r.values, seeds_text(r.seeds), r.until);
        for (const std::string& policy : r.policies) text += "under " + policy + "\n";
    }
    if (model.laboratory == nullptr) return text;
    const Laboratory& lab = *model.laboratory;
    if (!lab.error().empty()) text += lab.error() + "\n";
    if (!lab.is_there()) return text.empty() ? "No sweep has been made yet.\n" : text;
    text += count_text(lab) + (lab.is_stopped() && !lab.is_complete() ? ", stopped\n" : "\n");
    for (const auto& [reason, runs] : lab.results().abnormal_stops())
        text += fmt::format("{} ended early: {}\n", runs, reason);
    // The same table as `switchyard sweep`.
    const sim::lab::SweepSpec& spec = lab.spec();
    TextTable table(std::string(spec.policies.size() + 1, 'r'));
    std::vector<std::string> heading{lab.axis().pointer};
    heading.insert(heading.end(), spec.policies.begin(), spec.policies.end());
    table.add(heading);
    for (std::uint64_t point = 0; point < spec.points(); ++point) {
        std::vector<std::string> line{lab.axis().values[point]};
        for (std::size_t policy = 0; policy < spec.policies.size(); ++policy) {
            const sim::lab::Estimate e = lab.results().estimate(lab.measure_index(), point, policy);
            std::string cell = e.n == 0 ? "-" : lab.measure().text(e.mean);
            if (e.half) cell += " +- " + lab.measure().text(*e.half);
            line.push_back(cell);
        }
        table.add(line);
    }
    text += with_micro_sign(lab.measure().label) + "\n" + table.text();
    for (const sim::lab::Crossover& c : lab.crossovers()) text += with_micro_sign(lab.words(c)) + "\n";
    return text;
}

}  // namespace ui
