// Describes the steps of a context switch. Each subclass adds the steps of one kernel.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/explain/switch_steps.h"

namespace sim {

// Writes the steps that all kernels have in common.
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
          first_time_(next_never_ran()) {}
    virtual ~SwitchWriter() = default;
    SwitchWriter(const SwitchWriter&) = delete;
    SwitchWriter& operator=(const SwitchWriter&) = delete;

    // describe_no_switch() is for a decision that keeps the running task, describe_switch() for a decision
    // that switches.
    SwitchView describe_no_switch(const NamedPolicy& policy, const TaskNamer& name) const;
    SwitchView describe_switch(const NamedPolicy& policy) const;

  protected:
    using OldContents = SwitchStep::OldContents;

    virtual std::vector<SwitchStep> steps() const = 0;
    virtual std::string summary() const = 0;
    virtual std::string describe_prev() const = 0;

    // True if `next` had never run on a CPU before. (Its row may have belonged to another task before this
    // event.)
    bool next_never_ran() const;

    bool loads_other_mm() const { return view_.record.loads_mm; }
    // Whether the machine charges nothing for a switch and models neither TLB nor cache.
    bool is_without_costs() const {
        return costs_.switch_same_mm.time == Nanos{} && costs_.switch_other_mm.time == Nanos{} &&
               scenario_.shape.recent == 0;
    }
    const char* describe_tlb_afterwards() const {
        return view_.record.flushes_tlb ? "the TLB is flushed"
                                        : "the TLB is kept because its entries have tags";
    }
    // The step for a TLB whose entries are tagged with their address space, so that the switch keeps them.
    static SwitchStep tagged_tlb() {
        return {.title = "TLB",
                .detail =
                    "TLB entries are tagged with their address space, so the entries of other address "
                    "spaces stay.",
                .kept = OldContents::kept};
    }

    SwitchStep caches() const;

    // The next functions return steps that every kernel makes; the arguments are sentences about this kernel.
    // `explanation`: how the registers of prev are saved; `cost`: what the cost covers.
    SwitchStep save_registers(std::string explanation, const std::string& cost) const;
    SwitchStep floating_point(const std::string& explanation) const;
    // The step in which `next` starts to run. `idle_call`: the call that the idle task returns from;
    // `new_task_start`: how a new task starts to run.
    SwitchStep resume_next(const std::string& idle_call, const std::string& new_task_start) const;
    // The step that loads another page directory, with its cost. `explanation`: how the kernel loads the page
    // directory.
    SwitchStep load_page_directory(std::string explanation) const;

    // The step that reloads TLB and cache; nullopt if the machine models neither.
    std::optional<SwitchStep> refill_step() const;

    const DecisionView& view_;
    const Scenario& scenario_;
    const CostModel& costs_;
    const TaskId prev_, next_;
    const std::string a_, b_;  // their names
    const bool to_kernel_, from_kernel_, exits_, first_time_;
};

// Linux 2.0: the processor performs the switch.
std::unique_ptr<SwitchWriter> make_hardware_switch_writer(const DecisionView& view, const Scenario& scenario,
                                                          const TaskNamer& name);

// Linux 2.4: software performs the switch, and kernel threads borrow the loaded address space.
std::unique_ptr<SwitchWriter> make_software_switch_writer(const DecisionView& view, const Scenario& scenario,
                                                          const TaskNamer& name);

// Whether make_context_switch_writer() describes the switches of this policy.
bool has_context_switch_writer(std::string_view policy);

// Linux 2.6.20 and later: the calls from prepare_task_switch() to finish_task_switch() of that kernel.
// `switch_out`: as for switch_steps(). Returns null for other policies.
std::unique_ptr<SwitchWriter> make_context_switch_writer(std::string_view policy, const DecisionView& view,
                                                         const Scenario& scenario, const TaskNamer& name,
                                                         std::optional<SwitchOut> switch_out);

}  // namespace sim
