// What linux-2.0 and sorted-queue have in common: everything of Linux 2.0's scheduler but the run queue
// itself.
//
// Counters, goodness of real-time tasks, tick, fork, wake-up test, yield and recalculation are one set of
// rules; the two policies differ in where a task stands in the queue and in what finding the next one takes.
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
    void fork(Machine& m, TaskId parent, TaskId child) const override;
    bool has_linux_counters() const override { return true; }

    static constexpr std::int32_t kRealTime = 1000;  // goodness of fifo and rr, to which rt_priority adds

    struct Counters {
        // What a refill adds to half of what is left.
        static std::int32_t grant(std::int32_t priority) { return priority; }
    };

  protected:
    // sched_yield()'s change of the counter; returns whether it sets need_resched.
    bool yield_counter(Machine& m, TaskId p) const;

    // schedule(): an rr task whose slice is used up gets a new one and goes to the end of the queue.
    static bool rr_slice_used_up(const Machine& m, TaskId prev) {
        return m.sched_class[prev] == SchedClass::rr && m.counter[prev] == 0;
    }

  private:
    // What sched_yield() costs its caller.
    enum class Yield : std::uint8_t { original, one_tick, move_last_only };

    Yield yield_;
    bool rt_wake_preempts_;
};

}  // namespace sim
