// Compares the switches of a run with those of a trace. Switches match if they lead to the same tasks on the
// same CPUs in the same order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/trace_io/wait_analyzer.h"

namespace sim::trace_io {

// A position on one CPU where the switch sequences of run and trace differ.
struct SwitchMismatch {
    std::size_t cpu = 0;
    // Next switch to a task on this CPU, in the trace (`recorded`) and in the run (`made`); absent if the
    // trace or the run has no more switches.
    std::optional<SwitchIn> recorded, made;
    std::size_t number = 0;  // index of `made` among the run's switches to a task on this CPU
};

struct SwitchComparison {
    std::uint64_t recorded = 0, made = 0;    // switches to a task in the trace and in the run
    std::uint64_t same = 0;                  // switches in both trace and run, in the same order
    std::vector<SwitchMismatch> mismatches;  // by time in the trace (if absent: in the run), then by CPU

    // Share of the trace's switches that are also in the run, 0 to 1; 1 if the trace has no switches.
    double matched_share() const;
};

// Aligns the two switch sequences of each CPU. After a mismatch, continues at the nearest pair of positions,
// at most 32 switches ahead in each sequence, from which four switches match (or all up to the end). After
// a longer mismatch, fewer matches may be counted than exist. `trace_index_by_task[i]`: index in `trace` of
// task i of `run`, or -1.
SwitchComparison compare_switches(const WaitAnalyzer& trace, const WaitAnalyzer& run,
                                  const std::vector<int>& trace_index_by_task);

// Makes the comparison of compare_switches() in increments, so that a window stays responsive.
class SwitchComparer {
  public:
    // REQUIRES: trace and run outlive this.
    SwitchComparer(const WaitAnalyzer& trace, const WaitAnalyzer& run, std::vector<int> trace_index_by_task);

    // Compares up to `steps` more switches or mismatches; returns true if more remain.
    bool advance(std::size_t steps);
    // REQUIRES: advance() has returned false.
    const SwitchComparison& result() const { return all_; }

  private:
    void begin_next_cpu();

    const WaitAnalyzer& trace_;
    const WaitAnalyzer& run_;
    std::vector<int> same_as_;
    std::size_t cpu_ = 0, cpus_;
    std::vector<SwitchIn> recorded_, made_;  // switches on the current CPU
    std::size_t r_ = 0, m_ = 0;              // numbers of switches compared so far
    SwitchComparison all_;
};

}  // namespace sim::trace_io
