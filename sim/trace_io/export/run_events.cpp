#include "sim/trace_io/export/run_events.h"

#include <algorithm>
#include <utility>

namespace sim::trace_io {
namespace {

// Linux's prio: 120 + nice for time-sharing tasks, 99 - rt_priority for all other tasks
// (include/linux/sched/prio.h).
std::int32_t linux_prio(SchedClass sched_class, std::int32_t priority, std::int32_t rt_priority) {
    constexpr std::int32_t kDefault = 120, kDefaultPriority = 20, kMostRealTime = 99;
    return is_real_time(sched_class) ? kMostRealTime - rt_priority : kDefault + kDefaultPriority - priority;
}

}  // namespace

RunToEventConverter::RunToEventConverter(const Scenario& scenario, const Machine& m, RunInfo info,
                                         EventSink& sink)
    : scenario_(scenario),
      info_(std::move(info)),
      sink_(sink),
      pricing_(scenario.machine.costs),
      threads_(1 + std::size_t{m.shape().tasks}),
      of_(threads_.size()),
      cpus_(m.shape().cpus) {
    threads_[kIdleThread] = {.pid = 0, .tgid = 0, .name = "swapper", .prio = 120, .is_kernel = true};
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p) {
        const ThreadId t = thread_of(p);
        threads_[t].pid = static_cast<std::int32_t>(m.task[p].pid);
        of_[t].sched_class = m.sched_class[p];
        of_[t].priority = m.priority[p];
        of_[t].rt_priority = m.rt_priority[p];
        set_thread(t, m.task[p].group, m.task[p].ordinal);
        of_[t].sleeps = m.task[p].state != TaskState::runnable;
        if (of_[t].sleeps) continue;
        of_[t].was_ready = true;
        ++ready_;
    }
    if (info_.begin > Nanos{}) return;
    begin();
    for (ThreadId t = 1; t < of_.size(); ++t)
        if (of_[t].was_ready) emit({.kind = EventKind::wakeup_new, .thread = t, .in_interrupt = true});
    emit_queue_length({}, 0);
}

ThreadId RunToEventConverter::thread_of(TaskId row) const {
    const auto cpus = static_cast<TaskId>(cpus_.size());
    return row < cpus ? kIdleThread : row - cpus + 1;
}

// Sets the thread's name, process and priority. REQUIRES: the pid is set.
void RunToEventConverter::set_thread(ThreadId thread, std::uint32_t group, std::uint32_t ordinal) {
    Thread& t = threads_[thread];
    const TaskGroup& g = scenario_.groups[group];
    const ThreadState& of = of_[thread];
    t.prio = linux_prio(of.sched_class, of.priority, of.rt_priority);
    t.name = scenario_.task_name(group, ordinal);
    t.cpus = g.affinity;
    t.is_kernel = g.mm == TaskGroup::MmKind::kernel;
    t.tgid =
        g.mm == TaskGroup::MmKind::shared ? process_of_.emplace(g.shared_mm, t.pid).first->second : t.pid;
}

// Starts the output. Called before the first event in the time range, or at the end if the range contains
// no event.
void RunToEventConverter::begin() {
    has_begun_ = true;
    for (ThreadId t = 1; t < of_.size(); ++t)
        if (threads_[t].pid != 0) info_.threads.push_back({threads_[t], of_[t].sleeps});
    sink_.begin(info_);
    for (CpuId c = 0; c < cpus_.size(); ++c)
        if (cpus_[c].current != kIdleThread)
            emit({.time = info_.begin, .cpu = c, .current = kIdleThread, .thread = cpus_[c].current});
}

void RunToEventConverter::emit(SchedEvent event) {
    if (!has_begun_) return;
    if (event.kind != EventKind::sched_switch) event.current = cpus_[event.cpu].current;
    sink_.event(event, threads_);
}

void RunToEventConverter::emit_queue_length(Nanos now, CpuId cpu) {
    emit({.time = now, .kind = EventKind::queue_length, .cpu = cpu, .value = ready_});
}

