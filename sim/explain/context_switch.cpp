// The steps of a context switch of Linux 2.6.20 and later, named after the calls of the kernel. Sources:
// kernel/sched.c of 2.6.20, 2.6.24 and 2.6.32 and kernel/sched/core.c of 6.6, context_switch(),
// prepare_task_switch() and finish_task_switch(); arch/x86, switch_to() and __switch_to(); kernel/exit.c,
// exit_mm().
//
// Not modelled: tracing, paravirtualisation, lockdep.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sim/explain/lazy_tlb_switch.h"

namespace sim {
namespace {

// What differs between the kernels. In the texts, {0} is prev and {1} is next.
struct KernelSwitch {
    const char* policy;
    const char* prepare;    // the steps of prepare_task_switch() before its hook
    const char* release;    // the steps of finish_task_switch() until prev and the run queue are released
    const char* switch_mm;  // loads the page tables
    const char* around_mm;  // further calls next to switch_mm
    const char* before;     // a further call before switch_to()
    const char* grab;       // increments mm_count
    const char* drop;       // decrements mm_count
    const char* save_fpu;   // how the registers of prev are saved
    const char* load_fpu;   // when those of next are loaded
    const char* finish;     // the call of finish_task_switch()
    const char* put_task;   // drops the references to a dead prev
    const char* idle_loop;
    bool passes_reference;  // from kernel thread to kernel thread, mm_count does not change
};

constexpr KernelSwitch linux_2_6(const char* policy, const char* prepare, const char* release) {
    return {.policy = policy,
            .prepare = prepare,
            .release = release,
            .switch_mm = "switch_mm()",
            .around_mm = "",
            .before = "",
            .grab = "atomic_inc()",
            .drop = "mmdrop()",
            .save_fpu =
                "__switch_to() calls __unlazy_fpu(): if {0} has used it since it got the CPU, its registers "
                "are saved now.",
            .load_fpu = "Only a trap loads {1}'s.",
            .finish = "finish_task_switch(this_rq(), prev)",
            .put_task = "put_task_struct()",
            .idle_loop = "cpu_idle()",
            .passes_reference = false};
}

constexpr KernelSwitch kKernels[] = {
    linux_2_6(
        "linux-2.6.20",
        "schedule() calls it before context_switch(). An architecture that unlocks the run queue during the "
        "switch (__ARCH_WANT_UNLOCKED_CTXSW) would first set {1}'s `oncpu`; x86 keeps it locked.",
        "After the hook finish_arch_switch(), empty on x86, {1} releases the lock that {0} took."),
    linux_2_6(
        "linux-2.6.24",
        "{0}'s preempt notifiers are called. An architecture that unlocks the run queue during the switch "
        "(__ARCH_WANT_UNLOCKED_CTXSW) would set {1}'s `oncpu`; x86 keeps it locked.",
        "After the hook finish_arch_switch(), empty on x86, {1} releases the lock that {0} took. Then {1}'s "
        "preempt notifiers are called."),
    linux_2_6(
        "linux-2.6.32",
        "{0}'s preempt notifiers are called. An architecture that unlocks the run queue during the switch "
        "(__ARCH_WANT_UNLOCKED_CTXSW) would set {1}'s `oncpu`; x86 keeps it locked.",
        "After the hook finish_arch_switch(), empty on x86, {1}'s perf events start, and {1} releases the "
        "lock that {0} took. Then {1}'s preempt notifiers are called."),
    {.policy = "linux-6.6",
     .prepare =
         "Statistics, perf events, restartable sequences and preempt notifiers record the switch. {1}'s "
         "`on_cpu` becomes 1.",
     .release =
         "{1}'s perf events start. finish_task() sets {0}'s `on_cpu` to 0: {0} is off this CPU now. Then {1} "
         "releases the lock that {0} took. The hook finish_arch_post_lock_switch() is empty on x86.",
     .switch_mm = "switch_mm_irqs_off()",
     .around_mm = " membarrier_switch_mm() comes before it, lru_gen_use_mm() after it.",
     .before = " switch_mm_cid() comes before it.",
     .grab = "mmgrab_lazy_tlb()",
     .drop = "mmdrop_lazy_tlb_sched()",
     .save_fpu = "If {0}'s registers are in the CPU, __switch_to() saves them.",
     .load_fpu = "{1}'s are loaded on its return to user mode.",
     .finish = "finish_task_switch(prev), where rq = this_rq()",
     .put_task = "put_task_stack() and put_task_struct_rcu_user()",
     .idle_loop = "do_idle()",
     .passes_reference = true},
};

class ContextSwitch : public LazyTlbSwitch {
  public:
    ContextSwitch(const KernelSwitch& kernel, const DecisionView& view, const Scenario& scenario,
                  const TaskNamer& name, std::optional<SwitchOut> lost)
        : LazyTlbSwitch(view, scenario, name),
          kernel_(kernel),
          lost_(std::move(lost)),
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
        if (!prev_has_mm_ && !passes_reference()) all.push_back(drop());
        if (exits_) all.push_back(put_task());
        all.push_back(refill().value_or(caches()));
        all.push_back(resume());
        return all;
    }

