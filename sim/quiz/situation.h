// A small situation for a question: a few tasks, one of which runs, and the event that leads to schedule().
// It is told completely, so that the answer can be worked out on paper, and played by the policy itself.
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
    resched,  // need_resched is set, for whatever reason
    tick,     // the timer interrupt
    yield,
    block,
    wake,  // a sleeping task is woken
};

struct Situation {
    std::string policy;             // "linux-2.0:yield=one_tick"
    std::vector<DriverTask> tasks;  // in the order in which they are woken; each with its counter
    std::size_t running = 0;        // who has the CPU
    Event event = Event::resched;
    std::size_t woken = 0;  // for Event::wake

    const DriverTask& prev() const { return tasks[running]; }
    std::size_t ready() const;  // runnable tasks, the running one included
};

// What became of it.
struct Played {
    NamedPolicy policy;
    std::string told;  // the situation and the event, several lines
    bool scheduled = false;
    DecisionLog log;          // if scheduled
    std::vector<TaskId> ids;  // of the situation's tasks
    Machine before, after;
    std::vector<std::string> names;  // by TaskId

    std::string name(TaskId p) const { return names[p]; }
    TaskId next() const { return log.decision.next; }
    Misconception mistake(TaskId chosen, bool after_yield) const {
        return misconception_of(log, after, policy, after_yield, chosen);
    }
    // As explain_decision() gives it.
    std::string explanation() const;
};

Played play(const Situation& situation);

// "Linux 2.0, with the two-line patch of sched_yield()": a kernel in words.
std::string kernel_name(const std::string& policy);

// How wide a choice of situations is.
struct Range {
    std::vector<std::string> policies;
    std::int32_t least_ready = 3, most_ready = 4;  // runnable tasks
    std::int32_t most_asleep = 1;
    std::uint32_t real_time = 0;   // per cent of situations with a real-time task
    std::uint32_t priorities = 0;  // per cent of tasks with another priority than 20
    std::uint32_t used_up = 15;    // per cent of situations in which every slice is
    std::vector<Event> events;
};

// A situation out of the range. Counters lie close together, so that ties and the +1 decide often; it is not
// played yet, and may turn out not to lead to schedule().
Situation draw_situation(Draw& draw, const Range& range);

}  // namespace sim::quiz
