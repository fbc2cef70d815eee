// The open overlay as text, for screen readers and input scripts.
#include <fmt/format.h>

#include <algorithm>

#include "ui/app/overlay_parts.h"

namespace ui {

std::string overlay_status_line(const App& app) {
    const OverlayBox& box = app.overlay_box();
    const auto chosen = [&](const char* title, std::size_t count, const auto& name_of) {
        return count == 0 ? fmt::format("{}: no match", title)
                          : fmt::format("{}, {} of {}: {}", title, std::min(box.chosen, count - 1) + 1, count,
                                        name_of(std::min(box.chosen, count - 1)));
    };
    switch (app.overlay()) {
        case App::Overlay::none:
            break;
        case App::Overlay::help:
            return "List of the keys; Esc closes the list";
        case App::Overlay::palette: {
            const std::vector<const Command*> found = overlays::matching_commands(app);
            return chosen("All commands", found.size(), [&](std::size_t i) {
                return fmt::format("{}: {}", found[i]->group, found[i]->title);
            });
        }
        case App::Overlay::picker: {
            const std::vector<overlays::ListedScenario> found = overlays::matching_scenarios(app);
            return chosen("Open a scenario", found.size(), [&](std::size_t i) {
                return fmt::format("{}: {}", found[i].name, found[i].title);
            });
        }
        case App::Overlay::go_to:
            return "Go to: enter a time, or the number of a switch or decision";
        case App::Overlay::script:
        case App::Overlay::script_to_compare: {
            const std::vector<PolicyGroup::Choice> found = overlays::matching_scripts(app);
            return chosen("Scripts", found.size(), [&](std::size_t i) {
                return fmt::format("{}: {}", found[i].spec, found[i].summary);
            });
        }
        case App::Overlay::tour_stop:
            return fmt::format("Record a tour: enter the title and the caption of stop {}",
                               app.control().tour_recorder().stops().size() + 1);
        case App::Overlay::unsaved:
            return "Save the changes first? " + app.unsaved_prompt().unsaved_changes();
        case App::Overlay::save:
        case App::Overlay::save_script:
        case App::Overlay::export_run:
            return !box.problem.empty() || !box.question.empty() ? box.problem + box.question
                   : app.overlay() == App::Overlay::export_run   ? "Export as: enter a file name"
                                                                 : "Save as: enter a file name";
    }
    return {};
}

std::string overlay_text(const App& app) {
    const char* const typed = app.overlay_box().typed.data();
    std::string text;
    switch (app.overlay()) {
        case App::Overlay::none:
            break;
        case App::Overlay::help:
            text += "\n== Keys\n";
            for (const Command& c : app.commands().all())
                text += fmt::format("{:<18} {:<14} {}\n", overlays::keys_text(c), c.group, c.title);
            break;
        case App::Overlay::palette:
            text += "\n== All commands\n";
            for (const Command* c : overlays::matching_commands(app))
                text += fmt::format("{}: {}\n", c->group, c->title);
            break;
        case App::Overlay::picker:
            text += "\n== Open a scenario\n";
            for (const overlays::ListedScenario& s : overlays::matching_scenarios(app))
                text += fmt::format("{}: {}\n    {}\n    Hint: {}\n", s.name, s.title, s.question, s.hint);
            break;
        case App::Overlay::go_to:
            text += "\n== Go to\n";
            break;
        case App::Overlay::script:
        case App::Overlay::script_to_compare:
            text += overlays::is_choosing_script_to_compare(app) ? "\n== Compare with a policy script\n"
                                                                 : "\n== Run under a policy script\n";
            for (const PolicyGroup::Choice& s : overlays::matching_scripts(app))
                text += fmt::format("{}: {}\n", s.spec, s.summary);
            break;
        case App::Overlay::save:
        case App::Overlay::save_script:
        case App::Overlay::export_run: {
            const OverlayBox& box = app.overlay_box();
            text += fmt::format("\n== {}\n{}\n",
                                app.overlay() == App::Overlay::export_run ? "Export as" : "Save as", typed);
            for (const std::string& said : {box.problem, box.question, box.words.changes, box.words.left_out})
                if (!said.empty()) text += said + "\n";
            break;
        }
        case App::Overlay::tour_stop:
            text += "\n== Record a tour\n";
            for (const std::string& line : overlays::tour_stop_lines(app)) text += line + "\n";
            break;
        case App::Overlay::unsaved:
            text += "\n== Save the changes first?\n" + app.unsaved_prompt().unsaved_changes() + "\n";
            break;
    }
    if (!app.model().error.empty()) text += "\n== The input could not be opened\n" + app.model().error + "\n";
    return text;
}

}  // namespace ui
