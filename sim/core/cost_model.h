// What scheduling costs in time: the prices of a machine, applied to the work that a policy counted.
//
// The figures are data (scenarios/machines/*.json), each with its source; the arithmetic is here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/base/types.h"
#include "sim/core/decision.h"

namespace sim {

// One price and where it comes from.
struct Price {
    Nanos time{};
    std::string source;  // a citation, or "fitted to ...", or "assumed: ..."

    bool operator==(const Price&) const = default;
};

// What the kernel does beyond entering, leaving and schedule(): the system calls' own work, each with a price
// of its own.
enum class KernelWork : std::uint8_t {
    wake_up,       // making a sleeping task runnable
    pipe,          // one read or write of a pipe
    futex,         // one wait or wake of a lock, one park or unpark
    io,            // one request to a device, from the call to its answer, the interrupt aside
    fork_process,  // a new task with an address space of its own
    fork_thread,   // a new task in its parent's address space, or a kernel thread
    copied_page,   // one page of its parent's working set that a new process takes over
    exec,          // a new program in a new address space
    loaded_page,   // one page of its working set
    exit,          // the end of a task
    munmap,        // changing an address space, the other CPUs' TLBs aside
    idle_exit,     // leaving the halt in which an idle CPU waits
    // Of kernels with a run queue for each CPU (docs/run_queues.md), for the CPU that does it:
    balance,           // a look at the load of one run queue
    migrate,           // moving a task to another CPU's
    migration_thread,  // the two switches of the thread that takes a task from under the CPU that runs it
};
inline constexpr std::size_t kKernelWorks = 15;

// As in the machine files.
const char* to_string(KernelWork work);

// What interrupts a CPU. Its handler keeps the CPU from whatever it was at, and is charged to no task.
enum class Interrupt : std::uint8_t {
    timer,   // a tick, or an exact timer of a task
    device,  // what wakes a task from outside
    ipi,     // another CPU asks this one to reschedule, or to flush its TLB
};
inline constexpr std::size_t kInterrupts = 3;

// As in the machine files: "timer_interrupt", "device_interrupt", "ipi".
const char* to_string(Interrupt kind);

// A translation look-aside buffer, one for each CPU. Without one (no entries) nothing is refilled.
struct TlbModel {
    std::uint32_t entries = 0;
    bool tagged = false;  // entries carry an address-space number (ASID, PCID): a load flushes nothing
    // So many of those numbers the kernel uses on each CPU: an address space has one until as many others
    // have been loaded there since. 0: enough for all. Meaningful if `tagged`.
    std::uint32_t slots = 0;
    std::uint32_t footprint = 0;  // pages that every task needs besides its working set
    Price refill;                 // one entry
    std::string source;           // of entries and tagged
    std::string footprint_source;

    bool operator==(const TlbModel&) const = default;
};

// A cache, one for each CPU. Without one (no size) nothing is refilled.
struct CacheModel {
    std::uint32_t size = 0;       // bytes
    std::uint32_t line = 0;       // bytes, a divisor of size
    std::uint32_t footprint = 0;  // bytes that every task needs besides its working set: kernel and program
    Price refill;                 // one line of the footprint: code and linked structures, one miss at a time
    Price stream;                 // one line of the working set: data in order, fetched ahead
    std::string source;           // of size and line
    std::string footprint_source;

    bool operator==(const CacheModel&) const = default;
};

// The prices of a machine. Each is the time of one event.
struct CostModel {
    Price syscall;          // entering and leaving the kernel for a system call
    Price schedule;         // schedule() itself, before it looks at any task
    Price considered;       // one task that the search looks at
    Price recalculated;     // one task whose counter is refilled
    Price queue_step;       // one comparison on the way to a task's place in an ordered queue
    Price switch_same_mm;   // changing the running context within one address space
    Price switch_other_mm;  // changing it to another address space, all included but what TLB and cache lost
    std::array<Price, kKernelWorks> work;  // by KernelWork
    Price reschedule_ipi;  // from asking another CPU to reschedule until it notices; nobody pays for it
    std::array<Price, kInterrupts> interrupt;  // the handler, softirq or bottom half included
    Price steal;  // how long a virtual CPU that is halted waits for its host when an interrupt comes
    TlbModel tlb;
    CacheModel cache;

    Nanos of(KernelWork kind) const { return work[static_cast<std::size_t>(kind)].time; }
    bool interrupts_take_time() const {
        return of(Interrupt::timer) + of(Interrupt::device) + of(Interrupt::ipi) + steal.time > Nanos{};
    }
    Nanos of(Interrupt kind) const { return interrupt[static_cast<std::size_t>(kind)].time; }

