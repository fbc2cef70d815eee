// The steps of a context switch without lazy TLB, as made by the hardware task switch of Linux 2.0.
// Sources: switch_steps.h.
#include <fmt/format.h>

#include "sim/explain/switch_writer.h"

namespace sim {
namespace {

// Linux 2.0: the processor performs the switch.
class HardwareSwitchWriter : public SwitchWriter {
  public:
    using SwitchWriter::SwitchWriter;

  private:
    std::vector<SwitchStep> steps() const override {
        const std::optional<SwitchStep> back = refill_step();
        std::vector<SwitchStep> all{save(), page_directory(), tlb(), page_tables()};
        if (!back) all.push_back(caches());
        all.push_back(load());
        all.push_back(fpu());
        if (back) all.push_back(*back);
        all.push_back(resume());
        return all;
    }

    std::string summary() const override {
        if (loads_other_mm())
            return fmt::format("{} hands the CPU to {}, which has another address space: {}.", a_, b_,
                               describe_tlb_afterwards());
        if (to_kernel_)
            return fmt::format("{} hands the CPU to {}; both have the kernel's own page tables.", a_, b_);
        return fmt::format("{} hands the CPU to {}, a thread of the same address space: the TLB is kept.", a_,
                           b_);
    }

    // switch_to() first sets `current_set`. One far jump then does all other work.
    SwitchStep save() const {
        std::string detail = fmt::format(
            "`current` becomes {1}, and one far jump to {1}'s task state segment (TSS) follows. The "
            "processor first stores the state of {0} in {0}'s TSS: registers, flags, stack and the position "
            "in switch_to().",
            a_, b_);
        return save_registers(std::move(detail),
                              "The cost covers the whole jump, including the load of the next state.");
    }

    // The page-directory register CR3 is one of the fields of a TSS.
    SwitchStep page_directory() const {
        if (!loads_other_mm()) {
            SwitchStep step{
                .title = "Page directory",
                .detail = fmt::format("{}'s TSS has the page directory that is already in CR3.", b_),
                .happens = false,
                .kept = OldContents::kept};
            if (exits_ && !from_kernel_)
                step.detail += fmt::format(
                    " (In the kernel, exit() has already switched {} to the kernel's page directory, so "
                    "there are two changes here. The model omits them.)",
                    a_);
            return step;
        }
        std::string how = fmt::format("The jump loads CR3 from {}'s TSS: ", b_);
        if (to_kernel_)
            how += fmt::format(
                "{} needs no user pages, but Linux 2.0 has no lazy TLB, so the kernel's page directory "
                "(swapper_pg_dir) is loaded for it.",
                b_);
        else
            how += fmt::format("{}'s page directory instead of that of {}.", b_,
                               from_kernel_ ? "the kernel" : a_);
        if (exits_ && !from_kernel_)
            how += fmt::format(
                " (In the kernel, exit() has already switched {} to the kernel's page directory; the model "
                "charges only for the change at this step.)",
                a_);
        return load_page_directory(std::move(how));
    }

    SwitchStep tlb() const {
        if (!loads_other_mm())
            return {.title = "TLB",
                    .detail =
                        "CR3 has the same value as before, so all translations stay. This is taken from "
                        "descriptions of the i386, not measured.",
                    .kept = OldContents::kept};
        if (!view_.record.flushes_tlb) return tagged_tlb();
        return {.title = "TLB",
                .detail = fmt::format(
                    "A new value in CR3 flushes the TLB, because TLB entries have no address-space tag. "
                    "{}'s first memory accesses walk the page tables{}",
                    b_,
                    scenario_.shape.recent == 0 ? "; the model does not simulate these accesses one by "
                                                  "one."
                                                : "."),
                .kept = OldContents::flushed};
    }

    SwitchStep page_tables() const {
        std::string detail = "The page tables are in memory, and nothing is copied.";
        if (loads_other_mm() && !from_kernel_ && !exits_)
            detail += fmt::format(" {}'s page tables stay there until CR3 points to them again.", a_);
        if (exits_ && !from_kernel_)
            detail += fmt::format(
                " exit() has freed the page tables that only {} "
                "used.",
                a_);
        return {.title = "Page tables", .detail = detail, .kept = OldContents::kept};
    }

    SwitchStep load() const {
        if (first_time_)
            return {.title = "Load registers",
                    .detail = fmt::format("The same jump loads the registers from {0}'s TSS, which fork has "
                                          "filled in with {0}'s own kernel stack and the entry point "
                                          "ret_from_sys_call.",
                                          b_),
                    .begins_next = true};
        return {.title = "Load registers",
                .detail = fmt::format("The same jump loads the registers from {0}'s TSS: {0}'s own kernel "
                                      "stack, and the position in switch_to() where {0} stopped.",
                                      b_),
                .begins_next = true};
    }

    SwitchStep fpu() const {
        return floating_point(fmt::format(
            "The floating-point registers stay, whichever task they belong to. The jump sets the TS flag, "
            "so the first floating-point instruction of {} traps and exchanges them (math_state_restore()). "
            "If they already belong to {}, TS is cleared at once.",
            b_, b_));
    }

    SwitchStep resume() const {
        return resume_next("schedule() in the idle loop",
                           " and starts at ret_from_sys_call, on the way to user mode.");
    }

    // In Linux 2.0, nothing needs to be cleaned up after switch_to(). So switch_to() does not pass on the
    // task that ran before, and the two names prev and next suffice.
    std::string describe_prev() const override {
        if (first_time_)
            return fmt::format(
                "{} does not return from a switch_to(): it has no `prev` yet that could hold {}.", b_, a_);
        return fmt::format(
            "The code after switch_to() runs on {0}'s stack and sees {0}'s variables: `prev` is {0} itself, "
            "as when it was switched out, not {1}. `next` is the task that replaced {0} then. Linux 2.0 has "
            "nothing to clean up there and does not need {1}.",
            b_, a_);
    }
};

}  // namespace

std::unique_ptr<SwitchWriter> make_hardware_switch_writer(const DecisionView& view, const Scenario& scenario,
                                                          const TaskNamer& name) {
    return std::make_unique<HardwareSwitchWriter>(view, scenario, name);
}

}  // namespace sim
