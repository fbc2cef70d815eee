// The load averages over 1, 5 and 15 minutes as Linux computes them: in fixed point, from the number of
// running and uninterruptible tasks at a tick about every 5 seconds.
//
// All kernels count ready and running tasks (TASK_RUNNING) and tasks in TASK_UNINTERRUPTIBLE: 1.2 to 2.4 walk
// the task list (count_active_tasks()), 2.6 adds nr_running and nr_uninterruptible of the run queues, 2.6.32
// and later fold the counts of the CPUs into calc_load_tasks. Corrections for idle CPUs without ticks
// (calc_load_nohz) are not modelled: in the simulator, the counts are always exact.
#pragma once

#include <array>
#include <cstdint>

namespace sim {

// The rules by which kernels compute the averages. They differ in the ticks of the samples or in the
// rounding.
enum class LoadRule : std::uint8_t {
    // Linux 1.2, kernel/sched.c: `if (count-- > 0) return; count = LOAD_FREQ` with LOAD_FREQ 5*HZ. So samples
    // are 5*HZ + 1 ticks apart.
    linux_1_2,
    // Linux 2.0 to 2.6.22: `count -= ticks; if (count < 0) count += LOAD_FREQ`. The first sample is at tick
    // 5*HZ + 1; each later sample follows 5*HZ ticks after the previous one.
    linux_2_0,
    // Linux 2.6.23: LOAD_FREQ is 5*HZ + 1, so that the samples do not coincide with timers of 5 seconds.
    linux_2_6_23,
    // Linux 2.6.31 to 2.6.36: tasks are counted every 5*HZ + 1 ticks, and the averages are updated 10 ticks
    // later (calc_global_load()).
    linux_2_6_31,
    // Linux 4.7 and later: calc_load() rounds up if the average is not above the count.
    linux_4_7,
};

class LoadAverage {
  public:
    static constexpr unsigned kShift = 11;  // FSHIFT: bits after the point
    static constexpr std::uint64_t kOne = std::uint64_t{1} << kShift;

    // Number of the next tick at which tick() has an effect.
    std::uint64_t next_tick() const { return next_tick_; }

    // Handles tick number `tick_number`. `tasks`: running and uninterruptible tasks. REQUIRES: called at the
    // first tick and at each next_tick().
    void tick(std::uint64_t tick_number, std::uint32_t hz, LoadRule rule, std::uint64_t tasks);

    // The averages over 1, 5 and 15 minutes (avenrun), in units of 1/kOne.
    const std::array<std::uint64_t, 3>& values() const { return values_; }

    // The average `value` in hundredths, rounded to the nearest hundredth, as /proc/loadavg prints it.
    static std::uint64_t hundredths(std::uint64_t value) {
        const std::uint64_t rounded = value + kOne / 200;
        return (rounded >> kShift) * 100 + ((rounded & (kOne - 1)) * 100 >> kShift);
    }

  private:
    std::array<std::uint64_t, 3> values_{};
    std::uint64_t next_tick_ = 0;
    std::uint64_t counted_ = 0;  // number of tasks counted last, in units of 1/kOne
    bool is_counted_ = false;    // `counted_` is valid but not yet included in the averages
};

}  // namespace sim
