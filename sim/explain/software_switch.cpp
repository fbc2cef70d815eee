// The steps of a context switch with lazy TLB, as in Linux 2.4. Sources: switch_steps.h.
#include <fmt/format.h>

#include "sim/explain/lazy_tlb_switch_writer.h"

namespace sim {
namespace {

// Linux 2.4: software performs the switch, and kernel threads borrow the loaded address space.
class SoftwareSwitchWriter : public LazyTlbSwitchWriter {
  public:
    using LazyTlbSwitchWriter::LazyTlbSwitchWriter;

  private:
    std::vector<SwitchStep> steps() const override {
        std::vector<SwitchStep> all{active_mm(), page_directory(), tlb()};
        if (exits_) all.push_back(page_tables());
        if (gives_back_) all.push_back(drop());
        for (const SwitchStep& step : {save(), load(), fpu(), tail()}) all.push_back(step);
        all.push_back(refill_step().value_or(caches()));
        all.push_back(resume());
        return all;
    }

    // The step that changes active_mm. Its text contains the reference counts of the address space.
    SwitchStep active_mm() const {
        SwitchStep step{.title = "active_mm", .detail = {}};
        const auto count = [&](MmId mm) {
            const Mm& counts = view_.after.mm(mm);
            return fmt::format("mm_users {}, mm_count {}", counts.users, counts.count);
        };
        if (borrows_) {
            step.detail = fmt::format(
                "{0} has no `mm`. enter_lazy_tlb(): {0}'s `active_mm` becomes {1}, which is already loaded "
                "and stays in memory ({2} now). {0} uses only the kernel's part, which is the same in every "
                "address space.",
                b_, loaded_mm_name(), count(found_));
            if (from_ == kKernelMm)
                step.detail += fmt::format(" {} had borrowed this address space, too, and passes it on.", a_);
            step.kept = OldContents::kept;
        } else if (to_kernel_) {
            step.detail = fmt::format(
                "{} has no `mm`, and there is none to borrow, because the kernel's own (init_mm) is loaded.",
                b_);
            step.kept = OldContents::kept;
        } else {
            if (next_owns_loaded_mm()) {
                step.detail = fmt::format("switch_mm(): {}, which was only borrowed, belongs to {} ({}).",
                                          loaded_mm_name(), b_, count(found_));
                step.kept = OldContents::kept;
                return step;
            }
            const MmId own = view_.after.task[next_].mm;
            const std::string name = own <= scenario_.shared_mms ? scenario_.mm_name(own, {}) : b_ + "'s own";
            step.detail = fmt::format("switch_mm() from {} to {} ({}).", loaded_mm_name(), name, count(own));
        }
        return step;
    }

    SwitchStep page_directory() const {
        if (next_mm_was_unloaded())
            return load_page_directory(fmt::format(
                "{0}'s page directory was borrowed, but another CPU has changed it meanwhile, and "
                "leave_mm() has replaced it with the kernel's (swapper_pg_dir). switch_mm() loads CR3 with "
                "{0}'s page directory again.",
                b_));
        if (loads_other_mm())
            return load_page_directory(fmt::format("switch_mm() loads CR3 with {}'s page directory.", b_));
        SwitchStep step{.title = "Page directory", .detail = {}, .happens = false, .kept = OldContents::kept};
        if (borrows_)
            step.detail =
                "Nothing is loaded: CR3 does not change. Lazy TLB saves this load, and also the load on the "
                "way back if the same address space returns.";
        else if (to_kernel_)
            step.detail = "CR3 has the kernel's page directory already.";
        else if (next_owns_loaded_mm())
            step.detail = fmt::format(
                "switch_mm() finds {}'s page directory still loaded, because it was only borrowed: CR3 does "
                "not change.",
                b_);
        else
            step.detail = fmt::format(
                "switch_mm() finds that {} and {} have the same address space: CR3 does not change.", a_, b_);
        return step;
    }

    SwitchStep page_tables() const {
        std::string detail = "The page tables are in memory, and nothing is copied.";
        if (exits_ && from_ != kKernelMm && view_.after.mm(found_).count > 0 && users_of(found_) == 0)
            detail +=
                fmt::format(" {} has exited, but its page directory stays as long as it is borrowed.", a_);
        return {.title = "Page tables", .detail = detail, .kept = OldContents::kept};
    }

