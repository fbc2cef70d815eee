// The state of the pane SCENARIO between frames. The code that handles the window's keys also uses it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ui/panels/code_box.h"
#include "ui/view/scenario_rows.h"

namespace ui {

// An entry of the menu at a row.
struct FormEntry {
    std::string heading;  // heading above this entry; empty: none
    std::string label, description;
    std::optional<FormChoice> choice;  // if set, this entry changes the value of `choice` to `variant`
    const sim::SchemaVariant* variant = nullptr;
    std::string typed{};  // the text that this entry writes into the row's cell; empty: none
    std::optional<PossibleAddition>
        addition;  // if set, this entry inserts the addition into `content` at `index`
    FormContainer content{};
    std::size_t index = 0;
};

// A menu of the alternatives of a value, or of the values that can be added.
struct FormMenu {
    std::vector<FormEntry> entries;
    std::string filter;                          // typed text; only entries that match it are shown
    std::size_t chosen = 0;                      // index among the entries that match the filter
    std::size_t shown_chosen = std::size_t(-1);  // the chosen entry to which the list last scrolled
};

struct ScenarioFormState {
    std::uint64_t opened = 0;             // number of the displayed scenario (Model::opened)
    std::uint64_t version = 0;            // EditedScenario::version of the rows, plus 1; 0: no rows
    std::set<std::string> toggled;        // rows not in their initial fold state; see scenario_rows()
    std::unique_ptr<sim::JsonTree> tree;  // null: the text is not JSON
    std::vector<FormRow> rows;
    std::size_t at = 0;              // the row with the cursor
    std::string wanted;              // JSON pointer of the row to which the cursor must move; empty: none
    bool folds_other_tasks = false;  // all task groups except the one that contains `wanted` must be folded
    bool opens_wanted = false;       // the text box of the row `wanted` must be opened
    bool has_keys = false;           // the form handles keys that are pressed without Ctrl
    bool scrolls = false;            // the row with the cursor must become visible
    bool leaves = false;             // the text box must lose the focus

    // The cell in which the user types.
    struct Typing {
        std::string pointer;  // JSON pointer of the row
        bool is_key = false;  // the user types the key of the row, not the value
        std::string text;
        bool begins = true;   // the box gets the focus in the next frame
        bool selects = true;  // all text is selected when the box gets the focus
    };
    std::optional<Typing> typing;
    std::optional<FormMenu> menu;
    CodeBoxState code;

    const FormRow* row() const { return at < rows.size() ? &rows[at] : nullptr; }
};

// Applies the text that is being typed in a cell of the form.
void commit_form(class Control& control, ScenarioFormState& state);
// Discards the text that is being typed, closes the menu, and lets other parts of the window handle the keys.
void leave_form(ScenarioFormState& state);
// Moves the cursor to the row with this pointer, folds the other task groups, and lets the form handle keys.
void select_form_row(ScenarioFormState& state, const std::string& pointer);

}  // namespace ui
