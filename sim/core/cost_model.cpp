#include "sim/core/cost_model.h"

namespace sim {

const char* to_string(KernelWork work) {
    switch (work) {
        case KernelWork::wake_up:
            return "wake_up";
        case KernelWork::pipe:
            return "pipe";
        case KernelWork::futex:
            return "futex";
        case KernelWork::io:
            return "io";
        case KernelWork::fork_process:
            return "fork_process";
        case KernelWork::fork_thread:
            return "fork_thread";
        case KernelWork::copied_page:
            return "copied_page";
        case KernelWork::exec:
            return "exec";
        case KernelWork::loaded_page:
            return "loaded_page";
        case KernelWork::exit:
            return "exit";
        case KernelWork::munmap:
            return "munmap";
        case KernelWork::idle_exit:
            return "idle_exit";
        case KernelWork::balance:
            return "balance";
        case KernelWork::migrate:
            return "migrate";
        case KernelWork::migration_thread:
            return "migration_thread";
    }
    return "?";
}

const char* to_string(Interrupt kind) {
    switch (kind) {
        case Interrupt::timer:
            return "timer_interrupt";
        case Interrupt::device:
            return "device_interrupt";
        case Interrupt::ipi:
            return "ipi";
    }
    return "?";
}

CostCalculator::CostCalculator(const CostModel& model)
    : model_(&model),
      syscall_(model.syscall.time),
      schedule_(model.schedule.time),
      considered_(model.considered.time),
      recalculated_(model.recalculated.time),
      queue_step_(model.queue_step.time),
      switch_same_mm_(model.switch_same_mm.time),
      switch_other_mm_(model.switch_other_mm.time) {}

Overhead CostCalculator::overhead_of(const KernelEntryWork& call) const {
    return {.system = (call.syscall ? syscall_ : Nanos{}) + call.extra,
            .select = (call.scheduled ? schedule_ : Nanos{}) + considered_ * call.considered +
                      queue_step_ * call.queue_steps,
            .recalculation = recalculated_ * call.recalculated,
            .context_switch = call.switched ? switch_same_mm_ : Nanos{},
            .address_space = call.loads_mm ? switch_other_mm_ - switch_same_mm_ : Nanos{},
            .cache_refill = call.refill,
            .stolen = call.stolen,
            .interrupts = call.interrupts};
}

Overhead CostCalculator::overhead_of(const KernelWorkTotals& t) const {
    const auto times = [](Nanos cost, std::uint64_t count) {
        return cost * static_cast<std::int64_t>(count);
    };
    Overhead o{.system = times(syscall_, t.syscalls) + t.stated,
               .select = times(schedule_, t.calls) + times(considered_, t.considered) +
                         times(queue_step_, t.queue_steps),
               .recalculation = times(recalculated_, t.recalculated),
               .context_switch = times(switch_same_mm_, t.switches),
               .address_space = times(switch_other_mm_ - switch_same_mm_, t.mm_loads),
               .cache_refill = times(model_->tlb.refill.time, t.tlb_entries) +
                               times(model_->cache.refill.time, t.cache_lines) +
                               times(model_->cache.stream.time, t.streamed_lines),
               .stolen = times(model_->steal.time, t.steals)};
    for (std::size_t kind = 0; kind < kKernelWorks; ++kind)
        o.system += times(model_->work[kind].time, t.work[kind]);
    for (std::size_t kind = 0; kind < kInterrupts; ++kind)
        o.interrupts += times(model_->interrupt[kind].time, t.interrupts[kind]);
    return o;
}

}  // namespace sim
