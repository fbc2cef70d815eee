// A pane consists of two functions: one draws the pane into the current ImGui window, the other returns the
// pane's text. To add a pane, write ui/panels/NAME.cpp and add the pane to the list in ui/panels/panels.cpp.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "ui/panels/caption_target.h"
#include "ui/panels/pane_cache.h"
#include "ui/platform/fonts.h"
#include "ui/platform/theme.h"
#include "ui/view/format.h"
#include "ui/view/model.h"
#include "ui/view/view_state.h"

namespace ui {

class Control;

// The environment in which a pane is drawn. A pane reads the model, changes only its display state in
// `view` and its cached results in `memory`, and requests all other changes by ask().
struct Frame {
    const Model& model;
    ViewState& view;
    PaneCache& memory;
    const Theme& theme;
    const Fonts& fonts;
    float dt = 0;  // seconds since the last frame; 0: no animation
    std::vector<std::function<void(Control&)>>& requests;

    // Queues a request, which is executed after all panes are drawn.
    void ask(std::function<void(Control&)> request) { requests.push_back(std::move(request)); }

    // Reports a rectangle that belongs to a part of the pane; the caption of a tour can refer to the part by
    // its name (sim::kTourSubjects). A part may have several rectangles.
    void report_part_rectangle(std::string_view part, ImVec2 min, ImVec2 max) {
        memory.of<CaptionTarget>().add_part_rectangle(part, min, max);
    }

    // Reports that the mouse is over this task. `time`: the time under the mouse; nullopt: the position.
    void report_hovered_task(sim::TaskId p, std::optional<sim::Nanos> time = std::nullopt) {
        view.pointed = {p, time};
    }

    float scale() const { return fonts.scale; }
    // Converts pixels at scale 1 to pixels at the current scale.
    float px(float n) const { return n * fonts.scale; }
};

struct Panel {
    const char* id;  // name for --pane, commands and tests, such as "timeline"
    const char* title;
    void (*draw)(Frame& frame);
    // Returns the content of the pane as text, for the clipboard, scripts and screen readers.
    std::string (*text)(const Model& model, const ViewState& view);
};

// All panes, in the order in which a small window shows them as tabs.
std::span<const Panel> panels();
// The pane with this id; null if there is none.
const Panel* find_panel(std::string_view id);

// The functions of each pane are in their own file.
void draw_timeline(Frame& frame);
std::string timeline_text(const Model& model, const ViewState& view);
void draw_animation(Frame& frame);
std::string animation_text(const Model& model, const ViewState& view);
void draw_decision(Frame& frame);
std::string decision_text(const Model& model, const ViewState& view);
void draw_run_queue(Frame& frame);
std::string run_queue_text(const Model& model, const ViewState& view);
void draw_context_switch(Frame& frame);
std::string context_switch_text(const Model& model, const ViewState& view);
void draw_tasks(Frame& frame);
std::string tasks_text(const Model& model, const ViewState& view);
void draw_costs(Frame& frame);
std::string costs_text(const Model& model, const ViewState& view);
void draw_system(Frame& frame);
std::string system_text(const Model& model, const ViewState& view);
void draw_caches(Frame& frame);
std::string caches_text(const Model& model, const ViewState& view);
void draw_waits(Frame& frame);
std::string waits_text(const Model& model, const ViewState& view);
void draw_invariants(Frame& frame);
std::string invariants_text(const Model& model, const ViewState& view);
void draw_laboratory(Frame& frame);
std::string laboratory_text(const Model& model, const ViewState& view);
void draw_jobs(Frame& frame);
std::string jobs_text(const Model& model, const ViewState& view);
void draw_script(Frame& frame);
std::string script_text(const Model& model, const ViewState& view);
void draw_workload(Frame& frame);
std::string workload_text(const Model& model, const ViewState& view);
void draw_scenario(Frame& frame);
std::string scenario_text(const Model& model, const ViewState& view);
void draw_gantt(Frame& frame);
std::string gantt_text(const Model& model, const ViewState& view);
void draw_what_if(Frame& frame);
std::string what_if_text(const Model& model, const ViewState& view);
// The height in pixels that the pane WHAT IF needs at this width for all its sliders, limited to the height
// of two rows.
float what_if_height(const Frame& frame, float width);

// --- shared helpers ---

// The colour of a task, the same in every pane and in both runs of a comparison.
ImU32 colour_of(const Frame& frame, sim::TaskId p);
// The colour of an address space, the same for all tasks that share it. The kernel's address space has the
// colour of system calls.
ImU32 mm_colour(const Theme& theme, sim::MmId mm);
// Fills the rectangle with the colour of an address space; hatched if a task has only borrowed it (lazy TLB).
void draw_mm_mark(const Frame& frame, sim::MmId mm, bool borrowed, ImVec2 min, ImVec2 max);
// The text cut to `width` in the current font, with an ellipsis.
std::string ellipsized_text(const std::string& text, float width);
// Draws the text, cut to `width` with an ellipsis; if it is cut, a tooltip shows all of it.
void draw_ellipsized_text(const std::string& text, float width);
// Shows "No scenario is open" and returns true if model.a is null.
bool draw_message_if_no_scenario(Frame& frame);

}  // namespace ui
