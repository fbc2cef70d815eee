// Functions of the pane RUN QUEUE that draw each kind of queue: a plain list as cards, the priority arrays
// of linux-2.6.20, fair queues, and several queues of a script.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ui/panels/panel.h"
#include "ui/panels/queue_view.h"
#include "ui/view/card_motion.h"
#include "ui/view/queue_moment.h"

namespace ui {

struct QueueDrawingContext {
    Frame& frame;
    const Run& run;
    const QueueView& queue;
    const QueueMoment& moment;
    std::size_t which;  // index of `run`: 0: run A, 1: run B
    ImVec2 origin, room;
};

// Draws a plain list as cards; uses only the height that the cards need.
void draw_queue_cards(const QueueDrawingContext& drawing);
void draw_priority_arrays(const QueueDrawingContext& drawing);
void draw_fair_queues(const QueueDrawingContext& drawing);
void draw_script_queues(const QueueDrawingContext& drawing);

std::string queue_cards_text(const Run& run, const ViewState& view, const QueueView& queue);
// The priority arrays of all CPUs as text.
std::string priority_arrays_text(const Run& run, const ViewState& view, const QueueView& queue,
                                 const QueueMoment& moment);
std::string fair_queues_text(const Run& run, const ViewState& view, const QueueView& queue,
                             const QueueMoment& moment);
std::string script_queues_text(const Run& run, const ViewState& view, const QueueView& queue,
                               const QueueMoment& moment);

// Details of a task that its card does not show.
std::string queue_task_details(const Run& run, const QueueTask& task, const QueueView& queue, sim::TaskId p);

// --- shared helpers ---

// The CPUs to draw: all of them if each has at least the height `least_height`. Otherwise only one CPU is
// drawn: the one that executes schedule(), or the selected CPU if none does. A line of text above its row
// then names this CPU.
struct CpuRows {
    std::vector<sim::CpuId> cpus;  // not empty
    float top, height;             // top of the first row, height of each row
};
CpuRows cpu_rows(const QueueDrawingContext& drawing, float least_height, float line_height);

// Animates the cards of the tasks. `layout` identifies the arrangement of the cards; if it changes, the cards
// jump to their goals without animation.
const CardMotion& animate_task_cards(const QueueDrawingContext& drawing, std::span<const CardGoal> goals,
                                     std::uint64_t layout);

// Handles the mouse on a task. A click selects the task; a tooltip shows `details`. `at`: the upper left
// corner of the task's rectangle, in coordinates of the window.
void handle_task_mouse(const QueueDrawingContext& drawing, sim::TaskId p, ImVec2 at, ImVec2 size,
                       const std::function<std::string()>& details);

// Shows a tooltip while the mouse is over this rectangle. Used for rectangles that do not represent tasks.
void explain_area(ImVec2 min, ImVec2 max, const std::string& text);

}  // namespace ui
