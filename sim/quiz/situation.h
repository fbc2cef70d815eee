// A small situation for a question: a few tasks, one of them running, and the event that leads to
// schedule(). Its text contains all necessary facts, so that students can find the answer on paper. The
// policy computes the right answer.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/check/policy_driver.h"
#include "sim/core/policy.h"
#include "sim/quiz/misconceptions.h"
#include "sim/quiz/random_draw.h"

namespace sim::quiz {

enum class Event : std::uint8_t {
    resched,  // need_resched is set; the question does not state why
    tick,     // the timer interrupt
    yield,
    block,
    wake,  // a sleeping task is woken
};

struct Situation {
    std::string policy;             // "linux-2.0:yield=one_tick"
    std::vector<DriverTask> tasks;  // in wake-up order, each with its counter
    std::size_t running = 0;        // index of the running task
    Event event = Event::resched;
    std::size_t woken = 0;  // index of the task that Event::wake wakes

    const DriverTask& prev() const { return tasks[running]; }
    std::size_t ready_count() const;  // number of runnable tasks, including the running one
};

// The result of simulating a situation.
struct SituationResult {
    NamedPolicy policy;
    std::string told;  // the situation and the event as text, several lines
    bool scheduled = false;
    DecisionLog log;          // the decision; empty unless `scheduled`
    std::vector<TaskId> ids;  // ids of Situation::tasks
    Machine before, after;
    std::vector<std::string> names;  // by TaskId

    std::string name(TaskId p) const { return names[p]; }
    TaskId next() const { return log.decision.next; }
    Misconception mistake(TaskId chosen, bool after_yield) const {
        return misconception_of(log, after, policy, after_yield, chosen);
    }
    // The explanation of the decision by explain_decision().
    std::string explanation() const;
};

SituationResult simulate_situation(const Situation& situation);

// The kernel of a policy in words: "Linux 2.0 with the two-line patch (a yield costs a tick)".
std::string kernel_name(const std::string& policy);

// Limits and probabilities for random situations.
struct SituationLimits {
    std::vector<std::string> policies;
    std::int32_t least_ready = 3, most_ready = 4;  // runnable tasks
    std::int32_t most_asleep = 1;
    std::uint32_t real_time = 0;   // percent of situations with a real-time task
    std::uint32_t priorities = 0;  // percent of tasks whose priority is not 20
    std::uint32_t used_up = 15;    // percent of situations in which every slice is used up
    std::vector<Event> events;
};

// Draws a random situation whose counters are close together, so that ties and the bonus of 1 for prev
// often decide. The situation is not simulated, so its event might not lead to schedule().
Situation make_random_situation(RandomDraw& draw, const SituationLimits& limits);

}  // namespace sim::quiz
