// The steps that a task's program is made of. To add one, write sim/actions/mine.cpp: docs/add_an_action.md.
//
// An action is data in the program (a Step) and two functions: one that reads it from JSON and one that
// begins it. Between two steps a task stands at a system call or in user mode; a step takes no time by
// itself, but answers what happens next, and the engine lets the time pass.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sim/policy.h"
#include "sim/scenario.h"
#include "sim/statistics.h"
#include "sim/trace.h"

namespace sim {

class ProgramReader;  // scenario_json.h: what a parser of a step can use

// What a task's step asks of the engine.
enum class Outcome : std::uint8_t {
    next,      // nothing: go on with the step that m.step names, at once
    burst,     // run in user mode for m.remaining
    returned,  // a system call that is over: pay for it, then go on
    yielded,   // the same, and it was sched_yield()
    blocked,   // a system call that put the task to sleep
    exited,    // the task is gone
    full,      // a fork that found no free row
};

// What the engine works on during one run; the steps may use it, too.
struct ActionContext {
    Machine& m;
    const Scenario& scenario;
    const Policy& policy;
    Statistics* statistics;  // may be null
    Trace* trace;            // may be null
    DecisionLog* log;        // may be null

    // Makes a sleeping or new task runnable: state, run queue, need_resched of the CPU whose task it
    // preempts. `waker` is the task that did it; kNoTask for a timer. REQUIRES: `woken` is on no queue, and
    // no timer and no channel knows it any more.
    void wake_up_process(TaskId woken, TaskId waker) const;
};

// Begins a step of p, the running task of `cpu`: does what it does, moves m.task[p].step on, and answers what
// next.
using BeginAction = Outcome (*)(const ActionContext& context, CpuId cpu, TaskId p, const Step& step);

// What a step amounts to. Nearly every step of nearly every program computes or sleeps for a time, so the
// engine does these two itself: 1.1 times as many switches a second as by calls through a pointer.
enum class Effect : std::uint8_t {
    own,      // whatever its `begin` does
    compute,  // Outcome::burst, for the Duration that Step::target names. It concerns nobody but its task,
              // which is why the engine may draw its length before its time, and spares an event.
    sleep,    // Outcome::blocked, until a timer of such a length fires
};

struct ActionInfo {
    std::string name;  // the key in the program, as in rt-app where it has the word
    std::string summary;
    std::string argument;  // how the argument is written, for `list actions`; empty for none
    // Appends the step or steps to the program. Problems go to the reader.
    void (*parse)(ProgramReader& reader);
    Effect effect = Effect::own;
    BeginAction begin = nullptr;  // for Effect::own
    bool takes_time;              // simulated time passes in this step, whatever the costs of the machine
    bool is_syscall;              // time passes if the machine's system calls cost something
};

inline void ActionContext::wake_up_process(TaskId woken, TaskId waker) const {
    Globals& g = m.globals();
    m.task[woken].state = TaskState::runnable;
    ++g.nr_running;
    // One CPU for now: where a task is placed among several is a later policy's question.
    Cpu& target = m.cpu(0);
    target.pending_steps += policy.enqueue(m, woken);
    if (statistics != nullptr) statistics->became_ready(woken, g.now);
    if (trace != nullptr) [[unlikely]]
        trace->wake_up(g.now, woken, waker);
    if (policy.preempts(m, woken, target.current)) m.set_need_resched(0);
}

bool register_action(ActionInfo info);

// All actions; the index is Step::action. Ordered by name, whatever the order of linking.
std::span<const ActionInfo> actions();

// The index of an action. REQUIRES: it exists.
std::uint8_t action_index(std::string_view name);

}  // namespace sim
