// A text box for code, with line numbers, undo, indentation, and a highlighted line with an error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ui/panels/panel.h"

namespace ui {

struct CodeBoxState {
    bool is_typed_into = false;  // the box had the keyboard focus in the last frame, so typed text goes to it
    bool leaves = false;         // the box must lose the focus
    bool enters = false;         // the box must receive the focus
    bool entered = false;        // value of `enters` in the last frame

    // A version of the text, for undo and redo.
    struct Version {
        std::string text;
        int caret = 0;
    };
    static constexpr std::size_t kMost = 500;
    std::vector<Version> before{}, after{};
    Version now{};
    double since_change = 0;  // seconds since the last change
    int last_error_line = 0;  // line of the error in the last frame, from 1; 0: no error
    int shown_caret = -1;     // caret position to which the box last scrolled

    std::string text{};          // buffer for ImGui
    std::uint64_t revision = 0;  // revision of the text in the buffer
    std::string name{};
};

// The text to edit.
struct CodeText {
    std::string name;  // identifies the text; each text has its own undo history
    const std::string& text;
    std::uint64_t revision;  // changes with each change of the text except by typing in the box
    int wrong;               // the line with an error; 0: none
};

// Draws the box in the rest of the window. Returns the new text if the user has changed it.
std::optional<std::string> draw_code_box(Frame& frame, CodeBoxState& box, const CodeText& code);

}  // namespace ui
