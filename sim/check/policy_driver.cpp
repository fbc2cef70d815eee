#include "sim/check/policy_driver.h"

#include <fmt/format.h>

#include "sim/core/run_queue.h"

namespace sim {

PolicyDriver::PolicyDriver(const Policy& policy, std::uint32_t most_tasks, std::uint32_t hz)
    : policy_(policy),
      m_(with_policy_state_size(policy, {.cpus = 1, .tasks = most_tasks, .hz = hz})),
      names_{"idle"},
      sleeps_(most_tasks + 1, WakeUp::Sleep::interruptible) {
    m_.globals().next_mm = kFirstOwnMm;
    policy_.initialize_cpu_state(m_);
}

TaskId PolicyDriver::find(const std::string& name) const {
    for (TaskId p = m_.first_task(); p < names_.size(); ++p)
        if (names_[p] == name && m_.is_live(p)) return p;
    return kNoTask;
}

void PolicyDriver::make_runnable(TaskId p, WakeUp::Waker by) {
    m_.task[p].state = TaskState::runnable;
    ++m_.globals().nr_running;
    const WakeResult woken = policy_.wake(m_, p, {.by = by, .from = sleeps_[p], .here = 0});
    m_.cpu(0).pending_steps += woken.queue_steps;
    if (woken.reschedule != 0) m_.cpu(0).need_resched = true;
}

// Passes the facts about a job to a policy that needs them. In a driver, only the arrival of a job is
// known.
void PolicyDriver::notify_job_parameters(TaskId p) {
    if (!policy_.needs_job_parameters()) return;
    const Nanos now = m_.globals().now;
    policy_.set_job_parameters(m_, p, {.arrival = now, .release = now, .deadline = kHorizon});
}

void PolicyDriver::add(const DriverTask& task) {
    assert(!is_full() && find(task.name) == kNoTask);
    const TaskId p = m_.allocate_task();
    names_.resize(m_.globals().high_row);
    names_[p] = task.name;
    m_.priority[p] = task.priority;
    m_.sched_class[p] = task.sched_class;
    m_.rt_priority[p] = task.rt_priority;
    m_.task[p].mm = task.mm != kOwnMm ? task.mm : m_.globals().next_mm++;
    notify_job_parameters(p);
    policy_.start(m_, p);
    if (task.counter >= 0) m_.counter[p] = task.counter;
    if (task.set_policy_state) task.set_policy_state(m_, p);
    sleeps_[p] = task.sleep;
    if (task.sleeping)
        m_.task[p].state = TaskState::interruptible;
    else
        make_runnable(p, WakeUp::Waker::start);
    throw_if_policy_failed();
}

void PolicyDriver::put_on_cpu(TaskId p) {
    Cpu& cpu = m_.cpu(0);
    assert(m_.task[p].state == TaskState::runnable);
    if (p == cpu.current) return;
    m_.task[cpu.current].processor = Task::kNoProcessor;
    if (!policy_.keeps_running_task_queued()) {
        policy_.adopt_running_task(m_, 0, p);
        if (!m_.is_idle_task(cpu.current)) policy_.enqueue(m_, cpu.current);
    }
    cpu.current = p;
    cpu.need_resched = false;
    cpu.pending_steps = 0;
    if (m_.task[p].mm != kKernelMm) cpu.active_mm = m_.task[p].mm;
    m_.set_running_task(p, 0);
    begin_slice();
}

void PolicyDriver::begin_slice() {
    if (!policy_.has_slices()) return;
    const Nanos slice = m_.is_idle_task(current()) ? Nanos{} : policy_.slice_of(m_, current());
    m_.set_slice_end(0, slice == Nanos{} ? kHorizon : m_.globals().now + slice);
}

void PolicyDriver::reschedule_if_slice_is_over() {
    if (!policy_.has_slices() || m_.is_idle_task(current()) || m_.slice_end(0) > m_.globals().now) return;
    m_.set_slice_end(0, kHorizon);
    if (policy_.slice_end(m_, current())) m_.cpu(0).need_resched = true;
}

bool PolicyDriver::end_slice_if_over() {
    reschedule_if_slice_is_over();
    return schedule_if_needed();
}

bool PolicyDriver::schedule() {
    Cpu& cpu = m_.cpu(0);
    const TaskId prev = cpu.current;
    cpu.need_resched = false;
    log_.clear();
    log_.prev = prev;
    log_.prev_runnable = m_.task[prev].state == TaskState::runnable;
    Decision decision = policy_.pick_next(m_, 0, prev, &log_);
    throw_if_policy_failed();
    decision.queue_steps += cpu.pending_steps;
    cpu.pending_steps = 0;
    log_.decision = decision;
    cpu.current = decision.next;
    begin_slice();
    ++m_.globals().decisions;
    if (decision.next != prev) ++m_.globals().switches;
    return true;
}

bool PolicyDriver::schedule_if_needed() {
    throw_if_policy_failed();
    return m_.cpu(0).need_resched && schedule();
}

void PolicyDriver::throw_if_policy_failed() const {
    if (!m_.globals().is_stopped || policy_.failure() == nullptr) return;
    throw PolicyError(describe(*policy_.failure(), [this](TaskId p) { return names_[p]; }));
}

bool PolicyDriver::tick() {
    ++m_.globals().ticks;
    if (!m_.is_idle_task(current()) && policy_.tick(m_, current())) m_.cpu(0).need_resched = true;
    reschedule_if_slice_is_over();
    return schedule_if_needed();
}

bool PolicyDriver::yield() {
    assert(!m_.is_idle_task(current()));
    if (policy_.yield(m_, current())) m_.cpu(0).need_resched = true;
    return schedule_if_needed();
}

bool PolicyDriver::block(WakeUp::Sleep sleep) {
    assert(!m_.is_idle_task(current()));
    sleeps_[current()] = sleep;
    m_.task[current()].state = TaskState::interruptible;
    --m_.globals().nr_running;
    return schedule();
}

bool PolicyDriver::fork(const std::string& child, bool shares_mm) {
    assert(!is_full() && find(child) == kNoTask);
    const TaskId parent = current();
    const TaskId p = m_.allocate_task();
    names_.resize(m_.globals().high_row);
    names_[p] = child;
    m_.priority[p] = m_.priority[parent];
    m_.sched_class[p] = m_.sched_class[parent];
    m_.rt_priority[p] = m_.rt_priority[parent];
    const bool borrows =
        shares_mm || m_.task[parent].mm == kKernelMm;  // a kernel thread has no address space to copy
    m_.task[p].mm = borrows ? m_.task[parent].mm : m_.globals().next_mm++;
    notify_job_parameters(p);
    policy_.fork(m_, parent, p);
    make_runnable(p, WakeUp::Waker::fork);
    return schedule_if_needed();
}

bool PolicyDriver::exit() {
    const TaskId p = current();
    policy_.exit(m_, p);
    m_.task[p].state = TaskState::exited;
    --m_.globals().nr_running;
    schedule();
    policy_.reap(m_, p);
    m_.free_task(p);
    return true;
}

bool PolicyDriver::wake(TaskId p, WakeUp::Waker by) {
    if (m_.task[p].state == TaskState::interruptible) make_runnable(p, by);
    return schedule_if_needed();
}

bool PolicyDriver::set_priority(TaskId p, std::int32_t priority) {
    if (policy_.renice(m_, p, priority) == 0) return false;
    m_.cpu(0).need_resched = true;
    return schedule();
}

std::string PolicyDriver::queue_text() const {
    std::string text;
    const auto add = [&](TaskId p) {
        text += fmt::format("{}{}:{}", text.empty() ? "" : " ", names_[p], m_.counter[p]);
    };
    if (!policy_.keeps_running_task_queued() && !m_.is_idle_task(current())) add(current());
    for (TaskId p = m_.next_run[0]; p != 0; p = m_.next_run[p]) add(p);
    return text;
}

std::string PolicyDriver::off_queue_text() const {
    std::string text;
    for (TaskId p = m_.first_task(); p < m_.globals().high_row; ++p) {
        if (!m_.is_live(p) || m_.task[p].state == TaskState::runnable) continue;
        text += fmt::format("{}{}:{}", text.empty() ? "" : " ", names_[p], m_.counter[p]);
    }
    return text;
}

}  // namespace sim
