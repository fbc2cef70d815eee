#include "tests/reference/linux_2_0_model.h"

#include <algorithm>
#include <cassert>

namespace reference {

// Does what the end of do_fork() does for a task without a parent, or wake_up_process() for a runnable
// task.
void Linux20Model::add_task(TaskId id, Task task, bool runnable) {
    assert(!exists(id));
    task.state = State::sleeping;
    tasks_[id] = task;
    if (runnable) wake(id);
}

// update_process_times() on one CPU. The counter must fall below zero, so a task with counter 20 runs for 21
// ticks.
void Linux20Model::tick() {
    if (current_ == kIdle) return;
    Task& p = tasks_.at(current_);
    p.counter -= 1;
    if (p.counter < 0) {
        p.counter = 0;
        need_resched_ = true;
    }
}

void Linux20Model::yield() {
    assert(current_ != kIdle);
    Task& p = tasks_.at(current_);
    move_last_runqueue(current_);
    switch (variant_) {
        case YieldVariant::original:
            p.counter = 0;
            need_resched_ = true;
            break;
        case YieldVariant::one_tick:
            if (p.counter > 0) p.counter -= 1;
            need_resched_ = true;
            break;
        case YieldVariant::move_last_only:
            break;
    }
}

// interruptible_sleep_on() and similar functions, up to their call of schedule().
void Linux20Model::block() {
    assert(current_ != kIdle);
    tasks_.at(current_).state = State::sleeping;
}

// do_exit(), up to its call of schedule(). The rest of the task's slice is not returned to the parent.
void Linux20Model::exit() {
    assert(current_ != kIdle);
    tasks_.at(current_).state = State::zombie;
}

// do_fork(). Parent and child each get half of the counter, rounded down; an odd tick is lost.
void Linux20Model::fork(TaskId child, const ExplicitParameters& parameters) {
    assert(current_ != kIdle);
    Task& parent = tasks_.at(current_);
    parent.counter = parent.counter / 2;
    Task copy = parent;
    if (parameters.priority) copy.priority = *parameters.priority;
    if (parameters.policy) {
        copy.policy = *parameters.policy;
        copy.rt_priority = parameters.rt_priority;
    }
    add_task(child, copy, true);
}

// wake_up_process() and the test in add_to_runqueue(). The comparison is strict, and only with the running
// task.
void Linux20Model::wake(TaskId id) {
    Task& p = tasks_.at(id);
    p.state = State::running;
    if (on_run_queue(id)) return;
    const bool counter_rule = p.counter > counter_of_current() + 3;
    const bool class_rule = rt_wake_preempts_ && p.policy != SchedClass::other;
    if (counter_rule || class_rule) need_resched_ = true;
    add_to_runqueue(id);
}

// sys_setpriority(), after the conversion of nice to priority.
void Linux20Model::set_priority(TaskId id, int priority) { tasks_.at(id).priority = priority; }

Decision Linux20Model::schedule() {
    Decision decision;
    need_resched_ = false;
    const TaskId prev = current_;

    if (prev != kIdle) {
        // A round-robin task that has used up its slice gets a new one and moves to the tail.
        Task& p = tasks_.at(prev);
        if (p.policy == SchedClass::rr && p.counter == 0) {
            p.counter = p.priority;
            move_last_runqueue(prev);
        }
        if (p.state != State::running) del_from_runqueue(prev);
    }

    int c = -1000;
    TaskId next = kIdle;
    for (TaskId id : run_queue_) {
        const int weight = goodness(tasks_.at(id), id == prev);
        decision.considered += 1;
        if (weight > c) {
            c = weight;
            next = id;
        }
    }

    // All runnable tasks have used up their slices. All tasks get new ones, including sleeping tasks and
    // zombies. The search is not repeated.
    if (c == 0) {
        decision.recalculations = 1;
        for (auto& [id, p] : tasks_) {
            p.counter = p.counter / 2 + p.priority;
            decision.recalculated += 1;
        }
    }

    // release(): the parent has reaped the zombie before any other code reads the task list.
    if (prev != kIdle && tasks_.at(prev).state == State::zombie) tasks_.erase(prev);

    current_ = next;
    decision.chosen = next;
    return decision;
}

bool Linux20Model::current_stopped() const {
    return current_ != kIdle && tasks_.at(current_).state != State::running;
}

// goodness() without its SMP parts.
int Linux20Model::goodness(const Task& p, bool is_prev) const {
    if (p.policy != SchedClass::other) return 1000 + p.rt_priority;
    if (p.counter == 0) return 0;
    int weight = p.counter;
    if (is_prev) weight += 1;
    return weight;
}

int Linux20Model::counter_of_current() const {
    return current_ == kIdle ? kIdleCounter : tasks_.at(current_).counter;
}

bool Linux20Model::on_run_queue(TaskId id) const {
    return std::find(run_queue_.begin(), run_queue_.end(), id) != run_queue_.end();
}

// add_to_runqueue(): appends the task to the tail, although the comment in schedule() says front.
void Linux20Model::add_to_runqueue(TaskId id) { run_queue_.push_back(id); }

void Linux20Model::del_from_runqueue(TaskId id) { run_queue_.remove(id); }

void Linux20Model::move_last_runqueue(TaskId id) {
    del_from_runqueue(id);
    add_to_runqueue(id);
}

}  // namespace reference
