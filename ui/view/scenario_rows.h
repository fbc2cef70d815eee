// A scenario's text as the rows of a form: each value with its name, its alternatives and its problem. Steps
// of programs become one row each: "run | exponential | 5 ms".
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/scenario/json_tree.h"
#include "sim/scenario/scenario_schema.h"

namespace ui {

// A value that is one of several alternatives.
struct FormChoice {
    std::string pointer;
    const sim::SchemaNode* node;
    std::string label;  // of the chosen alternative; "?" if the value is no alternative
};

// A value that the user edits as text: a string, a number, or JSON that the schema does not describe.
struct FormCell {
    std::string pointer;
    const sim::SchemaNode* node;  // null: the value can be any JSON
    std::string shown;
};

// An object to which members can be added, or a list to which elements can be added.
struct FormContainer {
    std::string pointer;
    const sim::SchemaNode* node;
};

struct FormRow {
    std::string pointer;  // JSON pointer to the value of the row
    int depth = 0;
    std::string label;        // key of a member, or number of an element
    std::string description;  // may be empty
    std::vector<FormChoice> choices{};
    std::optional<FormCell> cell{};
    std::optional<FormContainer> content{};
    bool can_fold = false, is_folded = false;
    bool is_element = false;   // element of a list, so it can be moved
    bool has_own_key = false;  // the key is chosen by the user
    bool can_remove = false;   // the user can remove the value
    bool is_step = false;      // a step of a program
    std::string preview{};     // shortened text of a folded value
    std::string problem{};
};

// `toggled`: pointers of the values that the user has folded or unfolded, so that they differ from their
// initial state.
std::vector<FormRow> scenario_rows(const sim::JsonTree& tree, const std::vector<sim::Problem>& problems,
                                   const std::set<std::string>& toggled);

// A member that can be added to an object, or an element that can be added to a list.
struct PossibleAddition {
    std::string label, description;
    std::string key;   // key of a new member; empty for an element
    std::string json;  // the new value
};
std::vector<PossibleAddition> possible_additions(const sim::JsonTree& tree, const FormContainer& content);

// Values that fit in the cell of a row: names of machines, policies, tasks, locks, devices and so on.
std::vector<std::string> suggested_values(const sim::JsonTree& tree, const FormCell& cell);

// Converts the text that the user has typed in a cell to JSON. A time without a unit is in ms.
std::string json_from_entered_text(const FormCell& cell, const std::string& typed);

}  // namespace ui
