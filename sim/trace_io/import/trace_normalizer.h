// Makes the events of a trace consistent: each CPU has one known task at any time, and no task has two CPUs.
// Traces start in the middle, and tracers lose events.
//
// A CPU is idle until the first line that names its task. If a later line names another task without a
// switch, a switch to this task is emitted before the line's event, with the line's time and state R+
// (preempted). The true time is unknown. Exception: the previous task of a switch is ignored if it already
// has another CPU, because the clocks of CPUs differ slightly. If a task gets a second CPU, the first CPU
// switches to the idle task.
#pragma once

#include <array>
#include <cstdint>

#include "sim/trace_io/import/cpu_times.h"
#include "sim/trace_io/import/line_event.h"
#include "sim/trace_io/import/reader.h"
#include "sim/trace_io/import/threads_by_pid.h"

namespace sim::trace_io {

class TraceNormalizer {
  public:
    // An export keeps its times; if its first event is before `info.begin`, the begin is set to this event's
    // time. The times of other traces become relative to their first event. `sink` outlives this.
    TraceNormalizer(RunInfo info, bool is_export, EventSink& sink);

    // Emits the event of a line. Before it, emits the switches that the line implies. Remarks on the line
    // are added to `notes`. REQUIRES: lines come in order of time.
    void normalize(const LineEvent& e, Notes& notes);
    // Switches all CPUs to the idle task. REQUIRES: normalize() has been called; no event follows.
    void finish();

    // Number of switches in the file, except switches on CPUs with an invalid number.
    std::uint64_t switches() const { return switches_; }
    // Line of the first switch on a CPU with an invalid number; 0: none.
    std::uint64_t line_of_impossible_switch() const { return line_of_impossible_switch_; }
    // True if there is a thread besides the idle task.
    bool has_threads() const { return threads_.all_threads().size() > 1; }

  private:
    struct CpuState {
        ThreadId current = kIdleThread;
        bool is_known = false;         // whether `current` is known
        std::uint64_t interrupts = 0;  // number of interrupts in progress
        std::uint64_t work = 0;        // number of intervals of kernel work in progress
    };

    void begin_run(std::int64_t first_event_time);
    bool is_possible_cpu(CpuId cpu) const { return cpu < (info_.cpus > 0 ? info_.cpus : kMaxCpus); }
    void emit(EventKind kind, CpuId cpu, ThreadId thread);
    void switch_to(CpuId cpu, ThreadId next, PrevState state, bool is_inferred);
    void remove_from_other_cpu(CpuId cpu, ThreadId thread);
    void switch_to_task_of_line(CpuId cpu, ThreadId thread, const NoteWording& mismatch_wording);
    void emit_switch(const LineEvent& e);
    void emit_missing_switch(const LineEvent& e);
    void record_runtime(const LineEvent& e);
    // Emits an event other than a switch.
    void emit_non_switch_event(const LineEvent& e);
    // Emits an event by which the current task or an interrupt affects another thread: wake-up, migration,
    // fork.
    void emit_cross_thread_event(const LineEvent& e);

    RunInfo info_;
    EventSink& sink_;
    Notes* notes_ = nullptr;  // notes on the file of the current line
    ThreadsByPid threads_;
    CpuTimes cpu_times_;
    std::array<CpuState, kMaxCpus> cpus_;
    bool is_export_, has_begun_ = false;
    std::int64_t base_ = 0;  // time 0 of the emitted events on the tracer's clock, ns
    Nanos now_{};
    std::uint64_t line_ = 0;
    std::uint64_t switches_ = 0, line_of_impossible_switch_ = 0;
};

}  // namespace sim::trace_io
