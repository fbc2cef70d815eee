// The costs of a machine, applied to the work counted by the policy. The values are data with their sources
// (scenarios/machines/*.json).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/base/types.h"
#include "sim/core/decision.h"

namespace sim {

// The cost of one event.
struct Price {
    Nanos time{};
    std::string source;  // a citation, "fitted to ..." or "assumed: ..."

    bool operator==(const Price&) const = default;
};

// Work of the kernel other than entry, exit and schedule().
enum class KernelWork : std::uint8_t {
    wake_up,       // making a sleeping task runnable
    pipe,          // one read or write
    futex,         // one wait or wake, park or unpark
    io,            // one request, excluding its interrupt
    fork_process,  // a new task with its own address space
    fork_thread,   // a new task in its parent's address space, or a kernel thread
    copied_page,   // one page of the parent's working set, copied by a fork
    exec,          // a new program in a new address space
    loaded_page,   // exec: one page of the new working set
    exit,
    munmap,     // excluding the TLBs of other CPUs
    idle_exit,  // leaving the halt state
    // Kernels with a run queue per CPU (docs/reference/run_queues.md), paid by the CPU that does the work:
    balance,           // reading the load of one run queue
    migrate,           // moving a task to another run queue
    migration_thread,  // two switches of the migration thread, which moves a running task
};
inline constexpr std::size_t kKernelWorks = 15;

// The key in machine files.
const char* to_string(KernelWork work);

// Handlers delay the interrupted CPU and are charged to no task.
enum class Interrupt : std::uint8_t {
    timer,   // a tick or an exact timer
    device,  // a wake-up from outside
    ipi,     // a request to reschedule or to flush the TLB
};
inline constexpr std::size_t kInterrupts = 3;

// The key in machine files: "timer_interrupt", "device_interrupt", "ipi".
const char* to_string(Interrupt kind);

// The TLB of each CPU; not modelled if `entries` is 0.
struct TlbModel {
    std::uint32_t entries = 0;
    // Entries carry an address-space id (ASID, PCID): loading page tables flushes nothing.
    bool tagged = false;
    // Number of these ids per CPU: an address space loses its id after this many others have been loaded. 0:
    // unlimited. Meaningful if `tagged`.
    std::uint32_t slots = 0;
    std::uint32_t footprint = 0;  // pages needed by every task in addition to its working set
    Price refill;                 // per entry
    std::string source;           // source of `entries` and `tagged`
    std::string footprint_source;

    bool operator==(const TlbModel&) const = default;
};

// The cache of each CPU; not modelled if `size` is 0.
struct CacheModel {
    std::uint32_t size = 0;  // bytes
    std::uint32_t line = 0;  // bytes, a divisor of size
    // Bytes of kernel and program needed by every task in addition to its working set.
    std::uint32_t footprint = 0;
    Price refill;        // per line of the footprint: code and linked structures; misses do not overlap
    Price stream;        // per line of the working set: sequential data, prefetched
    std::string source;  // source of `size` and `line`
    std::string footprint_source;

    bool operator==(const CacheModel&) const = default;
};

// The cost of each event on a machine.
struct CostModel {
    Price syscall;                             // entering and leaving the kernel
    Price schedule;                            // schedule() itself, before it examines tasks
    Price considered;                          // one task examined by the search
    Price recalculated;                        // one counter recalculated
    Price queue_step;                          // one comparison in an ordered queue
    Price switch_same_mm;                      // switch within one address space
    Price switch_other_mm;                     // switch to another address space, without refills
    std::array<Price, kKernelWorks> work;      // by KernelWork
    Price reschedule_ipi;                      // latency until the other CPU notices; charged to no task
    std::array<Price, kInterrupts> interrupt;  // including softirq or bottom half
    Price steal;  // delay of an interrupt to a halted virtual CPU until its host runs it
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

// Number of units of `unit` bytes that hold `bytes`. REQUIRES: unit > 0.
constexpr std::uint64_t rounded_up(std::uint64_t bytes, std::uint64_t unit) {
    return (bytes + unit - 1) / unit;
}
constexpr std::uint32_t pages_of(std::uint32_t bytes) {
    return static_cast<std::uint32_t>(rounded_up(bytes, kPageSize));
}

// Kernel time by purpose. Within one call, the parts elapse in this order.
struct Overhead {
    Nanos system{};          // the system call before schedule(), or leaving the halt state
    Nanos select{};          // choosing the next task and ordering the queue
    Nanos recalc{};          // recalculating counters
    Nanos context_switch{};  // saving and restoring the context
    Nanos address_space{};   // additional cost of a switch to another mm
    Nanos cache_refill{};    // refilling TLB and cache
    // Charged to no task:
    Nanos stolen{};      // the host ran something else
    Nanos interrupts{};  // handlers during, or at the start of, the time in the kernel

