// The steps of a context switch of Linux 2.6.20 and later, named after the calls of the kernel. From 2.6.24
// on all of these calls are in context_switch(). In 2.6.20 context_switch() ends with switch_to(); schedule()
// calls prepare_task_switch() before context_switch(), and barrier() and finish_task_switch() after
// context_switch(). Sources: kernel/sched.c of 2.6.20, 2.6.24 and 2.6.32 and kernel/sched/core.c of 6.6,
// context_switch(), prepare_task_switch() and finish_task_switch(); arch/i386 and arch/x86, switch_to() and
// __switch_to(); arch/x86/mm/tlb.c of 6.6, flush_tlb_func(); kernel/exit.c, exit_mm().
//
// Not modelled: tracing, paravirtualisation, lockdep.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sim/explain/lazy_tlb_switch_writer.h"

namespace sim {
namespace {

// The texts in which the kernels differ. {0} is replaced by the name of prev and {1} by the name of next.
struct KernelSwitchTexts {
    const char* policy;
    const char* prepare;       // the steps of prepare_task_switch() before the hook prepare_arch_switch()
    const char* release;       // the steps of finish_task_switch() until prev and the run queue are released
    const char* switch_mm;     // the call that loads the page tables
    const char* around_mm;     // further calls directly before and after switch_mm
    const char* before;        // a further call before switch_to()
    const char* grab;          // increments mm_count
    const char* drop;          // decrements mm_count
    const char* save_fpu;      // how the floating-point registers of prev are saved
    const char* load_fpu;      // when the floating-point registers of next are loaded
    const char* unload;        // how a CPU replaces a borrowed address space after another CPU changed it
    const char* finish;        // the call of finish_task_switch() with its arguments
    const char* tail;          // how schedule_tail() calls finish_task_switch() for a new task
    const char* put_task;      // drops the reference of a dead prev
    const char* idle_call;     // the call that the idle task returns from
    bool passes_mm_reference;  // a switch between two kernel threads does not change mm_count
    bool schedule_finishes;    // schedule(), not context_switch(), makes the calls that follow switch_to()
};

constexpr KernelSwitchTexts linux_2_6_switch_texts(const char* policy, const char* prepare,
                                                   const char* release, bool schedule_finishes = false) {
    return {
        .policy = policy,
        .prepare = prepare,
        .release = release,
        .switch_mm = "switch_mm()",
        .around_mm = "",
        .before = "",
        .grab = "atomic_inc()",
        .drop = "mmdrop()",
        .save_fpu =
            "__switch_to() calls __unlazy_fpu(): {0}'s floating-point registers are saved now if {0} has "
            "used them since it got the CPU.",
        .load_fpu =
            "{1}'s floating-point registers are loaded now if {1} has used them in more than 5 slices in a "
            "row (fpu_counter > 5); otherwise the first use traps and loads them.",
        .unload = "leave_mm() has loaded the kernel's page directory instead.",
        .finish = "finish_task_switch(this_rq(), prev)",
        .tail = "schedule_tail() looks up the run queue and calls finish_task_switch().",
        .put_task = "put_task_struct()",
        .idle_call = "schedule() in cpu_idle()",
        .passes_mm_reference = false,
        .schedule_finishes = schedule_finishes};
}

constexpr KernelSwitchTexts kKernels[] = {
    linux_2_6_switch_texts(
        "linux-2.6.20",
        "schedule() calls prepare_task_switch() before context_switch(). An architecture that unlocks the "
        "run queue during the switch (__ARCH_WANT_UNLOCKED_CTXSW) would first set {1}'s `oncpu`; x86 keeps "
        "the run queue locked.",
        "The hook finish_arch_switch() is empty on x86. Then {1} releases the run-queue lock that {0} took, "
        "and interrupts are on again.",
        true),
    linux_2_6_switch_texts(
        "linux-2.6.24",
        "{0}'s preempt notifiers are called. An architecture that unlocks the run queue during the switch "
        "(__ARCH_WANT_UNLOCKED_CTXSW) would set {1}'s `oncpu`; x86 keeps the run queue locked.",
        "The hook finish_arch_switch() is empty on x86. Then {1} releases the run-queue lock that {0} took, "
        "and interrupts are on again. Then {1}'s preempt notifiers are called."),
    linux_2_6_switch_texts(
        "linux-2.6.32",
        "schedule() has stopped {0}'s perf events. {0}'s preempt notifiers are called. An architecture that "
        "unlocks the run queue during the switch (__ARCH_WANT_UNLOCKED_CTXSW) would set {1}'s `oncpu`; x86 "
        "keeps the run queue locked.",
        "The hook finish_arch_switch() is empty on x86. Then {1}'s perf events start. {1} releases the "
        "run-queue lock that {0} took, and interrupts are on again. Then {1}'s preempt notifiers are "
        "called."),
    {.policy = "linux-6.6",
     .prepare =
         "Statistics, perf events, restartable sequences and preempt notifiers record the switch. {1}'s "
         "`on_cpu` becomes 1.",
     .release =
         "{1}'s perf events start. finish_task() sets {0}'s `on_cpu` to 0: {0} is off this CPU now. Then "
         "{1} releases the run-queue lock that {0} took, and interrupts are on again. The hook "
         "finish_arch_post_lock_switch() is empty on x86. Then {1}'s preempt notifiers are called.",
     .switch_mm = "switch_mm_irqs_off()",
     .around_mm = " membarrier_switch_mm() is called before switch_mm_irqs_off(), lru_gen_use_mm() after it.",
     .before = " switch_mm_cid() is called before switch_to().",
     .grab = "mmgrab_lazy_tlb()",
     .drop = "mmdrop_lazy_tlb_sched()",
     .save_fpu = "If {0}'s floating-point registers are in the CPU, __switch_to() saves them.",
     .load_fpu = "{1}'s floating-point registers are loaded on its return to user mode.",
     .unload =
         "flush_tlb_func() has loaded the kernel's page directory instead. (Usually Linux 6.6 sends no "
         "interrupt to a CPU that borrows an address space, and flushes the TLB when a task of that address "
         "space returns.)",
     .finish = "finish_task_switch(prev), which sets rq to this_rq()",
     .tail = "schedule_tail() calls finish_task_switch(), which looks up the run queue.",
     .put_task = "put_task_stack() and put_task_struct_rcu_user()",
     .idle_call = "schedule_idle() in do_idle()",
     .passes_mm_reference = true,
     .schedule_finishes = false},
};

// The explanation of CR3 for the first step of a switch that mentions CR3.
constexpr const char* kCr3 = "CR3, the register that points to the page tables,";

class ContextSwitchWriter : public LazyTlbSwitchWriter {
  public:
    ContextSwitchWriter(const KernelSwitchTexts& kernel, const DecisionView& view, const Scenario& scenario,
                        const TaskNamer& name, std::optional<SwitchOut> switch_out)
        : LazyTlbSwitchWriter(view, scenario, name),
          kernel_(kernel),
          switch_out_(std::move(switch_out)),
          // exit_mm() has set the `mm` of an exiting task to NULL; the task borrows its former address space.
          prev_has_mm_(from_ != kKernelMm && !exits_),
          is_new_(first_time_ && !view.after.is_idle_task(next_)) {}

