// The form of the pane SCENARIO: its rows, and the menu at a row.
#pragma once

#include "ui/panels/panel.h"
#include "ui/panels/scenario_state.h"

namespace ui {

// Draws the rows in the rest of the window, and handles their keys and clicks.
void draw_form(Frame& frame, ScenarioFormState& state);

// The menu with the alternatives of a row's values, and known names for them, such as policies.
FormMenu menu_of_choices(const ScenarioFormState& state, const FormRow& row);
// The menu of the values that can be added at a row: to its value, or to the list or object that contains it.
FormMenu menu_of_additions(const ScenarioFormState& state, const FormRow& row);
// Draws the open menu at this position, and handles its keys.
void draw_menu(Frame& frame, ScenarioFormState& state, ImVec2 at);

}  // namespace ui
