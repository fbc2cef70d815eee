// The run queue at the position, or, inside a call of schedule(), at the cursor's step.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/view/decision_cursor.h"

namespace ui {

struct QueueView {
    std::vector<sim::TaskId> tasks;  // queued tasks from head to tail, one queue after another
    // If a script has several queues: the name of each queue, and the number of elements of `tasks` that
    // belong to it.
    std::vector<sim::Policy::QueuePart> parts;
    std::vector<sim::TaskId> running;    // the task of each CPU; the idle task if the CPU is idle
    sim::TaskId current = sim::kNoTask;  // the task that the search examines
    sim::TaskId best = sim::kNoTask;     // the best task that the search has found so far, or the chosen task
    bool inside = false;                 // the cursor is inside a call of schedule()
    // Number of jobs that have not arrived yet, and number of other sleeping tasks.
    std::uint32_t to_arrive = 0, asleep = 0;
    sim::Nanos next_wake = sim::kHorizon;  // earliest timer wake-up of the sleeping tasks
    sim::Nanos next_arrival = sim::kHorizon;
    std::vector<sim::TaskId> sleepers;  // the first kMostSleepers sleeping tasks
    static constexpr std::size_t kMostSleepers = 3;
    const sim::Machine* machine = nullptr;

    // The CPU that runs p.
    std::optional<sim::CpuId> cpu_of(sim::TaskId p) const;
    bool is_queued(sim::TaskId p) const;
};

QueueView queue_view(const Run& run, const ViewState& view);

// The contents of a card.
struct QueueTask {
    std::string name;
    std::int32_t counter = 0, priority = 0, rt_priority = 0;
    sim::SchedClass sched_class{};
    std::string key_text = {};  // the scheduling key, such as "prio 120"; empty if it is the counter
};
// The markers of a card as text, such as "cpu0 looked at" or "best so far".
std::string queue_marker_text(const QueueView& queue, sim::TaskId p);
QueueTask queue_task(const Run& run, const ViewState& view, const QueueView& queue, sim::TaskId p);

}  // namespace ui
