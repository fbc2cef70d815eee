#include "sim/trace_io/import/missing_switches.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/human_text.h"

namespace sim::trace_io {

LineEvent& MissingSwitches::add(LineEvent::Type type, CpuId cpu, std::int64_t time) {
    LineEvent& event = found_[count_++];
    event.clear();
    event.is = type;
    event.time = time;
    event.cpu = cpu;
    return event;
}

namespace {

// The kernel reports the CPU time of a task of the fair class at each tick and at each switch. A real-time
// task may have no reports.
constexpr std::int32_t kLeastFairPrio = 100;
constexpr std::int64_t kSeveralTicks = 50'000'000;  // in ns: 5 ticks at HZ=100

}  // namespace

bool MissingSwitches::expects_cpu_time_reports(const CpuState& cpu) const {
    return cpu.current != kUnset && cpu.current != 0 && cpu.is_certain && has_reports_ &&
           (cpu.prio == kUnset || cpu.prio >= kLeastFairPrio);
}

// Called if `line` shows that task `pid` has the CPU, although no switch to the task was recorded.
void MissingSwitches::on_unrecorded_task(CpuState& cpu, const LineEvent& line, std::int32_t pid) {
    // The previous task has no later report, so it left the CPU less than a tick after its last report.
    if (expects_cpu_time_reports(cpu) && cpu.reported < line.time)
        add(LineEvent::Type::switch_out, line.cpu, cpu.reported).thread.pid = cpu.current;
    cpu.start_range = cpu.current == 0 && pid != 0 ? std::max(line.time - cpu.last, std::int64_t{0}) : 0;
    cpu.start_range = std::min(cpu.start_range, kHorizon.count() - cpu.sum_of_start_ranges);
    cpu.appeared += cpu.start_range > 0 ? 1 : 0;
    cpu.sum_of_start_ranges += cpu.start_range;
    cpu.other = cpu.last;
    cpu.current = pid;
    cpu.prio = kUnset;
    cpu.is_certain = false;
}

// Called for a kernel report: the current task has had `line.value` ns of CPU time up to `line.time`.
void MissingSwitches::on_cpu_time_report(CpuState& cpu, const LineEvent& line) {
    has_reports_ = true;
    cpu.reported = line.time;
    if (cpu.is_certain) return;
    cpu.appeared -= cpu.start_range > 0 ? 1 : 0;
    cpu.sum_of_start_ranges -= cpu.start_range;
    cpu.start_range = 0;
    cpu.is_certain = true;
    const std::int64_t start = std::max(line.time - line.value, cpu.other == kNever ? first_ : cpu.other);
    if (start < line.time) add(LineEvent::Type::switch_in, line.cpu, start).thread = line.thread;
}

std::span<LineEvent> MissingSwitches::switches_implied_by(const LineEvent& line) {
    count_ = 0;
    if (line.is == LineEvent::Type::rename || line.cpu >= kMaxCpus || line.time == kNoTime) return {};
    if (first_ == kNever) first_ = line.time;
    CpuState& cpu = cpus_[line.cpu];
    // A CPU may report the CPU time of a task of another CPU. Then the head of the line names a different
    // task.
    const bool is_report = line.is == LineEvent::Type::runtime &&
                           (line.current.pid == kUnset || line.current.pid == line.thread.pid);
    const std::int32_t pid = is_report ? line.thread.pid : line.current.pid;
    if (pid != kUnset && pid != cpu.current) on_unrecorded_task(cpu, line, pid);
    if (is_report) on_cpu_time_report(cpu, line);
    if (line.is == LineEvent::Type::event && line.kind == EventKind::sched_switch) {
        cpu.to_idle += line.thread.pid == 0 ? 1 : 0;
        cpu.from_idle += line.current.pid == 0 ? 1 : 0;
        cpu.current = line.thread.pid;
        cpu.prio = line.thread.prio;
        cpu.is_certain = true;
        cpu.reported = cpu.other = line.time;
    }
    cpu.last = line.time;
    quiet_until_ = std::min(quiet_until_, cpu.last);
    return std::span(found_).first(count_);
}

std::span<LineEvent> MissingSwitches::switches_from_silent_cpus(std::int64_t time, std::int64_t newest_time) {
    count_ = 0;
    if (!has_reports_ || time <= quiet_until_) return {};
    quiet_until_ = std::numeric_limits<std::int64_t>::max();
    for (CpuId c = 0; c < kMaxCpus && count_ < found_.size(); ++c) {
        CpuState& cpu = cpus_[c];
        if (!expects_cpu_time_reports(cpu)) continue;
        if (cpu.last >= time || newest_time - cpu.last < kSeveralTicks) {
            quiet_until_ = std::min(quiet_until_, cpu.last);
            continue;
        }
        add(LineEvent::Type::switch_out, c, cpu.last).thread.pid = cpu.current;
        cpu.current = kUnset;
        cpu.is_certain = false;
        cpu.other = cpu.last;
    }
    if (count_ > 0) quiet_until_ = kNever;  // the next call searches again: there may be more silent CPUs
    return std::span(found_).first(count_);
}

void MissingSwitches::add_notes(Notes& notes) const {
    for (std::size_t c = 0; c < cpus_.size(); ++c) {
        const CpuState& cpu = cpus_[c];
        if (cpu.from_idle > 0 || cpu.appeared == 0 || cpu.to_idle == 0) continue;
        const std::string text = fmt::format(
            "a task appeared on CPU {} without a recorded start; the CPU has no switch away from the idle "
            "task, so up to {} of its idle time may be CPU time of tasks",
            c, human_time(Nanos{cpu.sum_of_start_ranges}));
        notes.add({"time " + text, "times " + text}, 0, cpu.appeared);
    }
}

}  // namespace sim::trace_io
