// The editor of policy scripts: the current script, edited texts, and errors.
//
// The editor shows the script of run A's policy. An edited text that no run uses is kept until the user
// returns to its script, even if another scenario is opened.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "ui/control/app_state.h"
#include "ui/view/edited_script.h"

namespace ui {

class ScriptEditor {
  public:
    explicit ScriptEditor(AppState& state) : state_(state) {}

    const EditedScript& script() const { return script_; }

    void set_text(std::string text);
    // If the policy of the first run (A) has changed, shows the script of the new policy. Then updates the
    // texts with which the edited text is compared: the text that runs use, and the text of the file.
    void update();
    // Shows a script that does not run, because of a problem or because it has not been run yet.
    void show_script(const std::string& name, const std::string& text, const std::string& problem);
    // Records that the edited text is invalid. `message`: the text of the error.
    void record_error(const std::string& message);
    // Records that runs now use the edited text, under this name.
    void on_text_applied(const std::string& name);
    // Replaces the edited text by the text of the script's file or of the built-in script.
    void revert();
    // Shows the new text of the file, but keeps the user's text if the user has edited it.
    void on_file_changed(const std::string& text);

  private:
    void select_script(const std::string& name);
    void update_stored_texts();

    AppState& state_;
    EditedScript script_;
    // Edited texts of scripts other than the displayed one, by script name. No run uses these texts yet.
    std::map<std::string, EditedScript, std::less<>> drafts_;
    std::string followed_;  // A's policy at the last update() or on_text_applied()
    std::uint64_t revisions_ = 0;
};

// The text of the built-in script; nullopt if there is no script of this name.
std::optional<std::string> builtin_script(const std::string& name);

}  // namespace ui
