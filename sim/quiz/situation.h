// A small situation for a question: a few tasks, one of them running, and the event that leads to schedule().
// The description is complete, so that the answer can be found on paper; the policy itself plays it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/check/driver.h"
#include "sim/core/policy.h"
#include "sim/quiz/draw.h"
#include "sim/quiz/misconceptions.h"

namespace sim::quiz {

enum class Event : std::uint8_t {
    resched,  // need_resched is set, for any reason
    tick,     // the timer interrupt
    yield,
    block,
    wake,  // a sleeping task is woken
};

struct Situation {
    std::string policy;             // "linux-2.0:yield=one_tick"
    std::vector<DriverTask> tasks;  // in the order of their wake-ups, each with its counter
    std::size_t running = 0;        // index of the running task
    Event event = Event::resched;
    std::size_t woken = 0;  // index of the task for Event::wake

    const DriverTask& prev() const { return tasks[running]; }
    std::size_t ready() const;  // runnable tasks, the running one included
};

// The result of playing a situation.
struct SituationResult {
    NamedPolicy policy;
    std::string told;  // the situation and the event as text, several lines
    bool scheduled = false;
    DecisionLog log;          // if scheduled
    std::vector<TaskId> ids;  // of the situation's tasks, in their order
    Machine before, after;
    std::vector<std::string> names;  // by TaskId

    std::string name(TaskId p) const { return names[p]; }
    TaskId next() const { return log.decision.next; }
    Misconception mistake(TaskId chosen, bool after_yield) const {
        return misconception_of(log, after, policy, after_yield, chosen);
    }
    // From explain_decision().
    std::string explanation() const;
};

SituationResult play(const Situation& situation);

// The kernel in words: "Linux 2.0 with the two-line patch (a yield costs a tick)".
std::string kernel_name(const std::string& policy);

// Limits for random situations.
struct Range {
    std::vector<std::string> policies;
    std::int32_t least_ready = 3, most_ready = 4;  // runnable tasks
    std::int32_t most_asleep = 1;
    std::uint32_t real_time = 0;   // percent of situations with a real-time task
    std::uint32_t priorities = 0;  // percent of tasks with another priority than 20
    std::uint32_t used_up = 15;    // percent of situations in which every slice is used up
    std::vector<Event> events;
};

// Draws a situation whose counters are close together, so that ties and the +1 often decide. It is not
// played yet and may not lead to schedule().
Situation draw_situation(Draw& draw, const Range& range);

}  // namespace sim::quiz
