#include "sim/views/cpu_time_accounting.h"

#include <algorithm>

namespace sim::views {

CpuTimeAccounting::CpuTimeAccounting(const Scenario& scenario, const Machine& m)
    : time_(scenario.groups.size()), lines_(m.shape().cpus + m.shape().tasks, kIdle), cpus_(m.shape().cpus) {
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p) lines_[p] = m.task[p].group;
}

void CpuTimeAccounting::on_record(const TraceRecord& r) {
    switch (r.kind) {
        case TraceKind::fork:
            lines_[r.task] = r.group;
            break;
        case TraceKind::exec:
            charge(r.cpu, r.task, r.time);
            lines_[r.task] = r.group;
            break;
        case TraceKind::syscall:
            charge(r.cpu, r.task, r.time + r.span);
            break;
        case TraceKind::schedule:
            charge(r.cpu, r.other, r.time + r.span);
            break;
        case TraceKind::interrupt:
            charge_interrupt(r);
            break;
        default:
            break;
    }
}

// Starts an interval of kernel time, or extends the current one.
void CpuTimeAccounting::charge_interrupt(const TraceRecord& r) {
    LastCharge& cpu = cpus_[r.cpu];
    if (cpu.until <= r.time) charge(r.cpu, r.task, r.time);
    cpu.until += r.span;
    stolen_ += r.extra;
    interrupts_ += r.span - r.extra;
}

// Charges the CPU's time since the last charge, up to `until`, to the report line of task p. `until` may be
// in the future: the end of a system call or schedule() that starts now.
void CpuTimeAccounting::charge(CpuId cpu, TaskId p, Nanos until) {
    charge_report_line(report_line_of(p), until - cpus_[cpu].until);
    cpus_[cpu] = {until, report_line_of(p)};
}

std::uint32_t CpuTimeAccounting::current_report_line(const Machine& m, CpuId cpu) const {
    // If the CPU's field `until` is in the future, kernel code, such as schedule(), is in progress up to this
    // time. All time of this code has already been charged to the CPU's field `line`.
    const bool in_kernel = m.globals().now < cpus_[cpu].until;
    return in_kernel ? cpus_[cpu].line : report_line_of(m.cpu(cpu).current);
}

void CpuTimeAccounting::finish(const Machine& m) {
    for (CpuId c = 0; c < m.shape().cpus; ++c)
        charge_report_line(current_report_line(m, c), m.globals().now - cpus_[c].until);
}

}  // namespace sim::views
