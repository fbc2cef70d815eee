#include "ui/app/screen_reader_text.h"

#include <fmt/format.h>

#include "sim/base/text.h"
#include "ui/app/app.h"
#include "ui/app/overlays.h"
#include "ui/app/top_bar.h"
#include "ui/app/tour.h"
#include "ui/view/decision_page.h"
#include "ui/view/layouts.h"
#include "ui/view/presentation.h"

namespace ui {
namespace {

// The scenario, its policies, and the changed values.
std::string scenario_line(const Model& model) {
    std::string line = fmt::format("{} under {}", model.scenario_name, model.a->history().policy().spec());
    if (model.b != nullptr) line += ", compared with " + model.b->policy().spec();
    for (const std::string& set : model.sets) line += ", " + set;
    return sim::printable(line);
}

const char* shown_pane_id(const ViewState& view) {
    return view.presenting                     ? presented_pane(view)
           : find_panel(view.alone) != nullptr ? view.alone.c_str()
                                               : selected_tab_pane(view);
}

}  // namespace

std::string screen_reader_lines(const App& app) {
    const Model& model = app.model();
    const ViewState& view = app.view();
    std::string lines;
    const auto add_line = [&](const std::string& line) {
        if (!line.empty()) lines += line + "\n";
    };
    add_line(model.error);
    add_line(sim::printable_lines(overlay_status_line(app)));
    add_line(model.message);
    if (model.a == nullptr) return lines;
    add_line(scenario_line(model));
    add_line(tour_heading(app));
    add_line(tour_caption(app));
    const char* const title = find_panel(shown_pane_id(view))->title;
    add_line(view.alone.empty() ? fmt::format("The pane {} is shown", title)
                                : fmt::format("Only the pane {} is shown", title));
    if (view.task) add_line(fmt::format("{} is selected", model.a->name(*view.task)));
    add_line(position_text(*model.a, view) + (view.playing ? ", playing" : ""));
    for (const Run* run : {model.a, model.b}) {
        const std::optional<Cursor> cursor = cursor_in(run, view);
        if (!cursor) continue;
        const std::string whose = model.b == nullptr ? "" : run == model.a ? "A: " : "B: ";
        add_line(whose + decision_headline_text(*cursor, is_outcome_hidden(view)));
        add_line(whose + decision_sentence(*cursor, view));
    }
    return lines;
}

}  // namespace ui