// Emits the starts and ends of kernel work up to and including `until`.
void RunToEventConverter::emit_work_boundaries(Nanos until) {
    while (next_boundary_ <= until) {
        CpuId first = kNoCpu;
        for (CpuId c = 0; c < cpus_.size(); ++c)
            if (!cpus_[c].ahead.empty() &&
                (first == kNoCpu || cpus_[c].ahead.front().time < cpus_[first].ahead.front().time))
                first = c;
        CpuState& cpu = cpus_[first];
        const WorkBoundary boundary = cpu.ahead.front();
        cpu.ahead.pop_front();
        if (boundary.begins != nullptr) {
            cpu.depth += has_begun_ ? 1 : 0;
            emit({.time = boundary.time,
                  .kind = EventKind::work_begin,
                  .cpu = first,
                  .what = boundary.begins});
        } else if (cpu.depth > 0) {
            --cpu.depth;
            emit({.time = boundary.time, .kind = EventKind::work_end, .cpu = first});
        }
        next_boundary_ = kHorizon;
        for (const CpuState& c : cpus_)
            if (!c.ahead.empty()) next_boundary_ = std::min(next_boundary_, c.ahead.front().time);
    }
}

// Queues the start and end of one interval of kernel work, and the start and end of each of its consecutive
// parts.
void RunToEventConverter::queue_kernel_work(const TraceRecord& r, const char* what) {
    if (r.span == Nanos{}) return;
    Overhead parts;
    if (r.kind == TraceKind::schedule) parts = pricing_.overhead_of(work_of_schedule_call(r));
    struct WorkPart {
        const char* name;
        Nanos span;
    };
    const WorkPart list[] = {{"system_call", parts.system},          {"search", parts.select},
                             {"recalculation", parts.recalculation}, {"switch", parts.context_switch},
                             {"page_tables", parts.address_space},   {"misses", parts.cache_refill}};
    std::deque<WorkBoundary>& ahead = cpus_[r.cpu].ahead;
    ahead.push_back({r.time, what});
    Nanos at = r.time;
    for (const WorkPart& part : list) {
        if (part.span == Nanos{}) continue;
        ahead.push_back({at, part.name});
        at += part.span;
        ahead.push_back({at, nullptr});
    }
    ahead.push_back({r.time + r.span, nullptr});
    next_boundary_ = std::min(next_boundary_, r.time);
}

// An interrupt delays the pending starts and ends of kernel work on its CPU.
void RunToEventConverter::on_interrupt(const TraceRecord& r) {
    std::deque<WorkBoundary>& ahead = cpus_[r.cpu].ahead;
    for (WorkBoundary& boundary : ahead) boundary.time += r.span;
    ahead.push_front({r.time + r.span, nullptr});
    ahead.push_front({r.time, "interrupt"});
    next_boundary_ = std::min(next_boundary_, r.time);
}

void RunToEventConverter::on_wake_up(const TraceRecord& r) {
    const ThreadId t = thread_of(r.task);
    ThreadState& of = of_[t];
    SchedEvent event{.time = r.time,
                     .kind = EventKind::waking,
                     .cpu = r.cpu,
                     .thread = t,
                     .in_interrupt = r.other == kNoTask,
                     .target = of.last_cpu};
    if (of.was_ready) emit(event);
    event.kind = of.was_ready ? EventKind::wakeup : EventKind::wakeup_new;
    emit(event);
    of.was_ready = true;
    of.sleeps = false;
    ++ready_;
    emit_queue_length(r.time, r.cpu);
}

void RunToEventConverter::on_fork(const TraceRecord& r) {
    const ThreadId parent = thread_of(r.other), child = thread_of(r.task);
    const TaskGroup& group = scenario_.groups[r.group];
    threads_[child].pid = static_cast<std::int32_t>(r.ordinal);
    of_[child] = of_[parent];
    of_[child].has_run = of_[child].was_ready = of_[child].sleeps = false;
    if (group.has_priority) of_[child].priority = group.priority;
    if (group.has_class) {
        of_[child].sched_class = group.sched_class;
        of_[child].rt_priority = group.rt_priority;
    }
    set_thread(child, r.group, r.ordinal);
    emit({.time = r.time, .kind = EventKind::fork, .cpu = r.cpu, .thread = child});
}

