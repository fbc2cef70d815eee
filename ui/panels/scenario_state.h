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
    std::string heading;  // of the entries from this one on; empty: as before
    std::string label, description;
    std::optional<FormChoice> choice;  // the value becomes `variant`
    const sim::SchemaVariant* variant = nullptr;
    std::string typed{};               // is written in the row's cell; empty: nothing
    std::optional<Addition> addition;  // is added to `content` before `index`
    FormContent content{};
    std::size_t index = 0;
};

// A menu of alternatives, or of what can be added.
struct FormMenu {
    std::vector<FormEntry> entries;
    std::string filter;                          // typed part of a label
    std::size_t chosen = 0;                      // among the entries that match the filter
    std::size_t shown_chosen = std::size_t(-1);  // the chosen entry to which the list last scrolled
};

struct ScenarioFormState {
    std::uint64_t opened = 0;             // Model::opened of the scenario that is shown
    std::uint64_t version = 0;            // EditedScenario::version of the rows
    std::set<std::string> turned;         // see scenario_rows()
    std::unique_ptr<sim::JsonTree> tree;  // null: the text is not JSON
    std::vector<FormRow> rows;
    std::size_t at = 0;              // the row with the cursor
    std::string wanted;              // pointer of the row to which the cursor goes when it exists
    bool folds_other_tasks = false;  // only the task that is wanted stays unfolded
    bool types_wanted = false;       // typing begins there
    bool has_keys = false;           // keys without Ctrl belong to the form
    bool scrolls = false;            // the row with the cursor must become visible
    bool leaves = false;             // the text box must lose the focus

    // The cell in which the user types.
    struct Typing {
        std::string pointer;  // of the row
        bool is_key = false;  // the key of the row, not its value
        std::string text;
        bool begins = true;   // the box gets the focus in the next frame
        bool selects = true;  // all text is selected at first
    };
    std::optional<Typing> typing;
    std::optional<FormMenu> menu;
    CodeBoxState code;

    const FormRow* row() const { return at < rows.size() ? &rows[at] : nullptr; }
};

// Takes over what is being typed in a cell of the form.
void commit_form(class Control& control, ScenarioFormState& state);
// Takes the keys away from the form, as for a dialog.
void leave_form(ScenarioFormState& state);
// Moves the cursor to the row with this pointer, unfolded, and gives the keys to the form.
void show_in_form(ScenarioFormState& state, const std::string& pointer);

}  // namespace ui
