// The overlays over the panes: keys, all commands, the pickers of scenarios and scripts, the dialogs to save
// and to export, and errors.
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
    script,             // picks the script to run
    script_to_compare,  // picks the script of the second run
    save_script,
    export_run
};

// Texts of a dialog for a file name: the changes that the file will contain, and what it will not contain.
// For an export, `changes` lists the file name extensions.
struct SaveWords {
    std::string changes, left_out;
};

// The input of the open overlay.
struct OverlayBox {
    std::array<char, 4096> typed{};  // space for the longest path
    std::size_t chosen = 0;          // index among the entries that pass the filter
    bool chosen_moved = false;       // a key has moved `chosen` in this frame, so the list scrolls
    bool just_opened = false;        // in this frame; then the box takes the keyboard focus
    std::string replacement{};       // next content of `typed`, from the next frame on; empty: none
    bool completes = false;          // Tab was pressed
    std::string problem;             // why the typed text failed
    std::string question;            // whether to replace an existing file; empty: no question
    SaveWords words;
    std::string listed_for = "\n";  // typed path for which `completions` was made
    std::vector<std::string> completions{};
};

SaveWords save_words(const App& app);
SaveWords export_words(const App& app);

// Draws the open overlay, if any, and the error.
void draw_overlays(App& app, Frame& frame);
std::string overlay_text(const App& app);
// The open overlay and the chosen entry in one line; empty if none is open.
std::string overlay_news(const App& app);

}  // namespace ui
