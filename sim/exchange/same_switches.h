// Whether a run gives its CPUs to the same tasks, in the same order, as a recording did.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/exchange/waits.h"

namespace sim::exchange {

// Where the two part on one CPU.
struct Parting {
    std::size_t cpu = 0;
    // The switches to a task at which they do; a side that has none left there has none.
    std::optional<Had> recorded, made;
    std::size_t number = 0;  // of `made` among the run's switches to a task on this CPU, from 0
};

struct SameSwitches {
    std::uint64_t recorded = 0, made = 0;  // switches to a task
    std::uint64_t same = 0;                // that both have, in the same order
    std::vector<Parting> partings;         // by the recorded instant, and at one instant by CPU

    // Of the recorded switches, those that the run has, too; 1 where there are none.
    double share() const;
};

// Sets the switches to a task side by side, CPU by CPU. Where the two differ, the nearest place is looked for
// at which both go on alike for four switches (or to the end), at most 32 further on in either; so a run that
// differs for longer than that may agree in more than is counted. `same_as` says who in `run` is who of
// `recording`, by number; -1 for nobody.
SameSwitches same_switches(const Waits& recording, const Waits& run, const std::vector<int>& same_as);

// The same in pieces, for a window that goes on meanwhile.
class SwitchesSideBySide {
  public:
    // REQUIRES: the recording and the run outlive this.
    SwitchesSideBySide(const Waits& recording, const Waits& run, std::vector<int> same_as);

    // Looks at so many switches more, or places where the two part. Returns whether there is more to do.
    bool advance(std::size_t steps);
    // REQUIRES: there is nothing more to do.
    const SameSwitches& result() const { return all_; }

  private:
    void begin_cpu();

    const Waits& recording_;
    const Waits& run_;
    std::vector<int> same_as_;
    std::size_t cpu_ = 0, cpus_;
    std::vector<Had> recorded_, made_;  // on that CPU
    std::size_t r_ = 0, m_ = 0;         // so many of them were looked at
    SameSwitches all_;
};

}  // namespace sim::exchange
