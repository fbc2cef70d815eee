// The transition function of the simulator: Machine x Scenario x Policy -> Machine.
//
// The engine has no state. It advances time from event to event and does the work of the kernel at each
// event. The policy chooses tasks; the cost model determines times.
//
// Order of simultaneous events (docs/explanation/determinism.md; verified by a test):
// 1. interventions of the scenario, in their order;
// 2. wake-ups by interrupts (arrivals, devices, exact timers), in order of task id;
// 3. the timer interrupts, in order of CPU number, each followed by the balancing of the CPU's run queue
//    (tick_phases.h: not all CPUs take timer interrupts at the same time);
// 4. sleeps that end at this tick, in order of task id;
// 5. for each CPU, in order of number: If an intervention blocks the running task, the task goes to sleep.
//    Otherwise the burst ends and the next program steps are executed. The slice ends after that, if the task
//    still has to compute;
// 6. the schedule() requested by need_resched.
// An event that is created for the current time is handled after all events that were already pending.
// Several such events are handled in the order above.
//
// schedule() decides when it is entered; its time elapses afterwards. The chosen task is current at once and
// runs when this time has elapsed. Interrupts are handled meanwhile; need_resched is honoured only on return
// to user mode, because these kernels are not preemptive.
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

// Limits of Engine::run(), which pauses at the first limit reached. `until` is exclusive. Counts are totals
// since time 0.
struct Limits {
    Nanos until = kHorizon;
    std::uint64_t decisions = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t switches = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t events = std::numeric_limits<std::uint64_t>::max();
};

// Observers of a run. Each may be null; none influences the run.
struct Sinks {
    Statistics* statistics = nullptr;
    Trace* trace = nullptr;
    DecisionLog* log = nullptr;  // receives the steps of the latest decision
};

class Engine {
  public:
    // REQUIRES: scenario and policy outlive the engine; the policy supports scenario.cpus CPUs.
    Engine(const Scenario& scenario, const Policy& policy);

    const Policy& policy() const { return policy_; }

    // The state at time 0: all tasks exist, and the tasks that start at time 0 are queued. schedule() has not
    // been called.
    Machine initial_state() const;

    // Advances time up to a limit. Pausing and resuming does not change the run.
    StopReason run(Machine& m, const Limits& limits, const Sinks& sinks) const;

    // Throws PolicyError if a failure of the policy ended the run.
    void throw_if_policy_failed(const Machine& m) const;

    // The context for program steps, and for interventions, which act between events (intervene.h).
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
    // Whether kernel threads borrow the loaded address space.
    bool lazy_tlb() const { return lazy_tlb_; }

    // Executes the next event if it is before `until`; otherwise advances the clock to `until`. Returns
    // whether an event was executed.
    bool step(Machine& m, Nanos until, const Sinks& sinks) const;

  private:
    // The cause of a schedule(): return from an interrupt with need_resched, or a system call. The system
    // calls sched_yield() and exit() have values of their own. none: no schedule().
    enum class KernelEntry : std::uint8_t { none, interrupt, syscall, yield, exit };

    // Compile-time specialization. `plain` fits most runs: one CPU, no trace or log, interrupts take no
    // time, bursts are not cut short. `any` fits every run.
    enum class RunKind : std::uint8_t { plain, any };

    template <RunKind kind>
    static CpuId cpu_count(const Machine& m) {
        return kind == RunKind::plain ? 1 : m.shape().cpus;
    }
    template <RunKind kind>
    static bool is_idle_task(const Machine& m, TaskId p) {
        return p < cpu_count<kind>(m);
    }

    // Whether anything in this run can cut a burst short. Callers check this condition before they check the
    // individual causes.
    template <RunKind kind>
    bool can_cut_bursts_short() const {
        return kind == RunKind::any && cuts_bursts_short_;
    }

    // The next intervention of the scenario, if it is before `until`; otherwise null.
    const ScenarioIntervention* intervention_before(const Machine& m, Nanos until) const;
    // Executes the next intervention of the scenario, whose time is now.
    void execute_intervention(Machine& m, const Sinks& sinks) const;
    // Puts the running task of c to sleep, because an intervention demands this (block_task()). REQUIRES: the
    // task is about to return to user mode.
    [[gnu::noinline]] void block_current(const ActionContext& run, CpuId c) const;
    // Like run(), but REQUIRES: no intervention of the scenario is before limits.until.
    StopReason run_without_interventions(Machine& m, const Limits& limits, const Sinks& sinks) const;
    template <RunKind kind>
    StopReason run_event_loop(Machine& m, const Limits& limits, const Sinks& sinks) const;

    // In the functions below, `m` is run.m and `g` is m.globals(). They are parameters for speed: reading the
    // clock as run.m.globals().now would take three loads from memory at each event.

