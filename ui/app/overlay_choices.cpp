// The entries of the lists in overlays: scenarios, commands and scripts that contain the typed words.
#include <algorithm>

#include "sim/base/human_text.h"
#include "sim/os/files.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "ui/app/overlay_parts.h"
#include "ui/view/format.h"

namespace ui::overlays {
namespace {

// Whether the text contains every word of the filter.
bool passes(const std::string& text, const std::string& filter) {
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
        for (const std::string& name : sim::builtin_names("")) {
            const sim::Scenario s = sim::load_scenario(name);
            list.push_back({name, s.title, s.question, s.hint});
        }
        return list;
    }();
    return all;
}

// The recently opened files, then the built-in scenarios.
std::vector<ListedScenario> recent_and_builtin_scenarios(const App& app) {
    std::vector<ListedScenario> all;
    for (const std::string& file : app.recent()) all.push_back({file, "opened recently", "", ""});
    all.insert(all.end(), builtin_scenarios().begin(), builtin_scenarios().end());
    return all;
}

}  // namespace

std::vector<ListedScenario> matching_scenarios(const App& app) {
    std::vector<ListedScenario> found = recent_and_builtin_scenarios(app);
    std::erase_if(found, [&](const ListedScenario& s) {
        return !passes(s.name + " " + s.title + " " + s.question, app.overlay_box().typed.data());
    });
    return found;
}

std::vector<const Command*> matching_commands(const App& app) {
    std::vector<const Command*> found;
    for (const Command& command : app.commands().all())
        if (passes(command.group + " " + command.title + " " + command.id, app.overlay_box().typed.data()))
            found.push_back(&command);
    return found;
}

std::vector<PolicyGroup::Choice> matching_scripts(const App& app) {
    const std::string typed = app.overlay_box().typed.data();
    std::vector<PolicyGroup::Choice> found;
    for (const std::string& own : app.model().own_scripts)
        if (passes(own, typed)) found.push_back({own, "opened or written here"});
    for (const std::string& path : app.overlay_box().completions) {
        const bool is_there = std::any_of(found.begin(), found.end(),
                                          [&](const PolicyGroup::Choice& c) { return c.spec == path; });
        if (!is_there) found.push_back({path, sim::os::is_separator(path.back()) ? "a directory" : "a file"});
    }
    for (const sim::PolicyInfo& info : sim::script_policies())
        if (passes(info.name + " " + info.summary, typed)) found.push_back({info.name, info.summary});
    return found;
}

std::string keys_text(const Command& command) {
    std::string text;
    for (const Chord& chord : command.keys) text += (text.empty() ? "" : ", ") + display_name(chord);
    return text;
}

}  // namespace ui::overlays
