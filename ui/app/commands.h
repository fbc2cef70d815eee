// Every action that has a name: one table, from which keys, menus, the palette and the help overlay are made.
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
    bool repeats = false;  // while its key is held down
};

class Commands {
  public:
    // The table with its usual keys.
    Commands();

    // One more, which only this window has. REQUIRES: no other command has its id, and `keys` are keys.
    void add(std::string id, std::string group, std::string title, std::string_view keys,
             std::function<void(App&)> run, bool repeats = false);

    std::span<const Command> all() const { return commands_; }
    const Command* find(std::string_view id) const;
    const Command* of_key(const SDL_KeyboardEvent& event) const;

    // Gives a command other keys; `keys` is a list of chords with commas, empty for none. Each chord is taken
    // away from whoever had it. Throws std::invalid_argument that says what is wrong.
    void bind(std::string_view id, std::string_view keys);

    // Reads lines `id = Chord, Chord` and `# comments`: what ~/.config/switchyard/keys has. Throws
    // std::invalid_argument with the number of every line that is wrong; the others hold.
    void read_bindings(std::string_view text);

  private:
    void add_going();
    void add_views();
    void add_marks_and_tours();
    void add_panes();
    void add_scripts();
    void add_window();

    std::vector<Command> commands_;
};

}  // namespace ui
