// The editor of scripts: which one it shows, what has been typed of each, and what came of it.
//
// It shows the script of run A's policy. What was typed of another one and does not run yet is kept until one
// comes back to it, whatever scenario is open.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "ui/control/desk.h"
#include "ui/view/edited_script.h"

namespace ui {

class ScriptEditor {
  public:
    explicit ScriptEditor(Desk& desk) : desk_(desk) {}

    const EditedScript& script() const { return script_; }

    void type(std::string text);
    // To the script of A's policy, when that is another one than before; and takes down what is in force.
    void follow();
    // To a script that does not run, because of a problem or because nobody has run it yet.
    void show(const std::string& name, const std::string& text, const std::string& problem);
    // The text could not take the place of what runs.
    void fail(const std::string& words);
    // It has, or has become another script: `name` is in force.
    void succeed(const std::string& name);
    // What is typed is what the file has, or the program.
    void revert();
    // The file has another text than before: what was not typed over becomes that.
    void file_changed(const std::string& text);

  private:
    void go_to(const std::string& name);
    void take_down();

    Desk& desk_;
    EditedScript script_;
    std::map<std::string, EditedScript, std::less<>> drafts_;  // not in force, of the others
    std::string followed_;                                     // A's policy, as it was looked at last
    std::uint64_t revisions_ = 0;
};

// The text of a script that is built in; nothing when none has this name.
std::optional<std::string> builtin_script(const std::string& name);

}  // namespace ui
