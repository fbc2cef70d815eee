// State of the text box for policy scripts. The code that handles the window's keys also uses it.
#pragma once

#include "ui/panels/code_box.h"

namespace ui {

struct ScriptEditorState : CodeBoxState {
    bool asks_to_save = false;  // the user has pressed the Save button
    bool is_drawn = false;      // the pane is drawn in this frame
};

}  // namespace ui