    SwitchStep drop() const {
        const Mm& counts = view_.after.mm(found_);
        std::string detail = fmt::format(
            "{} leaves the CPU and needs no address space any more: mmdrop() drops its reference to {}", a_,
            loaded_mm_name());
        if (users_of(found_) > 0)
            detail += fmt::format(" (mm_count {} now).", counts.count);
        else if (counts.count > 0 && found_ != view_.after.task[next_].mm)
            detail += fmt::format(", whose tasks have exited (references left: {}).", counts.count);
        else
            detail +=
                ", whose tasks have exited: this was the last reference, and the page directory is "
                "freed.";
        detail +=
            " Linux 2.4 calls mmdrop() before the stack switch, later kernels after it, in "
            "finish_task_switch().";
        return {.title = "mmdrop()", .detail = detail};
    }

    SwitchStep save() const {
        return save_registers(
            fmt::format("switch_to() pushes the registers that the compiler wants preserved. It stores {}'s "
                        "stack pointer and resume address in its task structure; user registers are already "
                        "on its kernel stack.",
                        a_),
            "The cost is that of switch_to() and __switch_to() together.");
    }

    SwitchStep load() const {
        std::string detail = fmt::format(
            "The stack pointer becomes {}'s, and from then on {} is `current`. A jump to __switch_to() "
            "writes the kernel stack for {}'s next system call into the CPU's only TSS, and loads segment "
            "and debug registers only where they differ.",
            b_, b_, b_);
        if (first_time_)
            detail += fmt::format(" fork has set up {}'s stack so that it resumes in ret_from_fork.", b_);
        return {.title = "Load registers", .detail = detail, .begins_next = true};
    }

    SwitchStep fpu() const {
        return floating_point(fmt::format(
            "unlazy_fpu() saves {0}'s floating-point registers and sets TS if {0} has used them since it "
            "got the CPU; only a trap loads {1}'s.",
            a_, b_));
    }

    // The step after switch_to(), on next's stack: the work for prev that must wait until prev has left the
    // CPU.
    SwitchStep tail() const {
        const bool several = scenario_.cpus > 1;
        std::string detail = fmt::format("__schedule_tail({}), called by {}: ", a_, b_);
        if (exits_)
            detail += fmt::format(
                "{0} has left its kernel stack only now, and the task that waits for {0} may free the "
                "stack.",
                a_);
        else if (!several)
            detail += "with one CPU, it only clears the flag SCHED_YIELD.";
        else if (view_.before.is_idle_task(prev_))
            detail += "for the idle task there is nothing to do.";
        else if (view_.record.voluntary)
            detail += fmt::format(
                "{} is marked as running on no CPU; only from now on can another CPU run it, once it is "
                "woken.",
                a_);
        else
            detail += fmt::format(
                "{} is marked as running on no CPU; it is still runnable, so it is offered to an idle CPU "
                "that may run it, if there is one.",
                a_);
        return {.title = "Clean up", .detail = detail};
    }

    SwitchStep resume() const {
        return resume_next(
            "schedule() in cpu_idle()",
            fmt::format(": ret_from_fork calls schedule_tail() for {} and continues to user mode.", a_));
    }

    // Describes switch_to(prev, next, last): the running task, its successor, and the task for which the
    // kernel cleans up.
    std::string describe_prev() const override {
        if (first_time_)
            return fmt::format(
                "{0} does not return from a switch_to(): ret_from_fork gets {1} from a register, and cleans "
                "up after {1}.",
                b_, a_);
        return fmt::format(
            "The code after switch_to() runs on {0}'s stack, where `next` is still the task that replaced "
            "{0} then. That is why switch_to() has a third parameter: it passes, in a register, the task "
            "that really ran last. So `prev` is {1}, and __schedule_tail() cleans up after it.",
            b_, a_);
    }
};

}  // namespace

std::unique_ptr<SwitchWriter> make_software_switch_writer(const DecisionView& view, const Scenario& scenario,
                                                          const TaskNamer& name) {
    return std::make_unique<SoftwareSwitchWriter>(view, scenario, name);
}

}  // namespace sim