  private:
    std::vector<SwitchStep> steps() const override {
        std::vector<SwitchStep> all{prepare(), to_kernel_ ? enter_lazy_tlb() : switch_mm(), tlb()};
        if (!prev_has_mm_) all.push_back(prev_mm());
        for (const SwitchStep& step : {switch_to(), fpu(), prev()}) all.push_back(step);
        if (!is_new_) all.push_back(barrier());
        all.push_back(finish());
        if (!prev_has_mm_ && !passes_mm_reference()) all.push_back(drop());
        if (exits_) all.push_back(put_task());
        all.push_back(refill_step().value_or(caches()));
        all.push_back(resume());
        return all;
    }

    // A text from kKernels with the names of prev and next filled in.
    std::string fill_in_names(const char* text) const { return fmt::format(fmt::runtime(text), a_, b_); }

    // True if prev hands over to next the reference that prev holds to a borrowed address space.
    bool passes_mm_reference() const { return kernel_.passes_mm_reference && to_kernel_ && !prev_has_mm_; }

    // mm_count, after the switch, of the address space that was loaded before the switch.
    std::uint32_t mm_count_after() const { return view_.after.mm(found_).count; }

    SwitchStep prepare() const {
        return {.title = "prepare_task_switch()",
                .detail = fmt::format(
                    "The run queue is locked, and interrupts are off. {} The last call is the hook "
                    "prepare_arch_switch(). A hook lets an architecture run code of its own before the "
                    "switch; Sparc needs it. On x86 it is empty.",
                    fill_in_names(kernel_.prepare))};
    }

