// The transition function of the simulator: Machine x Scenario x Policy -> Machine.
//
// The engine has no state of its own. It lets simulated time pass from one event to the next and makes, at
// each, what the kernel would do; who runs is the policy's decision, what it costs is the cost model's.
//
// Simultaneous events happen in this order, and a test holds it (docs/determinism.md):
//   1. wake-ups by interrupts (arrivals, devices, exact timers), by task id; 2. the timer interrupt, CPU by
//   CPU, each with the balancing of its run queue; 3. the sleeps that end at this tick, by task id; 4. CPU by
//   CPU, the end of the running burst and the steps of the program that follow it, and then, if there is
//   something left to compute, the end of the slice; 5. the schedule() that need_resched asks for.
// An event made at an instant for the same instant comes after those that were already there, in the same
// order.
//
// A call of schedule() decides at the instant at which it is entered, and its cost passes after that: the
// task that it chose is current from then on and runs when the cost is paid. Interrupts come through
// meanwhile; need_resched is honoured on the way back to user mode, because these kernels are not preemptive.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sim/core/action.h"
#include "sim/core/address_space.h"
#include "sim/core/cost_model.h"
#include "sim/core/decision.h"
#include "sim/core/machine.h"
#include "sim/core/policy.h"
#include "sim/core/residency.h"
#include "sim/core/scenario.h"
#include "sim/core/statistics.h"
#include "sim/core/tick_timers.h"
#include "sim/core/trace.h"

namespace sim {

// Where a run pauses, whichever comes first. `until` is exclusive: what happens at that instant has not
// happened.
struct Limits {
    Nanos until = kHorizon;
    std::uint64_t decisions = std::numeric_limits<std::uint64_t>::max();  // in all, since time 0
    std::uint64_t switches = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t events = std::numeric_limits<std::uint64_t>::max();
};

// Who looks on; each may be null. With or without them the run is the same, to the last bit.
struct Sinks {
    Statistics* statistics = nullptr;
    Trace* trace = nullptr;
    DecisionLog* log = nullptr;  // holds the latest decision
};

class Engine {
  public:
    // REQUIRES: scenario and policy outlive the engine; the policy can schedule on scenario.cpus CPUs.
    Engine(const Scenario& scenario, const Policy& policy);

    const Policy& policy() const { return policy_; }

    // The machine at time 0: all tasks made, those that start at once on the run queue, nothing scheduled
    // yet.
    Machine initial_state() const;

    // Lets time pass up to a limit. Pausing and going on changes nothing about what happens.
    StopReason run(Machine& m, const Limits& limits, const Sinks& sinks) const;

    // Throws PolicyError with what the policy has done wrong, if that ended the run.
    void check(const Machine& m) const;

    // What interventions (intervention.h) work on.
    ActionContext context(Machine& m, const Sinks& sinks) const {
        return {m,
                scenario_,
                policy_,
                residency_,
                timers_,
                sinks.statistics,
                sinks.trace,
                sinks.log,
                interrupts_take_time_,
                policy_has_own_wake_,
                policy_wants_bursts_,
                policy_has_slices_};
    }

    const Residency& residency() const { return residency_; }
    // Whether kernel threads borrow the address space that they find.
    bool lazy_tlb() const { return lazy_tlb_; }

    // Makes the next event happen, if it comes before `until`; otherwise moves the clock there. Returns
    // whether an event happened.
    bool step(Machine& m, Nanos until, const Sinks& sinks) const;

  private:
    // What leads to schedule(): need_resched on the way back from an interrupt, a system call, and in
    // particular sched_yield() and exit(); or nothing does.
    enum class Entry : std::uint8_t { none, interrupt, syscall, yield, exit };

    // What a run has to reckon with, which its code is compiled for: most have one CPU, nobody looks on but
    // statistics, and a burst ends when it is over (plain), so that nothing has to ask for the other CPUs,
    // the trace and the log, slices, and deadlines at which jobs are given up.
    enum class Run : std::uint8_t { plain, any };

    template <Run kind>
    static CpuId cpus(const Machine& m) {
        return kind == Run::plain ? 1 : m.shape().cpus;
    }
    template <Run kind>
    static bool is_idle_task(const Machine& m, TaskId p) {
        return p < cpus<kind>(m);
    }

    // Whether a burst may end before it is over: asked first, so that most runs ask once, or never.
    template <Run kind>
    bool ends_bursts() const {
        return kind == Run::any && ends_bursts_;
    }

