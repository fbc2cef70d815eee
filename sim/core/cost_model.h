// The costs of a machine: the time that each unit of work takes. Policy and engine count the work. The values
// and their sources are in scenarios/machines/*.json.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/base/types.h"
#include "sim/core/decision.h"

namespace sim {

// The cost of one event.
struct Cost {
    Nanos time{};
    std::string source;  // a citation, "fitted to ..." or "assumed: ..."

    bool operator==(const Cost&) const = default;
};

// Work of the kernel other than entry, exit and schedule().
enum class KernelWork : std::uint8_t {
    wake_up,       // making a sleeping task runnable
    pipe,          // one read from or write to a pipe
    futex,         // one `wait`, `wake`, `park` or `unpark`
    io,            // one I/O request, excluding the device interrupt
    fork_process,  // a new task with its own address space
    fork_thread,   // a new task in its parent's address space, or a kernel thread
    copied_page,   // one page of the parent's working set, copied by a fork
    exec,          // a new program in a new address space
    loaded_page,   // one page of the new program's working set, loaded by an exec
    exit,
    munmap,     // one unmapping, excluding the TLB flushes of other CPUs
    idle_exit,  // leaving the halt state
    // Only in kernels with a run queue per CPU (docs/reference/run_queues.md); the CPU that does the work is
    // charged for it:
    balance,           // reading the load of one run queue
    migrate,           // moving a task to another run queue
    migration_thread,  // two switches of the migration thread, which moves a running task
};
inline constexpr std::size_t kKernelWorks = 15;

// JSON key of this work in machine files.
const char* to_string(KernelWork work);

// Kinds of interrupts. A handler delays the interrupted CPU, but its time is charged to no task.
enum class Interrupt : std::uint8_t {
    timer,   // a tick or an exact timer
    device,  // an external event or device that wakes a task
    ipi,     // a request to reschedule or to flush the TLB
};
inline constexpr std::size_t kInterrupts = 3;

// JSON key of this interrupt in machine files: "timer_interrupt", "device_interrupt", "ipi".
const char* to_string(Interrupt kind);

// The TLB of each CPU; not modelled if `entries` is 0.
struct TlbModel {
    std::uint32_t entries = 0;
    // TLB entries contain an address-space id (ASID, PCID), so that loading page tables flushes no entries.
    bool tagged = false;
    // Number of address-space ids per CPU. An address space loses its id after this many other address
    // spaces have been loaded. 0: unlimited. Used only if `tagged` is true.
    std::uint32_t slots = 0;
    std::uint32_t footprint = 0;  // pages that every task needs in addition to its working set
    Cost refill;                  // cost of loading one entry
    std::string source;           // source of `entries` and `tagged`
    std::string footprint_source;

    bool operator==(const TlbModel&) const = default;
};

// The cache of each CPU; not modelled if `size` is 0.
struct CacheModel {
    std::uint32_t size = 0;  // bytes
    std::uint32_t line = 0;  // bytes, a divisor of size
    // Bytes of the kernel and the program that every task needs in addition to its working set.
    std::uint32_t footprint = 0;
    Cost refill;         // per line of the footprint (code, linked structures), whose misses do not overlap
    Cost stream;         // per line of the working set (sequential data, which is prefetched)
    std::string source;  // source of `size` and `line`
    std::string footprint_source;

    bool operator==(const CacheModel&) const = default;
};

// The cost of each event on a machine.
struct CostModel {
    Cost syscall;                             // entering and leaving the kernel
    Cost schedule;                            // schedule() itself, before it examines tasks
    Cost considered;                          // one task examined by the search for the next task
    Cost recalculated;                        // one counter recalculated
    Cost queue_step;                          // one comparison in an ordered queue
    Cost switch_same_mm;                      // switch within one address space
    Cost switch_other_mm;                     // switch to another address space, without refills
    std::array<Cost, kKernelWorks> work;      // by KernelWork
    Cost reschedule_ipi;                      // latency until the other CPU sees the IPI; charged to no task
    std::array<Cost, kInterrupts> interrupt;  // cost of a handler, including softirq or bottom half
    Cost steal;  // delay until the host runs a halted virtual CPU that received an interrupt
    TlbModel tlb;
    CacheModel cache;

    Nanos cost_of(KernelWork kind) const { return work[static_cast<std::size_t>(kind)].time; }
    bool interrupts_take_time() const {
        return cost_of(Interrupt::timer) + cost_of(Interrupt::device) + cost_of(Interrupt::ipi) + steal.time >
               Nanos{};
    }
    Nanos cost_of(Interrupt kind) const { return interrupt[static_cast<std::size_t>(kind)].time; }

