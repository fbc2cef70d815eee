// The numbers of the timeline: sums, rows, columns, and differences between two runs.
#include "ui/view/timeline_tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/view/animation_timing.h"
#include "ui/view/format.h"

namespace ui {
namespace {

constexpr std::size_t kFewSlices = 64;  // up to this number of slices, sums are computed directly
// If more tasks of a group than this number did not run in the range, these tasks share a row.
constexpr std::uint32_t kMostIdleRows = 8;

auto kind = [](const auto& s) { return kind_of(s); };
auto owner = [](const auto& s) { return owner_of(s); };

template <class T>
std::span<const T> span_of(const std::vector<T>& all) {
    return {all.data(), all.size()};
}

// A state of the machine that has the data of p. It is the state at the run's position or, if p is not live
// at that position, the state at the end of the run.
const sim::Machine& machine_for(const Run& run, TaskId p) {
    const sim::Machine& here = run.session().machine();
    return here.is_live(p) ? here : run.history().simulated_end().machine;
}

}  // namespace

Lane lane_of(const sim::TraceRecord& r) {
    switch (r.kind) {
        case sim::TraceKind::schedule:
            return Lane::recalculation;
        case sim::TraceKind::yield:
            return Lane::yield;
        case sim::TraceKind::tick:
            return Lane::tick;
        case sim::TraceKind::fork:
            return Lane::fork;
        case sim::TraceKind::exec:
            return Lane::exec;
        case sim::TraceKind::exit:
            return Lane::exit;
        case sim::TraceKind::flush_ipi:
        case sim::TraceKind::leave_mm:
        case sim::TraceKind::reschedule_ipi:
            return Lane::ipi;
        default:
            return Lane::wake_up;
    }
}

std::size_t kind_of(const sim::CpuSlice& s) { return activity_index(s.activity); }
TaskId owner_of(const sim::CpuSlice& s) { return s.activity == CpuActivity::user ? s.task : sim::kNoTask; }
std::size_t kind_of(const sim::TaskSlice& s) { return activity_index(s.activity); }
TaskId owner_of(const sim::TaskSlice&) { return sim::kNoTask; }

TimelineIndex::TimelineIndex(const sim::Timeline& t) {
    for (const auto& slices : t.cpus) cpus_.emplace_back(span_of(slices), kind, owner);
    task_sums_.assign(t.tasks.size(), kNone);
    still_.assign(t.tasks.size(), false);
    for (TaskId p = 0; p < t.tasks.size(); ++p) {
        const auto& slices = t.tasks[p];
        if (slices.size() > kFewSlices) {
            task_sums_[p] = static_cast<std::uint32_t>(tasks_.size());
            tasks_.emplace_back(span_of(slices), kind, owner);
        }
        still_[p] = slices.size() == 1 && slices[0].begin <= t.begin && slices[0].end >= t.end &&
                    slices[0].activity >= TaskActivity::ready;
    }
    for (const sim::TimelineMarker& m : t.marks)
        marks_.add(m.time, static_cast<std::size_t>(lane_of(t.trace.records[m.record])), m.record);
}

SliceKindSums TimelineIndex::cpu_sums(const sim::Timeline& t, CpuId c, std::size_t first, std::size_t last,
                                      TimesByTask* owners) const {
    return cpus_[c].sums_of(span_of(t.cpus[c]), first, last, kind, owner, owners);
}

SliceKindSums TimelineIndex::task_sums(const sim::Timeline& t, TaskId p, std::size_t first,
                                       std::size_t last) const {
    const auto slices = span_of(t.tasks[p]);
    if (task_sums_[p] != kNone) return tasks_[task_sums_[p]].sums_of(slices, first, last, kind, owner);
    SliceKindSums sum;
    for (std::size_t i = first; i <= last; ++i) {
        sum.time[kind_of(slices[i])] += slices[i].end - slices[i].begin;
        ++sum.count[kind_of(slices[i])];
    }
    return sum;
}

// --- rows ---

std::string name_at(const Run& run, const TimelineDetail& detail, TaskId p, Nanos at) {
    const sim::Machine& simulated_end = run.history().simulated_end().machine;
    if (p < simulated_end.first_task()) return "idle";
    if (detail.timeline != nullptr && p < detail.timeline->tasks.size()) {
        std::string name = detail.timeline->name(run.scenario(), p, at);
        if (name != "?") return name;
    }
    if (p >= simulated_end.globals().high_row) return "?";
    return run.scenario().task_name(machine_for(run, p), p);
}

std::string TimelineRow::state() const {
    if (ready == 0) return "asleep";
    return ready == count ? "ready" : group_digits(ready) + " ready, the others asleep";
}

namespace {

enum class StateInRange : std::uint8_t { absent, asleep, ready, active };

// Determines from the slices whether the task existed in the range, and whether it was asleep, ready or
// active.
StateInRange state_from_slices(const sim::Timeline& timeline, const TimelineIndex& index_of,
                               const TimeRange& range, TaskId p) {
    const auto slices = span_of(timeline.tasks[p]);
    const auto of = [](const sim::TaskSlice& s) {
        return s.activity == TaskActivity::ready   ? StateInRange::ready
               : s.activity >= TaskActivity::ready ? StateInRange::asleep
                                                   : StateInRange::active;
    };
    if (index_of.keeps_one_state(p)) return of(slices[0]);
    const std::size_t first = first_ending_after(slices, range.begin);
    const auto behind = std::partition_point(slices.begin(), slices.end(),
                                             [&](const sim::TaskSlice& s) { return s.begin < range.end; });
    const auto count = static_cast<std::size_t>(behind - slices.begin());
    if (first >= count) return StateInRange::absent;
    if (count - first == 1) return of(slices[first]);
    const SliceKindSums shares = index_of.task_sums(timeline, p, first, count - 1);
    if (shares.count[activity_index(TaskActivity::running)] +
            shares.count[activity_index(TaskActivity::kernel)] >
        0)
        return StateInRange::active;
    return shares.count[activity_index(TaskActivity::ready)] > 0 ? StateInRange::ready : StateInRange::asleep;
}

// Determines from the samples whether the task existed in the range, and whether it was asleep, ready or
// active.
StateInRange state_from_samples(const Run& run, const TimelineDetail& detail, TaskId p) {
    const auto in = [&](const sim::Overview::TaskTableSample& s) {
        return p < s.tasks.size() ? s.tasks[p] : sim::TaskSample{};
    };
    if (detail.tasks.size() >= 2) {
        const sim::TaskSample a = in(detail.tasks.front());
        const sim::TaskSample b = in(detail.tasks.back());
        if (a.user != b.user || a.system != b.system) return StateInRange::active;
        if (a.ready != b.ready) return StateInRange::ready;
    }
    return run.history().simulated_end().machine.is_live(p) || run.session().machine().is_live(p)
               ? StateInRange::asleep
               : StateInRange::absent;
}

}  // namespace

std::vector<TimelineRow> timeline_rows(const Run& run, const TimelineDetail& detail,
                                       const TimelineIndex* index_of, const TimeRange& range,
                                       std::optional<TaskId> always_shown) {
    const sim::Machine& simulated_end = run.history().simulated_end().machine;
    const bool exact = detail.timeline != nullptr && index_of != nullptr;
    const std::size_t end = exact ? detail.timeline->tasks.size() : simulated_end.globals().high_row;
    std::vector<StateInRange> all(end, StateInRange::absent);
    struct IdleGroup {
        std::uint32_t asleep = 0, ready = 0;
        bool shown = false;
    };
    std::vector<IdleGroup> groups(run.scenario().groups.size());
    const auto group_of = [&](TaskId p) -> std::size_t {
        return p < simulated_end.globals().high_row ? machine_for(run, p).task[p].group : 0;
    };
    for (TaskId p = simulated_end.first_task(); p < end; ++p) {
        all[p] = exact ? state_from_slices(*detail.timeline, *index_of, range, p)
                       : state_from_samples(run, detail, p);
        if (p == always_shown) continue;
        if (all[p] == StateInRange::asleep || all[p] == StateInRange::ready) {
            IdleGroup& group = groups[group_of(p)];
            ++(all[p] == StateInRange::asleep ? group.asleep : group.ready);
        }
    }
    std::vector<TimelineRow> rows;
    for (TaskId p = simulated_end.first_task(); p < end; ++p) {
        if (all[p] == StateInRange::absent && p != always_shown) continue;
        if (p != always_shown && all[p] != StateInRange::active) {
            IdleGroup& group = groups[group_of(p)];
            if (group.asleep + group.ready > kMostIdleRows) {
                if (group.shown) continue;
                group.shown = true;
                const std::uint32_t count = group.asleep + group.ready;
                rows.push_back({p, count, group.ready,
                                run.scenario().groups[group_of(p)].name + " × " + group_digits(count)});
                continue;
            }
        }
        // The name is added when the row is drawn, because there may be thousands of rows.
        rows.push_back({p, 1, 0, {}});
    }
    return rows;
}

// --- columns ---

std::vector<Nanos> cell_edges(const TimeRange& range, Nanos cell) {
    std::vector<Nanos> edges{range.begin};
    for (Nanos edge = (range.begin / cell + 1) * cell; edge < range.end; edge += cell) edges.push_back(edge);
    edges.push_back(range.end);
    return edges;
}

namespace {

// The sums from the start of the run up to a sample.
TimelineColumn sums_up_to_sample(const sim::Sample& s) {
    TimelineColumn c;
    const sim::Overhead& o = s.parts.overhead;
    c.time = {to_double(s.parts.user),    to_double(o.system),         to_double(o.select),
              to_double(o.recalculation), to_double(o.context_switch), to_double(o.address_space),
              to_double(o.cache_refill),  to_double(o.stolen),         to_double(o.interrupts),
              to_double(s.parts.idle)};
    c.marks = {static_cast<double>(s.recalculations),
               static_cast<double>(s.yields),
               static_cast<double>(s.device_interrupts + s.timer_wake_ups),
               static_cast<double>(s.ticks),
               static_cast<double>(s.forks),
               static_cast<double>(s.execs),
               static_cast<double>(s.exits),
               static_cast<double>(s.ipis)};
    c.switches = static_cast<double>(s.switches);
    c.decisions = static_cast<double>(s.decisions);
    c.queue = static_cast<double>(s.queue_sum);
    return c;
}

// The weighted sum of all values of two columns.
TimelineColumn weighted_sum(const TimelineColumn& a, const TimelineColumn& b, double weight_a,
                            double weight_b) {
    TimelineColumn c;
    for (std::size_t i = 0; i < kActivities; ++i) c.time[i] = weight_a * a.time[i] + weight_b * b.time[i];
    for (std::size_t i = 0; i < kLanes; ++i) c.marks[i] = weight_a * a.marks[i] + weight_b * b.marks[i];
    c.switches = weight_a * a.switches + weight_b * b.switches;
    c.decisions = weight_a * a.decisions + weight_b * b.decisions;
    c.queue = weight_a * a.queue + weight_b * b.queue;
    return c;
}

}  // namespace

std::vector<TimelineColumn> columns_of(std::span<const sim::Sample> samples, std::span<const Nanos> edges) {
    std::vector<TimelineColumn> columns;
    if (edges.size() < 2) return columns;
    std::size_t next = 0;  // index of the first sample after the edge
    const auto at = [&](Nanos edge) {
        while (next < samples.size() && samples[next].time <= edge) ++next;
        if (samples.empty()) return TimelineColumn{};
        if (next == 0) return sums_up_to_sample(samples.front());
        const TimelineColumn before = sums_up_to_sample(samples[next - 1]);
        if (next == samples.size()) return before;
        const double share =
            to_double(edge - samples[next - 1].time) / to_double(samples[next].time - samples[next - 1].time);
        return weighted_sum(before, sums_up_to_sample(samples[next]), 1 - share, share);
    };
    columns.reserve(edges.size() - 1);
    TimelineColumn before = at(edges[0]);
    for (std::size_t i = 1; i < edges.size(); ++i) {
        std::size_t first = next;
        const TimelineColumn after = at(edges[i]);
        TimelineColumn c = weighted_sum(after, before, 1, -1);
        c.begin = edges[i - 1];
        c.end = edges[i];
        for (; first < samples.size() && first <= next; ++first)
            c.longest = std::max(c.longest, samples[first].longest);
        const bool known = !samples.empty() && c.begin < samples.back().time;
        const std::uint32_t running =
            samples.empty() ? 0 : samples[std::min(next, samples.size() - 1)].nr_running;
        if (!known) c.longest = 0;
        c.queue = !known ? 0 : c.decisions > 1e-9 ? c.queue / c.decisions : running;
        if (known) c.longest = std::max(c.longest, static_cast<std::uint32_t>(std::ceil(c.queue - 1e-9)));
        columns.push_back(c);
        before = after;
    }
    return columns;
}

TaskSampleColumns::TaskSampleColumns(std::span<const sim::Overview::TaskTableSample> samples,
                                     std::span<const Nanos> edges)
    : samples_(samples) {
    std::size_t next = 0;
    for (const Nanos edge : edges) {
        while (next < samples.size() && samples[next].time <= edge) ++next;
        SamplePosition place;
        if (next > 0) {
            place.before = next - 1;
            if (next < samples.size())
                place.share = to_double(edge - samples[next - 1].time) /
                              to_double(samples[next].time - samples[next - 1].time);
        }
        edges_.push_back(place);
    }
}

sim::TaskSample TaskSampleColumns::at(TaskId p, std::size_t i) const {
    return difference_between(p, edges_[i], edges_[i + 1]);
}

sim::TaskSample TaskSampleColumns::total(TaskId p) const {
    return edges_.empty() ? sim::TaskSample{} : difference_between(p, edges_.front(), edges_.back());
}

sim::TaskSample TaskSampleColumns::difference_between(TaskId p, const SamplePosition& a,
                                                      const SamplePosition& b) const {
    if (samples_.empty()) return {};
    const auto value = [&](const SamplePosition& place, Nanos sim::TaskSample::*member) {
        const auto in = [&](std::size_t s) {
            return s < samples_.size() && p < samples_[s].tasks.size()
                       ? to_double(samples_[s].tasks[p].*member)
                       : 0;
        };
        const double before = in(place.before);
        return place.share == 0 ? before : before + place.share * (in(place.before + 1) - before);
    };
    const auto difference = [&](Nanos sim::TaskSample::*member) {
        // The difference can be negative, because the values of a row restart at 0 when another task reuses
        // the row.
        return Nanos{std::llround(std::max(0.0, value(b, member) - value(a, member)))};
    };
    return {difference(&sim::TaskSample::user), difference(&sim::TaskSample::system),
            difference(&sim::TaskSample::ready)};
}

// --- two runs ---

RunDifferences::RunDifferences(const sim::Timeline& a, const sim::Timeline& b) {
    const Nanos begin = std::max(a.begin, b.begin);
    cpus_.resize(std::min(a.cpus.size(), b.cpus.size()));
    for (std::size_t c = 0; c < cpus_.size(); ++c) {
        const auto of_a = span_of(a.cpus[c]);
        const auto of_b = span_of(b.cpus[c]);
        std::size_t i = first_ending_after(of_a, begin);
        std::size_t j = first_ending_after(of_b, begin);
        std::vector<Span>& spans = cpus_[c];
        Nanos sum{};
        while (i < of_a.size() && j < of_b.size()) {
            const Nanos from = std::max({begin, of_a[i].begin, of_b[j].begin});
            const Nanos to = std::min(of_a[i].end, of_b[j].end);
            const bool same = of_a[i].activity == of_b[j].activity &&
                              (of_a[i].activity == CpuActivity::idle || of_a[i].task == of_b[j].task);
            if (!same && from < to) {
                if (!spans.empty() && spans.back().end == from)
                    spans.back().end = to;
                else
                    spans.push_back({from, to, sum});
                sum += to - from;
            }
            // Both ends are read before an index advances, because both slices may end at the same time.
            const Nanos end_a = of_a[i].end;
            const Nanos end_b = of_b[j].end;
            if (end_a <= end_b) ++i;
            if (end_b <= end_a) ++j;
        }
    }
}

Nanos RunDifferences::length_before(const std::vector<Span>& spans, Nanos t) const {
    const auto behind =
        std::partition_point(spans.begin(), spans.end(), [t](const Span& s) { return s.begin < t; });
    if (behind == spans.begin()) return {};
    const Span& last = *(behind - 1);
    return last.before + std::min(t, last.end) - last.begin;
}

Nanos RunDifferences::differing_time(const TimeRange& range) const {
    Nanos sum{};
    for (const auto& spans : cpus_)
        sum += length_before(spans, range.end) - length_before(spans, range.begin);
    return sum;
}

std::optional<Nanos> RunDifferences::first_difference_from(Nanos t) const {
    std::optional<Nanos> first;
    for (const auto& spans : cpus_) {
        const auto found =
            std::partition_point(spans.begin(), spans.end(), [t](const Span& s) { return s.end <= t; });
        if (found == spans.end()) continue;
        const Nanos at = std::max(t, found->begin);
        if (!first || at < *first) first = at;
    }
    return first;
}

std::string compared_totals_text(const Run& a, const Run& b) {
    const auto part = [](const char* what, std::uint64_t x, std::uint64_t y) {
        const std::string sign = y > x ? "+" : y < x ? "-" : "±";
        return fmt::format("{} {} | {} ({}{})", what, group_digits(x), group_digits(y), sign,
                           group_digits(y > x ? y - x : x - y));
    };
    const Nanos of_a = a.time_parts().user;
    const Nanos of_b = b.time_parts().user;
    return part("switches", a.session().statistics().switches.total(),
                b.session().statistics().switches.total()) +
           "   " + part("yields", a.session().statistics().yields, b.session().statistics().yields) + "   " +
           fmt::format("user time {} | {} ({}{})", span(of_a), span(of_b), of_b >= of_a ? "+" : "",
                       span(of_b - of_a));
}

TimeRange shown_range(const Model& model, const ViewState& view) {
    TimeRange range = view.shown;
    if (view.glide && view.glide->to == range) {
        const auto between = [part = ease_in_out(view.glide->seconds / RangeAnimation::kSeconds)](Nanos from,
                                                                                                  Nanos to) {
            return from + Nanos{static_cast<std::int64_t>(part * static_cast<double>((to - from).count()))};
        };
        range = {between(view.glide->from.begin, range.begin), between(view.glide->from.end, range.end)};
    }
    if (range.length() <= Nanos{}) range = {Nanos{}, model.a == nullptr ? Nanos{} : model.a->end()};
    if (range.length() <= Nanos{}) range.end = range.begin + Nanos{1'000'000};
    return range;
}

}  // namespace ui
