#include "sim/replay/switch_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace sim {
namespace {

// The re-execution of this many events takes a few milliseconds.
constexpr std::uint64_t kMostEvents = 65'000;
constexpr std::uint64_t kEventsAtATime = 2'000;

bool is_switch(const TraceRecord& r) { return r.kind == TraceKind::schedule && r.task != r.other; }

// The name of the task that the record switches to. Each CPU has its own idle task, so the name of an idle
// task contains the CPU if there are several CPUs.
std::string name_of(const Scenario& scenario, const Machine& m, const TraceRecord& r) {
    if (m.is_idle_task(r.task) && scenario.cpus > 1) return fmt::format("the idle task of cpu{}", r.cpu);
    return scenario.task_name(m, r.task);
}

bool next_task_had_run(const DecisionView& view) {
    const TaskId p = view.record.task;
    if (view.before.is_idle_task(p)) return true;
    return view.before.is_live(p) && view.before.task[p].pid == view.after.task[p].pid &&
           view.before.task[p].last_processor != Task::kNoProcessor;
}

}  // namespace

std::optional<SwitchOut> find_switch_out(const RunHistory& history, const DecisionView& view) {
    if (view.switch_number == 0 || !next_task_had_run(view)) return std::nullopt;
    const TaskId p = view.record.task;
    const std::uint64_t last = view.before.globals().events;
    Moment moment = history.beginning();
    // Searches backwards from the decision, one chunk of the run after the other.
    for (std::uint64_t end = last; end > 0 && last - end < kMostEvents;) {
        const std::uint64_t begin = end - std::min(end, kEventsAtATime);
        history.state_after(begin, moment);
        Trace trace;
        history.advance(moment, {.events = end}, &trace);
        std::uint64_t number = moment.machine.globals().switches;
        for (auto r = trace.records.rbegin(); r != trace.records.rend(); ++r) {
            if (!is_switch(*r)) continue;
            if (r->other == p) {
                history.find_step(StepEventKind::context_switch, number, moment);
                return SwitchOut{number, r->cpu, r->task, name_of(history.scenario(), moment.machine, *r)};
            }
            --number;
        }
        end = begin;
    }
    return std::nullopt;
}

}  // namespace sim