    SwitchStep enter_lazy_tlb() const {
        SwitchStep step{.title = "enter_lazy_tlb()", .detail = {}, .kept = OldContents::kept};
        if (found_ == kKernelMm) {
            step.detail = fmt::format(
                "{} has no `mm`. Its `active_mm` becomes init_mm, the kernel's own address space, which {} "
                "had, too; the mm_count of init_mm is not modelled. {} does not change.",
                b_, a_, kCr3);
            return step;
        }
        const std::uint32_t after = mm_count_after();
        const std::string count =
            passes_mm_reference()
                ? fmt::format("{} takes over {}'s reference: mm_count stays {}", b_, a_, after)
            : prev_has_mm_ ? fmt::format("{}: mm_count {} -> {}", kernel_.grab, after - 1, after)
                           : fmt::format("{}: mm_count {} -> {}", kernel_.grab, after, after + 1);
        step.detail = fmt::format(
            "{} has no `mm`. Its `active_mm` becomes {} ({}). enter_lazy_tlb() permits the architecture to "
            "keep the user part of the page tables, so {} does not change.",
            b_, loaded_mm_name(), count, kCr3);
        return step;
    }

    SwitchStep switch_mm() const {
        if (loads_other_mm()) {
            SwitchStep step = load_page_directory(describe_mm_load() + kernel_.around_mm);
            step.title = kernel_.switch_mm;
            return step;
        }
        const char* const why = next_owns_loaded_mm()
                                    ? "{1}'s page directory is still loaded, because {0} only borrowed it"
                                    : "{0} and {1} have the same address space";
        return {
            .title = kernel_.switch_mm,
            .detail = fmt::format("{}: {} does not change.{}", fill_in_names(why), kCr3, kernel_.around_mm),
            .happens = false,
            .kept = OldContents::kept};
    }

    std::string describe_mm_load() const {
        if (next_mm_was_unloaded())
            return fmt::format(
                "{0}'s page directory was borrowed, but another CPU has changed the address space, and {1} "
                "{2} is loaded with {0}'s page directory again.",
                b_, kernel_.unload, kCr3);
        const std::string old = from_ != kKernelMm ? fmt::format("{}'s", a_)
                                : found_ == kKernelMm
                                    ? std::string("the kernel's page directory (init_mm)")
                                    : fmt::format("the borrowed page directory ({})", loaded_mm_name());
        return fmt::format("{} is loaded with {}'s page directory, which replaces {}.", kCr3, b_, old);
    }

    SwitchStep prev_mm() const {
        const std::string cause =
            exits_ && from_ != kKernelMm
                ? fmt::format("exit() has set the `mm` of {} to NULL and kept {} as its `active_mm`", a_,
                              loaded_mm_name())
                : fmt::format("{} has no `mm`", a_);
        if (passes_mm_reference())
            return {.title = "active_mm",
                    .detail = fmt::format("{}, and {}'s `active_mm` becomes NULL: {} has the reference now.",
                                          cause, a_, b_)};
        return {.title = "rq->prev_mm",
                .detail = fmt::format(
                    "{}, and {}'s `active_mm` becomes NULL. rq->prev_mm stores the pointer until the run "
                    "queue is unlocked: the last mmdrop() frees the address space, and this could deadlock "
                    "while the lock is held.",
                    cause, a_)};
    }

