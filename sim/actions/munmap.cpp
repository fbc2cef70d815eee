// `munmap`: unmap memory. Every CPU that has the task's address space loaded must then flush the translations
// of this address space from its TLB.
#include "sim/actions/actions.h"
#include "sim/core/action.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

void parse_munmap(ProgramReader& reader) { reader.emit({}); }

Outcome begin_munmap(const ActionContext& c, CpuId cpu, TaskId p, const Step& step) {
    c.m.task[p].step = step.next;
    c.charge(cpu, KernelWork::munmap);
    if (c.m.task[p].mm != kKernelMm) c.flush_tlb_mm(cpu, c.m.task[p].mm);
    return Outcome::returned;
}

}  // namespace

ActionInfo munmap_action() {
    return {
        .name = "munmap",
        .summary = "unmap memory: CPUs that have the address space loaded flush their TLBs",
        .argument = "",
        .parse = parse_munmap,
        .begin = begin_munmap,
        .takes_time = false,
        .is_syscall = true,
    };
}

}  // namespace sim