    // A text of the kernel's table with the names of the two tasks.
    std::string with_names(const char* text) const { return fmt::format(fmt::runtime(text), a_, b_); }

    // True if prev passes its reference to a borrowed address space on to next.
    bool passes_reference() const { return kernel_.passes_reference && to_kernel_ && !prev_has_mm_; }

    // mm_count of the address space found, after the switch.
    std::uint32_t count_after() const { return view_.after.mm(found_).count; }

    SwitchStep prepare() const {
        return {
            .title = "prepare_task_switch()",
            .detail = fmt::format("It ends with a hook for the architecture. The run queue is locked, and "
                                  "interrupts are off. {} The hook, prepare_arch_switch(), is empty on x86.",
                                  with_names(kernel_.prepare))};
    }

    SwitchStep enter_lazy_tlb() const {
        SwitchStep step{.title = "enter_lazy_tlb()", .detail = {}, .kept = Kept::kept};
        if (found_ == kKernelMm) {
            step.detail = fmt::format(
                "{} has no `mm`. Its `active_mm` becomes init_mm, the kernel's own, which {} had, too. Its "
                "mm_count is not modelled.",
                b_, a_);
            return step;
        }
        const std::uint32_t after = count_after();
        const std::string count =
            passes_reference() ? fmt::format("{}'s reference passes to it: mm_count stays {}", a_, after)
            : prev_has_mm_     ? fmt::format("{}: mm_count {} -> {}", kernel_.grab, after - 1, after)
                               : fmt::format("{}: mm_count {} -> {}", kernel_.grab, after, after + 1);
        step.detail = fmt::format(
            "{} has no `mm`. Its `active_mm` becomes {} ({}). enter_lazy_tlb(): the architecture need not "
            "exchange the user part, so CR3 stays.",
            b_, found(), count);
        return step;
    }

    SwitchStep switch_mm() const {
        if (other_mm()) {
            SwitchStep step = load_page_directory(how_loaded() + kernel_.around_mm);
            step.title = kernel_.switch_mm;
            return step;
        }
        const char* const why = returns()
                                    ? "{1}'s page directory is loaded, since {0} only borrowed it: CR3 stays."
                                    : "{0} and {1} have the same address space: CR3 stays.";
        return {.title = kernel_.switch_mm,
                .detail = with_names(why) + kernel_.around_mm,
                .happens = false,
                .kept = Kept::kept};
    }

    std::string how_loaded() const {
        if (loads_left_mm())
            return fmt::format(
                "{0}'s page directory was borrowed, but another CPU has changed it, and leave_mm() "
                "has replaced it with the kernel's. CR3 is loaded with {0}'s again.",
                b_);
        const std::string old = from_ != kKernelMm    ? fmt::format("{}'s", a_)
                                : found_ == kKernelMm ? std::string("the kernel's (init_mm)")
                                                      : fmt::format("the borrowed one ({})", found());
        return fmt::format("CR3 is loaded with {}'s page directory, which replaces {}.", b_, old);
    }

    SwitchStep prev_mm() const {
        const std::string cause =
            exits_ && from_ != kKernelMm
                ? fmt::format("exit() has set the `mm` of {} to NULL and left it {} as `active_mm`", a_,
                              found())
                : fmt::format("{} has no `mm`", a_);
        if (passes_reference())
            return {.title = "active_mm",
                    .detail = fmt::format("{}, and {}'s `active_mm` becomes NULL: {} has the reference now.",
                                          cause, a_, b_)};
        return {.title = "rq->prev_mm",
                .detail =
                    fmt::format("{0}, and {1}'s `active_mm` becomes NULL. rq->prev_mm stores the pointer for "
                                "{2}, because {1} still uses these page tables here.",
                                cause, a_, b_)};
    }

    SwitchStep switch_to() const {
        const std::string user =
            from_ != kKernelMm
                ? fmt::format(
                      "{0}'s user registers are on its kernel stack since it entered the kernel, and its "
                      "user stack is part of its address space.",
                      a_)
                : fmt::format("{} has no user registers.", a_);
        SwitchStep step = save_registers(
            fmt::format(
                "switch_to(prev, next, prev): two variables, {0} and {1}, in three parameters; the third is "
                "the result. {0}'s kernel registers and the pointer to its kernel stack are saved, {1}'s "
                "are loaded. {2}",
                a_, b_, user),
            std::string("The cost includes __switch_to().") + kernel_.before);
        step.title = "switch_to()";
        return step;
    }

    SwitchStep fpu() const {
        const char* const save =
            from_ != kKernelMm ? kernel_.save_fpu : "{0} has no floating-point registers.";
        const char* const load = to_kernel_ ? "{1} uses none." : kernel_.load_fpu;
        return floating_point(with_names(save) + " " + with_names(load));
    }

