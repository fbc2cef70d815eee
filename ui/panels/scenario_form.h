// The form of the pane SCENARIO: its rows, and the menu at a row.
#pragma once

#include "ui/panels/panel.h"
#include "ui/panels/scenario_state.h"

namespace ui {

// Draws the rows of the form in the remaining space of the window, and handles their keys and clicks.
void draw_form(Frame& frame, ScenarioFormState& state);

// The menu of a row's value: the alternatives that the schema allows, and known names such as policies.
FormMenu menu_of_choices(const ScenarioFormState& state, const FormRow& row);
// The menu of the values that the user can add: inside the row's value, and next to the row, in the list or
// object that contains the row.
FormMenu menu_of_additions(const ScenarioFormState& state, const FormRow& row);
// Draws the open menu at this position, and handles its keys.
void draw_menu(Frame& frame, ScenarioFormState& state, ImVec2 at);

}  // namespace ui
