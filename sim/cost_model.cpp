#include "sim/cost_model.h"

#include <algorithm>

namespace sim {

// A switch to another mm may not be cheaper than one within an mm; the loader refuses such a machine.
Pricing::Pricing(const CostModel& model)
    : syscall_(model.syscall.time),
      schedule_(model.schedule.time),
      considered_(model.considered.time),
      recalculated_(model.recalculated.time),
      queue_step_(model.queue_step.time),
      switch_(model.switch_same_mm.time),
      address_space_(model.switch_other_mm.time - model.switch_same_mm.time) {}

}  // namespace sim
