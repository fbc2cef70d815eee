#include "sim/trace_io/import/trace_normalizer.h"

#include <algorithm>
#include <utility>

namespace sim::trace_io {
namespace {

const NoteWording kOtherPrev{
    "switch whose previous task did not have the CPU (events lost, or out of order)",
    "switches whose previous task did not have the CPU (events lost, or out of order)"};
const NoteWording kOtherTask{"event of a task that did not have the CPU (events lost, or out of order)",
                             "events of a task that did not have the CPU (events lost, or out of order)"};
const NoteWording kMissing{"switch that the trace lacks, inferred from sched_stat_runtime",
                           "switches that the trace lacks, inferred from sched_stat_runtime"};
const NoteWording kTwoCpus{
    "thread that got a CPU while it had another one (events lost, or out of order)",
    "threads that got a CPU while they had another one (events lost, or out of order)"};
const NoteWording kNoCpuThere{"event of a CPU that cannot exist, omitted",
                              "events of CPUs that cannot exist, omitted"};
const NoteWording kItself{"switch from a task to itself", "switches from a task to itself"};
const NoteWording kTooLong{"event more than 78 hours after the first, omitted",
                           "events more than 78 hours after the first, omitted"};
const NoteWording kTooManyThreads{"event of a thread beyond the first 262144, omitted",
                                  "events of threads beyond the first 262144, omitted"};

}  // namespace

static_assert(kMostThreads == 262'144);

TraceNormalizer::TraceNormalizer(RunInfo info, bool is_export, EventSink& sink)
    : info_(std::move(info)), sink_(sink), is_export_(is_export) {}

void TraceNormalizer::begin_run(std::int64_t first_event_time) {
    has_begun_ = true;
    base_ = is_export_ ? 0 : first_event_time;
    info_.begin = is_export_ ? std::min(info_.begin, Nanos{first_event_time}) : Nanos{};
    threads_.add_initial_threads(info_.threads);
    sink_.begin(info_);
}

void TraceNormalizer::emit(EventKind kind, CpuId cpu, ThreadId thread) {
    sink_.event({.time = now_, .kind = kind, .cpu = cpu, .current = cpus_[cpu].current, .thread = thread},
                threads_.all_threads());
}

// `is_inferred`: the trace does not state when and how the previous task left the CPU.
void TraceNormalizer::switch_to(CpuId cpu, ThreadId next, PrevState state, bool is_inferred) {
    CpuState& of = cpus_[cpu];
    of.is_known = true;
    if (of.current == next) return;
    sink_.event({.time = now_,
                 .kind = EventKind::sched_switch,
                 .cpu = cpu,
                 .current = of.current,
                 .thread = next,
                 .state = of.current == kIdleThread ? PrevState::runnable : state,
                 .is_inferred = is_inferred},
                threads_.all_threads());
    if (of.current != kIdleThread) {
        threads_.cpu_of(of.current) = kNoCpu;
        cpu_times_.end_interval(of.current, now_);
    }
    of.current = next;
    if (next != kIdleThread) {
        threads_.cpu_of(next) = cpu;
        cpu_times_.begin_interval(next, now_);
    }
}

void TraceNormalizer::remove_from_other_cpu(CpuId cpu, ThreadId thread) {
    if (thread == kIdleThread) return;
    const CpuId other = threads_.cpu_of(thread);
    if (other == kNoCpu || other == cpu) return;
    notes_->add(kTwoCpus, line_);
    switch_to(other, kIdleThread, PrevState::preempted, true);
}

// Switches the CPU to `thread`, because the line names it as the current task. `mismatch_wording`: remark to
// add if another thread was known to run on this CPU.
void TraceNormalizer::switch_to_task_of_line(CpuId cpu, ThreadId thread,
                                             const NoteWording& mismatch_wording) {
    if (cpus_[cpu].is_known && cpus_[cpu].current != thread) notes_->add(mismatch_wording, line_);
    remove_from_other_cpu(cpu, thread);
    switch_to(cpu, thread, PrevState::preempted, true);
}

void TraceNormalizer::normalize(const LineEvent& e, Notes& notes) {
    notes_ = &notes;
    if (!has_begun_) begin_run(e.time);
    line_ = e.line;
    if (Nanos{e.time - base_} >= kHorizon) {  // no run is longer than kHorizon
        notes_->add(kTooLong, line_);
        return;
    }
    now_ = Nanos{e.time - base_};
    if (e.is == LineEvent::Type::rename) {
        threads_.find_or_add(e.thread);
        return;
    }
    if (!is_possible_cpu(e.cpu)) {
        notes_->add(kNoCpuThere, line_);
        if (e.is == LineEvent::Type::event && e.kind == EventKind::sched_switch &&
            line_of_impossible_switch_ == 0)
            line_of_impossible_switch_ = line_;
        return;
    }
    CpuState& cpu = cpus_[e.cpu];
    if (e.is == LineEvent::Type::interrupt_begin)
        ++cpu.interrupts;
    else if (e.is == LineEvent::Type::interrupt_end)
        cpu.interrupts -= cpu.interrupts > 0 ? 1 : 0;
    else if (e.is == LineEvent::Type::switch_in || e.is == LineEvent::Type::switch_out)
        emit_missing_switch(e);
    else if (e.is == LineEvent::Type::runtime)
        record_runtime(e);
    else if (e.kind == EventKind::sched_switch)
        emit_switch(e);
    else
        emit_non_switch_event(e);
}

void TraceNormalizer::emit_switch(const LineEvent& e) {
    CpuState& cpu = cpus_[e.cpu];
    cpu.interrupts = 0;  // no interrupt spans a switch: the end of an unfinished interrupt was lost
    const ThreadId prev = threads_.find_or_add(e.current);
    ThreadId next = threads_.find_or_add(e.thread);
    ++switches_;
    if (prev == next && prev != kNoThread) notes_->add(kItself, line_);
    if (next == kNoThread || (prev == kNoThread && e.current.pid != kUnset)) {
        notes_->add(kTooManyThreads, line_);
        if (next == kNoThread) next = kIdleThread;
    }
    PrevState state = PrevState::preempted;
    bool is_inferred = true;
    if (prev != kNoThread) {
        const bool has_another =
            prev != kIdleThread && threads_.cpu_of(prev) != kNoCpu && threads_.cpu_of(prev) != e.cpu;
        if (!has_another)
            switch_to_task_of_line(e.cpu, prev, kOtherPrev);
        else
            notes_->add(kOtherPrev, line_);
        is_inferred = cpu.current != prev;
        if (!is_inferred) state = e.state;
    }
    remove_from_other_cpu(e.cpu, next);
    switch_to(e.cpu, next, state, is_inferred);
    if (state == PrevState::dead) threads_.release_pid(prev);
}

void TraceNormalizer::emit_missing_switch(const LineEvent& e) {
    const ThreadId thread = threads_.find_or_add(e.thread);
    if (thread == kNoThread || (cpus_[e.cpu].current == thread) == (e.is == LineEvent::Type::switch_in))
        return;
    switch_to_task_of_line(e.cpu, e.is == LineEvent::Type::switch_in ? thread : kIdleThread, kMissing);
}

void TraceNormalizer::record_runtime(const LineEvent& e) {
    const ThreadId task = threads_.find_or_add(e.current), thread = threads_.find_or_add(e.thread);
    if (task != kNoThread) switch_to_task_of_line(e.cpu, task, kOtherTask);
    if (thread != kNoThread) cpu_times_.add_reported_time(thread, Nanos{e.value}, now_);
}

void TraceNormalizer::emit_non_switch_event(const LineEvent& e) {
    const ThreadId task = threads_.find_or_add(e.current);
    if (task != kNoThread)
        switch_to_task_of_line(e.cpu, task, kOtherTask);
    else if (e.current.pid != kUnset)
        notes_->add(kTooManyThreads, line_);
    CpuState& cpu = cpus_[e.cpu];
    SchedEvent event{.time = now_, .kind = e.kind, .cpu = e.cpu, .current = cpu.current};
    switch (e.kind) {
        case EventKind::waking:
        case EventKind::wakeup:
        case EventKind::wakeup_new:
        case EventKind::migrate:
        case EventKind::fork:
            emit_cross_thread_event(e);
            return;
        case EventKind::work_begin:
            ++cpu.work;
            event.what = e.what;
            break;
        case EventKind::work_end:
            if (cpu.work == 0) return;  // the kernel work began before the first line of the file
            --cpu.work;
            break;
        case EventKind::recalculation:
        case EventKind::queue_length:
            event.value = e.value;
            break;
        case EventKind::exit:
            threads_.set_exiting(cpu.current);
            event.thread = cpu.current;
            break;
        case EventKind::exec:
            event.thread = cpu.current;
            break;
        case EventKind::sched_switch:
        case EventKind::yield:
            break;
    }
    sink_.event(event, threads_.all_threads());
}

void TraceNormalizer::emit_cross_thread_event(const LineEvent& e) {
    const bool is_of_cpus = e.kind != EventKind::fork;
    if (e.kind == EventKind::fork || e.kind == EventKind::wakeup_new)
        threads_.prepare_pid_reuse(e.thread.pid);
    const ThreadId thread = threads_.find_or_add(e.thread);
    const bool comes_from_one = e.kind == EventKind::migrate;
    if (is_of_cpus &&
        (!is_possible_cpu(e.target) || (comes_from_one && (e.value < 0 || e.value >= kMaxCpus ||
                                                           !is_possible_cpu(static_cast<CpuId>(e.value)))))) {
        notes_->add(kNoCpuThere, line_);
        return;
    }
    if (thread == kNoThread) {
        notes_->add(kTooManyThreads, line_);
        return;
    }
    const CpuState& cpu = cpus_[e.cpu];
    SchedEvent event{.time = now_, .kind = e.kind, .cpu = e.cpu, .current = cpu.current, .thread = thread};
    if (is_of_cpus) event.target = e.target;
    if (comes_from_one) {
        event.value = e.value;
    } else if (is_of_cpus) {
        // The idle task itself does not wake tasks, so a wake-up on an idle CPU comes from an interrupt.
        event.in_interrupt = e.interrupt == LineEvent::Interrupt::unknown
                                 ? cpu.interrupts > 0 || (cpu.is_known && cpu.current == kIdleThread)
                                 : e.interrupt == LineEvent::Interrupt::yes;
    }
    sink_.event(event, threads_.all_threads());
}

void TraceNormalizer::finish() {
    for (CpuId c = 0; c < cpus_.size(); ++c) {
        for (; cpus_[c].work > 0; --cpus_[c].work) emit(EventKind::work_end, c, kIdleThread);
        switch_to(c, kIdleThread, PrevState::preempted, false);
    }
    if (notes_ != nullptr) cpu_times_.add_comparison_note(threads_.all_threads(), *notes_);
    sink_.end(now_);
}

}  // namespace sim::trace_io
