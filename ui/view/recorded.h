// A trace of a real machine, as slices: the threads that really had the CPUs. It is shown next to the runs of
// the scenario that was made from it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/trace_io/scenario/recorded_run.h"
#include "ui/view/lod.h"

namespace ui {

// An interval in which a CPU ran one thread or was idle.
struct RecordedSlice {
    sim::Nanos begin, end;  // in the scenario's time
    int task;               // index into the trace's WaitAnalyzer::identities(); -1: idle
};

class RecordedTrace {
  public:
    explicit RecordedTrace(std::unique_ptr<const sim::trace_io::RecordedRun> run);

    const sim::trace_io::RecordedRun& run() const { return *run_; }
    std::size_t cpus() const { return slices_.size(); }
    // The slices of a CPU, in order, without gaps.
    std::span<const RecordedSlice> slices(std::size_t cpu) const { return slices_[cpu]; }
    // The name that the thread has in the scenario.
    const std::string& name(int task) const { return names_[static_cast<std::size_t>(task)]; }
    // The thread on the CPU at time t; -1: the CPU is idle, or t is after the end.
    int task_at(std::size_t cpu, sim::Nanos t) const;

    // The busy time of the slices from `first` to `last`, both included. Adds the time of each thread to
    // `owners`, with the thread's index in the trace as TaskId.
    sim::Nanos busy_time(std::size_t cpu, std::size_t first, std::size_t last, TimesByTask* owners) const;

    // Converts a time of the trace to a time of the scenario.
    sim::Nanos scenario_time(sim::Nanos recorded) const { return recorded - run_->waits.begin_time(); }

  private:
    std::unique_ptr<const sim::trace_io::RecordedRun> run_;
    std::vector<std::string> names_;  // names of the threads, by their index in the trace
    std::vector<std::vector<RecordedSlice>> slices_;
    std::vector<SlicePrefixSums> sums_;
};

// The lines of a tooltip for a slice; the first line is the title.
std::vector<std::string> recorded_tooltip(const RecordedTrace& recorded, std::size_t cpu, std::size_t slice);
// The lines of a tooltip for the combined slices from `first` to `last`.
std::vector<std::string> recorded_tooltip(const RecordedTrace& recorded, std::size_t cpu, std::size_t first,
                                          std::size_t last, const TimesByTask& owners);

// The recorded threads on the CPUs at time t as text: "recorded: light on CPU 0, no task on CPU 1".
std::string recorded_threads_text(const RecordedTrace& recorded, sim::Nanos t);

}  // namespace ui
