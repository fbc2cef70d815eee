#include "sim/trace_io/import/cpu_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "sim/base/human_text.h"

namespace sim::trace_io {

namespace {

// Upper limit of a sum of CPU times: the longest possible trace, on all CPUs.
constexpr Nanos kMostCpuTime = kHorizon * std::int64_t{kMaxCpus};

}  // namespace

void CpuTimes::end_interval(ThreadId thread, Nanos now) {
    ThreadTimes& times = times_of(thread);
    if (times.since != kOff) times.ran += now - times.since;
    times.since = kOff;
}

void CpuTimes::add_reported_time(ThreadId thread, Nanos span, Nanos now) {
    ThreadTimes& times = times_of(thread);
    // The time in the first report may have begun before the trace; only the part in the trace counts.
    times.reported =
        std::min(times.reported + (times.reported == Nanos{} ? std::min(span, now) : span), kMostCpuTime);
}

void CpuTimes::add_comparison_note(const Threads& threads, Notes& notes) const {
    std::uint64_t tasks = 0;
    Nanos ran{}, reported{}, worst{};
    ThreadId of_worst = kIdleThread;
    for (ThreadId t = 1; t < times_.size(); ++t) {
        const ThreadTimes& times = times_[t];
        if (times.reported == Nanos{}) continue;
        ++tasks;
        ran = std::min(ran + times.ran, kMostCpuTime);
        reported = std::min(reported + times.reported, kMostCpuTime);
        const Nanos off{std::abs((times.ran - times.reported).count())};
        if (off >= worst) {
            worst = off;
            of_worst = t;
        }
    }
    if (tasks == 0) return;
    const std::string text = fmt::format(
        "with CPU time reported by the kernel (sched_stat_runtime): {} according to these reports, {} "
        "according to the switches; largest difference {} ({} {})",
        human_time(reported), human_time(ran), human_time(worst), threads[of_worst].name,
        threads[of_worst].pid);
    notes.add({"task " + text, "tasks " + text}, 0, tasks);
}

}  // namespace sim::trace_io
