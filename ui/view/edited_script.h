// The script that the window's editor shows: its text as it is typed, as it runs, and as it is kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/policy.h"

namespace ui {

struct EditedScript {
    std::string name{};                 // of the policy: "rr", "my.lua"; empty: there is none
    std::string text{};                 // as it is typed
    std::string in_force{};             // as runs are made of it
    std::optional<std::string> kept{};  // as the file has it, or the program; nothing: it is in no file
    bool is_builtin = false;            // then what is typed becomes a script of one's own, once it runs
    bool changed_elsewhere = false;     // the file is another one than what was typed, which is kept here
    std::string problem{};              // why the text could not take the place of what runs, with the line
    int line = 0;                       // of the problem; 0: of none
    std::uint64_t revision = 0;         // another one whenever the text was changed by anything but typing

    bool is_changed() const { return text != in_force; }
    bool is_kept() const { return kept == text; }
};

// The line that a message is about which begins "NAME:12:"; 0 if it names none.
int line_in(std::string_view words, std::string_view name);
// A name for a script of one's own that begins as a copy of this one and that no file and none of these has:
// "rr-mine.lua", "rr-mine-2.lua".
std::string own_script_name(const std::string& name, const sim::ScriptTexts& taken);
// The same policy with this script in place of its own, as make_policy() takes it: with the options that were
// chosen, as far as the script has them.
std::string spec_with_script(const sim::NamedPolicy& policy, const std::string& name, std::string_view text);

// Policies that can be chosen: those of kernels, the scripts that are built in, and one's own.
struct PolicyGroup {
    const char* title;
    struct Choice {
        std::string spec, summary;
    };
    std::vector<Choice> choices;
};
// `own` are names of files. With variants, the policies of kernels are there with each value of their
// options.
std::vector<PolicyGroup> policy_groups(const std::vector<std::string>& own, bool variants);

// The scripts in a folder, ordered by name, as paths that begin with `folder` as it is written; empty for the
// current one. Of a folder with very much in it not all.
std::vector<std::string> scripts_in(const std::string& folder);
// What begins like this path: folders, with a slash at their end, and scripts.
std::vector<std::string> completions_of(const std::string& typed);

}  // namespace ui
