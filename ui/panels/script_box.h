// What the pane with the editor has of the box that is typed into, for the window's keys.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ui {

struct ScriptBox {
    bool is_typed_into = false;  // the keyboard is in it, as of the last frame
    bool leaves = false;         // the keyboard is to leave it
    bool enters = false;         // the keyboard is to go there
    bool entered = false;        // it was to go there in the last frame
    bool asks_to_save = false;   // its button was pressed
    bool is_drawn = false;       // in this frame

    // What was there before and after each change, for the way back and forth; at most kMost.
    struct Version {
        std::string text;
        int caret = 0;
    };
    static constexpr std::size_t kMost = 500;
    std::vector<Version> before{}, after{};
    Version now{};
    double since_change = 0;  // seconds
    int shown_wrong = 0;      // the line with an error to which the box was scrolled last
    int shown_caret = -1;     // to which the box was scrolled last

    std::string text{};          // the buffer
    std::uint64_t revision = 0;  // of the script, that the buffer has
    std::string name{};
};

}  // namespace ui
