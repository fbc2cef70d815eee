// The entries of a task that are still in the TLB and cache of a CPU when the task returns to the CPU.
//
// A running task brings in everything that it uses: its working set and a footprint common to all tasks
// (kernel stack, task structure, code). Physical pages are allocated arbitrarily. So if a task has lines in a
// cache of C lines, each line that another task brings in displaces each line of the first task with
// probability 1/C. After D such lines, the share (1 - 1/C)^D of the task's lines is left. This is the
// classical model of a physically indexed cache, which agrees with measurements
// (docs/explanation/address_spaces.md). The model needs only the order in which tasks ran last: each task
// that has run since this task's last run counts once.
//
// The same model applies to TLB entries. In addition, loading an address space empties an untagged TLB. In a
// tagged TLB, an address space loses its entries when its id is reassigned.
//
// A task has entries on one CPU only: when the task runs on another CPU and writes to its data, the entries
// on the first CPU become useless. Shared caches are not modelled.
//
// Arithmetic is in integers: shares are multiples of 2^-32, and (1 - 1/C)^D is computed from precomputed
// powers (1 - 1/C)^(2^i).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/core/machine.h"
#include "sim/core/scenario.h"

namespace sim {

// TLB entries and cache lines that a task loads again, and the time that the loading takes.
struct RefillWork {
    // lines: cache lines of the footprint. streamed: cache lines of the working set, which is read
    // sequentially.
    std::uint32_t tlb_entries = 0, lines = 0, streamed = 0;
    Nanos time{};
};

// TLB entries and cache lines that one task has on a CPU, and the numbers that it needs.
struct ResidentEntries {
    TaskId task = kNoTask;
    std::uint32_t tlb_entries = 0, tlb_needed = 0;
    std::uint32_t lines = 0, lines_needed = 0;  // cache lines of footprint and working set
};

class Residency {
  public:
    // Length of a CPU's list of recent tasks. A task that has been displaced from the list has no entries
    // left.
    static constexpr std::uint32_t kRecentTasks = 64;

    explicit Residency(const Scenario& scenario);

    // Whether the scenario models a TLB or a cache. REQUIRES for all other functions: is_modelled().
    bool is_modelled() const { return modelled_; }

    // Makes all entries that p needs resident on this CPU, on which p begins to run. Returns the entries that
    // were missing and the time to load them. REQUIRES: p is not an idle task.
    RefillWork refill_entries(Machine& m, CpuId c, TaskId p) const;

    // Removes all entries of p, which has exited or executed another program.
    void remove_entries(Machine& m, TaskId p) const;

    // Entries of each recent task on this CPU, beginning with the latest task. A running task has all
    // entries that it needs.
    std::vector<ResidentEntries> contents(const Machine& m, CpuId c) const;

  private:
    // TLB entries and cache lines that a task needs.
    struct TaskFootprint {
        std::uint64_t pages = 0, lines = 0, streamed = 0;
    };

    // Computes how many entries of a task are left in a TLB or cache after other tasks' entries were brought
    // in.
    class SurvivalModel {
      public:
        explicit SurvivalModel(std::uint64_t places);
        // Returns how many of `count` entries are left after `others` other entries were brought in.
        std::uint32_t surviving_entries(std::uint64_t count, std::uint64_t others) const;

      private:
        std::array<std::uint64_t, 32> powers_{};  // (1 - 1/C)^(2^i) for a TLB or cache with C entries
    };

    const TaskFootprint& footprint_of(const Machine& m, TaskId p) const { return needs_[m.task[p].group]; }
    // Whether the TLB has lost all entries of the task at this index of the list.
    bool is_flushed(const Machine& m, CpuId c, std::uint32_t recent_index) const {
        if (!tagged_) return m.recent(c)[recent_index].tlb_flushes != m.cpu(c).tlb_flushes;
        return slots_ > 0 && recent_index >= slots_ && has_lost_tlb_id(m, c, recent_index);
    }
    bool has_lost_tlb_id(const Machine& m, CpuId c, std::uint32_t recent_index) const;
    ResidentEntries remaining_entries(const Machine& m, CpuId c, std::uint32_t recent_index,
                                      const TaskFootprint& others) const;

    bool modelled_;
    bool tagged_;
    std::uint32_t slots_;
    std::vector<TaskFootprint> needs_;  // by group
    SurvivalModel tlb_, cache_;
    const CostModel* costs_;
};

}  // namespace sim
