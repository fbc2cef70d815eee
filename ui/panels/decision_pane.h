// The parts of the pane DECISION, which draw the contents of a DecisionPage.
#pragma once

#include <cstddef>
#include <vector>

#include "ui/panels/panel.h"
#include "ui/view/decision_page.h"

namespace ui {

// True if the cursor has moved since the last call with this id; the caller then scrolls to it.
bool cursor_has_moved(const char* id, const Cursor& c);

// decision_code.cpp: layout of the pseudo-code, in pixels; columns from the left edge.
struct CodeLayout {
    float mark = 0;        // width of the marker of the current line
    float numbers = 0;     // width of a script's line numbers
    float cost = 0;        // width of the costs
    float times = 0;       // width of the counts; 0: no room
    float text_right = 0;  // right end of the text
    float line = 0, padding = 0;
    float variables = 0;                // height of the variables below the code; 0: none
    std::vector<float> indent, height;  // by line
    float total = 0;                    // height, including the variables

    // The least height of the code: that of four lines, or of all if there are fewer; more if there are
    // variables.
    float least() const;
};
CodeLayout lay_out_code(Frame& frame, const DecisionPage& page, float width);
// decision_variables.cpp: the variables visible at a script line, below the code.
float variables_height(Frame& frame, const DecisionPage& page);
void draw_variables(Frame& frame, const DecisionPage& page, float width);
void draw_code(Frame& frame, const DecisionPage& page, ImVec2 size);

// decision_tables.cpp: the candidates and the recalculation.
float row_height();
float table_height(std::size_t rows);  // including title and header
// The height of the buttons that select one of the tables if only one fits; otherwise 0.
float choice_height(Frame& frame, const DecisionPage& page, float width);
void draw_candidates(Frame& frame, const DecisionPage& page, ImVec2 size);
// Draws both tables side by side if they fit. Otherwise draws the table that contains the cursor, or the
// one that the user selected.
void draw_tables(Frame& frame, const DecisionPage& page, ImVec2 size);

}  // namespace ui
