// The parts of the pane DECISION: they draw what is on a DecisionPage.
#pragma once

#include <cstddef>
#include <vector>

#include "ui/panels/panel.h"
#include "ui/view/decision_page.h"

namespace ui {

// Whether the cursor has moved since this was asked last for the same id; then a part scrolls to where it is.
bool cursor_has_moved(const char* id, const Cursor& c);

// decision_code.cpp: the pseudo-code laid out in a width: every line wrapped, what it has cost at the right.
// In pixels; columns from the left edge.
struct CodeLayout {
    float mark = 0;        // the width of the sign of the current line
    float numbers = 0;     // of the numbers of a script's lines, behind it
    float cost = 0;        // the width of the column of costs,
    float times = 0;       // and of the one before it; 0 when there is no room for it
    float text_right = 0;  // where the text ends
    float line = 0, padding = 0;
    float variables = 0;  // the height of what the line of a script sees, below the code; 0 without
    std::vector<float> indent, height;  // by line
    float total = 0;                    // height, the variables included

    // Four lines, or all.
    float least() const;
};
CodeLayout lay_out_code(Frame& frame, const DecisionPage& page, float width);
// decision_variables.cpp: what a line of a script sees, in one place below the code.
float variables_height(Frame& frame, const DecisionPage& page);
void draw_variables(Frame& frame, const DecisionPage& page, float width);
void draw_code(Frame& frame, const DecisionPage& page, ImVec2 size);

// decision_tables.cpp: the candidates and the refill.
float row_height();
float table_height(std::size_t rows);  // with its title and header
// Of the choice between the two tables, where there is room for only one of them; otherwise 0.
float choice_height(Frame& frame, const DecisionPage& page, float width);
void draw_candidates(Frame& frame, const DecisionPage& page, ImVec2 size);
// Both tables: side by side where there is room, else the one where the cursor is or that was chosen.
void draw_tables(Frame& frame, const DecisionPage& page, ImVec2 size);

}  // namespace ui
