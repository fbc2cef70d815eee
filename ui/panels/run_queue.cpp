// The pane RUN QUEUE: the CPUs and their tasks, and below them the runnable tasks. Each kind of queue has
// its own file: queue_cards.cpp, priority_arrays.cpp, fair_queue.cpp and script_queues.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/control/control.h"
#include "ui/panels/drawing.h"
#include "ui/panels/queue_drawing.h"
#include "ui/panels/queue_view.h"
#include "ui/view/fair_queue.h"
#include "ui/view/priority_arrays.h"
#include "ui/view/two_runs.h"
#include "ui/view/wait_words.h"

namespace ui {
namespace {

using sim::TaskId;

// Largest number of CPUs that are listed with their tasks. With more CPUs, idle CPUs are only counted.
constexpr std::size_t kMostCpus = 8;

std::string sleepers_text(const Run& run, const QueueView& queue) {
    std::string text = queue.asleep == 0 ? "no task is asleep" : group_digits(queue.asleep) + " asleep";
    if (queue.asleep > 0 && queue.asleep <= QueueView::kMostSleepers)
        for (std::size_t i = 0; i < queue.sleepers.size(); ++i)
            text += (i == 0 ? ": " : ", ") + run.name(queue.sleepers[i]);
    if (queue.next_wake != sim::kHorizon) text += ", the next task wakes at " + instant_text(queue.next_wake);
    if (queue.to_arrive > 0)
        text =
            fmt::format("{}{} still to arrive, the next arrival at {}", queue.asleep == 0 ? "" : text + ", ",
                        group_digits(queue.to_arrive), instant_text(queue.next_arrival));
    return text;
}

std::string running_tasks_text(const Run& run, const ViewState& view, const QueueView& queue) {
    std::string text;
    for (std::size_t cpu = 0; cpu < queue.running.size(); ++cpu) {
        const TaskId p = queue.running[cpu];
        text += fmt::format(
            "{}cpu{} {}", cpu == 0 ? "" : ", ", cpu,
            queue.machine->is_idle_task(p) ? "is idle" : "runs " + queue_task(run, view, queue, p).name);
        if (!queue.inside && queue.machine->is_live(p) && queue.machine->task[p].mm == sim::kKernelMm) {
            const std::string loaded = loaded_mm_text(run, static_cast<sim::CpuId>(cpu));
            if (loaded.starts_with("borrows")) text += " and " + loaded;
        }
    }
    return text;
}

// The note above the queue. For priority arrays, it states how the latest call of schedule() has changed the
// two arrays. For fair queues of linux-6.6, it is a legend.
std::string queue_note(const Run& run, const QueueMoment& moment) {
    if (fair_kernel(run, moment) == sim::fair::FairKernel::linux_6_6)
        return "each bar ends at the deadline; hatched bar: not eligible";
    if (!moment.cursor || !has_priority_arrays(run, moment)) return {};
    const sim::CpuId cpu = moment.cursor->decision().record.cpu;
    std::string exchange = exchange_text(priority_arrays(moment, cpu));
    return exchange.empty() || moment.machine->shape().cpus == 1 ? exchange
                                                                 : fmt::format("cpu{}: {}", cpu, exchange);
}

std::string queue_length_text(const QueueView& queue) {
    const bool is_one = queue.parts.empty();
    if (queue.tasks.empty()) return is_one ? "the queue is empty" : "the queues are empty";
    return fmt::format("{} on the {}", group_digits(queue.tasks.size()), is_one ? "queue" : "queues");
}

// Draws the text above the queue: the CPUs and their tasks, and the numbers of queued and sleeping tasks.
// Returns the height.
float draw_queue_head(Frame& frame, const Run& run, const QueueView& queue, float width,
                      const std::string& label, const std::string& note) {
    const Theme& theme = frame.theme;
    ImFont* const sans = frame.fonts.sans;
    TextFlow flow(frame, width, std::round(ImGui::GetTextLineHeight() * 1.3f));
    if (!label.empty()) flow.text(sans, theme.accent, label);
    if (const std::string place = position_in_comparison(frame.model, run); !place.empty())
        flow.text(sans, theme.text_dim, place);
    std::size_t idle_cpus = 0, shown = 0;
    for (const TaskId p : queue.running) idle_cpus += queue.machine->is_idle_task(p);
    const bool many = queue.running.size() > kMostCpus;
    for (std::size_t cpu = 0; cpu < queue.running.size(); ++cpu) {
        const TaskId p = queue.running[cpu];
        const bool idle = queue.machine->is_idle_task(p);
        if (many && (idle || shown == kMostCpus)) continue;
        flow.chip(sans, theme.text, colour_of(frame, p),
                  fmt::format("cpu{} {}", cpu,
                              idle ? "is idle" : "runs " + queue_task(run, frame.view, queue, p).name));
        ++shown;
    }
    const std::size_t running = queue.running.size() - idle_cpus;
    if (many && running > shown)
        flow.text(sans, theme.text_dim,
                  running - shown == 1 ? std::string("… 1 more CPU runs a task")
                                       : fmt::format("… {} more CPUs run tasks", running - shown));
    if (many && idle_cpus > 0)
        flow.text(sans, theme.text_dim,
                  idle_cpus == 1 ? std::string("1 CPU is idle") : fmt::format("{} CPUs are idle", idle_cpus));
    flow.separator(sans, theme.text_dim, "·");
    flow.text(sans, theme.text_dim, queue_length_text(queue));
    flow.separator(sans, theme.text_dim, "·");
    flow.text(sans, theme.text_dim, sleepers_text(run, queue));
    if (queue.inside) {
        flow.separator(sans, theme.text_dim, "·");
        flow.text(sans, theme.accent,
                  is_outcome_hidden(frame.view) ? "state before the choice" : "state inside schedule()");
    }
    if (!note.empty()) {
        flow.separator(sans, theme.text_dim, "·");
        flow.text(sans, theme.accent, note);
    }
    return flow.finish();
}

void draw_queue(Frame& frame, const Run& run, std::size_t run_index, ImVec2 room, const std::string& label) {
    const QueueView queue = queue_view(run, frame.view);
    const QueueMoment moment = queue_moment(run, frame.view);
    const bool has_arrays = has_priority_arrays(run, moment);
    // If two runs are shown in a low pane, there is no room for the note.
    const bool is_low = !label.empty() && room.y < 6 * ImGui::GetTextLineHeightWithSpacing();
    const std::string note = is_low ? std::string{} : queue_note(run, moment);
    const float head =
        draw_queue_head(frame, run, queue, room.x, label, note) + ImGui::GetStyle().ItemSpacing.y;
    const ImVec2 space(room.x, std::max(room.y - head, ImGui::GetTextLineHeightWithSpacing()));
    const QueueDrawingContext drawing{frame, run, queue, moment, run_index, ImGui::GetCursorScreenPos(),
                                      space};
    const bool is_fair = fair_kernel(run, moment) != sim::fair::FairKernel::none;
    if (!has_arrays && !is_fair && queue.parts.empty()) return draw_queue_cards(drawing);
    if (has_arrays)
        draw_priority_arrays(drawing);
    else if (is_fair)
        draw_fair_queues(drawing);
    else
        draw_script_queues(drawing);
    set_cursor_screen_pos(drawing.origin);
    ImGui::Dummy(space);
}

std::string queue_text_of(const Run& run, const ViewState& view) {
    const QueueView queue = queue_view(run, view);
    std::string text = running_tasks_text(run, view, queue) + "\n";
    if (queue.inside)
        text += is_outcome_hidden(view) ? "state before the choice\n"
                                        : "state inside "
                                          "schedule()\n";
    const QueueMoment moment = queue_moment(run, view);
    if (has_priority_arrays(run, moment))
        return text + priority_arrays_text(run, view, queue, moment) + sleepers_text(run, queue) + "\n";
    if (fair_kernel(run, moment) != sim::fair::FairKernel::none)
        return text + fair_queues_text(run, view, queue, moment) + sleepers_text(run, queue) + "\n";
    if (!queue.parts.empty())
        return text + script_queues_text(run, view, queue, moment) + sleepers_text(run, queue) + "\n";
    return text + queue_cards_text(run, view, queue) + sleepers_text(run, queue) + "\n";
}

}  // namespace

std::string queue_task_details(const Run& run, const QueueTask& task, const QueueView& queue, TaskId p) {
    const auto hz = static_cast<std::int64_t>(run.scenario().machine.hz);
    std::string text = task.name + "\n";
    if (task.key_text.empty())
        text += fmt::format("counter {}, priority {} (a slice of {})", task.counter, task.priority,
                            span(sim::Nanos{task.priority * 1'000'000'000LL / hz}));
    else
        text += fmt::format("{}, priority {} (nice {})", task.key_text, task.priority, 20 - task.priority);
    text += fmt::format("\nclass {}", sim::to_string(task.sched_class));
    if (sim::is_real_time(task.sched_class)) text += fmt::format(", rt_priority {}", task.rt_priority);
    text += "\n" +
            mm_text(queue.machine->is_live(p) ? *queue.machine : run.session().machine(), run.scenario(), p);
    if (p < run.tasks().size() && run.session().machine().is_live(p)) {
        const sim::TaskStatistics& s = run.tasks()[p];
        text += fmt::format(
            "\nso far: {} user, {} kernel, {} ready and waiting\n{} voluntary and {} involuntary "
            "switches, {} yields",
            span(s.user), span(s.system), span(s.ready), group_digits(s.voluntary),
            group_digits(s.involuntary), group_digits(s.yields));
    }
    return text;
}

void draw_run_queue(Frame& frame) {
    if (draw_message_if_no_scenario(frame)) return;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    if (frame.model.b == nullptr) {
        draw_queue(frame, *frame.model.a, 0, room, "");
        return;
    }
    const float half = std::floor((room.y - 2 * ImGui::GetStyle().ItemSpacing.y) / 2);
    for (const bool first : {true, false}) {
        ImGui::PushID(first ? "a" : "b");
        const float top = ImGui::GetCursorPosY();
        const ImVec2 at = ImGui::GetCursorScreenPos();
        // Clips the queue of each run to its half of the pane.
        ImGui::PushClipRect(at, {at.x + room.x, at.y + half}, true);
        draw_queue(frame, first ? *frame.model.a : *frame.model.b, first ? 0 : 1, ImVec2(room.x, half),
                   run_label(first));
        ImGui::PopClipRect();
        ImGui::PopID();
        if (first) set_cursor_pos_y(std::max(ImGui::GetCursorPosY(), top + half));
    }
}

std::string run_queue_text(const Model& model, const ViewState& view) {
    if (model.a == nullptr) return {};
    if (model.b == nullptr) return queue_text_of(*model.a, view);
    std::string text;
    for (const bool first : {true, false}) {
        const Run& run = first ? *model.a : *model.b;
        const std::string place = position_in_comparison(model, run);
        text += fmt::format("{}{}: {}{}", run_label(first), place.empty() ? "" : " " + place,
                            queue_text_of(run, view), first ? "\n" : "");
    }
    return text;
}

}  // namespace ui
