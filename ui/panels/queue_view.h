// The run queue as RUN QUEUE shows it: after the events so far, or, while one looks inside a schedule(), as
// it was at that step.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/view/decision_cursor.h"

namespace ui {

struct QueueView {
    std::vector<sim::TaskId> tasks;  // from head to tail, all queues of the machine in turn
    // Where they are on several queues of a script: what each is called and how many of `tasks` are on it.
    std::vector<sim::Policy::QueuePart> parts;
    std::vector<sim::TaskId> running;    // by CPU; the idle task of one that has nothing to do
    sim::TaskId current = sim::kNoTask;  // that the search looks at
    sim::TaskId best = sim::kNoTask;     // the best so far, or the chosen one
    bool inside = false;                 // in the middle of a schedule()
    std::uint32_t asleep = 0;
    sim::Nanos next_wake = sim::kHorizon;  // of those that a timer wakes
    const sim::Machine* machine = nullptr;

    // The CPU that p is running on.
    std::optional<sim::CpuId> cpu_of(sim::TaskId p) const;
    bool is_queued(sim::TaskId p) const;
};

QueueView queue_view(const Run& run, const ViewState& view);

// What a card says, at the place that `queue` is a view of.
struct QueueTask {
    std::string name;
    std::int32_t counter = 0, priority = 0, rt_priority = 0;
    sim::SchedClass sched_class{};
    std::string known = {};  // "prio 120", by a policy that goes by something else than a counter
};
// "cpu0 looked at", "best so far", for a table: what marks its card.
std::string queue_marks(const QueueView& queue, sim::TaskId p);
QueueTask queue_task(const Run& run, const ViewState& view, const QueueView& queue, sim::TaskId p);

}  // namespace ui
