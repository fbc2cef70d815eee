// A run of the simulator as the events that a tracer would tell.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "sim/core/cost_model.h"
#include "sim/core/scenario.h"
#include "sim/core/trace.h"
#include "sim/exchange/sched_event.h"

namespace sim::exchange {

// Follows the trace of a run from time 0 and tells `sink` what happens from some instant on. There each CPU
// begins with a switch to whoever has it; at the end it hands over to the idle task.
//
// A switch is told at the instant of the decision, and what schedule() takes follows it, on behalf of the
// task that was chosen: first what led to it (a system call), then the search, the refill, the switch, the
// page tables, the misses.
class RunEvents {
  public:
    // REQUIRES: the machine stands at time 0, under this scenario; all of them outlive this.
    // `info.begin` is from when on events are told.
    RunEvents(const Scenario& scenario, const Machine& m, RunInfo info, EventSink& sink);

    void follow(const TraceRecord& record);
    // Nothing may follow.
    void finish(Nanos now);

    std::uint64_t switches() const { return switches_; }

  private:
    struct Boundary {  // of a stay in the kernel
        Nanos time{};
        const char* begins = nullptr;  // null: the innermost is over
    };
    struct OfCpu {
        ThreadId current = kIdleThread;
        PrevState leaves = PrevState::sleeping;  // how who is about to sleep does
        std::deque<Boundary> ahead;              // in the order of time
        int depth = 0;                           // of the stays whose beginning was told
    };
    struct OfThread {
        SchedClass sched_class = SchedClass::other;
        std::int32_t priority = 20, rt_priority = 0;
        std::uint16_t last_cpu = 0;
        bool has_run = false, was_ready = false;
        bool sleeps = false;  // and exists
    };

    ThreadId thread_of(TaskId row) const;
    void describe(ThreadId thread, std::uint32_t group, std::uint32_t ordinal);
    void begin();
    void tell(SchedEvent event);
    void tell_boundaries(Nanos until);
    void stay(const TraceRecord& r, const char* what);
    void interrupt(const TraceRecord& r);
    void wake_up(const TraceRecord& r);
    void fork(const TraceRecord& r);
    void schedule(const TraceRecord& r);
    void tell_queue_length(Nanos now, CpuId cpu);

    const Scenario& scenario_;
    RunInfo info_;
    EventSink& sink_;
    Pricing pricing_;
    Threads threads_;
    std::vector<OfThread> of_;                 // by ThreadId
    std::map<MmId, std::int32_t> process_of_;  // tgid, of address spaces that are shared by name
    std::vector<OfCpu> cpus_;
    Nanos next_boundary_ = kHorizon;  // of all CPUs
    std::int64_t ready_ = 0;
    std::uint64_t switches_ = 0;
    bool has_begun_ = false;
};

}  // namespace sim::exchange
