// State of the text box for policy scripts. The code that handles the window's keys also uses it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ui {

struct ScriptEditorState {
    bool is_typed_into = false;  // the box had the keyboard focus in the last frame
    bool leaves = false;         // the box must lose the focus
    bool enters = false;         // the box must receive the focus
    bool entered = false;        // value of `enters` in the last frame
    bool asks_to_save = false;   // the user has pressed the Save button
    bool is_drawn = false;       // the pane is drawn in this frame

    // A version of the text, for undo and redo.
    struct Version {
        std::string text;
        int caret = 0;
    };
    static constexpr std::size_t kMost = 500;
    std::vector<Version> before{}, after{};
    Version now{};
    double since_change = 0;  // seconds
    int shown_wrong = 0;      // line with an error to which the box last scrolled
    int shown_caret = -1;     // caret position to which the box last scrolled

    std::string text{};          // buffer for ImGui
    std::uint64_t revision = 0;  // revision of the script text in the buffer
    std::string name{};
};

}  // namespace ui
