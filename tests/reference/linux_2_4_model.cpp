#include "tests/reference/linux_2_4_model.h"

#include <algorithm>
#include <cassert>

namespace reference24 {
namespace {

constexpr int kProcChangePenalty = 15;
constexpr int kMaxCounter = 20 * 100 / 100;  // 20 * HZ / 100

// NICE_TO_TICKS() for HZ = 100: TICK_SCALE(20 - nice) + 1, where TICK_SCALE shifts right by two.
int nice_to_ticks(int nice) { return ((20 - nice) >> 2) + 1; }

}  // namespace

Linux24Model::Linux24Model(Version version, int cpus, bool lone_yield_schedules)
    : version_(version), lone_yield_schedules_(lone_yield_schedules) {
    for (int c = 0; c < cpus; ++c) {
        cpus_.push_back({c, false});
        Task idle;  // cpu_idle(): the lowest priority
        idle.counter = -100;
        idle.nice = 20;
        idle.has_cpu = true;
        idle.processor = c;
        idle.state = State::running;
        idle_.push_back(idle);
    }
}

void Linux24Model::add_task(TaskId id, Task t) {
    assert(tasks_.count(id) == 0);
    t.state = State::sleeping;
    tasks_[id] = t;
}

int Linux24Model::first_counter(int nice) const { return is_2_2() ? 20 - nice : nice_to_ticks(nice); }

bool Linux24Model::must_schedule(int cpu) const {
    return need_resched(cpu) || task(current(cpu)).state != State::running;
}

// update_process_times().
void Linux24Model::tick(int cpu) {
    Cpu& c = cpus_[static_cast<std::size_t>(cpu)];
    if (is_idle(c.current)) return;
    Task& p = task(c.current);
    p.counter -= 1;
    if (is_2_2()) {
        if (p.counter < 0) {
            p.counter = 0;
            c.need_resched = true;
        }
        return;
    }
    if (p.counter <= 0) {
        p.counter = 0;
        if (version_ == Version::v2_4_22 && p.policy == SchedClass::fifo) return;
        c.need_resched = true;
    }
}

// sys_sched_yield().
void Linux24Model::yield(int cpu) {
    Cpu& c = cpus_[static_cast<std::size_t>(cpu)];
    assert(!is_idle(c.current));
    Task& p = task(c.current);
    if (!is_2_2() && !lone_yield_schedules_) {
        // Counts the runnable tasks that are not running on any CPU.
        int nr_pending = 0;
        for (const auto& [id, t] : tasks_)
            if (t.state == State::running && !t.has_cpu) ++nr_pending;
        if (nr_pending == 0) return;
    }
    if (p.policy == SchedClass::other) p.sched_yield = true;
    c.need_resched = true;
    if (version_ != Version::v2_4_0) move_last_runqueue(c.current);
}

void Linux24Model::block(int cpu) {
    assert(!is_idle(current(cpu)));
    task(current(cpu)).state = State::sleeping;
}

// do_exit(). 2.2 switches the task to init_mm; 2.4 clears mm and keeps active_mm.
void Linux24Model::exit(int cpu) {
    assert(!is_idle(current(cpu)));
    Task& p = task(current(cpu));
    p.state = State::zombie;
    p.mm = kNoMm;
}

// do_fork(). The caller wakes the child.
void Linux24Model::fork(int cpu, TaskId child, Mm mm) {
    Cpu& c = cpus_[static_cast<std::size_t>(cpu)];
    assert(!is_idle(c.current));
    Task& parent = task(c.current);
    Task copy = parent;  // includes SCHED_YIELD
    copy.has_cpu = false;
    copy.processor = -1;  // a new task has not run yet
    copy.mm = copy.active_mm = mm;
    if (is_2_2()) {
        parent.counter = parent.counter / 2;
        copy.counter = parent.counter;
        copy.parent = -1;
    } else {
        copy.counter = (parent.counter + 1) / 2;
        parent.counter = parent.counter / 2;
        if (parent.counter == 0) c.need_resched = true;
        copy.parent = c.current;
    }
    add_task(child, copy);
}

// wake_up_process(): add_to_runqueue() and reschedule_idle().
void Linux24Model::wake(TaskId id, int cpu) {
    Task& p = task(id);
    p.state = State::running;
    add_to_runqueue(id);
    Cpu& c = cpus_[static_cast<std::size_t>(cpu)];
    const Task& current = task(c.current);
    if (is_2_2()) {
        if (p.policy != SchedClass::other || p.counter > current.counter + 3) c.need_resched = true;
        return;
    }
    // preemption_goodness()
    const int better =
        goodness_2_4(p, cpu, current.active_mm) - goodness_2_4(current, cpu, current.active_mm);
    if (better > (version_ == Version::v2_4_0 ? 1 : 0)) c.need_resched = true;
}

Decision Linux24Model::schedule(int cpu) {
    Cpu& c = cpus_[static_cast<std::size_t>(cpu)];
    const TaskId prev = c.current;
    c.need_resched = false;
    if (task(prev).policy == SchedClass::rr && task(prev).counter == 0) {
        task(prev).counter = first_counter(task(prev).nice);
        move_last_runqueue(prev);
    }
    if (task(prev).state != State::running) queue_.remove(prev);
    const Decision d = is_2_2() ? schedule_2_2(cpu, prev) : schedule_2_4(cpu, prev);

    task(prev).has_cpu = false;
    Task& next = task(d.chosen);
    next.has_cpu = true;
    next.processor = cpu;
    if (!is_2_2()) {
        if (next.mm == kNoMm) {  // borrows the address space
            if (d.chosen != prev) next.active_mm = task(prev).active_mm;
        } else {
            next.active_mm = next.mm;
        }
    }
    c.current = d.chosen;

    if (task(prev).state == State::zombie) {
        // release_task(), called by the parent; modelled as immediate.
        const Task gone = tasks_.at(prev);
        tasks_.erase(prev);
        if (!is_2_2() && gone.parent != -1) {
            Task& parent = tasks_.at(gone.parent);
            parent.counter += gone.counter;
            if (parent.counter >= kMaxCounter) parent.counter = kMaxCounter;
        }
        for (auto& [id, t] : tasks_)
            if (t.parent == prev) t.parent = -1;  // init adopts the orphans
    }
    return d;
}

// goodness() of 2.2.1.
int Linux24Model::goodness_2_2(Task& p, const Task& prev, int cpu) {
    if (p.sched_yield) {
        p.sched_yield = false;
        return 0;
    }
    if (p.policy != SchedClass::other) return 1000 + p.rt_priority;
    int weight = p.counter;
    if (weight != 0) {
        if (smp() && p.processor == cpu) weight += kProcChangePenalty;
        if (p.mm == prev.mm) weight += 1;
        weight += 20 - p.nice;
    }
    return weight;
}

Decision Linux24Model::schedule_2_2(int cpu, TaskId prev) {
    Decision d;
    task(prev).has_cpu = false;
    int c = -1000;
    d.chosen = cpu;
    if (version_ == Version::v2_2_16 && !is_idle(prev) && task(prev).state == State::running) {
        c = goodness_2_2(task(prev), task(prev), cpu);  // prev_goodness(), which clears the bit
        d.chosen = prev;
    }
    for (TaskId id : queue_) {
        d.considered += 1;
        if (task(id).has_cpu || !may_use(id, cpu)) continue;
        const int weight = goodness_2_2(task(id), task(prev), cpu);
        if (weight > c) {
            c = weight;
            d.chosen = id;
        }
    }
    if (c == 0) {
        d.recalculations = 1;
        d.recalculated = recalculate();
    }
    return d;
}

// goodness() of 2.4.
int Linux24Model::goodness_2_4(const Task& p, int cpu, Mm this_mm) const {
    if (p.sched_yield) return -1;
    if (p.policy != SchedClass::other) return 1000 + p.rt_priority;
    int weight = p.counter;
    if (weight == 0) return 0;
    if (smp() && p.processor == cpu) weight += kProcChangePenalty;
    if (p.mm == this_mm || p.mm == kNoMm) weight += 1;
    weight += 20 - p.nice;
    return weight;
}

Decision Linux24Model::schedule_2_4(int cpu, TaskId prev) {
    Decision d;
    Task& p = task(prev);
    for (;;) {
        int c = -1000;
        d.chosen = cpu;
        if (version_ == Version::v2_4_0 && !is_idle(prev) && p.state == State::running) {
            c = goodness_2_4(p, cpu, p.active_mm);
            d.chosen = prev;
        }
        for (TaskId id : queue_) {
            d.considered += 1;
            if ((task(id).has_cpu && id != prev) || !may_use(id, cpu)) continue;
            const int weight = goodness_2_4(task(id), cpu, p.active_mm);
            if (weight > c) {
                c = weight;
                d.chosen = id;
            }
        }
        if (c != 0) break;
        d.recalculations += 1;
        d.recalculated += recalculate();
    }
    // __schedule_tail() of the next task clears the bit of prev; 2.4.22 also clears it if there is no switch.
    if (d.chosen != prev || version_ == Version::v2_4_22) p.sched_yield = false;
    return d;
}

int Linux24Model::recalculate() {
    for (auto& [id, t] : tasks_) t.counter = t.counter / 2 + first_counter(t.nice);
    return static_cast<int>(tasks_.size());
}

void Linux24Model::add_to_runqueue(TaskId id) {
    if (version_ == Version::v2_4_22)
        queue_.push_back(id);
    else
        queue_.push_front(id);
}

void Linux24Model::move_last_runqueue(TaskId id) {
    queue_.remove(id);
    queue_.push_back(id);
}

}  // namespace reference24
