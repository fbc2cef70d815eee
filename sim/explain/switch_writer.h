// Writes the steps of a context switch; subclasses add those of one kernel.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/explain/switch_steps.h"

namespace sim {

// The steps common to all kernels.
class SwitchWriter {
  public:
    SwitchWriter(const DecisionView& view, const Scenario& scenario, const TaskNamer& name)
        : view_(view),
          scenario_(scenario),
          costs_(scenario.machine.costs),
          prev_(view.record.other),
          next_(view.record.task),
          a_(name(prev_)),
          b_(name(next_)),
          to_kernel_(view.after.task[next_].mm == kKernelMm),
          from_kernel_(view.before.task[prev_].mm == kKernelMm),
          exits_(!view.after.is_live(prev_)),
          first_time_(never_ran()) {}
    virtual ~SwitchWriter() = default;
    SwitchWriter(const SwitchWriter&) = delete;
    SwitchWriter& operator=(const SwitchWriter&) = delete;

    // no_switch(): the view of a decision that keeps the running task. the_switch(): the view of one that
    // switches.
    SwitchView no_switch(const NamedPolicy& policy, const TaskNamer& name) const;
    SwitchView the_switch() const;

  protected:
    using Kept = SwitchStep::Kept;

    virtual std::vector<SwitchStep> steps() const = 0;
    virtual std::string summary() const = 0;
    virtual std::string whose_prev() const = 0;

    // True if `next` had never been on a CPU before. (Its row may have belonged to another task before this
    // event.)
    bool never_ran() const;

    bool other_mm() const { return view_.record.loads_mm; }
    const char* tlb_afterwards() const {
        return view_.record.flushes_tlb ? "the TLB is flushed"
                                        : "the TLB is kept because its entries have tags";
    }
    // The step for a TLB tagged with address-space identifiers, which keeps its entries.
    static SwitchStep tagged_tlb() {
        return {.title = "TLB",
                .detail = "Its entries are tagged with their address space, so those of others stay.",
                .kept = Kept::kept};
    }

    SwitchStep caches() const;

    // The step that reloads TLB and cache; nullopt if the machine models neither.
    std::optional<SwitchStep> refill() const;

    const DecisionView& view_;
    const Scenario& scenario_;
    const CostModel& costs_;
    const TaskId prev_, next_;
    const std::string a_, b_;  // their names
    const bool to_kernel_, from_kernel_, exits_, first_time_;
};

// Linux 2.0: the processor performs the switch.
std::unique_ptr<SwitchWriter> hardware_switch(const DecisionView& view, const Scenario& scenario,
                                              const TaskNamer& name);

// Linux 2.4: software performs the switch, and kernel threads borrow the loaded address space.
std::unique_ptr<SwitchWriter> software_switch(const DecisionView& view, const Scenario& scenario,
                                              const TaskNamer& name);

}  // namespace sim
