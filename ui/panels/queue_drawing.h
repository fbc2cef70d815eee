// What RUN QUEUE shows in place of a plain list where a queue is more than that: the two arrays of
// linux-2.6.20, the virtual times of the fair schedulers, several queues of a script.
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

// What is to be drawn, and where.
struct QueueDrawing {
    Frame& frame;
    const Run& run;
    const QueueView& queue;
    const QueueMoment& moment;
    std::size_t which;  // of the two runs
    ImVec2 origin, room;
};

void draw_priority_arrays(const QueueDrawing& drawing);
void draw_fair_queues(const QueueDrawing& drawing);
void draw_script_queues(const QueueDrawing& drawing);

// The same as text, of all CPUs.
std::string priority_arrays_text(const Run& run, const ViewState& view, const QueueView& queue,
                                 const QueueMoment& moment);
std::string fair_queues_text(const Run& run, const ViewState& view, const QueueView& queue,
                             const QueueMoment& moment);
std::string script_queues_text(const Run& run, const ViewState& view, const QueueView& queue,
                               const QueueMoment& moment);

// What there is to say of a task beyond its card.
std::string queue_task_details(const Run& run, const QueueTask& task, const QueueView& queue, sim::TaskId p);

// --- shared by these ---

// A row of the pane for each CPU whose queue is shown: all of them where each has such a height at least, and
// otherwise the one that is inside schedule(), or else the selected one, under a line that says so, which is
// drawn.
struct CpuRows {
    std::vector<sim::CpuId> cpus;  // not empty
    float top, height;             // of the first row, of each row
};
CpuRows cpu_rows(const QueueDrawing& drawing, float least_height, float line_height);

// Moves what stands for the tasks to where it belongs. `layout`: as for CardMotion.
const CardMotion& move_tasks(const QueueDrawing& drawing, std::span<const CardGoal> goals,
                             std::uint64_t layout);

// A task's place, from the corner of the pane's content on: a click selects it, and under the mouse it says
// what it is.
void react_to_task(const QueueDrawing& drawing, sim::TaskId p, ImVec2 at, ImVec2 size,
                   const std::function<std::string()>& details);

// Something that is no task says what it is while the mouse is over it.
void explain_area(ImVec2 min, ImVec2 max, const std::string& text);

}  // namespace ui
