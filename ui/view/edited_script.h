// The policy script in the window's editor: the edited text, the running text and the saved text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/policy.h"

namespace ui {

struct EditedScript {
    std::string name{};                 // name of the policy: "rr", "my.lua"; empty: none
    std::string text{};                 // as edited
    std::string in_force{};             // the text that runs are made from
    std::optional<std::string> kept{};  // text in the file, or of the built-in script; nullopt: in no file
    bool is_builtin = false;            // an edit becomes a user's script once it runs
    bool changed_elsewhere = false;     // the file now differs from the edited text, which is kept
    std::string problem{};              // why the text could not replace the running one, with the line
    int line = 0;                       // line of the problem; 0: none
    std::uint64_t revision = 0;         // changes whenever the text changes other than by typing

    bool is_changed() const { return text != in_force; }
    bool is_kept() const { return kept == text; }
};

// The line number in a message that starts with "NAME:12:"; 0 for any other message.
int line_in(std::string_view words, std::string_view name);
// An unused name for a user's copy of a script: "rr-mine.lua", "rr-mine-2.lua".
std::string own_script_name(const std::string& name, const sim::ScriptTexts& taken);
// The policy with another script, in the syntax of make_policy(). Keeps the chosen options that the new
// script accepts.
std::string spec_with_script(const sim::NamedPolicy& policy, const std::string& name, std::string_view text);

// The policies to choose from: those of kernels, built-in scripts, and the user's scripts.
struct PolicyGroup {
    const char* title;
    struct Choice {
        std::string spec, summary;
    };
    std::vector<Choice> choices;
};
// `own`: file names of the user's scripts. `variants`: adds kernel policies with each other value of their
// options.
std::vector<PolicyGroup> policy_groups(const std::vector<std::string>& own, bool variants);

// The policy scripts in a directory, sorted, as paths that start with `folder`; empty `folder`: the current
// directory. Examines the first 10,000 entries only.
std::vector<std::string> scripts_in(const std::string& folder);
// Completions of a typed path: directories, with a slash at the end, and policy scripts.
std::vector<std::string> completions_of(const std::string& typed);

}  // namespace ui
