#include "sim/explain/switch_steps.h"

#include <fmt/format.h>

#include <cassert>
#include <optional>

#include "sim/core/residency.h"

namespace sim {
namespace {

using Kept = SwitchStep::Kept;

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

    SwitchView no_switch(const NamedPolicy& policy, const TaskNamer& name) const {
        const bool idle = view_.after.is_idle_task(next_);
        SwitchView result;
        result.summary = fmt::format("No context switch: {} was running and was chosen again.", a_);
        result.steps.push_back(
            {.title = "Nothing to do",
             .detail =
                 fmt::format("{} schedule() returns to {}, whose registers, page tables and TLB are in "
                             "place; switch_to() is not called.",
                             idle ? "No other task is runnable." : why_it_won(view_.log, policy, name), a_),
             .happens = false,
             .kept = Kept::kept});
        result.whose_prev = fmt::format("`prev` and `next` are both {}.", a_);
        return result;
    }

    SwitchView the_switch() const {
        SwitchView result;
        result.switched = true;
        result.other_mm = view_.record.loads_mm;
        result.summary = summary();
        result.steps = steps();
        for (const SwitchStep& step : result.steps) result.cost += step.cost;
        result.whose_prev = whose_prev();
        return result;
    }

  protected:
    virtual std::vector<SwitchStep> steps() const = 0;
    virtual std::string summary() const = 0;
    virtual std::string whose_prev() const = 0;

    // True if `next` has never been on a CPU. Before this event, its row may have belonged to another task.
    bool never_ran() const {
        const Machine& before = view_.before;
        return !before.is_live(next_) || before.task[next_].pid != view_.after.task[next_].pid ||
               before.task[next_].last_processor == Task::kNoProcessor;
    }

    bool other_mm() const { return view_.record.loads_mm; }
    const char* tlb_afterwards() const {
        return view_.record.flushes_tlb ? "the TLB is flushed"
                                        : "the TLB is kept because its entries have tags";
    }
    // A TLB tagged with address-space identifiers.
    static SwitchStep tagged_tlb() {
        return {.title = "TLB",
                .detail = "Its entries are tagged with their address space, so those of others stay.",
                .kept = Kept::kept};
    }

    SwitchStep caches() const {
        return {.title = "Caches",
                .detail = fmt::format("They use physical addresses and survive. The model does not include "
                                      "how much of {}'s data remains.",
                                      b_),
                .kept = Kept::kept};
    }

    // Reloading of TLB and cache; nullopt if the machine models neither.
    std::optional<SwitchStep> refill() const {
        if (scenario_.shape.recent == 0) return std::nullopt;
        const TraceRecord& r = view_.record;
        SwitchStep step{
            .title = "Cache refill", .detail = {}, .cost = r.refill, .happens = r.refill != Nanos{}};
        if (view_.after.is_idle_task(next_)) {
            step.detail = "The idle task uses nothing that could be lost.";
            return step;
        }
        const std::vector<ResidentSet> contents = Residency(scenario_).contents(view_.after, r.cpu);
        if (contents.empty() || contents.front().task != next_) return std::nullopt;
        const ResidentSet& own = contents.front();
        if (costs_.tlb.entries > 0)
            step.detail += fmt::format("Of the {} pages that {} uses, the TLB still holds {}. ",
                                       own.tlb_needed, b_, own.tlb_needed - r.refilled_entries);
        if (costs_.cache.size > 0)
            step.detail += fmt::format(
                "Caches use physical addresses and survive, but other tasks have filled them: of the {} "
                "lines of its code and data, {} remain. ",
                own.lines_needed, own.lines_needed - r.refilled_lines - r.streamed_lines);
        const bool whole = r.refilled_entries + r.refilled_lines + r.streamed_lines == 0;
        step.detail += whole ? "Nothing has to be reloaded."
                             : fmt::format(
                                   "The rest is reloaded on demand: {} page-table walks, {} lines one by one "
                                   "and {} in sequence.",
                                   r.refilled_entries, r.refilled_lines, r.streamed_lines);
        return step;
    }

    const DecisionView& view_;
    const Scenario& scenario_;
    const CostModel& costs_;
    const TaskId prev_, next_;
    const std::string a_, b_;  // their names
    const bool to_kernel_, from_kernel_, exits_, first_time_;
};

// Linux 2.0: the processor performs the switch.
class HardwareSwitch : public SwitchWriter {
  public:
    using SwitchWriter::SwitchWriter;

