#include "sim/cost_model.h"

namespace sim {

Pricing::Pricing(const CostModel& model)
    : syscall_(model.syscall.time),
      schedule_(model.schedule.time),
      considered_(model.considered.time),
      recalculated_(model.recalculated.time),
      queue_step_(model.queue_step.time),
      switch_same_mm_(model.switch_same_mm.time),
      switch_other_mm_(model.switch_other_mm.time) {}

Overhead Pricing::parts(std::uint64_t syscalls, std::uint64_t calls, std::uint64_t considered,
                        std::uint64_t queue_steps, std::uint64_t recalculated, std::uint64_t switches,
                        std::uint64_t mm_changes) const {
    const auto times = [](Nanos price, std::uint64_t count) {
        return price * static_cast<std::int64_t>(count);
    };
    return {
        .system = times(syscall_, syscalls),
        .select = times(schedule_, calls) + times(considered_, considered) + times(queue_step_, queue_steps),
        .recalc = times(recalculated_, recalculated),
        .context_switch = times(switch_same_mm_, switches),
        .address_space = times(switch_other_mm_ - switch_same_mm_, mm_changes)};
}

}  // namespace sim
