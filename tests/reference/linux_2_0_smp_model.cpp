#include "tests/reference/linux_2_0_smp_model.h"

#include <cassert>

namespace reference20smp {
namespace {

constexpr int kProcChangePenalty = 20;

}  // namespace

Linux20SmpModel::Linux20SmpModel(int cpus, bool one_tick) : one_tick_(one_tick) {
    for (int c = 0; c < cpus; ++c) current_.push_back(c);
}

void Linux20SmpModel::add_task(TaskId id, Task task) {
    assert(!is_idle(id) && tasks_.count(id) == 0);
    task.state = State::sleeping;
    tasks_[id] = task;
}

// update_process_times() for the task that runs on this CPU.
void Linux20SmpModel::tick(int cpu) {
    if (is_idle(current(cpu))) return;
    Task& p = task(current(cpu));
    p.counter -= 1;
    if (p.counter < 0) p.counter = 0;
}

// sys_sched_yield().
void Linux20SmpModel::yield(int cpu) {
    const TaskId id = current(cpu);
    Task& p = task(id);
    queue_.remove(id);
    queue_.push_back(id);
    if (!one_tick_)
        p.counter = 0;
    else if (p.counter > 0)
        p.counter -= 1;
}

void Linux20SmpModel::block(int cpu) { task(current(cpu)).state = State::sleeping; }

// do_exit(), up to its schedule().
void Linux20SmpModel::exit(int cpu) { task(current(cpu)).state = State::zombie; }

// do_fork().
void Linux20SmpModel::fork(int cpu, TaskId child) {
    Task& parent = task(current(cpu));
    parent.counter /= 2;
    Task copy = parent;
    copy.processor = copy.last_processor = kNoProc;
    add_task(child, copy);
}

// wake_up_process(): appends the task to the tail of the run queue.
void Linux20SmpModel::wake(TaskId id) {
    task(id).state = State::running;
    queue_.push_back(id);
}

int Linux20SmpModel::goodness(TaskId id, TaskId prev, int this_cpu) const {
    const Task& p = tasks_.at(id);
    if (p.processor != kNoProc) return -1000;
    if ((p.allowed >> this_cpu & 1) == 0) return -1000;
    if (p.policy != SchedClass::other) return 1000 + p.rt_priority;
    int weight = p.counter;
    if (weight == 0) return 0;
    if (p.last_processor == this_cpu) weight += kProcChangePenalty;
    if (id == prev) weight += 1;
    return weight;
}

Decision Linux20SmpModel::schedule(int cpu) {
    const TaskId prev = current(cpu);
    if (!is_idle(prev)) {
        Task& p = task(prev);
        p.processor = kNoProc;
        if (p.policy == SchedClass::rr && p.counter == 0) {
            p.counter = p.priority;
            queue_.remove(prev);
            queue_.push_back(prev);
        }
        if (p.state != State::running) queue_.remove(prev);
    }

    Decision d;
    d.chosen = cpu;
    int c = -1000;
    for (TaskId id : queue_) {
        const int weight = goodness(id, prev, cpu);
        d.considered += 1;
        if (weight > c) {
            c = weight;
            d.chosen = id;
        }
    }
    if (c == 0) {
        d.recalculations = 1;
        for (auto& [id, p] : tasks_) {
            p.counter = p.counter / 2 + p.priority;
            d.recalculated += 1;
        }
    }

    if (!is_idle(d.chosen)) task(d.chosen).processor = task(d.chosen).last_processor = cpu;
    current_[static_cast<std::size_t>(cpu)] = d.chosen;
    if (!is_idle(prev) && task(prev).state == State::zombie) tasks_.erase(prev);
    return d;
}

}  // namespace reference20smp
