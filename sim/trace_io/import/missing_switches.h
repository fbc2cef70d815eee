// Finds switches that a tracer did not record, from the kernel's reports of computed time
// (sched_stat_runtime). Some virtual machines trace no switch away from the idle task, and some tracers hide
// the switches away from a task.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "sim/trace_io/import/line_event.h"
#include "sim/trace_io/import/reader.h"

namespace sim::trace_io {

class MissingSwitches {
  public:
    // Follows the lines of one file. Returns the earlier switches that the line implies and the file lacks:
    // events switch_out and switch_in, valid until the next call. REQUIRES: the lines of one CPU come in
    // order of time.
    std::span<LineEvent> follow(const LineEvent& line);

    // Returns the switches away from tasks without a report for several ticks while the lines of other CPUs
    // went on, up to `newest`: events switch_out before `time`, valid until the next call. Such a task had
    // its CPU at the CPU's last line. The result is empty only if no such switch is left.
    std::span<LineEvent> silent_before(std::int64_t time, std::int64_t newest);

    // Adds a note for each CPU that switches to the idle task but never away from it. REQUIRES: the last
    // line has been followed.
    void note(Notes& notes) const;

  private:
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();
    struct CpuState {
        std::int32_t current = kUnset;   // pid of the current task; kUnset: unknown
        std::int32_t prio = kUnset;      // its prio
        bool is_certain = false;         // the start of `current` is known
        std::int64_t reported = kNever;  // time of its last report, or else its start, if certain
        std::int64_t last = kNever;      // time of the last line
        std::int64_t other = kNever;     // latest time at which another task than `current` had the CPU
        std::uint64_t to_idle = 0, from_idle = 0;  // switches
        std::uint64_t appeared = 0;  // times at which a task had the CPU after the idle task without a switch
        std::int64_t unknown = 0;    // time in which such tasks may have started, ns
        std::int64_t doubt = 0;      // the part of `unknown` before `current`
    };
    bool must_report(const CpuState& cpu) const;
    void appears(CpuState& cpu, const LineEvent& line, std::int32_t pid);
    void takes_report(CpuState& cpu, const LineEvent& line);
    LineEvent& add(LineEvent::Type type, CpuId cpu, std::int64_t time);

    std::array<CpuState, kMaxCpus> cpus_;
    std::array<LineEvent, 2> found_;
    std::size_t count_ = 0;
    std::int64_t first_ = kNever;
    std::int64_t quiet_until_ = kNever;  // no switch is due before this time (silent_before())
    bool has_reports_ = false;
};

}  // namespace sim::trace_io