    bool operator==(const CostModel&) const = default;
};

inline constexpr std::uint32_t kPageSize = 4096;

// How many units there are in so many bytes, the last one counted whole. REQUIRES: unit > 0.
constexpr std::uint64_t rounded_up(std::uint64_t bytes, std::uint64_t unit) {
    return (bytes + unit - 1) / unit;
}
constexpr std::uint32_t pages_of(std::uint32_t bytes) {
    return static_cast<std::uint32_t>(rounded_up(bytes, kPageSize));
}

// The kernel's own time by what it went into; within one call, in this order.
struct Overhead {
    Nanos system{};          // the system call that led to it; before it, waking an idle CPU up
    Nanos select{};          // finding out who runs next, and keeping the queue in order
    Nanos recalc{};          // refilling counters
    Nanos context_switch{};  // saving and restoring what every switch has to
    Nanos address_space{};   // what another mm costs on top
    Nanos cache_refill{};    // what TLB and cache have lost meanwhile of the task that comes back
    // Then what no task pays for.
    Nanos stolen{};      // the host ran something else
    Nanos interrupts{};  // the handlers of interrupts that came meanwhile, or that the stay began with

    Nanos of_tasks() const {
        return system + select + recalc + context_switch + address_space + cache_refill;
    }
    Nanos total() const { return of_tasks() + stolen + interrupts; }
};

// Each part of an overhead, in their order.
inline constexpr std::array kOverheadParts{
    &Overhead::system,        &Overhead::select,       &Overhead::recalc, &Overhead::context_switch,
    &Overhead::address_space, &Overhead::cache_refill, &Overhead::stolen, &Overhead::interrupts};

// Where simulated time went.
struct TimeParts {
    Nanos user{}, idle{};
    Overhead overhead;

    Nanos total() const { return user + idle + overhead.total(); }
    // Nine tenths are the kernel's: all the time over the yields says what one costs only then.
    bool is_mostly_the_kernels() const { return 10 * (user + idle) <= total(); }
};

// What of `a` is not in `b`.
inline TimeParts operator-(TimeParts a, const TimeParts& b) {
    a.user -= b.user;
    a.idle -= b.idle;
    for (const auto part : kOverheadParts) a.overhead.*part -= b.overhead.*part;
    return a;
}

// The work of one stay in the kernel: a system call, a call of schedule(), or both, and the interrupts until
// its end.
struct CallWork {
    std::uint32_t considered = 0, queue_steps = 0, recalculated = 0;
    bool syscall = false, scheduled = false, switched = false;
    bool loads_mm = false;  // switched, and another address space was loaded
    Nanos extra{};          // KernelWork of all kinds
    Nanos refill{};         // of TLB and cache
    Nanos stolen{}, interrupts{};
};

// The same, added up over a run.
struct WorkTotals {
    std::uint64_t syscalls = 0, calls = 0, considered = 0, queue_steps = 0, recalculated = 0, switches = 0,
                  mm_loads = 0;
    std::array<std::uint64_t, kKernelWorks> work{};                      // by KernelWork
    std::uint64_t tlb_entries = 0, cache_lines = 0, streamed_lines = 0;  // refilled
    std::array<std::uint64_t, kInterrupts> interrupts{};                 // by Interrupt
    std::uint64_t steals = 0;
    Nanos stated{};  // what programs say that they are in the kernel, besides all prices
};

// The prices as the engine uses them.
class Pricing {
  public:
    // REQUIRES: a switch to another mm costs no less than one within an mm; the model outlives this.
    explicit Pricing(const CostModel& model);

    Nanos syscall() const { return syscall_; }

    // The time of one schedule(), refills aside. `loads_mm` says that another address space was loaded.
    Nanos of(const Decision& d, bool switched, bool loads_mm) const {
        Nanos time = schedule_ + considered_ * d.considered + queue_step_ * d.queue_steps +
                     recalculated_ * d.recalculated;
        if (switched) time += loads_mm ? switch_other_mm_ : switch_same_mm_;
        return time;
    }

    // What it went into.
    Overhead parts(const CallWork& call) const;
    Overhead parts(const WorkTotals& totals) const;

  private:
    const CostModel* model_;
    Nanos syscall_, schedule_, considered_, recalculated_, queue_step_, switch_same_mm_, switch_other_mm_;
};

}  // namespace sim
