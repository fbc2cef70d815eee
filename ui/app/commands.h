// The table of all commands: named actions that keys, menus and the palette run, and that the help overlay
// lists.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ui/platform/keys.h"

namespace ui {

class App;

struct Command {
    std::string id;     // "step.switch.forward"
    std::string group;  // "Step"
    std::string title;  // "To the next switch"
    std::vector<Chord> keys;
    std::function<void(App&)> run;
    bool repeats = false;  // runs repeatedly while the key is held down
};

class Commands {
  public:
    // The table with the default keys.
    Commands();

    // Adds a command to this window; other windows do not have it. REQUIRES: no other command has this id;
    // `keys` are valid.
    void add(std::string id, std::string group, std::string title, std::string_view keys,
             std::function<void(App&)> run, bool repeats = false);

    std::span<const Command> all() const { return commands_; }
    const Command* find(std::string_view id) const;
    const Command* find_by_key(const SDL_KeyboardEvent& event) const;

    // Sets the keys of command `id`. `keys`: chords separated by commas, or empty. These chords are removed
    // from all other commands. Throws std::invalid_argument with a description if `id` is unknown or `keys`
    // is invalid.
    void bind(std::string_view id, std::string_view keys);

    // Reads lines `id = Chord, Chord` and comments that start with `#`, as in ~/.config/switchyard/keys.
    // Applies all valid lines. Throws std::invalid_argument with the number of every invalid line.
    void read_bindings(std::string_view text);

  private:
    void add_time_and_step_commands();
    void add_view_commands();
    void add_mark_and_tour_commands();
    void add_pane_commands();
    void add_script_commands();
    void add_window_commands();

    std::vector<Command> commands_;
};

}  // namespace ui
