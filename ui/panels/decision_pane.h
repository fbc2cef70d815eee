// The functions that draw the parts of the pane DECISION. A DecisionPage holds the contents that they draw.
#pragma once

#include <cstddef>
#include <vector>

#include "ui/panels/panel.h"
#include "ui/view/decision_page.h"

namespace ui {

// True if the cursor has moved since the last call with this id. The caller then scrolls to the cursor.
bool cursor_moved_since_last_call(const char* id, const Cursor& c);

// The layout of the pseudo-code (decision_code.cpp), in pixels. The columns are listed from left to right.
struct CodeLayout {
    float mark = 0;        // width of the marker of the current line
    float numbers = 0;     // width of a script's line numbers
    float cost = 0;        // width of the column of costs
    float times = 0;       // width of the column of execution counts; 0: no room
    float text_right = 0;  // right end of the text
    float line = 0, padding = 0;
    float variables = 0;                // height of the variables below the code; 0: none
    std::vector<float> indent, height;  // indent and height of each line, in pixels
    float total = 0;                    // height of all lines and of the variables

    // The minimum height of the code: four lines, or six lines and the variables if the policy has variables;
    // less if the code is shorter.
    float min_height() const;
};
CodeLayout lay_out_code(Frame& frame, const DecisionPage& page, float width);
// The variables that are visible at the current script line, drawn below the code (decision_variables.cpp).
float variables_height(Frame& frame, const DecisionPage& page);
void draw_variables(Frame& frame, const DecisionPage& page, float width);
void draw_code(Frame& frame, const DecisionPage& page, ImVec2 size);

// The next five functions are for the tables of the candidates and of the recalculation
// (decision_tables.cpp). table_row_height() is the height of a row in pixels.
float table_row_height();
float table_height(std::size_t row_count);  // including title and header
// The height of the buttons that select one of the two tables; 0 if both tables fit or no choice is needed.
float table_selector_height(Frame& frame, const DecisionPage& page, float width);
void draw_candidates(Frame& frame, const DecisionPage& page, ImVec2 size);
// Draws both tables side by side if they fit. Otherwise draws the table that contains the cursor, or the
// one that the user selected.
void draw_tables(Frame& frame, const DecisionPage& page, ImVec2 size);

}  // namespace ui