    Nanos of_tasks() const {
        return system + select + recalc + context_switch + address_space + cache_refill;
    }
    Nanos total() const { return of_tasks() + stolen + interrupts; }
};

// The members of Overhead, in the order of their declarations.
inline constexpr std::array kOverheadParts{
    &Overhead::system,        &Overhead::select,       &Overhead::recalc, &Overhead::context_switch,
    &Overhead::address_space, &Overhead::cache_refill, &Overhead::stolen, &Overhead::interrupts};

// Simulated time by purpose.
struct TimeParts {
    Nanos user{}, idle{};
    Overhead overhead;

    Nanos total() const { return user + idle + overhead.total(); }
    // User and idle time are at most a tenth. Only then is total time / yields the cost of a yield.
    bool is_mostly_the_kernels() const { return 10 * (user + idle) <= total(); }
};

// Component-wise.
inline TimeParts operator-(TimeParts a, const TimeParts& b) {
    a.user -= b.user;
    a.idle -= b.idle;
    for (const auto part : kOverheadParts) a.overhead.*part -= b.overhead.*part;
    return a;
}

// One stay in the kernel: a system call, a schedule(), or both, with the interrupts until its end.
struct CallWork {
    std::uint32_t considered = 0, queue_steps = 0, recalculated = 0;
    bool syscall = false, scheduled = false, switched = false;
    bool loads_mm = false;  // `switched`, and page tables were loaded
    Nanos extra{};          // cost of all KernelWork
    Nanos refill{};         // cost of refilling TLB and cache
    Nanos stolen{}, interrupts{};
};

// CallWork, summed over a run.
struct WorkTotals {
    std::uint64_t syscalls = 0, calls = 0, considered = 0, queue_steps = 0, recalculated = 0, switches = 0,
                  mm_loads = 0;
    std::array<std::uint64_t, kKernelWorks> work{};                      // by KernelWork
    std::uint64_t tlb_entries = 0, cache_lines = 0, streamed_lines = 0;  // refilled
    std::array<std::uint64_t, kInterrupts> interrupts{};                 // by Interrupt
    std::uint64_t steals = 0;
    Nanos stated{};  // kernel time stated by programs (`syscall`, `in_kernel`)
};

// Costs in the form used by the engine.
class Pricing {
  public:
    // REQUIRES: switch_other_mm >= switch_same_mm; `model` outlives this.
    explicit Pricing(const CostModel& model);

    Nanos syscall() const { return syscall_; }

    // One schedule() without TLB and cache refills. `loads_mm`: page tables were loaded.
    Nanos of(const Decision& d, bool switched, bool loads_mm) const {
        Nanos time = schedule_ + considered_ * d.considered + queue_step_ * d.queue_steps +
                     recalculated_ * d.recalculated;
        if (switched) time += loads_mm ? switch_other_mm_ : switch_same_mm_;
        return time;
    }

    // By purpose.
    Overhead parts(const CallWork& call) const;
    Overhead parts(const WorkTotals& totals) const;

  private:
    const CostModel* model_;
    Nanos syscall_, schedule_, considered_, recalculated_, queue_step_, switch_same_mm_, switch_other_mm_;
};

}  // namespace sim
