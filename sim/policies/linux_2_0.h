// The rules of the Linux 2.0 scheduler, except those of its run queue. The policies linux-2.0 and
// sorted-queue share these rules.
//
// The two policies differ in the order of the run queue and in the work of finding the next task.
#pragma once

#include "sim/core/policy.h"

namespace sim {

class Linux20Rules : public Policy {
  public:
    explicit Linux20Rules(const PolicyOptions& options);

    static std::vector<OptionInfo> options();

    void start(Machine& m, TaskId p) const override;
    bool preempts(const Machine& m, TaskId woken, TaskId current) const override;
    std::uint64_t reschedule(const Machine& m, TaskId woken, CpuId here) const override;
    bool tick(Machine& m, TaskId p) const override;
    std::string wake_reason(const Machine& m, TaskId woken, TaskId current, bool needs_resched,
                            const TaskNamer& name) const override;
    std::string tick_reason(const Machine& m, TaskId p, ReschedCheck::Point /*at*/, bool needs_resched,
                            const TaskNamer& name) const override;
    void fork(Machine& m, TaskId parent, TaskId child) const override;
    LoadRule load_average_rule() const override { return LoadRule::linux_2_0; }
    bool has_linux_counters() const override { return true; }

    // Goodness of fifo and rr tasks is kRealTime + rt_priority.
    static constexpr std::int32_t kRealTime = 1000;

    struct CounterRules {
        // Ticks that a recalculation adds to half of the old counter.
        static std::int32_t grant(std::int32_t priority) { return priority; }
    };

  protected:
    // Applies sched_yield() to the counter; returns whether need_resched is set.
    bool apply_yield_to_counter(Machine& m, TaskId p) const;

    // Whether prev is an rr task that has used up its slice. schedule() then gives prev a new slice and moves
    // prev to the tail of the queue.
    static bool rr_slice_used_up(const Machine& m, TaskId prev) {
        return m.sched_class[prev] == SchedClass::rr && m.counter[prev] == 0;
    }

  private:
    // What a caller of sched_yield() loses of its slice: `original` everything, `one_tick` one tick,
    // `move_last_only` nothing.
    enum class Yield : std::uint8_t { original, one_tick, move_last_only };

    Yield yield_;
    bool rt_wake_preempts_;
};

}  // namespace sim
