// Whose the time of each CPU is, followed in the trace of a run: to the nanosecond, and for as many tasks as
// may come and go, because those of one entry of the scenario share a line.
//
// schedule() is charged to the task that called it, as in Statistics; that of an idle task is nobody's. The
// handlers of interrupts are charged to no task, and neither is what the host of a virtual CPU takes.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/cli/command.h"
#include "sim/core/engine.h"

namespace sim::cli {

class CpuTime {
  public:
    static constexpr std::uint32_t kIdle = 0xffff'ffff;  // no line

    // REQUIRES: the machine stands at time 0.
    CpuTime(const Scenario& scenario, const Machine& m);

    void follow(const TraceRecord& record);
    // Charges what is in progress: everything that has passed is charged then. Nothing may follow.
    void finish(const Machine& m);

    // The line of a task, which is the number of its entry.
    std::uint32_t line_of(TaskId p) const { return lines_[p]; }
    // To whom the present moment of this CPU is charged; of a handler, whom it has interrupted.
    std::uint32_t line_now(const Machine& m, CpuId cpu) const;
    // What has been charged to a line.
    Nanos of(std::uint32_t line) const { return time_[line]; }
    Nanos interrupts() const { return interrupts_; }
    Nanos stolen() const { return stolen_; }

  private:
    struct Charged {
        Nanos until{};               // this CPU's time has been charged to somebody
        std::uint32_t line = kIdle;  // the last to be charged
    };

    void charge_line(std::uint32_t line, Nanos span) {
        if (line != kIdle) time_[line] += span;
    }
    void charge(CpuId cpu, TaskId p, Nanos until);
    void interrupt(const TraceRecord& r);

    std::vector<Nanos> time_;  // by line
    Nanos interrupts_{}, stolen_{};
    std::vector<std::uint32_t> lines_;  // by TaskId
    std::vector<Charged> cpus_;
};

}  // namespace sim::cli