    template <Run kind>
    StopReason run_events(Machine& m, const Limits& limits, const Sinks& sinks) const;

    // From here on `m` is run.m and `g` is m.globals(), found once for a run. Everything that happens begins
    // with the time at which it does, which would be three loads away through the context, one behind the
    // other.
    struct Deadline {
        Nanos time;
        CpuId cpu;
    };
    template <Run kind>
    static Deadline first_deadline(const Machine& m);
    template <Run kind>
    bool next_event(const ActionContext& run, Machine& m, Globals& g, Nanos until) const;
    template <Run kind>
    void timer_interrupt(const ActionContext& run, Machine& m, Globals& g) const;
    static bool somebody_is_ready_for(const Machine& m, CpuId c);
    void look_around_at_idle_tick(const ActionContext& run, CpuId c) const;
    [[gnu::noinline]] void rebalance(const ActionContext& run, CpuId c) const;
    [[gnu::noinline]] void pay_for_balancing(const ActionContext& run, CpuId c) const;
    [[gnu::noinline]] TaskId first_before_the_tick(const Machine& m) const;
    bool sleeps_through_ticks(const Machine& m, CpuId c) const;
    template <Run kind>
    void interrupt(const ActionContext& run, CpuId c, Interrupt which) const;
    template <Run kind>
    void wake(const ActionContext& run, Machine& m, TaskId p) const;
    template <Run kind>
    void cpu_deadline(const ActionContext& run, Machine& m, Globals& g, CpuId c) const;
    template <Run kind>
    Entry run_program(const ActionContext& run, Machine& m, Globals& g, CpuId c) const;
    template <Run kind>
    Outcome begin_step(const ActionContext& run, Machine& m, Globals& g, CpuId c, TaskId p) const;
    void draw_burst(Task& task) const;
    [[gnu::noinline]] static void begin_slice(const ActionContext& run, CpuId c, Nanos slice);
    template <Run kind>
    [[gnu::noinline]] bool end_slice(const ActionContext& run, CpuId c) const;
    template <Run kind>
    [[gnu::noinline]] void schedule(const ActionContext& run, Machine& m, Globals& g, CpuId cpu,
                                    Entry entry) const;
    // Parts of schedule() that few runs need: kept out of its way.
    [[gnu::noinline]] MmSwitch switch_lazily(const ActionContext& run, CpuId c, TaskId prev, TaskId next,
                                             MmId found) const;
    [[gnu::noinline]] Refilled refill(const ActionContext& run, CpuId c, TaskId next, bool loads_mm) const;
    [[gnu::noinline]] void schedule_tail(const ActionContext& run, CpuId c, TaskId prev,
                                         bool voluntary) const;
    template <Run kind>
    void tell_sinks(const ActionContext& run, const ScheduleCall& call, MmId found,
                    const MmSwitch& mms) const;
    [[gnu::noinline]] void trace_switch(const ActionContext& run, const TraceRecord& record, MmId found,
                                        MmSwitch mms) const;
    void release_task(const ActionContext& run, TaskId p) const;
    static void stop(Machine& m, StopReason reason);
    static void stop_if_over(Machine& m);

    const Scenario& scenario_;
    const Policy& policy_;
    Pricing pricing_;
    Residency residency_;
    TickTimers timers_;
    bool lazy_tlb_;
    bool interrupts_take_time_;
    bool policy_has_own_wake_;
    bool policy_wants_bursts_;
    bool policy_has_slices_;
    bool jobs_give_up_;  // some of them, at their deadlines
    bool ends_bursts_;   // one of these
    bool has_queue_per_cpu_;
    Nanos idle_exit_;    // what a CPU that was halted pays before it decides
    Nanos tick_period_;  // 0 where HZ does not divide a second: then each tick is a division
    // A step in the form in which the engine carries it out: all that computing and waiting need in one row.
    struct DecodedStep {
        Duration duration;  // of compute and arrival
        StepId next;
        Effect effect;
    };
    std::vector<DecodedStep> decoded_;  // by StepId
    std::vector<BeginAction> actions_;  // by Step::action
};

// Makes a task of this group: identity, class, priorities, address space, program; not runnable yet in the
// eyes of the scheduler. A forked task inherits from `parent` what its group does not state. kNoTask when the
// table is full.
TaskId create_task(Machine& m, const Scenario& scenario, std::uint32_t group, std::uint32_t ordinal,
                   TaskId parent);

}  // namespace sim