  private:
    std::vector<SwitchStep> steps() const override {
        const std::optional<SwitchStep> back = refill();
        std::vector<SwitchStep> all{save(), page_directory(), tlb(), page_tables()};
        if (!back) all.push_back(caches());
        all.push_back(load());
        all.push_back(fpu());
        if (back) all.push_back(*back);
        all.push_back(resume());
        return all;
    }

    std::string summary() const override {
        if (other_mm())
            return fmt::format("{} hands the CPU to {}, which has another address space: {}.", a_, b_,
                               tlb_afterwards());
        if (to_kernel_)
            return fmt::format("{} hands the CPU to {}; both have the kernel's own page tables.", a_, b_);
        return fmt::format("{} hands the CPU to {}, a thread of the same address space: the TLB is kept.", a_,
                           b_);
    }

    // switch_to(): sets `current_set`; one far jump does the rest.
    SwitchStep save() const {
        std::string detail = fmt::format(
            "`current` becomes {1}, and one far jump to {1}'s task state segment (TSS) follows. The "
            "processor first stores the state of {0} in {0}'s TSS: registers, flags, stack and the position "
            "in switch_to().",
            a_, b_);
        if (exits_) detail += fmt::format(" {} has exited: its state is never loaded again.", a_);
        return {.title = "Save registers",
                .detail = detail + " The cost covers the whole jump, including the load of the next state.",
                .cost = costs_.switch_same_mm.time,
                .kept = Kept::kept};
    }

    // The page-directory register CR3 is one of the fields of a TSS.
    SwitchStep page_directory() const {
        SwitchStep step{.title = "Page directory", .detail = {}};
        if (!other_mm()) {
            step.detail = fmt::format("{}'s TSS has the page directory that is already in CR3.", b_);
            step.happens = false;
            step.kept = Kept::kept;
            if (exits_ && !from_kernel_)
                step.detail += fmt::format(
                    " (In the kernel, exit() has already switched {} to the kernel's page directory, so "
                    "there are two changes here. The model omits them.)",
                    a_);
            return step;
        }
        step.cost = costs_.switch_other_mm.time - costs_.switch_same_mm.time;
        step.detail = fmt::format("The jump loads CR3 from {}'s TSS: ", b_);
        if (to_kernel_)
            step.detail += fmt::format(
                "{} needs no user pages, but in 2.0 it still has its own page directory, the kernel's "
                "(swapper_pg_dir). There is no lazy TLB.",
                b_);
        else
            step.detail += fmt::format("{}'s page directory instead of {}.", b_,
                                       from_kernel_ ? "the kernel's" : a_ + "'s");
        if (exits_ && !from_kernel_)
            step.detail += fmt::format(
                " (In the kernel, exit() has already switched {} to the kernel's page directory; the model "
                "charges one change in all, here.)",
                a_);
        if (scenario_.shape.recent == 0)
            step.detail += " The cost includes refilling the TLB and the caches afterwards.";
        return step;
    }

    SwitchStep tlb() const {
        if (!other_mm())
            return {.title = "TLB",
                    .detail =
                        "CR3 has the same value as before, so all translations stay. This is taken from "
                        "descriptions of the i386, not measured.",
                    .kept = Kept::kept};
        if (!view_.record.flushes_tlb) return tagged_tlb();
        return {.title = "TLB",
                .detail = fmt::format(
                    "A new value in CR3 flushes it, because its entries have no address-space tag. {}'s "
                    "first accesses walk the page tables{}",
                    b_, scenario_.shape.recent == 0 ? "; the model does not follow them one by one." : "."),
                .kept = Kept::flushed};
    }

    SwitchStep page_tables() const {
        std::string detail = "They are in memory, and nothing is copied.";
        if (other_mm() && !from_kernel_ && !exits_)
            detail += fmt::format(" {}'s stay there until CR3 points to them again.", a_);
        if (exits_ && !from_kernel_) detail += fmt::format(" exit() has freed those that only {} used.", a_);
        return {.title = "Page tables", .detail = detail, .kept = Kept::kept};
    }

    SwitchStep load() const {
        if (first_time_)
            return {.title = "Load registers",
                    .detail = fmt::format("The same jump loads them from {0}'s TSS, which fork has filled "
                                          "in: {0}'s own kernel stack and the way out of the kernel.",
                                          b_)};
        return {.title = "Load registers",
                .detail = fmt::format("The same jump loads them from {0}'s TSS: {0}'s own kernel stack, and "
                                      "the position in switch_to() where it was stored.",
                                      b_)};
    }

