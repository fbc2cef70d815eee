// Asks the user to save, discard or cancel before an action that would lose unsaved changes. Executes the
// action after the changes are saved or discarded.
#pragma once

#include <functional>
#include <string>

namespace ui {

class App;

class UnsavedPrompt {
  public:
    explicit UnsavedPrompt(App& app) : app_(app) {}

    void quit();  // ends the program; asks first if unsaved changes would be lost
    // Calls `open`, which replaces the open scenario. Asks first if unsaved changes of the scenario would be
    // lost.
    void replace_scenario(std::function<void(App&)> open);
    // A sentence about the changes that closing the window would lose; empty: none.
    std::string unsaved_changes() const;

    // save(), discard() and cancel() are the user's answers. Before the window closes, save() first saves an
    // unsaved script in its file; a script without a file gets a file name from the user. In all other cases,
    // save() opens the dialog that saves the scenario.
    void save();
    void discard();
    void cancel() { next_ = nullptr; }
    void close_after_save();  // closes the box that has saved a file, and executes the action

  private:
    void ask_before(std::function<void(App&)> action, bool is_quit);
    void close_overlay();
    void continue_action();
    bool has_unsaved_script() const;

    App& app_;
    std::function<void(App&)> next_;  // the action to execute after the answer; null: none
    bool quits_ = false;              // true if the action closes the window
};

}  // namespace ui
