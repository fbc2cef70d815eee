// The parts of the overlays: the lists to choose from, the boxes, and the dialogs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ui/app/app.h"

namespace ui::overlays {

// --- overlay_choices.cpp: the entries that contain the typed words ---

// A scenario to open: a file, or a built-in one with its texts.
struct ListedScenario {
    std::string name, title, question, hint;
    std::string group;  // heading above the first scenario of the group
};

// The scenarios and files that contain the typed words.
std::vector<ListedScenario> matching_scenarios(const App& app);
std::vector<const Command*> matching_commands(const App& app);
// The scripts to choose from: user and built-in scripts that contain the typed words, and completions of a
// typed path.
std::vector<PolicyGroup::Choice> matching_scripts(const App& app);
inline bool is_choosing_script_to_compare(const App& app) {
    return app.overlay() == App::Overlay::script_to_compare;
}
// The keys of a command, separated by commas.
std::string keys_text(const Command& command);

// --- overlay_box.cpp: the box of an overlay ---

// Begins a box in the middle of the window, over a shade. Reduces the size if the box does not fit into the
// window. Returns false if the user closes the box.
bool begin_overlay_box(const char* title, Frame& frame, float width, float height);
void draw_dim_text(Frame& frame, const std::string& text);
// Draws the text box for the words that filter a list. The arrow keys change which of the `entry_count`
// entries is chosen. Returns true if Enter was pressed.
bool draw_filter_box(OverlayBox& box, const char* hint, std::size_t entry_count);

// --- the dialogs ---

// overlay_keys.cpp
void draw_help(App& app, Frame& frame);
// overlay_pickers.cpp
void draw_command_palette(App& app, Frame& frame);
void draw_scenario_picker(App& app, Frame& frame);
void draw_script_picker(App& app, Frame& frame);
void draw_go_to_box(App& app, Frame& frame);
// overlay_save.cpp: saves a scenario or a script, or exports a run.
void draw_save_dialog(App& app, Frame& frame);
// overlay_tour.cpp: records a stop of a tour.
void draw_tour_stop_dialog(App& app, Frame& frame);
std::vector<std::string> tour_stop_lines(const App& app);
// overlay_unsaved.cpp
void draw_unsaved_question(App& app, Frame& frame);

}  // namespace ui::overlays