    SwitchStep fpu() const {
        return {.title = "Floating point",
                .detail = fmt::format(
                    "Its registers stay, whichever task they belong to. The jump sets the TS flag; only if "
                    "{} uses floating point does a trap exchange them (math_state_restore()). If they "
                    "already belong to {}, TS is cleared at once. The model charges nothing for it.",
                    b_, b_),
                .happens = false,
                .kept = Kept::kept};
    }

    SwitchStep resume() const {
        SwitchStep step{.title = fmt::format("{} continues", b_), .detail = {}};
        if (view_.after.is_idle_task(next_)) {
            step.detail = fmt::format(
                "After its own call of schedule(), in the idle loop, {} waits for an interrupt.", b_);
        } else if (first_time_) {
            step.title = fmt::format("{} begins", b_);
            step.detail = fmt::format(
                "{} has never run. It has no call of schedule() to return from and starts at "
                "ret_from_sys_call, on the way to user mode.",
                b_);
        } else {
            step.detail =
                fmt::format("The call of schedule() in which {} last lost the CPU returns now.", b_);
        }
        return step;
    }

    // 2.0 needs no clean-up after switch_to(), so it does not pass on the task that ran before, and two names
    // suffice.
    std::string whose_prev() const override {
        if (first_time_)
            return fmt::format(
                "{} does not return from a switch_to(): it has no `prev` yet that could hold {}.", b_, a_);
        return fmt::format(
            "The code after switch_to() runs on {0}'s stack and sees {0}'s variables: `prev` is {0} itself, "
            "as when it was switched out, not {1}. `next` is the task that replaced it then. 2.0 has nothing "
            "to clean up there and does not need {1}.",
            b_, a_);
    }
};

// Linux 2.4: software performs the switch, and kernel threads borrow the loaded address space.
class SoftwareSwitch : public SwitchWriter {
  public:
    SoftwareSwitch(const DecisionView& view, const Scenario& scenario, const TaskNamer& name)
        : SwitchWriter(view, scenario, name),
          // exec() may have given prev another address space in the same event.
          from_(view.after.is_live(prev_) ? view.after.task[prev_].mm : view.before.task[prev_].mm),
          found_(from_ == kKernelMm ? view.before.cpu(view.record.cpu).active_mm : from_),
          borrows_(to_kernel_ && found_ != kKernelMm),
          gives_back_(from_ == kKernelMm && !to_kernel_ && found_ != kKernelMm),
          left_(view.before.cpu(view.record.cpu).left_mm && from_ == kKernelMm) {}

  private:
    std::vector<SwitchStep> steps() const override {
        std::vector<SwitchStep> all{active_mm(), page_directory(), tlb()};
        if (exits_) all.push_back(page_tables());
        if (gives_back_) all.push_back(drop());
        for (const SwitchStep& step : {save(), load(), fpu(), tail()}) all.push_back(step);
        all.push_back(refill().value_or(caches()));
        all.push_back(resume());
        return all;
    }

    // Name of the address space that was loaded: its current name, unless its last task has just exited.
    std::string found() const {
        const std::string now = scenario_.mm_name(view_.after, found_);
        return users_of(found_) > 0 || found_ == kKernelMm ? now : scenario_.mm_name(view_.before, found_);
    }
    // 0 if the address space has been freed.
    std::uint32_t users_of(MmId mm) const {
        return view_.after.mm(mm).count > 0 ? view_.after.mm(mm).users : 0;
    }
    bool returns() const { return gives_back_ && !other_mm(); }

    std::string summary() const override {
        const std::string hands = fmt::format("{} hands the CPU to {}", a_, b_);
        if (borrows_)
            return hands +
                   fmt::format(", which has no address space of its own and borrows {}: nothing is loaded.",
                               found());
        if (to_kernel_) return hands + "; both have the kernel's own page tables.";
        if (returns())
            return hands + fmt::format(
                               ", whose address space was only borrowed meanwhile: nothing is loaded, and "
                               "the TLB is kept.");
        if (other_mm() && left_ && found_ == view_.after.task[next_].mm)
            return hands +
                   fmt::format(
                       ", whose address space leave_mm() has dropped meanwhile: it is loaded again, and {}.",
                       tlb_afterwards());
        if (other_mm())
            return hands + fmt::format(", which has another address space: {}.", tlb_afterwards());
        return hands + ", a thread of the same address space: the TLB is kept.";
    }

