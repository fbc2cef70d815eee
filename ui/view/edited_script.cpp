#include "ui/view/edited_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "sim/base/human_text.h"
#include "sim/core/policy_names.h"
#include "sim/os/files.h"
#include "ui/view/format.h"

namespace ui {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLookedAt = 10'000;  // number of entries examined per directory
constexpr std::string_view kScriptsEnd = ".lua";

// The entries of a directory that `is_wanted` accepts, as paths that start with `folder`.
template <class Wanted>
std::vector<std::string> folder_entries(const std::string& folder, Wanted is_wanted) {
    std::vector<std::string> found;
    std::error_code error;
    std::size_t looked_at = 0;
    for (fs::directory_iterator i(folder.empty() ? "." : folder, error), end; !error && i != end;
         i.increment(error)) {
        if (++looked_at > kMostLookedAt) break;
        std::error_code of_entry;
        const bool is_folder = i->is_directory(of_entry);
        const std::string name = i->path().filename().string();
        if (is_wanted(name, is_folder)) found.push_back(folder + name + (is_folder ? "/" : ""));
    }
    std::sort(found.begin(), found.end());
    return found;
}

bool is_script_entry(const std::string& name, bool is_folder) {
    return !is_folder && sim::is_script_file(name) && name.size() > kScriptsEnd.size();
}

void add_variants(const sim::PolicyInfo& info, std::vector<PolicyGroup::Choice>& choices) {
    for (const sim::OptionInfo& option : info.options)
        for (std::size_t i = 1; i < option.values.size(); ++i)
            if (!option.values[i].starts_with('N'))
                choices.push_back(
                    {fmt::format("{}:{}={}", info.name, option.name, option.values[i]), option.summary});
}

}  // namespace

int line_number_in_message(std::string_view message, std::string_view script_name) {
    if (!message.starts_with(script_name)) return 0;
    message.remove_prefix(script_name.size());
    if (!message.starts_with(':')) return 0;
    message.remove_prefix(1);
    int line = 0;
    const auto [end, error] = std::from_chars(message.data(), message.data() + message.size(), line);
    const bool ends = error == std::errc{} && end != message.data() + message.size() && *end == ':';
    return ends || (error == std::errc{} && end == message.data() + message.size()) ? line : 0;
}

std::string unused_copy_name(const std::string& name, const sim::ScriptTexts& existing_scripts) {
    std::string stem = fs::path(name).filename().string();
    if (sim::is_script_file(stem)) stem.resize(stem.size() - kScriptsEnd.size());
    constexpr std::string_view kOwn = "-mine";
    if (!stem.ends_with(kOwn)) stem += kOwn;
    for (int i = 1;; ++i) {
        std::string own = i == 1 ? stem : fmt::format("{}-{}", stem, i);
        own += kScriptsEnd;
        std::error_code error;
        if (existing_scripts.find(own) == existing_scripts.end() && !fs::exists(own, error)) return own;
    }
}

std::string spec_with_script(const sim::NamedPolicy& policy, const std::string& name, std::string_view text) {
    const sim::PolicyInfo info = sim::script_policy_of(name, text);
    std::string spec = name;
    for (const sim::OptionInfo& was : policy.known_options) {
        const std::string& value = policy.options.at(was.name);
        if (value == was.values.front()) continue;
        const bool is_there = std::any_of(info.options.begin(), info.options.end(),
                                          [&](const sim::OptionInfo& is) { return is.name == was.name; });
        if (!is_there) continue;
        const std::string longer = fmt::format("{}{}{}={}", spec, spec == name ? ':' : ',', was.name, value);
        try {
            sim::make_policy(longer, 1, {{name, std::string(text)}});
            spec = longer;
        } catch (const sim::PolicyError&) {  // the new script does not accept this value of the option
        }
    }
    return spec;
}

std::vector<PolicyGroup> policy_groups(const std::vector<std::string>& user_scripts, bool with_variants) {
    using Kind = sim::PolicyName::Kind;
    std::vector<PolicyGroup> groups;
    const auto add_rows = [&](const char* title, Kind kind) {
        PolicyGroup& group = groups.emplace_back(PolicyGroup{title, {}});
        for (const sim::PolicyName& row : sim::policy_names()) {
            const sim::PolicyInfo* const info =
                row.kind == kind ? sim::find_policy_info(row.policy) : nullptr;
            if (info == nullptr) continue;
            group.choices.push_back({info->name, info->summary, std::string(row.title)});
            if (with_variants && info->source_lines.empty()) add_variants(*info, group.choices);
        }
    };
    add_rows("textbook", Kind::textbook);
    add_rows("kernels", Kind::kernel);
    if (!user_scripts.empty()) {
        PolicyGroup& mine = groups.emplace_back(PolicyGroup{"mine", {}});
        for (const std::string& name : user_scripts) mine.choices.push_back({name, "your own policy script"});
    }
    add_rows("examples", Kind::example);
    return groups;
}

std::vector<std::string> scripts_in(const std::string& folder) {
    return folder_entries(folder, is_script_entry);
}

std::vector<std::string> path_completions_of(const std::string& typed) {
    const std::size_t slash = typed.find_last_of(sim::os::kSeparators);
    const std::string folder = slash == std::string::npos ? "" : typed.substr(0, slash + 1);
    const std::string begin = sim::lower_case(typed.substr(folder.size()));
    return folder_entries(folder, [&](const std::string& name, bool is_folder) {
        if (!sim::lower_case(name).starts_with(begin) || (name.starts_with('.') && begin.empty()))
            return false;
        return is_folder || is_script_entry(name, is_folder);
    });
}

}  // namespace ui
