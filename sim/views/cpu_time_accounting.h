// Charges the time of each CPU to the lines of a report, to the nanosecond, from the trace of a run. All
// tasks of a task group share a line, so the number of lines does not depend on the number of tasks.
// schedule() is charged to the calling task, as in Statistics. These times are not charged: schedule() called
// by an idle task, interrupt handlers, and the time taken by the host of a virtual CPU.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/core/engine.h"

namespace sim::views {

class CpuTimeAccounting {
  public:
    static constexpr std::uint32_t kIdle = 0xffff'ffff;  // index for an idle task: charged to no line

    // REQUIRES: the machine is at time 0.
    CpuTimeAccounting(const Scenario& scenario, const Machine& m);

    void on_record(const TraceRecord& record);
    // Charges the time that is not charged yet, up to the current time of `m`. Do not call on_record()
    // afterwards.
    void finish(const Machine& m);

    // The report has one line per task group, so the index of the line is the index of the task's group.
    std::uint32_t report_line_of(TaskId p) const { return lines_[p]; }
    // The line to which the CPU's time is charged at present. In an interrupt handler, it is the line of the
    // interrupted task.
    std::uint32_t current_report_line(const Machine& m, CpuId cpu) const;
    Nanos time_of_report_line(std::uint32_t line) const { return time_[line]; }
    Nanos interrupt_time() const { return interrupts_; }
    Nanos stolen_time() const { return stolen_; }

  private:
    struct LastCharge {
        Nanos until{};               // the time of this CPU before `until` has been charged
        std::uint32_t line = kIdle;  // the line that was charged last
    };

    void charge_report_line(std::uint32_t line, Nanos span) {
        if (line != kIdle) time_[line] += span;
    }
    void charge(CpuId cpu, TaskId p, Nanos until);
    void charge_interrupt(const TraceRecord& r);

    std::vector<Nanos> time_;  // by line
    Nanos interrupts_{}, stolen_{};
    std::vector<std::uint32_t> lines_;  // by TaskId
    std::vector<LastCharge> cpus_;
};

}  // namespace sim::views
