// The question before unsaved changes would be lost: Save, Discard or Cancel. Holds the
// interrupted action and continues it after the answer.
#pragma once

#include <functional>
#include <string>

namespace ui {

class App;

class SaveFirst {
  public:
    explicit SaveFirst(App& app) : app_(app) {}

    void quit();  // asks first if something would be lost
    // Calls `open`, which replaces the open scenario, but asks first if changes of the scenario would be
    // lost.
    void replace_scenario(std::function<void(App&)> open);
    // What closing the window would lose, as a sentence; empty: nothing.
    std::string unsaved() const;

    // The answers. save() asks for a file name if there is none.
    void save();
    void discard();
    void cancel() { next_ = nullptr; }
    void close_after_save();  // closes the box that has saved a file, and goes on

  private:
    void ask(std::function<void(App&)> next, bool quits);
    void close_box();
    void go_on();
    bool has_unsaved_script() const;

    App& app_;
    std::function<void(App&)> next_;  // what the question has interrupted; null: nothing
    bool quits_ = false;              // true if this is closing the window
};

}  // namespace ui