    bool operator==(const CostModel&) const = default;
};

inline constexpr std::uint32_t kPageSize = 4096;

// Number of units of `unit` bytes that are needed to hold `bytes` bytes. REQUIRES: unit > 0.
constexpr std::uint64_t ceil_div(std::uint64_t bytes, std::uint64_t unit) {
    return (bytes + unit - 1) / unit;
}
constexpr std::uint32_t pages_of(std::uint32_t bytes) {
    return static_cast<std::uint32_t>(ceil_div(bytes, kPageSize));
}

// Kernel time by purpose. During one stay in the kernel, the parts elapse in this order.
struct Overhead {
    Nanos system{};          // the system call before schedule(), or leaving the halt state
    Nanos select{};          // choosing the next task and ordering the queue
    Nanos recalculation{};   // recalculating counters
    Nanos context_switch{};  // saving and restoring the context
    Nanos address_space{};   // additional cost of a switch to another mm
    Nanos cache_refill{};    // refilling TLB and cache
    // The following times are charged to no task:
    Nanos stolen{};      // time during which the host did not run the virtual CPU
    Nanos interrupts{};  // interrupt handlers that ran during this stay in the kernel or at its start

    Nanos charged_to_tasks() const {
        return system + select + recalculation + context_switch + address_space + cache_refill;
    }
    Nanos total() const { return charged_to_tasks() + stolen + interrupts; }
};

// The members of Overhead, in the order of their declarations.
inline constexpr std::array kOverheadParts{
    &Overhead::system,        &Overhead::select,       &Overhead::recalculation, &Overhead::context_switch,
    &Overhead::address_space, &Overhead::cache_refill, &Overhead::stolen,        &Overhead::interrupts};

// Simulated time by purpose.
struct TimeParts {
    Nanos user{}, idle{};
    Overhead overhead;

    Nanos total() const { return user + idle + overhead.total(); }
    // Whether user and idle time together are at most a tenth of the total. Only then is the total time,
    // divided by the number of yields, the cost of a yield.
    bool is_mostly_kernel_time() const { return 10 * (user + idle) <= total(); }
};

// Subtracts each member of b from the same member of a.
inline TimeParts operator-(TimeParts a, const TimeParts& b) {
    a.user -= b.user;
    a.idle -= b.idle;
    for (const auto part : kOverheadParts) a.overhead.*part -= b.overhead.*part;
    return a;
}

// Work of one stay in the kernel: a system call, a schedule(), or both, including interrupts before its
// end.
struct KernelEntryWork {
    std::uint32_t considered = 0, queue_steps = 0, recalculated = 0;
    bool syscall = false, scheduled = false, switched = false;
    bool loads_mm = false;  // there was a switch, and it loaded page tables
    Nanos extra{};          // cost of all KernelWork
    Nanos refill{};         // cost of refilling TLB and cache
    Nanos stolen{}, interrupts{};
};

// The sum of all KernelEntryWork of a run.
struct KernelWorkTotals {
    std::uint64_t syscalls = 0, calls = 0, considered = 0, queue_steps = 0, recalculated = 0, switches = 0,
                  mm_loads = 0;
    std::array<std::uint64_t, kKernelWorks> work{};  // by KernelWork
    // Numbers of TLB entries and cache lines that were loaded.
    std::uint64_t tlb_entries = 0, cache_lines = 0, streamed_lines = 0;
    std::array<std::uint64_t, kInterrupts> interrupts{};  // by Interrupt
    std::uint64_t steals = 0;
    Nanos stated{};  // kernel time specified in programs by `syscall` and `in_kernel`
};

// Converts counted work to time. Holds the costs in a compact form, for the engine.
class CostCalculator {
  public:
    // REQUIRES: switch_other_mm >= switch_same_mm; `model` outlives this object.
    explicit CostCalculator(const CostModel& model);

    Nanos syscall_cost() const { return syscall_; }

    // Cost of one schedule(), excluding TLB and cache refills. `loads_mm`: page tables were loaded.
    Nanos cost_of_schedule(const Decision& d, bool switched, bool loads_mm) const {
        Nanos time = schedule_ + considered_ * d.considered + queue_step_ * d.queue_steps +
                     recalculated_ * d.recalculated;
        if (switched) time += loads_mm ? switch_other_mm_ : switch_same_mm_;
        return time;
    }

    // The time that this work takes, by purpose.
    Overhead overhead_of(const KernelEntryWork& call) const;
    Overhead overhead_of(const KernelWorkTotals& totals) const;

  private:
    const CostModel* model_;
    Nanos syscall_, schedule_, considered_, recalculated_, queue_step_, switch_same_mm_, switch_other_mm_;
};

}  // namespace sim
