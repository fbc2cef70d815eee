#include "sim/switch_steps.h"

#include <fmt/format.h>

#include <cassert>

namespace sim {
namespace {

using Kept = SwitchStep::Kept;

class Author {
  public:
    Author(const DecisionView& view, const CostModel& costs, const TaskNamer& name)
        : view_(view),
          costs_(costs),
          prev_(view.record.other),
          next_(view.record.task),
          a_(name(prev_)),
          b_(name(next_)),
          to_kernel_(view.after.task[next_].mm == kKernelMm),
          from_kernel_(view.before.task[prev_].mm == kKernelMm),
          exits_(!view.after.is_live(prev_)),
          first_time_(never_ran()) {}

    SwitchView no_switch(const Policy& policy, const TaskNamer& name) {
        const bool idle = view_.after.is_idle_task(next_);
        SwitchView result;
        result.summary = fmt::format("No context switch: {} was running and was chosen again.", a_);
        result.steps.push_back(
            {.title = "Nothing to do",
             .detail =
                 fmt::format("{} schedule() returns to {}, whose registers, page tables and TLB are in "
                             "place; switch_to() is not called.",
                             idle ? "Nobody else is runnable." : why_it_won(view_.log, policy, name), a_),
             .happens = false,
             .kept = Kept::kept});
        result.whose_prev = fmt::format("`prev` and `next` are both {}.", a_);
        return result;
    }

    SwitchView the_switch() {
        SwitchView result;
        result.switched = true;
        result.other_mm = view_.record.loads_mm;
        result.summary = summary();
        result.steps = {save(), page_directory(), tlb(), page_tables(), caches(), load(), fpu(), resume()};
        for (const SwitchStep& step : result.steps) result.cost += step.cost;
        result.whose_prev = whose_prev();
        return result;
    }

  private:
    // Whether `next` has been on a CPU before; before this event its row may have been that of another task.
    bool never_ran() const {
        const Machine& before = view_.before;
        return !before.is_live(next_) || before.task[next_].pid != view_.after.task[next_].pid ||
               before.task[next_].last_processor == Task::kNoProcessor;
    }

    bool other_mm() const { return view_.record.loads_mm; }

    std::string summary() const {
        if (other_mm())
            return fmt::format("{} hands the CPU to {}, which has another address space: the TLB is flushed.",
                               a_, b_);
        if (to_kernel_)
            return fmt::format("{} hands the CPU to {}; both have the kernel's own page tables.", a_, b_);
        return fmt::format("{} hands the CPU to {}, a thread of the same address space: the TLB is kept.", a_,
                           b_);
    }

    // switch_to(): `current_set` is set, then one far jump does the rest.
    SwitchStep save() const {
        std::string detail = fmt::format(
            "`current` becomes {1}, and one far jump to {1}'s task state segment (TSS) follows. The "
            "processor "
            "first stores what {0} was doing in {0}'s TSS: registers, flags, stack and the place in "
            "switch_to().",
            a_, b_);
        if (exits_) detail += fmt::format(" {} has exited: nobody will ever load it again.", a_);
        return {.title = "Save registers",
                .detail = detail + " The price is that of the whole jump, loading included.",
                .cost = costs_.switch_same_mm.time,
                .kept = Kept::kept};
    }

    // The page-directory register CR3 is one of the fields of a TSS.
    SwitchStep page_directory() const {
        SwitchStep step{.title = "Page directory", .detail = {}};
        if (!other_mm()) {
            step.detail = fmt::format("{}'s TSS names the page directory that CR3 has already.", b_);
            step.happens = false;
            step.kept = Kept::kept;
            if (exits_ && !from_kernel_)
                step.detail += fmt::format(
                    " (In the kernel, exit() has put {} on the kernel's page directory before, so that there "
                    "are two changes here. The model leaves them out.)",
                    a_);
            return step;
        }
        step.cost = costs_.switch_other_mm.time - costs_.switch_same_mm.time;
        step.detail = fmt::format("The jump loads CR3 from {}'s TSS: ", b_);
        if (to_kernel_)
            step.detail += fmt::format(
                "{} needs no user pages, but in 2.0 it has a page directory of its own all the same, the "
                "kernel's (swapper_pg_dir). There is no lazy TLB.",
                b_);
        else
            step.detail += fmt::format("{}'s page directory instead of {}.", b_,
                                       from_kernel_ ? "the kernel's" : a_ + "'s");
        if (exits_ && !from_kernel_)
            step.detail += fmt::format(
                " (In the kernel, exit() has put {} on the kernel's page directory before; the model charges "
                "for "
                "one change in all, here.)",
                a_);
        step.detail += " The price includes filling the TLB and the caches again afterwards.";
        return step;
    }