    // Describes the user-mode state of prev, which switch_to() need not save.
    std::string describe_user_state() const {
        if (exits_) return fmt::format("{} has exited: its state is saved, but never loaded again.", a_);
        if (from_ == kKernelMm) return fmt::format("{} has no user registers.", a_);
        return fmt::format(
            "{}'s user registers have been on its kernel stack since it entered the kernel. Its user stack "
            "is part of its address space and need not be saved.",
            a_);
    }

    SwitchStep switch_to() const {
        return {
            .title = "switch_to()",
            .detail = fmt::format(
                "switch_to(prev, next, prev): prev is {0} and next is {1}; the third parameter receives the "
                "result. {0}'s kernel registers and the pointer to its kernel stack are saved, {1}'s are "
                "loaded. {2} The cost includes __switch_to().{3} From here on the code runs on {1}'s kernel "
                "stack.",
                a_, b_, describe_user_state(), kernel_.before),
            .cost = costs_.switch_same_mm.time};
    }

    // The floating-point step. It is part of __switch_to(), which switch_to() calls after it has loaded
    // next's stack pointer.
    SwitchStep fpu() const {
        const char* const save =
            from_ != kKernelMm ? kernel_.save_fpu : "{0} has no floating-point registers.";
        const char* const load = to_kernel_ ? "{1} uses no floating-point registers." : kernel_.load_fpu;
        return {.title = "Floating point",
                .detail = fill_in_names(save) + " " + fill_in_names(load) +
                          " The model charges no time for "
                          "floating-point registers.",
                .begins_next = true};
    }

    SwitchStep prev() const {
        const std::string stops =
            exits_ ? fmt::format("{} stops for ever.", a_)
                   : fmt::format(
                         "{0} stops here; the code after switch_to() is executed when {0} is chosen "
                         "again.",
                         a_);
        if (is_new_)
            return {.title = "`prev` for schedule_tail()",
                    .detail = fmt::format(
                        "{1} is new: fork has set up its kernel stack to start in ret_from_fork, without a "
                        "variable prev. A register passes {0} to schedule_tail(). {2}",
                        a_, b_, stops)};
        const std::string where =
            switch_out_ ? fmt::format("in switch {}{}", switch_out_->number, on_cpu_text(switch_out_->cpu))
                        : "earlier";
        return {
            .title = "`prev` after switch_to()",
            .detail = fmt::format(
                "{1} runs now, on its own kernel stack, where it stopped {2}. There its variable prev was "
                "{1} and next was {3}. switch_to() sets prev to {0} through its third parameter.{4} {5}",
                a_, b_, where, switch_out_ ? switch_out_->replaced_by : "the task that replaced it",
                kernel_.schedule_finishes ? " context_switch() returns prev to schedule()." : "", stops)};
    }

    std::string on_cpu_text(CpuId cpu) const {
        return scenario_.cpus > 1 ? fmt::format(" on cpu{}", cpu) : std::string{};
    }

    SwitchStep barrier() const {
        const char* const place = kernel_.schedule_finishes
                                      ? " In this kernel, barrier() and the next call are in schedule()."
                                      : "";
        return {
            .title = "barrier()",
            .detail = std::string(
                          "barrier() keeps the calls in order: the compiler must not move code across it, so "
                          "finish_task_switch() stays after switch_to(), and this_rq() is computed again. It "
                          "generates no instruction.") +
                      place};
    }

    // States why the run queue is looked up again after the switch.
    std::string describe_run_queue_lookup() const {
        const CpuId here = view_.record.cpu;
        if (scenario_.cpus == 1) return "With one CPU, the run queue is the same.";
        const CpuId before = view_.before.task[next_].last_processor;
        if (before != here && before != Task::kNoProcessor)
            return fmt::format(
                "{0} lost cpu{1} and resumes on cpu{2}; the `rq` on its stack is still cpu{1}'s.", b_, before,
                here);
        return fmt::format("{0} ran last on cpu{1}, too, but it could have moved to another CPU.", b_, here);
    }

    SwitchStep finish() const {
        std::string call;
        if (!is_new_)
            call = fmt::format("The run queue is looked up again. {} calls {}. {}", b_, kernel_.finish,
                               describe_run_queue_lookup());
        else if (scenario_.cpus == 1)
            call = kernel_.tail;
        else
            call = fmt::format("{} {} starts on cpu{}.", kernel_.tail, b_, view_.record.cpu);
        return {.title = "finish_task_switch()", .detail = call + " " + fill_in_names(kernel_.release)};
    }

