// The policy script in the window's editor: the edited text, the text that runs use, and the saved text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/policy.h"

namespace ui {

struct EditedScript {
    std::string name{};      // name of the policy: "rr", "my.lua"; empty: none
    std::string text{};      // as edited
    std::string in_force{};  // the text that runs use
    // Text of the saved file or of the built-in script; nullopt: neither exists.
    std::optional<std::string> saved_text{};
    bool is_builtin = false;         // a built-in script; if edited, it becomes a user's script when it runs
    bool changed_elsewhere = false;  // another program changed the file; the edited text is kept
    std::string problem{};           // the error, with its line, if runs cannot use `text`
    int line = 0;                    // line of the problem; 0: none
    std::uint64_t revision = 0;      // changes with each change of the text other than typing

    bool is_changed() const { return text != in_force; }
    bool is_saved() const { return saved_text == text; }
};

// The line number in a message that starts with "NAME:12:"; 0 for any other message.
int line_number_in_message(std::string_view message, std::string_view script_name);
// An unused name for a user's copy of a script: "rr-mine.lua", "rr-mine-2.lua".
std::string unused_copy_name(const std::string& name, const sim::ScriptTexts& existing_scripts);
// A spec in the syntax of make_policy(): the script `name` with the text `text`, and those options of
// `policy` that this script accepts.
std::string spec_with_script(const sim::NamedPolicy& policy, const std::string& name, std::string_view text);

// A group of policies in a list to choose from: the policies of textbooks, those of kernels, the examples, or
// the user's scripts.
struct PolicyGroup {
    const char* title;
    struct Choice {
        std::string spec, summary;
        std::string title = {};  // the full name; empty: the spec is shown instead
    };
    std::vector<Choice> choices;
};
// `user_scripts`: file names of the user's scripts. `with_variants`: also lists the built-in policies, except
// the built-in scripts, with each non-default value of each option.
std::vector<PolicyGroup> policy_groups(const std::vector<std::string>& user_scripts, bool with_variants);

// The policy scripts in a directory, sorted, as paths that start with `folder`. An empty `folder` is the
// current directory. Examines only the first 10,000 entries.
std::vector<std::string> scripts_in(const std::string& folder);
// Completions of a typed path: directories, with a slash at the end, and policy scripts.
std::vector<std::string> path_completions_of(const std::string& typed);

}  // namespace ui