    SwitchStep tlb() const {
        if (!other_mm())
            return {.title = "TLB",
                    .detail =
                        "CR3 has the same value as before, so all translations stay. This is taken from "
                        "descriptions of the i386, not measured.",
                    .kept = Kept::kept};
        return {.title = "TLB",
                .detail =
                    fmt::format("Another value in CR3 empties it, because its entries do not say whose they "
                                "are. {}'s first accesses walk the page tables; the model does not "
                                "follow them one by one.",
                                b_),
                .kept = Kept::flushed};
    }

    SwitchStep page_tables() const {
        std::string detail = "They lie in memory, and nothing is copied.";
        if (other_mm() && !from_kernel_ && !exits_)
            detail += fmt::format(" {}'s wait there until CR3 points to them again.", a_);
        if (exits_ && !from_kernel_) detail += fmt::format(" What {} alone had, exit() has given back.", a_);
        return {.title = "Page tables", .detail = detail, .kept = Kept::kept};
    }

    SwitchStep caches() const {
        return {
            .title = "Caches",
            .detail = fmt::format("They go by physical addresses and survive. How much of its data {} still "
                                  "finds there is not modelled.",
                                  b_),
            .kept = Kept::kept};
    }

    SwitchStep load() const {
        if (first_time_)
            return {
                .title = "Load registers",
                .detail = fmt::format("The same jump loads them from {0}'s TSS, as fork has filled it: {0}'s "
                                      "own kernel stack and the way out of the kernel.",
                                      b_)};
        return {
            .title = "Load registers",
            .detail = fmt::format("The same jump loads them from {0}'s TSS: {0}'s own kernel stack, and the "
                                  "place in switch_to() at which it was stored.",
                                  b_)};
    }

    SwitchStep fpu() const {
        return {
            .title = "Floating point",
            .detail = fmt::format("Its registers stay, whoever they belong to. The jump sets the TS flag; "
                                  "only if {} computes in floating point does a trap exchange them "
                                  "(math_state_restore()). If they are {}'s anyway, TS is cleared at once. "
                                  "The model charges nothing for it.",
                                  b_, b_),
            .happens = false,
            .kept = Kept::kept};
    }

    SwitchStep resume() const {
        SwitchStep step{.title = fmt::format("{} goes on", b_), .detail = {}};
        if (view_.after.is_idle_task(next_)) {
            step.detail = fmt::format(
                "Behind its own call of schedule(), in the idle loop, {} waits for an "
                "interrupt.",
                b_);
        } else if (first_time_) {
            step.title = fmt::format("{} begins", b_);
            step.detail = fmt::format(
                "{} has never run. It has no call of schedule() to return from and starts at "
                "ret_from_sys_call, on the way to user mode.",
                b_);
        } else {
            step.detail = fmt::format(
                "Behind the call of schedule() in which {} once lost the CPU: that call "
                "returns now.",
                b_);
        }
        return step;
    }

    // In 2.0 nothing behind switch_to() has to clean up after the task that ran before, so two names are
    // enough and the task that really ran before is not handed over.
    std::string whose_prev() const {
        if (first_time_)
            return fmt::format(
                "{} does not come out of a switch_to(): it has no `prev` yet, and no {} in it.", b_, a_);
        return fmt::format(
            "The code behind switch_to() runs on {0}'s stack and sees {0}'s variables: `prev` is "
            "{0} itself, as when it was switched out, not {1}, and `next` is whoever it made "
            "way for then; 2.0 has nothing to clean up there and need not know of {1}.",
            b_, a_);
    }

    const DecisionView& view_;
    const CostModel& costs_;
    const TaskId prev_, next_;
    const std::string a_, b_;  // what they are called
    const bool to_kernel_, from_kernel_, exits_, first_time_;
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

SwitchView switch_steps(const DecisionView& view, const Policy& policy, const CostModel& costs,
                        const TaskNamer& name) {
    Author author(view, costs, name);
    return view.record.task == view.record.other ? author.no_switch(policy, name) : author.the_switch();
}

}  // namespace sim