    // The change of active_mm, and the reference counts of the address space.
    SwitchStep active_mm() const {
        SwitchStep step{.title = "active_mm", .detail = {}};
        const auto count = [&](MmId mm) {
            const Mm& counts = view_.after.mm(mm);
            return fmt::format("mm_users {}, mm_count {}", counts.users, counts.count);
        };
        if (borrows_) {
            step.detail = fmt::format(
                "{} has no `mm`. enter_lazy_tlb(): its `active_mm` is {}, which is loaded already and which "
                "it keeps alive ({} now). It uses only the kernel's part, which is the same in every address "
                "space.",
                b_, found(), count(found_));
            if (from_ == kKernelMm)
                step.detail += fmt::format(" {} had borrowed it, too, and passes it on.", a_);
            step.kept = Kept::kept;
        } else if (to_kernel_) {
            step.detail = fmt::format(
                "{} has no `mm`, and finds none to borrow: the kernel's own (init_mm) is loaded.", b_);
            step.kept = Kept::kept;
        } else {
            if (returns()) {
                step.detail = fmt::format("switch_mm(): {}, which was borrowed, is that of {} ({}).", found(),
                                          b_, count(found_));
                step.kept = Kept::kept;
                return step;
            }
            const MmId own = view_.after.task[next_].mm;
            const std::string name = own <= scenario_.shared_mms ? scenario_.mm_name(own, {}) : b_ + "'s own";
            step.detail = fmt::format("switch_mm() from {} to {} ({}).", found(), name, count(own));
        }
        return step;
    }

    SwitchStep page_directory() const {
        SwitchStep step{.title = "Page directory", .detail = {}};
        if (other_mm()) {
            step.cost = costs_.switch_other_mm.time - costs_.switch_same_mm.time;
            step.detail = fmt::format("switch_mm() loads CR3 with {}'s page directory.", b_);
            if (left_ && found_ == view_.after.task[next_].mm)
                step.detail = fmt::format(
                    "It was borrowed, but another CPU has changed it meanwhile, and leave_mm() has replaced "
                    "it with the kernel's (swapper_pg_dir). switch_mm() loads CR3 with {}'s again.",
                    b_);
            if (scenario_.shape.recent == 0)
                step.detail += " The cost includes refilling the TLB and the caches afterwards.";
            return step;
        }
        step.happens = false;
        step.kept = Kept::kept;
        if (borrows_)
            step.detail =
                "Nothing is loaded: CR3 does not change. Lazy TLB saves this load, and also the load on the "
                "way back if the same address space returns.";
        else if (to_kernel_)
            step.detail = "CR3 has the kernel's page directory already.";
        else if (returns())
            step.detail = fmt::format(
                "switch_mm() finds {}'s page directory loaded, as it was borrowed: CR3 stays.", b_);
        else
            step.detail = fmt::format(
                "switch_mm() finds that {} and {} have the same address space: CR3 stays.", a_, b_);
        return step;
    }

    SwitchStep tlb() const {
        if (!other_mm())
            return {.title = "TLB",
                    .detail = "CR3 is not written, so all translations stay.",
                    .kept = Kept::kept};
        if (!view_.record.flushes_tlb) return tagged_tlb();
        return {.title = "TLB",
                .detail =
                    "Writing CR3 flushes it, because its entries have no address-space tag. Only global "
                    "pages, the kernel's, would stay; the model omits those.",
                .kept = Kept::flushed};
    }

    SwitchStep page_tables() const {
        std::string detail = "They are in memory, and nothing is copied.";
        if (exits_ && from_ != kKernelMm && view_.after.mm(found_).count > 0 && users_of(found_) == 0)
            detail +=
                fmt::format(" {} has exited, but its page directory stays as long as it is borrowed.", a_);
        return {.title = "Page tables", .detail = detail, .kept = Kept::kept};
    }

    SwitchStep drop() const {
        const Mm& counts = view_.after.mm(found_);
        std::string detail = fmt::format(
            "{} leaves the CPU and needs no address space any more: mmdrop() drops its reference to {}", a_,
            found());
        if (users_of(found_) > 0)
            detail += fmt::format(" (mm_count {} now).", counts.count);
        else if (counts.count > 0 && found_ != view_.after.task[next_].mm)
            detail += fmt::format(", whose tasks have exited (references left: {}).", counts.count);
        else
            detail += ", whose tasks have exited: it was the last one, and the page directory is freed.";
        detail += " 2.4 does so before the stack switch, later kernels after it, in finish_task_switch().";
        return {.title = "mmdrop()", .detail = detail};
    }

