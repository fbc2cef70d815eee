// A pane of the window: a function that draws it into the ImGui window that is open, and one that says the
// same in plain text. To add one, write ui/panels/mine.cpp and put it on the list in ui/panels/panels.cpp.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "ui/panels/pane_memory.h"
#include "ui/panels/pointed.h"
#include "ui/platform/fonts.h"
#include "ui/platform/theme.h"
#include "ui/view/format.h"
#include "ui/view/model.h"
#include "ui/view/view_state.h"

namespace ui {

class Control;

// What a pane has to do with: it reads the model, keeps what is shown in `view` and what need not be made
// again in `memory`, and asks for all else.
struct Frame {
    const Model& model;
    ViewState& view;
    PaneMemory& memory;
    const Theme& theme;
    const Fonts& fonts;
    float dt = 0;  // seconds since the last frame; 0 when nothing is to move
    std::vector<std::function<void(Control&)>>& requests;

    // Carried out when all panes are drawn.
    void ask(std::function<void(Control&)> request) { requests.push_back(std::move(request)); }

    // A part of the pane that a caption may speak of (sim::kTourSubjects) is here, or more of it.
    void point_out(std::string_view part, ImVec2 min, ImVec2 max) {
        memory.of<Pointed>().add(part, min, max);
    }

    float scale() const { return fonts.scale; }
    // So many pixels at scale 1.
    float px(float n) const { return n * fonts.scale; }
};

struct Panel {
    const char* id;  // "timeline": for --panel, commands and tests
    const char* title;
    void (*draw)(Frame& frame);
    // The content of the pane as text, for the clipboard, for scripts and for those who do not see it.
    std::string (*text)(const Model& model, const ViewState& view);
};

// In the order of a small window's tabs, which are all of them.
std::span<const Panel> panels();
// The one of that name, or null.
const Panel* find_panel(std::string_view id);

// The panes, each in a file of its own.
void draw_timeline(Frame& frame);
std::string timeline_text(const Model& model, const ViewState& view);
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
void draw_what_if(Frame& frame);
std::string what_if_text(const Model& model, const ViewState& view);

// Shared pieces.

// The colour of a task: the same in every pane and in both runs of a comparison.
ImU32 colour_of(const Frame& frame, sim::TaskId p);
// That of an address space. Tasks that share one have the same; the kernel's is grey.
ImU32 mm_colour(const Theme& theme, sim::MmId mm);
// A mark of that colour; hatched where it is only borrowed.
void draw_mm_mark(const Frame& frame, sim::MmId mm, bool borrowed, ImVec2 min, ImVec2 max);
// The text, cut to this width with an ellipsis, in the current font.
std::string cut_to(const std::string& text, float width);
// Text in the space that is left on the line: cut with an ellipsis, whole when the mouse is over it.
void text_cut(const std::string& text, float width);
// "No scenario is open": what a pane shows when model.a is null. Returns whether it is.
bool nothing_open(Frame& frame);

}  // namespace ui
