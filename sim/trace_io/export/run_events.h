// Converts a run of the simulator to the events that a tracer would record.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "sim/core/cost_model.h"
#include "sim/core/scenario.h"
#include "sim/core/trace.h"
#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {

// Follows the TraceRecords of a run from time 0 and emits events from `info.begin` on. The events of each
// CPU start with a switch to its current task and end with a switch to the idle task. A switch event has
// the time of the scheduling decision. The time that schedule() takes (system call, search, recalculation,
// switch, page tables, misses) comes after this event, so it counts as time of the chosen task.
class RunToEventConverter {
  public:
    // REQUIRES: the machine is at time 0 of this scenario; `scenario` and `sink` outlive this object.
    RunToEventConverter(const Scenario& scenario, const Machine& m, RunInfo info, EventSink& sink);

    void add_record(const TraceRecord& record);
    // Ends the output at `now`. No record may follow.
    void finish(Nanos now);

    std::uint64_t switches() const { return switches_; }

  private:
    struct WorkBoundary {  // start or end of an interval of kernel work
        Nanos time{};
        const char* begins = nullptr;  // kernel work that begins; nullptr: the innermost interval ends
    };
    struct CpuState {
        ThreadId current = kIdleThread;
        // State in which the current task leaves the CPU if it blocks or exits.
        PrevState leaving_state = PrevState::sleeping;
        std::deque<WorkBoundary> ahead;  // boundaries not emitted yet, in order of time
        int depth = 0;  // number of open intervals of kernel work whose start has been emitted
    };
    struct ThreadState {
        SchedClass sched_class = SchedClass::other;
        std::int32_t priority = 20, rt_priority = 0;
        std::uint16_t last_cpu = 0;
        bool has_run = false, was_ready = false;
        bool sleeps = false;  // the thread is blocked; false for a task that has exited
    };

    ThreadId thread_of(TaskId row) const;
    void set_thread(ThreadId thread, std::uint32_t group, std::uint32_t ordinal);
    void begin();
    void emit(SchedEvent event);
    void emit_work_boundaries(Nanos until);
    void queue_kernel_work(const TraceRecord& r, const char* what);
    void on_interrupt(const TraceRecord& r);
    void on_wake_up(const TraceRecord& r);
    void on_fork(const TraceRecord& r);
    void on_schedule(const TraceRecord& r);
    void emit_queue_length(Nanos now, CpuId cpu);

    const Scenario& scenario_;
    RunInfo info_;
    EventSink& sink_;
    CostCalculator pricing_;
    Threads threads_;
    std::vector<ThreadState> of_;  // by ThreadId
    // Tgid by address space, for address spaces that are shared by name.
    std::map<MmId, std::int32_t> process_of_;
    std::vector<CpuState> cpus_;
    Nanos next_boundary_ = kHorizon;  // time of the earliest boundary of all CPUs
    std::int64_t ready_ = 0;
    std::uint64_t switches_ = 0;
    bool has_begun_ = false;
};

}  // namespace sim::trace_io
