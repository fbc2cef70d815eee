// What lies over the panes for a while: the keys, all commands, the choice of a scenario or of a script,
// where to save one, where to export a run to, an error.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ui {

class App;
struct Frame;

enum class Overlay : std::uint8_t {
    none,
    help,
    palette,
    picker,
    go_to,
    save,
    script,             // which one is to run
    script_to_compare,  // under which one a second run is to be
    save_script,
    export_run
};

// What the box for a file's name says of the file: what is changed in it, and what is not in it; of an
// export, which endings there are.
struct SaveWords {
    std::string changes, left_out;
};

// The box of the one that is open, which somebody types into.
struct OverlayBox {
    std::array<char, 4096> typed{};  // room for the longest path
    std::size_t chosen = 0;          // of what passes the filter
    bool chosen_moved = false;       // by a key, in this frame: the list scrolls there
    bool just_opened = false;        // in this frame: the keyboard goes to it
    std::string replacement{};       // of what is typed, in the next frame; empty: none
    bool completes = false;          // Tab was pressed
    std::string problem;             // why what was typed could not be done
    std::string question;            // whether to replace the file of that name; empty: there is none
    SaveWords words;
    std::string listed_for = "\n";  // a path whose completions these are
    std::vector<std::string> completions{};
};

SaveWords save_words(const App& app);
SaveWords export_words(const App& app);

// Draws the one that is open, if any, and the error of a bad file.
void draw_overlays(App& app, Frame& frame);
std::string overlay_text(const App& app);
// In one line: which one is open, and what is chosen in it; empty when none is.
std::string overlay_news(const App& app);

}  // namespace ui
