// The timeline in words: statistics of a range, and tooltips.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/view/format.h"
#include "ui/view/timeline_tracks.h"
#include "ui/view/wait_words.h"

namespace ui {
namespace {

// A count, which may be a fraction, as text.
std::string count_text(double n) {
    return n < 9.95 ? fmt::format("{:.1f}", n) : group_digits(static_cast<std::uint64_t>(std::llround(n)));
}

std::string plural(std::uint64_t n, const char* one, const char* many) {
    return group_digits(n) + " " + (n == 1 ? one : many);
}

}  // namespace

const char* to_string(Lane lane) {
    switch (lane) {
        case Lane::recalculation:
            return "recalcs";
        case Lane::yield:
            return "yields";
        case Lane::wake_up:
            return "wake-ups";
        case Lane::tick:
            return "ticks";
        case Lane::fork:
            return "forks";
        case Lane::exec:
            return "execs";
        case Lane::exit:
            return "exits";
        case Lane::ipi:
            return "IPIs";
    }
    return "?";
}

const char* words_for(CpuActivity activity) {
    switch (activity) {
        case CpuActivity::select:
            return "search";
        case CpuActivity::recalculation:
            return "recalc";
        default:
            return sim::to_string(activity);
    }
}

const char* words_for(sim::StopReason reason) {
    switch (reason) {
        case sim::StopReason::until:
            return "the end time is reached";
        case sim::StopReason::all_exited:
            return "no task is left";
        case sim::StopReason::deadlock:
            return "deadlock, all tasks wait and no event can wake a task";
        case sim::StopReason::switch_limit:
            return "the switch limit is reached";
        case sim::StopReason::decision_limit:
            return "the decision limit is reached";
        case sim::StopReason::event_limit:
            return "the event limit is reached";
        case sim::StopReason::task_limit:
            return "a fork failed because the task table is full";
        case sim::StopReason::livelock:
            return "livelock, simulated time no longer advances";
        case sim::StopReason::policy_failed:
            return "the policy script has failed";
    }
    return "?";
}

std::string rate_text(double per_second) {
    const char* unit = "/s";
    for (const char* larger : {"k/s", "M/s", "G/s"}) {
        if (per_second < 999.5) break;
        per_second /= 1000;
        unit = larger;
    }
    return (per_second < 9.95 ? fmt::format("{:.1f}", per_second)
                              : group_digits(static_cast<std::uint64_t>(std::llround(per_second)))) +
           unit;
}

// --- statistics of a range ---

RangeReport range_report(const Run& run, const TimeRange& wanted) {
    RangeReport report;
    const sim::RangeStatistics* const known = run.range_statistics(wanted);
    if (known == nullptr) {
        report.counts = run.history().is_complete() ? "No events in this range: the run is over."
                                                    : "This range is not simulated yet.";
        return report;
    }
    const sim::RangeStatistics& s = *known;
    report.progress = s.is_complete() ? 1 : s.progress();
    if (!s.is_complete()) {
        report.counts = fmt::format("computing: {} %", static_cast<int>(100 * s.progress()));
        report.progress = std::min(report.progress, 0.999);
        return report;
    }
    const sim::Sample& a = s.before();
    const sim::Sample& b = s.after();
    report.counts = fmt::format(
        "{} ({} voluntary, {} forced), {}, {}, {}", plural(b.switches - a.switches, "switch", "switches"),
        group_digits(b.voluntary - a.voluntary), group_digits(b.involuntary - a.involuntary),
        plural(b.yields - a.yields, "yield", "yields"),
        plural(b.recalculations - a.recalculations, "recalc", "recalcs"),
        plural(b.ticks - a.ticks, "tick", "ticks"));
    const sim::Overhead& before = a.parts.overhead;
    const sim::Overhead& after = b.parts.overhead;
    const std::array<Nanos, kActivities> time{b.parts.user - a.parts.user,
                                              after.system - before.system,
                                              after.select - before.select,
                                              after.recalculation - before.recalculation,
                                              after.context_switch - before.context_switch,
                                              after.address_space - before.address_space,
                                              after.cache_refill - before.cache_refill,
                                              after.stolen - before.stolen,
                                              after.interrupts - before.interrupts,
                                              b.parts.idle - a.parts.idle};
    const double all = std::max(1.0, to_double(s.end() - s.begin()) * run.scenario().cpus);
    for (std::size_t i = 0; i < kActivities; ++i)
        if (time[i] > Nanos{})
            report.shares.push_back({static_cast<CpuActivity>(i), to_double(time[i]) / all, time[i]});
    TimesByTask users;
    for (TaskId p = run.scenario().cpus; p < s.user.size(); ++p) users.add(p, s.user[p]);
    std::vector<TimesByTask::Owner> top_owners = users.top_owners(5);
    std::stable_sort(top_owners.begin(), top_owners.end(),
                     [](const auto& x, const auto& y) { return x.time > y.time; });
    for (const auto& u : top_owners)
        report.task_shares.push_back({u.task, name_at(run, {}, u.task, s.end()), to_double(u.time) / all});
    const auto spans = [](const char* what, const sim::SpanHistogram& h) {
        return RangeReport::DurationStatistics{
            what, h.count(), h.mean(), h.percentile(50), h.percentile(95), h.percentile(99)};
    };
    report.spans = {spans("cost of schedule()", s.schedule), spans("run time of a task", s.stretch),
                    spans("wait of a ready task", s.readiness)};
    return report;
}

// --- tooltips ---

namespace {

// The reason for a schedule(): why prev called it.
std::string reason_for_schedule(const sim::Machine& m, const sim::TraceRecord& r) {
    if (m.is_idle_task(r.other)) return "the CPU was idle";
    if (r.after_yield) return "after sched_yield()";
    if (r.voluntary) return "prev went to sleep, started to wait, or exited";
    return r.from_syscall ? "after a system call" : "prev was preempted";
}

// The purpose of an interrupt that another CPU has sent.
std::string ipi_purpose_text(const sim::TraceRecord& r, const std::string& asker) {
    switch (r.kind) {
        case sim::TraceKind::flush_ipi:
            return fmt::format("cpu{}, interrupted by {}, flushes its TLB", r.cpu, asker);
        case sim::TraceKind::leave_mm:
            return fmt::format("cpu{}, interrupted by {}, leaves the address space that it had borrowed",
                               r.cpu, asker);
        default:
            return fmt::format("an IPI requests cpu{} to reschedule, for task {}", r.cpu, asker);
    }
}

std::string decision_line(const Run& run, const sim::Timeline& t, std::uint32_t record) {
    if (record == sim::kNoRecord) return {};
    const sim::TraceRecord& r = t.trace.records[record];
    if (r.kind != sim::TraceKind::schedule) return {};
    const auto name = [&](TaskId p) { return p == sim::kNoTask ? "-" : t.name(run.scenario(), p, r.time); };
    const std::string task_name =
        r.task == r.other ? name(r.task) + " continues" : name(r.other) + " is replaced by " + name(r.task);
    return "decision " + group_digits(t.decision_numbers[record]) + ": " + task_name + ", " +
           reason_for_schedule(run.session().machine(), r);
}

}  // namespace

std::vector<std::string> cpu_tooltip(const Run& run, CpuId c) {
    const sim::Machine& m = run.session().machine();
    const sim::Cpu& cpu = m.cpu(c);
    const bool idle = m.is_idle_task(cpu.current);
    std::vector<std::string> lines{
        fmt::format("cpu{} {}", c, idle ? "is idle" : "runs " + run.name(cpu.current)),
        loaded_mm_text(run, c)};
    if (run.scenario().cpus > 1) {
        const sim::Statistics::CpuStats& s = run.session().statistics().cpus[c];
        lines.push_back(plural(s.switches, "switch", "switches") + ", " +
                        plural(s.migrations, "task", "tasks") + " migrated here from another CPU");
        lines.emplace_back("Click to select this CPU for the pane CACHES.");
    }
    return lines;
}

std::string slice_mm_text(const Run& run, const sim::Timeline& t, const sim::CpuSlice& s) {
    const std::string name = t.mm_name(run.scenario(), s.mm, s.begin);
    if (s.borrowed) return "borrows " + name;
    if (s.activity != CpuActivity::user || (s.mm > run.scenario().shared_mms)) return {};
    return s.mm == sim::kKernelMm ? "has " + name : "in " + name;
}

std::vector<std::string> slice_tooltip(const Run& run, const sim::Timeline& t, CpuId c, std::size_t slice) {
    const sim::CpuSlice& s = t.cpus[c][slice];
    std::vector<std::string> lines;
    const std::string name = t.name(run.scenario(), s.task, s.begin);
    if (s.activity == CpuActivity::idle)
        lines.push_back(fmt::format("cpu{} is idle", c));
    else if (s.activity == CpuActivity::user)
        lines.push_back(name + " runs");
    else if (s.activity == CpuActivity::interrupt || s.activity == CpuActivity::stolen)
        lines.push_back(std::string(words_for(s.activity)) + ", while cpu" + std::to_string(c) + " had " +
                        name);
    else
        lines.push_back(std::string(words_for(s.activity)) + ", called by " + name);
    lines.push_back(range_text(s.begin, s.end));
    if (const std::string mm = slice_mm_text(run, t, s); !mm.empty()) lines.push_back(mm);
    if (const std::string chosen = decision_line(run, t, s.record); !chosen.empty()) lines.push_back(chosen);
    if (s.activity == CpuActivity::user || s.activity == CpuActivity::idle || s.record == sim::kNoRecord)
        return lines;

    const sim::TraceRecord& r = t.trace.records[s.record];
    if (r.kind == sim::TraceKind::schedule) {
        const sim::Decision& d = r.decision;
        std::string work = plural(d.considered, "task", "tasks") + " looked at";
        if (d.recalculated > 0)
            work += ", " + plural(d.recalculated, "counter", "counters") + " recalculated";
        if (d.queue_steps > 0) work += ", " + plural(d.queue_steps, "step", "steps") + " along the queue";
        if (r.task != r.other) work += r.loads_mm ? ", another address space" : ", same address space";
        lines.push_back(work);
    }
    // The slices of one kernel call are adjacent.
    std::size_t first = slice;
    while (first > 0 && t.cpus[c][first - 1].record == s.record &&
           t.cpus[c][first - 1].activity != CpuActivity::user)
        --first;
    const auto of_call = [&](const sim::CpuSlice& part) {
        return part.record == s.record && part.activity != CpuActivity::user &&
               part.activity != CpuActivity::idle;
    };
    const auto begin = t.cpus[c].begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = std::find_if_not(begin, t.cpus[c].end(), of_call);
    const Nanos sum = begin == end ? Nanos{} : std::prev(end)->end - begin->begin;
    std::string parts;
    for (auto part = begin; part != end; ++part)
        parts += (parts.empty() ? "" : " + ") + std::string(words_for(part->activity)) + " " +
                 span(part->end - part->begin, sum);
    lines.push_back(span(sum) + " in total = " + parts);
    return lines;
}

// States which task or interrupt made a task ready.
std::string waker_text(const Run& run, const sim::Timeline& t, std::uint32_t record) {
    const sim::TraceRecord& r = t.trace.records[record];
    const std::string when = " at " + instant_text(r.time);
    if (r.kind == sim::TraceKind::fork) return "forked by " + t.name(run.scenario(), r.other, r.time) + when;
    if (r.other == sim::kNoTask) return "woken by an interrupt" + when;
    return "woken by " + t.name(run.scenario(), r.other, r.time) + when;
}

std::vector<std::string> task_slice_tooltip(const Run& run, const sim::Timeline& t, TaskId p,
                                            std::size_t slice) {
    const sim::TaskSlice& s = t.tasks[p][slice];
    std::string title = t.name(run.scenario(), p, s.begin) + " is " + sim::to_string(s.activity);
    if (t.cpus.size() > 1 && s.activity <= TaskActivity::kernel) title += fmt::format(" on cpu{}", s.cpu);
    std::vector<std::string> lines{title, range_text(s.begin, s.end)};
    if (s.activity == TaskActivity::ready)
        lines.emplace_back(
            "the task is on the run queue, but not on a "
            "CPU");
    if (s.activity == TaskActivity::ready && s.record != sim::kNoRecord)
        lines.push_back(waker_text(run, t, s.record));
    if (s.activity == TaskActivity::sleeping)
        lines.emplace_back("the task sleeps until an arrival or until its timer fires");
    if (s.activity == TaskActivity::waiting) {
        const bool now = s.begin <= run.now() && run.now() < s.end;
        std::string why = now ? wait_reason_text(run, p) : std::string{};
        if (why.empty() && s.channel != sim::kNoChannel)
            why = "for " + channel_words(run.scenario().channels[s.channel]);
        lines.push_back(why.empty() ? "the task waits until another task wakes it" : why);
    }
    // States which task or interrupt ended the sleep or wait.
    if (s.activity >= TaskActivity::sleeping && slice + 1 < t.tasks[p].size()) {
        const sim::TaskSlice& next = t.tasks[p][slice + 1];
        if (next.activity == TaskActivity::ready && next.record != sim::kNoRecord)
            lines.push_back(waker_text(run, t, next.record));
    }
    return lines;
}

std::string resched_outcome_text(const Run& run, const sim::Timeline& t, std::uint32_t record) {
    const sim::TraceRecord& r = t.trace.records[record];
    using Point = sim::ReschedCheck::Point;
    if (r.kind != sim::TraceKind::wake_up && r.kind != sim::TraceKind::tick) return {};
    const Point at = r.kind == sim::TraceKind::tick ? Point::tick : Point::wake_up;
    for (const sim::ReschedCheck& check : run.resched_checks_between(r.time, r.time + Nanos{1}))
        if (check.at == at && check.task == r.task && (at == Point::wake_up || check.cpu == r.cpu))
            return with_micro_sign(sim::resched_check_text(
                check, run.session().machine(), [&](TaskId p) { return t.name(run.scenario(), p, r.time); }));
    return {};
}

std::vector<std::string> mark_tooltip(const Run& run, const sim::Timeline& t, std::uint32_t record) {
    const sim::TraceRecord& r = t.trace.records[record];
    const auto name = [&](TaskId p) { return t.name(run.scenario(), p, r.time); };
    std::vector<std::string> lines;
    switch (lane_of(r)) {
        case Lane::recalculation:
            lines.push_back("All counters are recalculated: no ready task has ticks left");
            lines.push_back(decision_line(run, t, record));
            break;
        case Lane::yield:
            lines.push_back(name(r.task) + " calls sched_yield()");
            break;
        case Lane::tick:
            lines.push_back(fmt::format("Timer interrupt on cpu{}: {}{}", r.cpu, name(r.task),
                                        r.task < t.cpus.size() ? "" : " runs"));
            break;
        case Lane::fork:
            lines.push_back(name(r.other) + " forks " + name(r.task));
            break;
        case Lane::exec:
            lines.push_back(name(r.task) + " starts another program in a new address space: exec()");
            break;
        case Lane::exit:
            lines.push_back(name(r.task) + " exits");
            break;
        case Lane::ipi:
            lines.push_back(ipi_purpose_text(r, name(r.other)));
            break;
        case Lane::wake_up:
            lines.push_back(name(r.task) + (r.other == sim::kNoTask ? " is woken by an interrupt"
                                                                    : " is woken by " + name(r.other)));
            break;
    }
    if (const std::string outcome = resched_outcome_text(run, t, record); !outcome.empty())
        lines.push_back(outcome);
    lines.push_back("at " + instant_text(r.time));
    return lines;
}

std::vector<std::string> shares_tooltip(const Run& run, const TimelineDetail& detail, const TimeRange& range,
                                        const SliceKindSums& shares, const TimesByTask& owners) {
    const std::uint32_t switches = shares.count[activity_index(CpuActivity::context_switch)];
    std::uint64_t slices = 0;
    for (const std::uint32_t n : shares.count) slices += n;
    std::vector<std::string> lines{switches > 0 ? plural(switches, "switch", "switches")
                                                : plural(slices, "slice", "slices")};
    lines.push_back(range_text(range.begin, range.end));
    const double all = std::max(1.0, to_double(shares.total()));
    std::vector<TimesByTask::Owner> top_owners = owners.top_owners(6);
    std::stable_sort(top_owners.begin(), top_owners.end(),
                     [](const auto& a, const auto& b) { return a.time > b.time; });
    Nanos rest = shares.time[activity_index(CpuActivity::user)];
    for (const auto& o : top_owners) {
        lines.push_back(percent(to_double(o.time) / all) + " " + name_at(run, detail, o.task, range.begin));
        rest -= o.time;
    }
    if (rest > Nanos{} && owners.size() > top_owners.size())
        lines.push_back(percent(to_double(rest) / all) + " " +
                        group_digits(owners.size() - top_owners.size()) + " other tasks");
    for (std::size_t k = activity_index(CpuActivity::system); k < kActivities; ++k)
        if (shares.time[k] > Nanos{})
            lines.push_back(percent(to_double(shares.time[k]) / all) + " " +
                            words_for(static_cast<CpuActivity>(k)));
    return lines;
}

std::vector<std::string> task_shares_tooltip(const TimeRange& range, const std::string& name,
                                             const SliceKindSums& shares) {
    std::uint64_t slices = 0;
    for (const std::uint32_t n : shares.count) slices += n;
    std::vector<std::string> lines{name};
    lines.push_back(range_text(range.begin, range.end));
    if (slices > 0)
        lines.push_back(plural(shares.count[activity_index(TaskActivity::running)], "run", "runs") + " in " +
                        plural(slices, "slice", "slices"));
    const double all = std::max(1.0, to_double(range.length()));
    for (std::size_t k = 0; k < kTaskActivities; ++k)
        if (shares.time[k] > Nanos{})
            lines.push_back(percent(to_double(shares.time[k]) / all) + " " +
                            sim::to_string(static_cast<TaskActivity>(k)));
    return lines;
}

std::vector<std::string> column_tooltip(const TimelineColumn& c, std::uint32_t cpus) {
    std::vector<std::string> lines{"about " + count_text(c.switches) + " switches"};
    lines.push_back(range_text(c.begin, c.end));
    const double all = std::max(1.0, to_double(c.end - c.begin) * cpus);
    for (std::size_t k = 0; k < kActivities; ++k)
        if (c.time[k] > 0)
            lines.push_back(percent(c.time[k] / all) + " " + words_for(static_cast<CpuActivity>(k)));
    lines.push_back("about " + count_text(c.queue) + " runnable, at most " + group_digits(c.longest));
    return lines;
}

std::vector<std::string> marks_tooltip(const TimelineColumn& c, Lane lane) {
    return {"about " + count_text(c.marks[static_cast<std::size_t>(lane)]) + " " + to_string(lane) +
                (lane == Lane::wake_up ? " by timers and devices" : "") + ", " +
                rate_text(c.per_second(lane)),
            range_text(c.begin, c.end)};
}

}  // namespace ui
