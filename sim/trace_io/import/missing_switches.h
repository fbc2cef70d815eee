// Finds switches that a tracer did not record, from the kernel's reports of CPU time (sched_stat_runtime).
// Some virtual machines trace no switch away from the idle task, and some tracers hide the switches away from
// a task.
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
    // To be called for each line of a file. A line may show that its CPU switched to another task, although
    // the file has no such switch. Returns these switches: events switch_out and switch_in, valid until the
    // next call. REQUIRES: the lines of one CPU come in order of time.
    std::span<LineEvent> switches_implied_by(const LineEvent& line);

    // Returns switch_out events for silent CPUs. A CPU is silent if it has no line in several ticks up to
    // `newest_time`. Its task has then left the CPU without a recorded switch. An event has the time of its
    // CPU's last line, which is before `time`. A call returns at most two events, valid until the next call.
    // The result is empty only if there are no more such events.
    std::span<LineEvent> switches_from_silent_cpus(std::int64_t time, std::int64_t newest_time);

    // Adds a note for each CPU on which tasks appeared without a recorded start, if the CPU switches to the
    // idle task but never away from it. REQUIRES: switches_implied_by() has been called for all lines.
    void add_notes(Notes& notes) const;

  private:
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();
    struct CpuState {
        std::int32_t current = kUnset;  // pid of the current task; kUnset: unknown
        std::int32_t prio = kUnset;     // its prio
        bool is_certain = false;        // true if the start time of `current` is known
        // Time of the latest report on `current`, or its start time; valid if is_certain.
        std::int64_t reported = kNever;
        std::int64_t last = kNever;   // time of the latest line of the CPU
        std::int64_t other = kNever;  // latest time at which another task than `current` had the CPU
        std::uint64_t to_idle = 0, from_idle = 0;  // switches
        // Number of times that a task had the CPU after the idle task without a recorded switch.
        std::uint64_t appeared = 0;
        // If `current` replaced the idle task at an unknown time: length of the interval that contains this
        // time, in ns. Otherwise 0.
        std::int64_t start_range = 0;
        // Sum of the start ranges of all tasks counted in `appeared`, in ns.
        std::int64_t sum_of_start_ranges = 0;
    };
    bool expects_cpu_time_reports(const CpuState& cpu) const;
    void on_unrecorded_task(CpuState& cpu, const LineEvent& line, std::int32_t pid);
    void on_cpu_time_report(CpuState& cpu, const LineEvent& line);
    LineEvent& add(LineEvent::Type type, CpuId cpu, std::int64_t time);

    std::array<CpuState, kMaxCpus> cpus_;
    std::array<LineEvent, 2> found_;
    std::size_t count_ = 0;
    std::int64_t first_ = kNever;
    // Latest time for which switches_from_silent_cpus() returns no events without a search. kNever (the
    // minimum): a search is necessary at every time.
    std::int64_t quiet_until_ = kNever;
    bool has_reports_ = false;
};

}  // namespace sim::trace_io