    SwitchStep drop() const {
        SwitchStep step{.title = kernel_.drop, .detail = {}};
        if (found_ == kKernelMm) {
            step.detail =
                fmt::format("{} drops {}'s reference to init_mm, whose mm_count is not modelled.", b_, a_);
            return step;
        }
        const std::uint32_t after = mm_count_after();
        step.detail = fmt::format(
            "mm_count {} -> {}.{} The run queue is unlocked now. {} drops {}'s reference to {}, which "
            "rq->prev_mm has stored.",
            after + 1, after, after == 0 ? " It was the last reference: the page directory is freed." : "",
            b_, a_, loaded_mm_name());
        return step;
    }

    SwitchStep put_task() const {
        return {.title = "TASK_DEAD",
                .detail = fmt::format(
                    "{1} has exited: {0} drops the reference to {1}'s task_struct that {1} had as the "
                    "running task ({2}). {1} could not do so itself while it ran on its own kernel stack.",
                    b_, a_, kernel_.put_task)};
    }

    SwitchStep resume() const {
        const char* const starts =
            to_kernel_ ? "the kernel thread's function starts"
                       : "user mode starts: its user registers are loaded from its kernel stack, where fork "
                         "has put them";
        SwitchStep step = resume_next(
            kernel_.idle_call,
            fmt::format(": schedule_tail() calls finish_task_switch() for {}. Then {}.", a_, starts));
        if (!to_kernel_ && !is_new_)
            step.detail +=
                " On the return to user mode, its user registers are loaded from its kernel stack.";
        return step;
    }

    // True if three tasks take part in the switch and none of them is an idle task.
    bool involves_three_tasks() const {
        const auto is_idle = [&](TaskId p) { return view_.after.is_idle_task(p); };
        return switch_out_ && switch_out_->to != prev_ && !is_idle(prev_) && !is_idle(next_) &&
               !is_idle(switch_out_->to);
    }

    std::string describe_prev() const override {
        if (is_new_)
            return fmt::format("{1} had no `prev`: it gets {0} from ret_from_fork, and cleans up after {0}.",
                               a_, b_);
        std::string text = fmt::format(
            "After switch_to(), `prev` is {0}, the task that ran last on this CPU. {1} cleans up after {0}.",
            a_, b_);
        if (switch_out_ && switch_out_->to == prev_)
            text += fmt::format(" In switch {}, {} had switched to {}: only two tasks take part.",
                                switch_out_->number, b_, a_);
        else if (switch_out_)
            text += fmt::format(" But in switch {}, {} had switched to {}.", switch_out_->number, b_,
                                switch_out_->replaced_by);
        if (involves_three_tasks())
            text += fmt::format(" Three tasks take part: for {}, {} is \"some random other task\".", b_, a_);
        return text + fmt::format(" Without the third parameter, `prev` would still be {}.", b_);
    }

    const KernelSwitchTexts& kernel_;
    const std::optional<SwitchOut> switch_out_;
    const bool prev_has_mm_, is_new_;
};

const KernelSwitchTexts* kernel_of(std::string_view policy) {
    const auto* const kernel = std::find_if(std::begin(kKernels), std::end(kKernels),
                                            [&](const KernelSwitchTexts& k) { return k.policy == policy; });
    return kernel == std::end(kKernels) ? nullptr : kernel;
}

}  // namespace

bool has_context_switch_writer(std::string_view policy) { return kernel_of(policy) != nullptr; }

std::unique_ptr<SwitchWriter> make_context_switch_writer(std::string_view policy, const DecisionView& view,
                                                         const Scenario& scenario, const TaskNamer& name,
                                                         std::optional<SwitchOut> switch_out) {
    const KernelSwitchTexts* const kernel = kernel_of(policy);
    if (kernel == nullptr) return nullptr;
    return std::make_unique<ContextSwitchWriter>(*kernel, view, scenario, name, std::move(switch_out));
}

}  // namespace sim