void RunToEventConverter::on_schedule(const TraceRecord& r) {
    CpuState& cpu = cpus_[r.cpu];
    const ThreadId prev = thread_of(r.other), next = thread_of(r.task);
    if (r.voluntary) {
        --ready_;
        of_[prev].sleeps = cpu.leaving_state != PrevState::dead;
    }
    if (r.decision.recalculations > 0)
        emit({.time = r.time,
              .kind = EventKind::recalculation,
              .cpu = r.cpu,
              .value = r.decision.recalculated});
    if (r.task != r.other) {
        if (next != kIdleThread) {
            ThreadState& of = of_[next];
            if (of.has_run && of.last_cpu != r.cpu)
                emit({.time = r.time,
                      .kind = EventKind::migrate,
                      .cpu = r.cpu,
                      .thread = next,
                      .target = r.cpu,
                      .value = of.last_cpu});
            of.has_run = true;
            of.last_cpu = static_cast<std::uint16_t>(r.cpu);
        }
        const PrevState state = r.voluntary     ? cpu.leaving_state
                                : r.after_yield ? PrevState::runnable
                                                : PrevState::preempted;
        emit({.time = r.time,
              .cpu = r.cpu,
              .current = prev,
              .thread = next,
              .state = prev == kIdleThread ? PrevState::runnable : state});
        cpu.current = next;
        if (has_begun_) ++switches_;
    }
    if (r.voluntary) emit_queue_length(r.time, r.cpu);
    cpu.leaving_state = PrevState::sleeping;
    queue_kernel_work(r, "schedule");
}

void RunToEventConverter::add_record(const TraceRecord& r) {
    // Kernel work that ends at the time of this event is emitted before the event. Kernel work that the
    // event starts is emitted after it.
    emit_work_boundaries(r.time);
    if (!has_begun_ && r.time >= info_.begin) begin();
    switch (r.kind) {
        case TraceKind::wake_up:
            return on_wake_up(r);
        case TraceKind::fork:
            return on_fork(r);
        case TraceKind::exec:
            set_thread(thread_of(r.task), r.group, r.ordinal);
            return emit({.time = r.time, .kind = EventKind::exec, .cpu = r.cpu, .thread = thread_of(r.task)});
        case TraceKind::exit:
            cpus_[r.cpu].leaving_state = PrevState::dead;
            return emit({.time = r.time, .kind = EventKind::exit, .cpu = r.cpu, .thread = thread_of(r.task)});
        case TraceKind::sleep:
        case TraceKind::wait: {
            const bool disk = r.channel != kNoChannel && scenario_.channels[r.channel].is_uninterruptible();
            cpus_[r.cpu].leaving_state = disk ? PrevState::disk : PrevState::sleeping;
            return;
        }
        case TraceKind::yield:
            return emit({.time = r.time, .kind = EventKind::yield, .cpu = r.cpu});
        case TraceKind::syscall:
            return queue_kernel_work(r, "system_call");
        case TraceKind::schedule:
            return on_schedule(r);
        case TraceKind::interrupt:
            return on_interrupt(r);
        default:
            return;  // no event for ticks, address spaces and IPIs
    }
}

void RunToEventConverter::finish(Nanos now) {
    emit_work_boundaries(now);
    if (!has_begun_) begin();
    for (CpuId c = 0; c < cpus_.size(); ++c) {
        for (; cpus_[c].depth > 0; --cpus_[c].depth)
            emit({.time = now, .kind = EventKind::work_end, .cpu = c});
        if (cpus_[c].current == kIdleThread) continue;
        emit({.time = now,
              .cpu = c,
              .current = cpus_[c].current,
              .thread = kIdleThread,
              .state = PrevState::preempted});
        cpus_[c].current = kIdleThread;
    }
    sink_.end(now);
}

}  // namespace sim::trace_io
