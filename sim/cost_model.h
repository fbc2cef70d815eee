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

// The kernel's own time by what it went into; within one call, in this order.
struct Overhead {
    Nanos system{};          // the system call that led to it
    Nanos select{};          // finding out who runs next, and keeping the queue in order
    Nanos recalc{};          // refilling counters
    Nanos context_switch{};  // saving and restoring what every switch has to
    Nanos address_space{};   // what another mm costs on top

    Nanos total() const { return system + select + recalc + context_switch + address_space; }
};

// Where simulated time went.
struct TimeParts {
    Nanos user{}, idle{};
    Overhead overhead;

    Nanos total() const { return user + idle + overhead.total(); }
};

// What of `a` is not in `b`.
inline TimeParts operator-(TimeParts a, const TimeParts& b) {
    a.user -= b.user;
    a.idle -= b.idle;
    a.overhead.system -= b.overhead.system;
    a.overhead.select -= b.overhead.select;
    a.overhead.recalc -= b.overhead.recalc;
    a.overhead.context_switch -= b.overhead.context_switch;
    a.overhead.address_space -= b.overhead.address_space;
    return a;
}

// The prices as the engine uses them.
class Pricing {
  public:
    // REQUIRES: a switch to another mm costs no less than one within an mm.
    explicit Pricing(const CostModel& model);

    Nanos syscall() const { return syscall_; }

    // The time of one schedule(). `other_mm` says that the two tasks' address spaces differ.
    Nanos of(const Decision& d, bool switched, bool other_mm) const {
        Nanos time = schedule_ + considered_ * d.considered + queue_step_ * d.queue_steps +
                     recalculated_ * d.recalculated;
        if (switched) time += other_mm ? switch_other_mm_ : switch_same_mm_;
        return time;
    }

    // The same work by what it went into, for any number of calls.
    Overhead parts(std::uint64_t syscalls, std::uint64_t calls, std::uint64_t considered,
                   std::uint64_t queue_steps, std::uint64_t recalculated, std::uint64_t switches,
                   std::uint64_t mm_changes) const;

  private:
    Nanos syscall_, schedule_, considered_, recalculated_, queue_step_, switch_same_mm_, switch_other_mm_;
};

}  // namespace sim
