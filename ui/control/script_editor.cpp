#include "ui/control/script_editor.h"

#include <utility>

#include "sim/scenario/builtin_files.h"

namespace ui {

std::optional<std::string> builtin_script(const std::string& name) {
    const sim::BuiltinFile* const file = sim::find_builtin_file("policies/" + name + ".lua");
    return file == nullptr ? std::nullopt : std::optional(std::string(file->text));
}

void ScriptEditor::set_text(std::string text) {
    script_.text = std::move(text);
    script_.problem.clear();
    script_.line = 0;
}

void ScriptEditor::update_stored_texts() {
    if (script_.name.empty() || script_.is_builtin) return;
    const auto in_force = state_.scripts.texts().find(script_.name);
    if (in_force != state_.scripts.texts().end()) script_.in_force = in_force->second;
    const std::string* const kept = state_.scripts.file_text(script_.name);
    script_.saved_text = kept == nullptr ? std::nullopt : std::optional(*kept);
}

void ScriptEditor::select_script(const std::string& name) {
    if (name == script_.name) return;
    if (!script_.name.empty() && script_.is_changed()) drafts_[script_.name] = script_;
    script_ = {};
    if (const auto draft = drafts_.find(name); draft != drafts_.end()) {
        script_ = std::move(draft->second);
        drafts_.erase(draft);
    } else if (const std::optional<std::string> text = builtin_script(name)) {
        script_ = {.name = name, .text = *text, .in_force = *text, .saved_text = *text, .is_builtin = true};
    } else if (const auto in_force = state_.scripts.texts().find(name);
               in_force != state_.scripts.texts().end()) {
        script_ = {.name = name, .text = in_force->second, .in_force = in_force->second};
    }
    script_.revision = ++revisions_;
    update_stored_texts();
}

void ScriptEditor::update() {
    const std::string now = state_.is_open() ? state_.a().history().policy().name : std::string{};
    if (now != followed_) {
        followed_ = now;
        select_script(now);
    }
    update_stored_texts();
}

void ScriptEditor::show_script(const std::string& name, const std::string& text, const std::string& problem) {
    select_script(name);
    if (script_.name.empty()) {
        script_ = {.name = name, .text = text};
        script_.revision = ++revisions_;
    }
    update_stored_texts();
    record_error(problem);
}

void ScriptEditor::record_error(const std::string& message) {
    script_.problem = sim::printable_lines(message);
    script_.line = line_number_in_message(message, script_.name);
}

void ScriptEditor::on_text_applied(const std::string& name) {
    script_.name = name;
    script_.is_builtin = false;
    script_.changed_elsewhere = false;
    script_.problem.clear();
    script_.line = 0;
    followed_ = state_.is_open() ? state_.a().history().policy().name : std::string{};
    update_stored_texts();
}

void ScriptEditor::revert() {
    const std::string& kept = script_.saved_text ? *script_.saved_text : script_.in_force;
    if (script_.text != kept) script_.revision = ++revisions_;
    script_.text = kept;
    script_.problem.clear();
    script_.line = 0;
    script_.changed_elsewhere = false;
}

void ScriptEditor::on_file_changed(const std::string& text) {
    const bool was_typed = script_.saved_text ? script_.text != *script_.saved_text : script_.is_changed();
    if (!was_typed || script_.text == text) {
        if (script_.text != text) script_.revision = ++revisions_;
        script_.text = text;
        script_.changed_elsewhere = false;
        script_.problem.clear();
        script_.line = 0;
    } else {
        script_.changed_elsewhere = true;
    }
}

}  // namespace ui
