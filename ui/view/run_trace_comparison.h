// Compares a run with the trace from which its scenario was made: the order of the tasks on each CPU. Also
// maps the threads of the trace to tasks of the run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/trace_io/export/run_events.h"
#include "sim/trace_io/switch_comparison.h"
#include "ui/view/model.h"
#include "ui/view/recorded.h"

namespace ui {

class RunTraceComparison {
  public:
    // REQUIRES: `recorded` and `run` outlive this object.
    RunTraceComparison(const RecordedTrace& recorded, const Run& run);
    ~RunTraceComparison();

    // Once the run is completely simulated, re-executes it and compares it with the trace, until the
    // deadline. Returns true if work remains.
    bool work(Deadline deadline);
    double progress() const;  // 0 to 1
    bool is_complete() const { return is_complete_; }

    // The task of the run that corresponds to thread number `thread` of the trace. The thread has the
    // colour of this task. nullopt if the run has had no such task yet.
    std::optional<sim::TaskId> task_of(int thread) const;

    // REQUIRES, for all functions below: is_complete().

    // A mismatch of run and trace. Mismatches are in the order of the run.
    struct Mismatch {
        const sim::trace_io::SwitchMismatch* mismatch = nullptr;  // in switch_comparison()
        // The number of the run's decision that makes the differing switch; 0: the run has no switch that
        // corresponds to the recorded switch.
        std::uint64_t decision = 0;
        sim::Nanos time{};  // scenario time of the decision; if `decision` is 0, that of the recorded switch
    };
    const std::vector<Mismatch>& mismatches() const { return mismatches_; }
    // The mismatches on a CPU, in the order of time, as indexes into mismatches().
    const std::vector<std::uint32_t>& mismatches_on(std::size_t cpu) const { return mismatches_on_[cpu]; }
    const sim::trace_io::SwitchComparison& switch_comparison() const { return side_by_side_->result(); }

    // A mismatch in words: "recorded: light at 3.113 ms, on CPU 0; linux-6.6: kthread at 3.2 ms".
    std::string mismatch_text(const Mismatch& mismatch) const;
    // A summary such as "320 of 334 recorded switches in the same order (95.8 %), 14 mismatches, the first
    // at 3.113 ms".
    std::string summary() const;

  private:
    class Follower;

    bool replay_events(std::uint64_t events);
    void finish();

    const RecordedTrace& recorded_;
    const Run& run_;
    std::vector<sim::TaskId> tasks_;  // tasks of the run, by the index of their thread in the trace
    sim::Moment moment_;
    sim::Trace trace_;
    std::unique_ptr<Follower> follower_;
    std::unique_ptr<sim::trace_io::RunToEventConverter> events_;
    std::unique_ptr<sim::trace_io::SwitchComparer> side_by_side_;  // set when the run has been compared
    bool is_complete_ = false;
    std::vector<Mismatch> mismatches_;
    std::vector<std::vector<std::uint32_t>> mismatches_on_;
};

}  // namespace ui
