// Changes the scenario when the user has typed a value or a JSON key in the form. Moves the focus out of the
// form and into it.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/scenario/value_edit.h"
#include "ui/control/control.h"
#include "ui/panels/scenario_form.h"

namespace ui {

void commit_form(Control& control, ScenarioFormState& state) {
    if (!state.typing) return;
    const ScenarioFormState::Typing typing = *std::exchange(state.typing, std::nullopt);
    const auto row = std::find_if(state.rows.begin(), state.rows.end(),
                                  [&](const FormRow& r) { return r.pointer == typing.pointer; });
    if (row == state.rows.end()) return;
    if (typing.is_key) {
        if (typing.text == row->label) return;
        control.edit_scenario(
            [&](const sim::JsonTree& tree) {
                const sim::JsonValue* const object = sim::value_at(tree, sim::parent_pointer(row->pointer));
                return object == nullptr || object->find(typing.text) != nullptr
                           ? tree.text()
                           : sim::with_renamed_key(tree, row->pointer, typing.text);
            },
            {}, fmt::format("{} renamed", row->pointer));
    } else if (row->cell && typing.text != row->cell->shown) {
        const std::string json = json_from_entered_text(*row->cell, typing.text);
        control.edit_scenario(
            [&](const sim::JsonTree& tree) { return sim::with_value_at(tree, row->cell->pointer, json); }, {},
            fmt::format("{}: {}", row->cell->pointer, typing.text));
    }
}

void leave_form(ScenarioFormState& state) {
    state.has_keys = false;
    state.typing.reset();
    state.menu.reset();
}

void select_form_row(ScenarioFormState& state, const std::string& pointer) {
    state.wanted = pointer;
    state.opens_wanted = false;
    state.has_keys = true;
    state.folds_other_tasks = true;
    state.version = 0;
}

}  // namespace ui
