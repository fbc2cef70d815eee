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
    export_run,
    unsaved,   // asks whether to save before changes are lost
    tour_stop  // records a stop of a tour
};

// Texts of a dialog that asks for a file name: `changes` describes the contents of the file, `left_out` the
// state that the file will not contain. For an export, `changes` also lists the file name extensions.
struct SaveDialogText {
    std::string changes, left_out;
};

// The input of the open overlay.
struct OverlayBox {
    std::array<char, 4096> typed{};             // space for the longest path
    std::array<char, 1001> caption{}, notes{};  // texts of the new stop of a tour
    std::size_t chosen = 0;                     // index among the entries that pass the filter
    bool chosen_moved = false;                  // a key changed `chosen` in this frame, so the list scrolls
    bool just_opened = false;                   // opened in this frame; the box takes the keyboard focus
    std::string starts_with{};                  // initial text of the box that filters a list
    std::string replacement{};                  // text that replaces `typed` in the next frame; empty: none
    bool completes = false;                     // Tab was pressed, to complete `typed`
    std::string problem;                        // why the typed text failed
    std::string question;                       // question whether to replace an existing file; empty: none
    SaveDialogText words;
    std::vector<std::string> files{};  // scenarios in the current directory, for the list of scenarios
    std::string listed_for = "\n";     // typed path for which `completions` was made
    std::vector<std::string> completions{};
};

SaveDialogText save_dialog_text(const App& app);
SaveDialogText export_dialog_text(const App& app);

// Draws the open overlay and the error message, if there are any.
void draw_overlays(App& app, Frame& frame);
std::string overlay_text(const App& app);
// One line about the open overlay and its chosen entry; empty if no overlay is open.
std::string overlay_status_line(const App& app);

}  // namespace ui
