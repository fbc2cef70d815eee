// What the TLB and the cache of a CPU still hold of a task that comes back to it.
//
// The model. A task that runs brings in all that it uses: its working set, and a footprint that every task
// has (kernel stack, task structure, code). Lines lie at places that nobody chose, because physical pages are
// handed out as they come; so each line that another task brings in displaces each one of ours with the
// chance 1 in the number of places. After D such lines, (1 - 1/C)^D of ours survive: the classical model of a
// cache that is indexed by physical addresses, and the one whose shape the measurements have (docs/model.md).
// It needs no more than an order of recency: tasks that have run since, each counted once, however often.
//
// The same holds for the entries of a TLB. Loading an address space empties a TLB without tags besides; with
// tags, it is that address space's own entries that are lost once its number has been given to another one.
//
// A task that runs on another CPU is remembered there and forgotten here: it will write to its data, and then
// the copies here are worth nothing. Caches shared by CPUs are left out.
//
// Everything is integers: a share is a 32-bit fraction, and (1 - 1/C)^D comes from squarings made once.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/core/machine.h"
#include "sim/core/scenario.h"

namespace sim {

// What has to be brought in again.
struct Refilled {
    std::uint32_t tlb_entries = 0, lines = 0, streamed = 0;  // of the footprint; of the working set
    Nanos time{};
};

// What a CPU holds of one task at this moment.
struct Resident {
    TaskId task = kNoTask;
    std::uint32_t tlb_entries = 0, tlb_needed = 0;
    std::uint32_t lines = 0, lines_needed = 0;  // footprint and working set
};

class Residency {
  public:
    // How many tasks a CPU remembers; whoever has been away for longer than so many others finds nothing.
    static constexpr std::uint32_t kRemembered = 64;

    explicit Residency(const Scenario& scenario);

    // False where the machine has neither a TLB nor a cache: then nothing below may be called.
    bool is_modelled() const { return modelled_; }

    // p, which is no idle task, gets this CPU: what it must bring in again. Whatever it uses is there
    // afterwards.
    Refilled come_back(Machine& m, CpuId c, TaskId p) const;

    // Nothing of p is anywhere any more: it has exited, or begun another program.
    void forget(Machine& m, TaskId p) const;

    // What this CPU holds, the latest task first. The first one, if it is running, has all that it needs.
    std::vector<Resident> contents(const Machine& m, CpuId c) const;

  private:
    // Of what one task needs.
    struct Need {
        std::uint64_t pages = 0, lines = 0, streamed = 0;
    };

    // Shares that survive, as 32-bit fractions.
    class Survival {
      public:
        explicit Survival(std::uint64_t places);
        // How many of `count` are left after `others` were brought in.
        std::uint32_t of(std::uint64_t count, std::uint64_t others) const;

      private:
        std::array<std::uint64_t, 32> powers_{};  // (1 - 1/places)^(2^i)
    };

    const Need& need(const Machine& m, TaskId p) const { return needs_[m.task[p].group]; }
    // Whether the TLB has lost all entries of the task at this place of the CPU's list.
    bool is_flushed(const Machine& m, CpuId c, std::uint32_t place) const {
        if (!tagged_) return m.recent(c)[place].tlb_flushes != m.cpu(c).tlb_flushes;
        return slots_ > 0 && place >= slots_ && has_lost_number(m, c, place);
    }
    bool has_lost_number(const Machine& m, CpuId c, std::uint32_t place) const;
    Resident left_of(const Machine& m, CpuId c, std::uint32_t place, const Need& others) const;

    bool modelled_;
    bool tagged_;
    std::uint32_t slots_;
    std::vector<Need> needs_;  // by group
    Survival tlb_, cache_;
    const CostModel* costs_;
};

}  // namespace sim
