// A context switch with lazy TLB: a task without an address space borrows the loaded address space. Linux 2.4
// and later.
#pragma once

#include <string>

#include "sim/explain/switch_writer.h"

namespace sim {

class LazyTlbSwitchWriter : public SwitchWriter {
  public:
    LazyTlbSwitchWriter(const DecisionView& view, const Scenario& scenario, const TaskNamer& name);

  protected:
    std::string summary() const override;

    SwitchStep tlb() const;
    // Name of the address space that was loaded before the switch. If the last task of this address space has
    // just exited, the result is the name that the address space had before the event.
    std::string loaded_mm_name() const;
    // Number of tasks that use the address space; 0 if it has been freed.
    std::uint32_t users_of(MmId mm) const {
        return view_.after.mm(mm).count > 0 ? view_.after.mm(mm).users : 0;
    }
    // True if `next` owns the address space that prev had borrowed, and it is still loaded.
    bool next_owns_loaded_mm() const { return gives_back_ && !loads_other_mm(); }
    // True if the address space of `next` was unloaded while prev borrowed it.
    bool next_mm_was_unloaded() const {
        return loads_other_mm() && left_ && found_ == view_.after.task[next_].mm;
    }

    const MmId from_, found_;  // address space of prev; address space loaded before the switch
    const bool borrows_, gives_back_, left_;
};

}  // namespace sim
