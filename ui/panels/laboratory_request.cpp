// The boxes of the laboratory's request: axis, values, measure, policies, seeds, and the time of each run.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "sim/base/text.h"
#include "sim/core/policy.h"
#include "sim/lab/measure.h"
#include "sim/lab/values.h"
#include "ui/panels/laboratory_pane.h"
#include "ui/panels/panel_helpers.h"
#include "ui/platform/shapes.h"
#include "ui/view/format.h"

namespace ui::laboratory_pane {
namespace {

constexpr std::array<std::uint32_t, 4> kSeeds{1, 3, 5, 10};

// A text box whose text takes effect with Enter or when the focus leaves the box.
struct TextBox {
    std::string typed;
    bool active = false;

    // Draws the box. Returns true if it has changed `text`.
    bool draw(const char* id, const char* hint, std::string& text) {
        char buffer[1024];
        if (!active) typed = sanitize_for_text_box(text, sizeof buffer - 1);
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

}  // namespace

const Knob* find_knob(const std::vector<Knob>& axes, const std::string& pointer) {
    const auto found =
        std::find_if(axes.begin(), axes.end(), [&](const Knob& k) { return k.pointer == pointer; });
    return found == axes.end() ? nullptr : &*found;
}

std::string axis_name(const std::vector<Knob>& axes, const std::string& pointer) {
    const Knob* knob = find_knob(axes, pointer);
    return knob == nullptr ? pointer : knob->label;
}

void draw_axis_combo(Frame& frame, LabRequest& r) {
    TextBox& box = frame.memory.of<LaboratoryBoxes>().pointer;
    const sim::Scenario& scenario = frame.model.a->scenario();
    const std::vector<Knob> axes = lab_axes(scenario);
    const auto choose = [&](const std::string& pointer) {
        if (const Knob* knob = find_knob(axes, pointer); knob != nullptr && pointer != r.pointer)
            r.values = suggested_lab_values(*knob, scenario);
        r.pointer = pointer;
    };
    if (ImGui::BeginCombo("##axis", escape_for_imgui_label(axis_name(axes, r.pointer)).c_str(),
                          ImGuiComboFlags_HeightLarge)) {
        for (const Knob& knob : axes) {
            ImGui::PushID(knob.pointer.c_str());
            if (ImGui::Selectable(escape_for_imgui_label(knob.label).c_str(), knob.pointer == r.pointer))
                choose(knob.pointer);
            ImGui::PopID();
            explain_item(fmt::format("{} {}", knob.meaning, knob.pointer));
        }
        ImGui::Separator();
        dim_text(frame, "another value (JSON pointer):");
        ImGui::SetNextItemWidth(frame.px(220));
        std::string pointer = r.pointer;
        if (box.draw("##pointer", "/machine/costs/syscall", pointer) && !pointer.empty()) choose(pointer);
        ImGui::EndCombo();
    } else {
        explain_item("The scenario value that varies along the x axis.");
    }
}

void draw_values_box(Frame& frame, LabRequest& r, std::string& input_error) {
    TextBox& box = frame.memory.of<LaboratoryBoxes>().values;
    box.draw("##values", "2,4,8 or 2..64*2 or 0..10/2", r.values);
    if (box.active) input_error = error_in_values(box.typed);
    explain_item(
        "The values, as for `switchyard sweep --vary`: 2,4,8 or 2..64*2 or 10..100/10 or 1us..8us*2. Enter "
        "applies them.");
}

std::string measure_label(const Laboratory& lab, const LabRequest& r) {
    if (r.measure.empty()) return lab.has_sweep() ? with_micro_sign(lab.measure().label) : "automatic";
    try {
        return with_micro_sign(sim::lab::find_measure(r.measure).label);
    } catch (const sim::lab::LabError&) {  // the text is from a link; the laboratory shows the error
        return sim::printable(sim::shorten(r.measure));
    }
}

void draw_measure_combo(Frame& frame, LabRequest& r) {
    const std::string label = measure_label(*frame.model.laboratory, r);
    if (ImGui::BeginCombo("##measure", label.c_str(), ImGuiComboFlags_HeightLarge)) {
        if (ImGui::Selectable("automatic, depends on the workload", r.measure.empty())) r.measure.clear();
        for (const sim::lab::Measure& m : sim::lab::measures())
            if (ImGui::Selectable(with_micro_sign(m.label).c_str(), m.name == r.measure)) r.measure = m.name;
        ImGui::EndCombo();
    } else {
        explain_item("The measure on the y axis. Changing the measure requires no new runs.");
    }
}

void draw_policy_checkboxes(Frame& frame, LabRequest& r) {
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
        if (checkbox(escape_for_imgui_label(spec).c_str(), &chosen)) {
            if (chosen)
                r.policies.push_back(spec);
            else
                r.policies.erase(there);
        }
        ImGui::EndDisabled();
        if (!why.empty()) explain_item(why);
    }
}

void draw_policies_combo(Frame& frame, LabRequest& r) {
    const std::string label =
        r.policies.size() == 1 ? r.policies.front() : fmt::format("{} policies", r.policies.size());
    if (ImGui::BeginCombo("##policies", label.c_str(), ImGuiComboFlags_HeightLargest)) {
        draw_policy_checkboxes(frame, r);
        ImGui::EndCombo();
    } else {
        std::string all;
        for (const std::string& policy : r.policies) all += (all.empty() ? "" : "\n") + policy;
        explain_item(all);
    }
}

std::string seeds_text(std::uint32_t n) { return n == 1 ? "1 seed" : fmt::format("{} seeds", n); }

void draw_seeds_combo(LabRequest& r) {
    if (ImGui::BeginCombo("##seeds", seeds_text(r.seeds).c_str())) {
        for (const std::uint32_t n : kSeeds)
            if (ImGui::Selectable(seeds_text(n).c_str(), n == r.seeds)) r.seeds = n;
        ImGui::EndCombo();
    } else {
        explain_item(
            "The number of runs per point, each with a different seed. With several runs, the means have "
            "95 % confidence intervals. If a run uses no random numbers, all runs are the same.");
    }
}

void draw_run_duration_box(Frame& frame, LabRequest& r) {
    frame.memory.of<LaboratoryBoxes>().until.draw("##until", "2s", r.until);
    explain_item("The simulated time of each run: 500ms, 2s, 1h. Shorter runs are faster but less exact.");
}

}  // namespace ui::laboratory_pane
