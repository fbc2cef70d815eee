// The parts of the pane LABORATORY: the boxes of the request, and the curves.
#pragma once

#include <string>
#include <vector>

#include "ui/panels/panel.h"
#include "ui/view/knobs.h"
#include "ui/view/laboratory.h"

namespace ui::laboratory_pane {

// --- laboratory_request.cpp: one box for each value of the request ---

const Knob* find_knob(const std::vector<Knob>& axes, const std::string& pointer);
// The label of the axis with this pointer; the pointer itself if it is not in `axes`.
std::string axis_name(const std::vector<Knob>& axes, const std::string& pointer);
std::string measure_label(const Laboratory& lab, const LabRequest& r);
std::string seeds_text(std::uint32_t n);

void draw_axis_combo(Frame& frame, LabRequest& r);
// `input_error`: output, the reason why the text that is being typed is invalid.
void draw_values_box(Frame& frame, LabRequest& r, std::string& input_error);
void draw_measure_combo(Frame& frame, LabRequest& r);
void draw_policy_checkboxes(Frame& frame, LabRequest& r);
void draw_policies_combo(Frame& frame, LabRequest& r);
void draw_seeds_combo(LabRequest& r);
void draw_run_duration_box(Frame& frame, LabRequest& r);

// --- laboratory_curves.cpp ---

void draw_curves(Frame& frame, ImVec2 size);

}  // namespace ui::laboratory_pane