    SwitchStep save() const {
        std::string detail = fmt::format(
            "switch_to() pushes the registers that the compiler wants preserved. It stores {}'s stack "
            "pointer and resume address in its task structure; user registers are already on its kernel "
            "stack.",
            a_);
        if (exits_) detail += fmt::format(" {} has exited: its state is never loaded again.", a_);
        return {.title = "Save registers",
                .detail = detail + " The cost is that of switch_to() and __switch_to() together.",
                .cost = costs_.switch_same_mm.time,
                .kept = Kept::kept};
    }

    SwitchStep load() const {
        std::string detail = fmt::format(
            "The stack pointer becomes {}'s, and from then on {} is `current`. A jump to __switch_to() "
            "writes the one TSS of the CPU: the kernel stack for {}'s next system call; segment and debug "
            "registers only where they differ.",
            b_, b_, b_);
        if (first_time_)
            detail += fmt::format(" fork has set up {}'s stack so that it resumes in ret_from_fork.", b_);
        return {.title = "Load registers", .detail = detail};
    }

    SwitchStep fpu() const {
        return {.title = "Floating point",
                .detail = fmt::format(
                    "unlazy_fpu(): if {} has used it since it got the CPU, its registers are saved now "
                    "and TS is set; only a trap loads {}'s. The model charges nothing for it.",
                    a_, b_),
                .happens = false,
                .kept = Kept::kept};
    }

    // Runs after switch_to() on next's stack: work for prev that must wait until prev is off the CPU.
    SwitchStep tail() const {
        const bool several = scenario_.cpus > 1;
        std::string detail = fmt::format("__schedule_tail({}), called by {}: ", a_, b_);
        if (exits_)
            detail += fmt::format(
                "{0} is off its stack only now, and the task that waits for {0} may free it.", a_);
        else if (!several)
            detail += "with one CPU it only clears the flag of sched_yield().";
        else if (view_.before.is_idle_task(prev_))
            detail += "for the idle task there is nothing to do.";
        else if (view_.record.voluntary)
            detail += fmt::format(
                "{} is marked as on no CPU; only now could another CPU take it, once it is woken.", a_);
        else
            detail += fmt::format(
                "{} is marked as on no CPU; it is still runnable, so an idle CPU that may run it is asked "
                "to.",
                a_);
        return {.title = "Clean up", .detail = detail};
    }

    SwitchStep resume() const {
        SwitchStep step{.title = fmt::format("{} continues", b_), .detail = {}};
        if (view_.after.is_idle_task(next_)) {
            step.detail = fmt::format(
                "After its own call of schedule(), in cpu_idle(), {} waits for an interrupt.", b_);
        } else if (first_time_) {
            step.title = fmt::format("{} begins", b_);
            step.detail = fmt::format(
                "{} has never run. It has no call of schedule() to return from: ret_from_fork calls "
                "schedule_tail() for {} and continues to user mode.",
                b_, a_);
        } else {
            step.detail =
                fmt::format("The call of schedule() in which {} last lost the CPU returns now.", b_);
        }
        return step;
    }

    // switch_to(prev, next, last): the running task, its successor, and the task to clean up after.
    std::string whose_prev() const override {
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

    const MmId from_, found_;  // address space of prev; loaded address space
    const bool borrows_, gives_back_, left_;
};

}  // namespace

const char* to_string(SwitchStep::Kept kept) {
    switch (kept) {
        case Kept::kept:
            return "kept";
        case Kept::flushed:
            return "flushed";
        case Kept::none:
            return "-";
    }
    return "?";
}

SwitchView switch_steps(const DecisionView& view, const NamedPolicy& policy, const Scenario& scenario,
                        const TaskNamer& name) {
    const auto written_by = [&](const SwitchWriter& writer) {
        return view.record.task == view.record.other ? writer.no_switch(policy, name) : writer.the_switch();
    };
    if (scenario.machine.lazy_tlb.value_or(policy.policy->lazy_tlb()))
        return written_by(SoftwareSwitch(view, scenario, name));
    return written_by(HardwareSwitch(view, scenario, name));
}

}  // namespace sim
