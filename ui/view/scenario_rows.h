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
    std::string label;  // of the present alternative; "?" if it is none
};

// A value that is typed: a text, a number, or any JSON that the schema does not know.
struct FormCell {
    std::string pointer;
    const sim::SchemaNode* node;  // null: any JSON
    std::string shown;
};

// An object or list to which something can be added.
struct FormContent {
    std::string pointer;
    const sim::SchemaNode* node;
};

struct FormRow {
    std::string pointer;  // of the value
    int depth = 0;
    std::string label;        // key of a member, or number of an element
    std::string description;  // may be empty
    std::vector<FormChoice> choices{};
    std::optional<FormCell> cell{};
    std::optional<FormContent> content{};
    bool can_fold = false, is_folded = false;
    bool is_element = false;   // of a list, so it can be moved
    bool has_own_key = false;  // the key is chosen by the user
    bool can_go = false;       // it can be removed
    bool is_step = false;      // a step of a program
    std::string preview{};     // of a folded value
    std::string problem{};
};

// `turned`: pointers of values that are folded although they are unfolded at first, or the reverse.
std::vector<FormRow> scenario_rows(const sim::JsonTree& tree, const std::vector<sim::Problem>& problems,
                                   const std::set<std::string>& turned);

// What can be added to an object or list.
struct Addition {
    std::string label, description;
    std::string key;   // of a new member; empty for an element
    std::string json;  // the new value
};
std::vector<Addition> additions(const sim::JsonTree& tree, const FormContent& content);

// Values that fit in the cell of a row: names of machines, policies, tasks, locks, devices and so on.
std::vector<std::string> suggestions(const sim::JsonTree& tree, const FormCell& cell);

// The JSON of what a user has typed in a cell. A time without a unit is in ms.
std::string json_of_typed(const FormCell& cell, const std::string& typed);

}  // namespace ui
