// What scheduling costs in time: the prices of a machine, applied to the work that a policy counted.
//
// The figures are data (scenarios/machines/*.json), each with its source; the arithmetic is here.
#pragma once

#include <cstdint>
#include <string>

#include "sim/decision.h"
#include "sim/types.h"

namespace sim {

// One price and where it comes from.
struct Price {
    Nanos time{};
    std::string source;  // a citation, or "fitted to ...", or "assumed: ..."
};

// The prices of a machine. Each is the time of one event.
struct CostModel {
    Price syscall;          // entering and leaving the kernel for a system call
    Price schedule;         // schedule() itself, before it looks at any task
    Price considered;       // one task that the search looks at
    Price recalculated;     // one task whose counter is refilled
    Price queue_step;       // one comparison on the way to a task's place in an ordered queue
    Price switch_same_mm;   // changing the running context within one address space
    Price switch_other_mm;  // changing it to another address space, all included
};

// The time that one schedule() took, by what it went into; in the order in which it passes.
struct Overhead {
    Nanos system{};         // the system call that led to it
    Nanos select{};         // finding out who runs next, and keeping the queue in order
    Nanos recalc{};         // refilling counters
    Nanos context_switch{}; // saving and restoring what every switch has to
    Nanos address_space{};  // what another mm costs on top

    Nanos total() const { return system + select + recalc + context_switch + address_space; }
};

// The prices as the engine uses them.
class Pricing {
  public:
    explicit Pricing(const CostModel& model);

    Nanos syscall() const { return syscall_; }

    // The overhead of a decision. REQUIRES: other_mm only if switched.
    Overhead of(const Decision& d, bool switched, bool other_mm) const {
        return {.system = {},
                .select = schedule_ + considered_ * d.considered + queue_step_ * d.queue_steps,
                .recalc = recalculated_ * d.recalculated,
                .context_switch = switched ? switch_ : Nanos{},
                .address_space = other_mm ? address_space_ : Nanos{}};
    }

  private:
    Nanos syscall_, schedule_, considered_, recalculated_, queue_step_, switch_, address_space_;
};

}  // namespace sim
