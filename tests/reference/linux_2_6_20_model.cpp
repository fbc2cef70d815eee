#include "tests/reference/linux_2_6_20_model.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <utility>

namespace reference2620 {
namespace {

bool rt_task(const Linux2620Model::Task& p) { return p.prio < 100; }

}  // namespace

// ---- Numbers

// static_prio_timeslice(): also the slice of an RR task, by its nice value.
int Linux2620Model::task_timeslice(const Task& p) const {
    const int base = p.static_prio < 120 ? 4 * def_timeslice() : def_timeslice();
    const int least = std::max(5 * hz_ / 1000, 1);
    return std::max(base * (140 - p.static_prio) / 20, least);
}

// set_load_weight(): proportional to the slice, 128 for nice 0. The weight of a real-time task exceeds all
// others.
int Linux2620Model::load_weight(const Task& p) const {
    const bool rt = p.cls == Spec::Class::fifo || p.cls == Spec::Class::rr;
    if (rt) return 1024 + p.rt_priority * 128 / def_timeslice();
    return task_timeslice(p) * 128 / def_timeslice();
}

// CURRENT_BONUS(): 0..10, one step per 100 ms of sleep_avg.
int Linux2620Model::current_bonus(const Task& p) const {
    return static_cast<int>(p.sleep_avg / tick_ns()) * 10 / max_sleep_avg();
}

// DELTA(): the bonus that a task needs to be interactive, counted from the neutral bonus of 5.
int Linux2620Model::delta(const Task& p) { return (p.static_prio - 120 + 20) * 10 / 40 - 5 + 2; }

// TASK_INTERACTIVE(): uses the stored priority, which may have been computed from an older sleep_avg.
bool Linux2620Model::task_interactive(const Task& p) { return p.prio <= p.static_prio - delta(p); }

// TIMESLICE_GRANULARITY(), in ticks: uses the current sleep_avg.
unsigned Linux2620Model::timeslice_granularity(const Task& p) const {
    int granularity = std::max(10 * hz_ / 1000, 1);
    for (int doublings = std::max(10 - current_bonus(p), 1) - 1; doublings > 0; --doublings) granularity *= 2;
    return static_cast<unsigned>(granularity * cpus_);
}

// INTERACTIVE_SLEEP(), in ns. A sleep longer than this makes a task just interactive, but gives it no
// further bonus.
long long Linux2620Model::interactive_sleep(const Task& p) const {
    return (max_sleep_avg() * (5 + delta(p) + 1) / 10 - 1) * tick_ns();
}

// effective_prio(): a real-time task keeps its priority.
int Linux2620Model::effective_prio(const Task& p) const {
    if (rt_task(p)) return p.prio;
    return std::clamp(p.static_prio - (current_bonus(p) - 5), 100, 139);
}

// ---- Arrays

std::vector<int> Linux2620Model::listing(const Array& array) {
    std::vector<int> all;
    for (const std::vector<int>& list : array)
        for (const int id : list) all.push_back(id);
    return all;
}

bool Linux2620Model::holds(const Array& array, int id) {
    for (const std::vector<int>& list : array)
        if (std::find(list.begin(), list.end(), id) != list.end()) return true;
    return false;
}

Linux2620Model::Array* Linux2620Model::array_of(int id) {
    if (holds(active_, id)) return &active_;
    if (holds(expired_, id)) return &expired_;
    return nullptr;
}

// enqueue_task(): appends the task to the tail of the list of its priority.
void Linux2620Model::enqueue(int id, Array& array) {
    assert(array_of(id) == nullptr);
    list_of(array, task(id).prio).push_back(id);
    mutable_task(id).cpu = cpu_;
}

// dequeue_task()
void Linux2620Model::dequeue(int id) {
    assert(array_of(id) != nullptr);
    std::vector<int>& list = list_of(*array_of(id), task(id).prio);
    assert(std::find(list.begin(), list.end(), id) != list.end());
    list.erase(std::find(list.begin(), list.end(), id));
}

// requeue_task(): moves the task to the tail of its list, in the same array.
void Linux2620Model::requeue(int id) {
    Array& array = *array_of(id);
    dequeue(id);
    enqueue(id, array);
}

// Changes the priority of a queued task. The task moves to the tail in the same array, even if the priority
// is unchanged.
void Linux2620Model::change_prio(int id, int prio) {
    Array& array = *array_of(id);
    dequeue(id);
    mutable_task(id).prio = prio;
    enqueue(id, array);
}

// ---- Setup

void Linux2620Model::add(const Spec& spec) {
    assert(spec.id >= 0 && !alive(spec.id));
    Task p;
    p.cls = spec.cls;
    p.state = spec.state;
    p.kernel_thread = spec.kernel_thread;
    p.static_prio = 120 + spec.nice;
    p.rt_priority = spec.rt_priority;
    p.time_slice = spec.time_slice == -1 ? task_timeslice(p) : spec.time_slice;
    assert(p.time_slice > 0);
    p.timestamp = now_;
    // __setscheduler(): a batch task starts without sleep_avg; a real-time task has a fixed priority.
    p.sleep_avg = spec.cls == Spec::Class::batch ? 0 : spec.sleep_avg;
    const bool rt = spec.cls == Spec::Class::fifo || spec.cls == Spec::Class::rr;
    p.prio = rt ? 99 - spec.rt_priority : effective_prio(p);
    (*tasks_)[spec.id] = p;
    if (spec.state != Spec::State::running) return;
    enqueue(spec.id, spec.cls == Spec::Class::batch ? expired_ : active_);
    check_preempt(spec.id);
}

void Linux2620Model::set_time(long long ns) {
    assert(ns >= now_);
    now_ = ns;
}

Outcome Linux2620Model::start() {
    assert(current_ == kIdle);
    return reschedule();
}

Outcome Linux2620Model::honour_need_resched() {
    if (several_ || !need_resched_) return {};
    return {true, schedule()};
}

// Completes an event after which schedule() always runs.
Outcome Linux2620Model::reschedule() {
    need_resched_ = true;
    return honour_need_resched();
}

// ---- Tick

// scheduler_tick(): while the CPU is idle, a tick only counts the jiffy.
Outcome Linux2620Model::tick() {
    jiffies_ += 1;
    if (current_ != kIdle) task_running_tick(current_);
    return honour_need_resched();
}

void Linux2620Model::task_running_tick(int id) {
    Task& p = mutable_task(id);
    // The task has expired already, but has not been switched out yet.
    if (!holds(active_, id)) {
        need_resched_ = true;
        return;
    }
    // Real-time tasks: RR tasks take turns when their slices end, FIFO tasks continue.
    if (rt_task(p)) {
        if (p.cls != Spec::Class::rr) return;
        p.time_slice -= 1;
        if (p.time_slice != 0) return;
        p.time_slice = task_timeslice(p);
        p.first_time_slice = false;
        need_resched_ = true;
        requeue(id);
        return;
    }
    p.time_slice -= 1;
    if (p.time_slice == 0) {
        // The slice has ended. sleep_avg does not include the current run yet; schedule() will charge that
        // run.
        dequeue(id);
        need_resched_ = true;
        p.prio = effective_prio(p);
        p.time_slice = task_timeslice(p);
        p.first_time_slice = false;
        // Sets the time of the first end of a slice since the arrays were swapped, even if this task stays
        // in the active array.
        if (!expired_timestamp_) expired_timestamp_ = jiffies_;
        if (!task_interactive(p) || expired_starving(p)) {
            enqueue(id, expired_);
            best_expired_prio_ = std::min(best_expired_prio_, p.static_prio);
        } else {
            enqueue(id, active_);
        }
        return;
    }
    // Interactive tasks of one priority take turns within the slice, each after one granularity. `used` is
    // unsigned as in the kernel: it wraps if the slice exceeds the full slice of a new nice value.
    const std::uint32_t left = static_cast<std::uint32_t>(p.time_slice);
    const std::uint32_t used = static_cast<std::uint32_t>(task_timeslice(p)) - left;
    const std::uint32_t granularity = timeslice_granularity(p);
    if (task_interactive(p) && used % granularity == 0 && left >= granularity) {
        requeue(id);
        need_resched_ = true;
    }
}

// expired_starving(): a task with a better nice value has expired, or the oldest expired task has waited too
// long. The caller has dequeued the task p, but the kernel's nr_running still counts it.
bool Linux2620Model::expired_starving(const Task& p) const {
    if (p.static_prio > best_expired_prio_) return true;
    return jiffies_ - *expired_timestamp_ > static_cast<long long>(max_sleep_avg()) * (nr_running() + 1);
}

// ---- Sleep credit

// recalc_task_prio(): credit for `ns` of sleep. Returns the new priority.
int Linux2620Model::recalc_task_prio(Task& p, long long ns) {
    if (p.cls == Spec::Class::batch) ns = 0;
    if (ns > 0) {
        const long long ceiling = interactive_sleep(p);
        const bool user = !p.kernel_thread;
        if (user && ns > ceiling && p.sleep_avg < ceiling) {
            // A single long sleep makes a task just interactive, but gives it no further bonus.
            p.sleep_avg = ceiling;
            p.sleep_type = SleepType::noninteractive;
        } else if (user && p.sleep_type == SleepType::noninteractive) {
            // A wait for a disk or a pipe raises sleep_avg up to the ceiling.
            if (p.sleep_avg < ceiling) p.sleep_avg = std::min(ceiling, p.sleep_avg + ns);
        } else {
            p.sleep_avg += ns;
        }
        p.sleep_avg = std::min(p.sleep_avg, max_sleep_avg() * tick_ns());
    }
    return effective_prio(p);
}

// ---- schedule(): returns whether it swapped the arrays

bool Linux2620Model::schedule() {
    put_prev();
    return choose();
}

// Divides the run time of prev by the bonus of prev. This must be done before any value changes on which
// the bonus depends.
void Linux2620Model::put_prev() {
    if (current_ == kIdle) return;
    run_time_ = std::min(now_ - task(current_).timestamp, max_sleep_avg() * tick_ns());
    run_time_ /= std::max(current_bonus(task(current_)), 1);
    if (asleep(current_)) dequeue(current_);  // deactivate_task()
}

bool Linux2620Model::choose() {
    const int prev = current_;
    bool swapped = false;
    int next = kIdle;
    if (nr_running() == 0) {
        expired_timestamp_.reset();  // best_expired_prio does not change
    } else {
        if (active().empty()) {
            std::swap(active_, expired_);
            expired_timestamp_.reset();
            best_expired_prio_ = 140;
            swapped = true;
        }
        next = active().front();
        Task& p = mutable_task(next);
        // If this is the first run after a wake-up, the wait in the queue counts as sleep, at a reduced
        // rate unless an interrupt woke the task. `next` runs even if it is not the head of the queue
        // afterwards.
        const bool woken = p.sleep_type == SleepType::interactive || p.sleep_type == SleepType::interrupted;
        if (!rt_task(p) && woken) {
            long long wait = now_ - p.timestamp;
            if (p.sleep_type == SleepType::interactive) wait = wait * (30 * 128 / 100) / 128;
            const int prio = recalc_task_prio(p, wait);
            if (prio != p.prio) change_prio(next, prio);
        }
        p.sleep_type = SleepType::normal;
    }

    // Real-time and batch tasks are charged, too. The timestamp of a task that blocks is the start of its
    // sleep.
    need_resched_ = false;
    if (prev != kIdle) {
        Task& p = mutable_task(prev);
        p.sleep_avg = std::max(p.sleep_avg - run_time_, 0LL);
        p.timestamp = now_;
    }
    if (next != prev) {
        if (next != kIdle) mutable_task(next).timestamp = now_;
        current_ = next;
    }
    return swapped;
}

// pull_task(): moves the task to the tail of its list, in the array of the same kind. Nothing else in the
// task changes.
void Linux2620Model::pull_task(int id, Linux2620Model& from) {
    const bool is_active = holds(from.active_, id);
    from.dequeue(id);
    enqueue(id, is_active ? active_ : expired_);
    check_preempt(id);
}

// TASK_PREEMPTS_CURR(). It compares priorities regardless of the array in which the task is.
void Linux2620Model::check_preempt(int id) {
    if (current_ == kIdle || task(id).prio < task(current_).prio) need_resched_ = true;
}

// ---- Events

// deactivate_task() is left to schedule().
Outcome Linux2620Model::sleep(Spec::State state) {
    mutable_task(current_).state = state;
    return reschedule();
}

// sys_sched_yield(): schedule() always runs. Priority, slice, expired_timestamp and best_expired_prio do not
// change.
Outcome Linux2620Model::yield() {
    if (rt_task(task(current_))) {
        requeue(current_);
    } else {
        dequeue(current_);
        enqueue(current_, expired_);
    }
    return reschedule();
}

// try_to_wake_up() without the sync flag.
Outcome Linux2620Model::try_to_wake_up(int id, bool in_interrupt) {
    if (!asleep(id)) return {};
    Task& p = mutable_task(id);
    if (p.state != Spec::State::sleeping) p.sleep_type = SleepType::noninteractive;
    // activate_task(): a real-time task gets no credit and keeps its timestamp.
    if (!rt_task(p)) {
        p.prio = recalc_task_prio(p, now_ - p.timestamp);
        if (p.sleep_type == SleepType::normal)
            p.sleep_type = in_interrupt ? SleepType::interrupted : SleepType::interactive;
        p.timestamp = now_;
    }
    p.state = Spec::State::running;
    // __activate_task(): inserts the task in the active array, even if its slice ended before the sleep.
    // Batch tasks are inserted in the expired array.
    enqueue(id, p.cls == Spec::Class::batch ? expired_ : active_);
    check_preempt(id);
    return honour_need_resched();
}

// copy_process(), sched_fork(), wake_up_new_task()
Outcome Linux2620Model::copy_process(int child_id, bool shared_mm) {
    assert(child_id >= 0 && !alive(child_id));
    Task& parent = mutable_task(current_);
    (*tasks_)[child_id] = parent;
    Task& child = mutable_task(child_id);
    child.parent = current_;

    // sched_fork(): parent and child each get half of the slice; an odd tick goes to the child. If the
    // parent has no ticks left, its slice ends now, without a new jiffy.
    child.time_slice = (parent.time_slice + 1) / 2;
    child.first_time_slice = true;
    child.timestamp = now_;
    parent.time_slice /= 2;
    if (parent.time_slice == 0) {
        parent.time_slice = 1;
        task_running_tick(current_);
    }

    // wake_up_new_task(): CHILD_PENALTY is 95 %, PARENT_PENALTY 100 %, applied to whole bonus steps.
    child.sleep_avg = current_bonus(child) * 95 / 100 * def_timeslice() * tick_ns();
    child.prio = effective_prio(child);
    if (shared_mm) {
        // A new thread waits in the queue: need_resched is not set, even if the thread has a better
        // priority.
        enqueue(child_id, child.cls == Spec::Class::batch ? expired_ : active_);
    } else {
        // A new process is inserted directly before its parent, in the list where the parent is now.
        child.prio = parent.prio;
        std::vector<int>& list = list_of(*array_of(current_), parent.prio);
        list.insert(std::find(list.begin(), list.end(), current_), child_id);
        child.cpu = cpu_;
        need_resched_ = true;
    }
    parent.sleep_avg = current_bonus(parent) * def_timeslice() * tick_ns();
    return honour_need_resched();
}

// do_exit(). The task is reaped before its last schedule().
Outcome Linux2620Model::exit() {
    const int id = current_;
    Task& dead = mutable_task(id);
    if (dead.parent != kNone) {
        // sched_exit(): a parent on the same CPU gets back the rest of the exited task's first slice. The
        // sum is limited to the full slice for the exited task's nice value. If the exited task has a lower
        // sleep_avg than the parent, the parent's sleep_avg is lowered; EXIT_WEIGHT is 3.
        Task& parent = mutable_task(dead.parent);
        if (dead.first_time_slice && parent.cpu == dead.cpu)
            parent.time_slice = std::min(parent.time_slice + dead.time_slice, task_timeslice(dead));
        if (dead.sleep_avg < parent.sleep_avg)
            parent.sleep_avg = parent.sleep_avg / 4 * 3 + dead.sleep_avg / 4;
    }
    for (auto& [other, p] : *tasks_)
        if (p.parent == id) p.parent = kNone;  // init adopts the orphans
    dead.state = Spec::State::sleeping;        // TASK_DEAD: not runnable
    const Outcome o = reschedule();
    if (!several_) reap(id);
    return o;
}

// set_user_nice(): slice and best_expired_prio do not change.
Outcome Linux2620Model::set_nice(int id, int value) {
    Task& p = mutable_task(id);
    if (nice(id) == value) return {};
    p.static_prio = 120 + value;
    if (rt_task(p)) return {};  // affects only the next slice of an RR task
    const int old_prio = p.prio;
    const int new_prio = effective_prio(p);
    if (array_of(id) == nullptr) {
        p.prio = new_prio;
        return {};
    }
    change_prio(id, new_prio);
    // If the new priority is better, schedule() is always requested; if it is worse, only if the task is
    // running.
    if (new_prio < old_prio || (new_prio > old_prio && id == current_)) need_resched_ = true;
    return honour_need_resched();
}

}  // namespace reference2620
