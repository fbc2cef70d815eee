#include "sim/explain/lazy_tlb_switch_writer.h"

#include <fmt/format.h>

namespace sim {

LazyTlbSwitchWriter::LazyTlbSwitchWriter(const DecisionView& view, const Scenario& scenario,
                                         const TaskNamer& name)
    : SwitchWriter(view, scenario, name),
      // If prev is alive, the state after the event is used, because exec() in this event may have given prev
      // another address space.
      from_(view.after.is_live(prev_) ? view.after.task[prev_].mm : view.before.task[prev_].mm),
      found_(from_ == kKernelMm ? view.before.cpu(view.record.cpu).active_mm : from_),
      borrows_(to_kernel_ && found_ != kKernelMm),
      gives_back_(from_ == kKernelMm && !to_kernel_ && found_ != kKernelMm),
      left_(view.before.cpu(view.record.cpu).left_mm && from_ == kKernelMm) {}

std::string LazyTlbSwitchWriter::loaded_mm_name() const {
    const std::string now = scenario_.mm_name(view_.after, found_);
    return users_of(found_) > 0 || found_ == kKernelMm ? now : scenario_.mm_name(view_.before, found_);
}

SwitchStep LazyTlbSwitchWriter::tlb() const {
    if (!loads_other_mm())
        return {.title = "TLB",
                .detail = "CR3 is not written, so all translations stay.",
                .kept = OldContents::kept};
    if (!view_.record.flushes_tlb) return tagged_tlb();
    return {.title = "TLB",
            .detail =
                "Writing CR3 flushes the TLB, because TLB entries have no address-space tag. From the "
                "Pentium Pro on, the entries of the kernel's global pages would stay; the model omits this.",
            .kept = OldContents::flushed};
}

std::string LazyTlbSwitchWriter::summary() const {
    const std::string hands = fmt::format("{} hands the CPU to {}", a_, b_);
    if (borrows_)
        return hands +
               fmt::format(", which has no address space of its own and borrows {}: nothing is loaded.",
                           loaded_mm_name());
    if (to_kernel_) return hands + "; both have the kernel's own page tables.";
    if (next_owns_loaded_mm())
        return hands +
               ", whose address space was only borrowed meanwhile: nothing is loaded, and the TLB is kept.";
    if (next_mm_was_unloaded())
        return hands +
               fmt::format(", whose address space was unloaded meanwhile: it is loaded again, and {}.",
                           describe_tlb_afterwards());
    if (loads_other_mm())
        return hands + fmt::format(", which has another address space: {}.", describe_tlb_afterwards());
    return hands + ", a thread of the same address space: the TLB is kept.";
}

}  // namespace sim
