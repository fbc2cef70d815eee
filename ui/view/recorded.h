// A recording beside the runs of the scenario that is made of it: who really had the CPUs.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/exchange/recorded_run.h"
#include "ui/view/lod.h"

namespace ui {

// For so long somebody had a CPU, or nobody.
struct RecordedSlice {
    sim::Nanos begin, end;  // of the scenario's time
    int who;                // a number of the recording's Waits; -1: nobody
};

class Recorded {
  public:
    explicit Recorded(std::unique_ptr<const sim::exchange::RecordedRun> run);

    const sim::exchange::RecordedRun& run() const { return *run_; }
    std::size_t cpus() const { return slices_.size(); }
    // In order, without gaps.
    std::span<const RecordedSlice> slices(std::size_t cpu) const { return slices_[cpu]; }
    // What the scenario calls him.
    const std::string& name(int who) const { return names_[static_cast<std::size_t>(who)]; }
    // Who has the CPU at an instant; -1: nobody.
    int who_at(std::size_t cpu, sim::Nanos t) const;

    // Of some of the slices: the time of all who had the CPU, and, by the numbers of the recording, theirs.
    sim::Nanos time(std::size_t cpu, std::size_t first, std::size_t last, OwnerTimes* owners) const;

    // An instant of the recording in the scenario's time.
    sim::Nanos scenario_time(sim::Nanos recorded) const { return recorded - run_->waits.from(); }

  private:
    std::unique_ptr<const sim::exchange::RecordedRun> run_;
    std::vector<std::string> names_;  // by number
    std::vector<std::vector<RecordedSlice>> slices_;
    std::vector<SliceSums> sums_;
};

// What is under the mouse, in lines; the first is its title.
std::vector<std::string> about_recorded(const Recorded& recorded, std::size_t cpu, std::size_t slice);
// Of folded slices.
std::vector<std::string> about_recorded(const Recorded& recorded, std::size_t cpu, std::size_t first,
                                        std::size_t last, const OwnerTimes& owners);

// "recorded: light on CPU 0, nobody on CPU 1"
std::string recorded_at(const Recorded& recorded, sim::Nanos t);

}  // namespace ui