    struct CpuDeadline {
        Nanos time;
        CpuId cpu;
    };
    template <RunKind kind>
    static CpuDeadline first_cpu_deadline(const Machine& m);
    template <RunKind kind>
    bool execute_next_event(const ActionContext& run, Machine& m, Globals& g, Nanos until) const;
    void count_tick(const ActionContext& run, Machine& m, Globals& g) const;
    template <RunKind kind>
    void handle_timer_interrupt(const ActionContext& run, Machine& m, Globals& g) const;
    template <RunKind kind>
    void handle_timer_interrupt_on(const ActionContext& run, Machine& m, const Globals& g, CpuId c) const;
    static bool has_ready_task_for(const Machine& m, CpuId c);
    void find_work_at_idle_tick(const ActionContext& run, CpuId c) const;
    [[gnu::noinline]] void rebalance(const ActionContext& run, CpuId c) const;
    [[gnu::noinline]] void charge_balancing_work(const ActionContext& run, CpuId c) const;
    [[gnu::noinline]] TaskId first_wake_up_before_tick(const Machine& m) const;
    bool sleeps_through_ticks(const Machine& m, CpuId c) const;
    template <RunKind kind>
    void interrupt(const ActionContext& run, CpuId c, Interrupt which) const;
    template <RunKind kind>
    void wake(const ActionContext& run, Machine& m, TaskId p) const;
    template <RunKind kind>
    void handle_cpu_deadline(const ActionContext& run, Machine& m, Globals& g, CpuId c) const;
    template <RunKind kind>
    KernelEntry run_program(const ActionContext& run, Machine& m, Globals& g, CpuId c) const;
    template <RunKind kind>
    Outcome begin_program_step(const ActionContext& run, Machine& m, Globals& g, CpuId c, TaskId p) const;
    void draw_burst_length(Task& task) const;
    template <RunKind kind>
    void begin_burst(Machine& m, Cpu& cpu, TaskId next, Task& task) const;
    [[gnu::noinline]] static void begin_slice(const ActionContext& run, CpuId c, Nanos slice);
    template <RunKind kind>
    [[gnu::noinline]] bool end_slice(const ActionContext& run, CpuId c) const;
    template <RunKind kind>
    [[gnu::noinline]] void schedule(const ActionContext& run, Machine& m, Globals& g, CpuId cpu,
                                    KernelEntry entry) const;
    template <RunKind kind>
    Decision choose_next_task(const ActionContext& run, Machine& m, Cpu& cpu, CpuId c, TaskId prev,
                              bool voluntary) const;
    MmSwitch switch_mm(const ActionContext& run, Machine& m, CpuId c, TaskId prev, TaskId next,
                       MmId loaded_mm) const;
    // The following functions are parts of schedule() that are rarely needed.
    [[gnu::noinline]] MmSwitch switch_lazily(const ActionContext& run, CpuId c, TaskId prev, TaskId next,
                                             MmId loaded_mm) const;
    [[gnu::noinline]] RefillWork refill_tlb_and_cache(const ActionContext& run, CpuId c, TaskId next,
                                                      bool loads_mm) const;
    [[gnu::noinline]] void schedule_tail(const ActionContext& run, CpuId c, TaskId prev,
                                         bool voluntary) const;
    template <RunKind kind>
    void notify_sinks(const ActionContext& run, const ScheduleCall& call, MmId loaded_mm,
                      const MmSwitch& mm_switch) const;
    [[gnu::noinline]] void trace_switch(const ActionContext& run, const TraceRecord& record, MmId loaded_mm,
                                        MmSwitch mm_switch) const;
    void release_task(const ActionContext& run, TaskId p) const;
    static void stop(Machine& m, StopReason reason);
    void stop_if_over(Machine& m) const;

    const Scenario& scenario_;
    const Policy& policy_;
    CostCalculator cost_calculator_;
    Residency residency_;
    TickTimers timers_;
    bool lazy_tlb_;
    bool interrupts_take_time_;
    bool policy_has_own_wake_;
    bool policy_wants_bursts_;
    bool policy_has_slices_;
    bool jobs_give_up_;       // tasks of some group give up jobs at the deadlines
    bool blocks_tasks_;       // some intervention blocks a task
    bool cuts_bursts_short_;  // policy_wants_bursts_, policy_has_slices_, jobs_give_up_ or blocks_tasks_
    bool has_queue_per_cpu_;
    Nanos idle_exit_;    // cost of leaving the halt state
    Nanos tick_period_;  // 0 if HZ does not divide a second; then each tick needs a division
    std::vector<TickGroup> tick_groups_;
    // All values of a program step that the engine needs, in one row.
    struct DecodedStep {
        TimeDistribution duration;  // used for StepEffect::compute and StepEffect::arrival
        StepId next;
        StepEffect effect;
    };
    std::vector<DecodedStep> decoded_;  // by StepId
    std::vector<BeginAction> actions_;  // by Step::action
};

// Creates a task of this group without putting it on a run queue. A forked task inherits from `parent` all
// values that its group does not specify. Returns kNoTask if the task table is full. `parent`: kNoTask if the
// task is not forked.
TaskId create_task(Machine& m, const Scenario& scenario, std::uint32_t group, std::uint32_t ordinal,
                   TaskId parent);

}  // namespace sim
