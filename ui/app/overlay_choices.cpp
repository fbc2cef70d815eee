// The entries of the lists in overlays: scenarios, commands and scripts that contain the typed words.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "sim/base/human_text.h"
#include "sim/core/policy_names.h"
#include "sim/os/files.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "ui/app/overlay_parts.h"
#include "ui/view/examples.h"
#include "ui/view/format.h"

namespace ui::overlays {
namespace {

// True if the text contains every word of the filter.
bool contains_all_words(const std::string& text, const std::string& filter) {
    const std::string in = sim::lower_case(text);
    std::string word;
    for (const char c : sim::lower_case(filter) + " ") {
        if (c != ' ') {
            word += c;
        } else if (!word.empty()) {
            if (in.find(word) == std::string::npos) return false;
            word.clear();
        }
    }
    return true;
}

// The built-in scenarios, read once.
const std::vector<ListedScenario>& builtin_scenarios() {
    static const std::vector<ListedScenario> all = [] {
        std::vector<ListedScenario> list;
        for (const ExampleGroup& group : example_groups())
            for (const std::string_view name : group.names) {
                const sim::Scenario s = sim::load_scenario(std::string(name));
                list.push_back({std::string(name), s.title, s.question, s.hint, group.title});
            }
        return list;
    }();
    return all;
}

// The scenarios in the current directory, then the recently opened files, then the built-in scenarios.
std::vector<ListedScenario> all_scenarios(const App& app) {
    std::vector<ListedScenario> all;
    for (const std::string& file : app.overlay_box().files)
        all.push_back({file, "a file in this directory", "", "", "Your files"});
    for (const std::string& file : app.recent_files())
        all.push_back({file, "opened recently", "", "", "Recent files"});
    all.insert(all.end(), builtin_scenarios().begin(), builtin_scenarios().end());
    return all;
}

}  // namespace

std::vector<ListedScenario> matching_scenarios(const App& app) {
    std::vector<ListedScenario> found = all_scenarios(app);
    std::erase_if(found, [&](const ListedScenario& s) {
        return !contains_all_words(s.name + " " + s.title + " " + s.question + " " + s.group,
                                   app.overlay_box().typed.data());
    });
    return found;
}

namespace {

// Words from courses on operating systems by which the palette finds a command, in addition to its title.
constexpr std::pair<std::string_view, std::string_view> kOtherWords[] = {
    {"new", "exercise jobs processes"},
    {"paste", "csv spreadsheet clipboard"},
    {"layout", "more less simple layout home"},
    {"pane.workload", "table jobs processes arrival burst editor"},
    {"pane.gantt", "schedule chart"},
    {"pane.decision", "why reason explanation pseudo-code goodness"},
    {"pane.run_queue", "ready list"},
    {"pane.jobs", "waiting turnaround response time average"},
    {"pane.waits", "starvation blocked deadlock"},
    {"pane.tasks", "nice priority starvation kill"},
    {"pane.costs", "overhead context switch time"},
    {"pane.script", "own policy lua program"},
    {"predict", "quiz guess"},
    {"save", "file export keep"},
};

std::string_view search_words_of(const std::string& id) {
    for (const auto& [command, words] : kOtherWords)
        if (command == id) return words;
    return {};
}

// A command of the palette that chooses a policy, and the words by which the palette finds it.
struct PolicyCommand {
    Command command;
    std::string words;
};

const std::vector<PolicyCommand>& policy_commands() {
    static const std::vector<PolicyCommand> all = [] {
        std::vector<PolicyCommand> list;
        for (const sim::PolicyName& row : sim::policy_names()) {
            const std::string policy(row.policy);
            std::string words = policy + " " + std::string(row.title) + " policy scheduler";
            for (const std::string_view alias : row.aliases) words += " " + std::string(alias);
            const sim::PolicyInfo* const info = sim::find_policy_info(policy);
            if (info == nullptr) continue;
            words += " " + info->summary;
            for (const sim::OptionInfo& option : info->options) words += " " + option.name;
            Command command{.id = "policy." + policy,
                            .group = "Policy",
                            .title = std::string(row.title),
                            .keys = {},
                            .run = [policy](App& app) { app.control().set_policy(policy); }};
            list.push_back({std::move(command), std::move(words)});
        }
        return list;
    }();
    return all;
}

}  // namespace

std::vector<const Command*> matching_commands(const App& app) {
    const std::string typed = app.overlay_box().typed.data();
    std::vector<const Command*> found;
    for (const Command& command : app.commands().all()) {
        const std::string words =
            fmt::format("{} {} {} {}", command.group, command.title, command.id, search_words_of(command.id));
        if (contains_all_words(words, typed)) found.push_back(&command);
    }
    if (app.model().a != nullptr && !typed.empty())
        for (const PolicyCommand& policy : policy_commands())
            if (contains_all_words(policy.words, typed)) found.push_back(&policy.command);
    return found;
}

std::vector<PolicyGroup::Choice> matching_scripts(const App& app) {
    const std::string typed = app.overlay_box().typed.data();
    std::vector<PolicyGroup::Choice> found;
    for (const std::string& own : app.model().own_scripts)
        if (contains_all_words(own, typed))
            found.push_back({own,
                             "a script opened or written in this "
                             "window"});
    for (const std::string& path : app.overlay_box().completions) {
        const bool is_there = std::any_of(found.begin(), found.end(),
                                          [&](const PolicyGroup::Choice& c) { return c.spec == path; });
        if (!is_there) found.push_back({path, sim::os::is_separator(path.back()) ? "a directory" : "a file"});
    }
    for (const sim::PolicyInfo& info : sim::script_policies())
        if (contains_all_words(info.name + " " + info.summary, typed))
            found.push_back({info.name, info.summary});
    return found;
}

std::string keys_text(const Command& command) {
    std::string text;
    for (const Chord& chord : command.keys) text += (text.empty() ? "" : ", ") + display_name(chord);
    return text;
}

}  // namespace ui::overlays