    // The first step on the stack of next.
    SwitchStep prev() const {
        const std::string stops =
            exits_ ? fmt::format("{} stops for ever.", a_)
                   : fmt::format("{0} stops; what follows in its code is executed when {0} is chosen again.",
                                 a_);
        SwitchStep step{
            .title = "prev", .detail = fmt::format("It becomes {}. {}", a_, stops), .begins_next = true};
        if (is_new_) {
            step.detail += fmt::format(
                " {1} is new: fork has set up its stack to start in ret_from_fork, without a "
                "`prev`. A register passes {0} to schedule_tail().",
                a_, b_);
            return step;
        }
        const std::string where =
            lost_ ? fmt::format("in switch {}{}", lost_->number, on_cpu(lost_->cpu)) : "earlier";
        step.detail += fmt::format(
            " {1} continues on its own stack, where it stopped {2}: there `prev` was {1} and "
            "`next` was {3}. The third parameter sets `prev` to {0}.",
            a_, b_, where, lost_ ? lost_->replaced_by : "the task that replaced it");
        return step;
    }

    std::string on_cpu(CpuId cpu) const {
        return scenario_.cpus > 1 ? fmt::format(" on cpu{}", cpu) : std::string{};
    }

    SwitchStep barrier() const {
        return {
            .title = "barrier()",
            .detail =
                "It keeps the calls in order. The compiler must not move code across it, so "
                "finish_task_switch() stays after switch_to(), and this_rq() is computed again. It is not "
                "an instruction."};
    }

    // Why the run queue is looked up again.
    std::string this_rq() const {
        const CpuId here = view_.record.cpu;
        if (scenario_.cpus == 1) return "With one CPU, it is the same run queue.";
        if (is_new_) return fmt::format("{} starts on cpu{}.", b_, here);
        const CpuId before = view_.before.task[next_].last_processor;
        if (before != here && before != Task::kNoProcessor)
            return fmt::format(
                "{0} lost cpu{1} and resumes on cpu{2}; the `rq` on its stack is still cpu{1}'s.", b_, before,
                here);
        return fmt::format("{0} ran last on cpu{1}, too; it could have moved.", b_, here);
    }

    SwitchStep finish() const {
        return {.title = "finish_task_switch()",
                .detail = fmt::format("The run queue is looked up again. {} calls {}. {} {}", b_,
                                      kernel_.finish, this_rq(), with_names(kernel_.release))};
    }

    SwitchStep drop() const {
        SwitchStep step{.title = kernel_.drop, .detail = {}};
        if (found_ == kKernelMm) {
            step.detail =
                fmt::format("{} drops {}'s reference to init_mm, whose mm_count is not modelled.", b_, a_);
            return step;
        }
        const std::uint32_t after = count_after();
        step.detail = fmt::format(
            "mm_count {} -> {}.{} {}, not {}, drops the reference in rq->prev_mm, which {} had to "
            "{}.",
            after + 1, after, after == 0 ? " It was the last reference: the page directory is freed." : "",
            b_, a_, a_, found());
        return step;
    }

    SwitchStep put_task() const {
        return {.title = "TASK_DEAD",
                .detail =
                    fmt::format("{0} drops {1}'s task_struct: {2}. {1} is dead, and only now off its stack.",
                                b_, a_, kernel_.put_task)};
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

    SwitchStep resume() const {
        SwitchStep step =
            resume_next(kernel_.idle_loop,
                        fmt::format(": schedule_tail() calls finish_task_switch() for {}. Then {} starts.",
                                    a_, to_kernel_ ? "its function" : "user mode"));
        if (!to_kernel_ && !is_new_)
            step.detail +=
                " On the return to user mode, its user registers are loaded from its kernel stack.";
        return step;
    }

    std::string whose_prev() const override {
        if (is_new_)
            return fmt::format("{1} had no `prev`: it gets {0} from ret_from_fork, and cleans up after {0}.",
                               a_, b_);
        const std::string now = fmt::format(
            "After switch_to(), `prev` is {0}, the task that ran last on this CPU. {1} cleans up after {0}.",
            a_, b_);
        if (!lost_) return now;
        if (lost_->to == prev_)
            return now + fmt::format(" {} had switched to {} itself, in switch {}.", b_, a_, lost_->number);
        return now +
               fmt::format(
                   " But {0} had switched to {2}, in switch {3}. Three tasks take part: for {0}, {1} is "
                   "\"some random other task\".",
                   b_, a_, lost_->replaced_by, lost_->number);
    }

    const KernelSwitch& kernel_;
    const std::optional<SwitchOut> lost_;
    const bool prev_has_mm_, is_new_;
};

}  // namespace

std::unique_ptr<SwitchWriter> context_switch(std::string_view policy, const DecisionView& view,
                                             const Scenario& scenario, const TaskNamer& name,
                                             std::optional<SwitchOut> lost) {
    const auto* const kernel = std::find_if(std::begin(kKernels), std::end(kKernels),
                                            [&](const KernelSwitch& k) { return k.policy == policy; });
    if (kernel == std::end(kKernels)) return nullptr;
    return std::make_unique<ContextSwitch>(*kernel, view, scenario, name, std::move(lost));
}

}  // namespace sim
