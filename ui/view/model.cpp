#include "ui/view/model.h"

#include <algorithm>
#include <bit>

#include "sim/check/invariants.h"
#include "sim/core/summary.h"
#include "sim/replay/switch_out.h"
#include "ui/view/edited_script.h"
#include "ui/view/format.h"

namespace ui {
namespace {

using Clock = std::chrono::steady_clock;

// Largest estimated number of events for which a timeline is computed; that takes 1 to 2 ms.
constexpr std::uint64_t kDetailedEvents = 6'000;
// Number of events re-executed at a time, which takes 1 to 2 ms.
constexpr std::uint64_t kEventsAtATime = 20'000;

// The samples around a range: from the last at or before its start to the first at or after its end.
template <class T>
std::span<const T> samples_around(std::span<const T> all, const TimeRange& range) {
    const auto by_time = [](sim::Nanos t, const T& sample) { return t < sample.time; };
    auto first = std::upper_bound(all.begin(), all.end(), range.begin, by_time);
    if (first != all.begin()) --first;
    auto last = std::lower_bound(first, all.end(), range.end,
                                 [](const T& sample, sim::Nanos t) { return sample.time < t; });
    if (last != all.end()) ++last;
    return {first, last};
}

bool covers(sim::Nanos begin, sim::Nanos end, const TimeRange& range) {
    return begin <= range.begin && range.end <= end;
}

}  // namespace

Run::Run(std::unique_ptr<sim::Session> session)
    : session_(std::move(session)), residency_(session_->scenario()) {}

double Run::progress() const {
    if (history().is_complete()) return 1;
    if (history().latest_end() == sim::kHorizon) return -1;
    return static_cast<double>(end().count()) / static_cast<double>(history().latest_end().count());
}

std::string Run::name(sim::TaskId p) const { return scenario().task_name(session_->machine(), p); }

// Returns fewer than `events` if events of this run take longer than usual. Reasons are many visited tasks
// (80 us per event with 65,000 tasks) and a slow script.
std::uint64_t Run::events_of_equal_replay_time(std::uint64_t events) const {
    // kFewTasks: the number of tasks up to which an event takes the usual time. kInstructionsPerEvent: the
    // number of script instructions that take as long as one event.
    constexpr std::uint64_t kFewTasks = 1000, kInstructionsPerEvent = 50;
    const sim::Globals& g = history().simulated_end().machine.globals();
    const std::uint64_t tasks = g.high_row;
    const std::uint64_t instructions_executed =
        history().instructions_executed() / std::max<std::uint64_t>(1, g.events);
    const std::uint64_t all = events * kFewTasks / std::max(kFewTasks, tasks);
    if (instructions_executed <= kInstructionsPerEvent) return std::max<std::uint64_t>(64, all);
    return std::max<std::uint64_t>(
        1, std::max<std::uint64_t>(64, all) * kInstructionsPerEvent / instructions_executed);
}

const sim::RangeSegments* Run::cached_segments(CachedSegments& kept, const TimeRange& range) const {
    const sim::Nanos begin = std::max(sim::Nanos{}, range.begin), end = std::min(range.end, this->end());
    if (begin >= end) return nullptr;
    // While the run is being simulated, cached segments are kept although the simulated part of the range
    // grows. When the simulation is complete, the segments are computed once more.
    const bool fits = kept.pieces && kept.wanted == range &&
                      (kept.pieces->end() == end || !history().is_complete() || kept.pieces->is_cut_off());
    if (!fits) {
        kept.wanted = range;
        kept.pieces = std::make_unique<sim::RangeSegments>(history(), begin, end, kMostPieces);
    }
    return kept.pieces.get();
}

const ScriptFailure* Run::failure() const {
    if (failure_) return &*failure_;
    if (!history().is_complete() || history().stop_reason() != sim::StopReason::policy_failed) return nullptr;
    const sim::Machine& m = history().simulated_end().machine;
    const sim::NamedPolicy& policy = history().policy_at(m);
    const sim::PolicyFailure* const failure = policy.policy->failure();
    if (failure == nullptr) return nullptr;
    const std::string words =
        sim::describe(*failure, [&](sim::TaskId p) { return scenario().task_name(m, p); });
    failure_ = ScriptFailure{words, policy.name, line_number_in_message(words, policy.name)};
    return &*failure_;
}

const DecisionDetail* Run::last_decision() const {
    const std::uint64_t number = session_->machine().globals().decisions;
    if (number == 0) return nullptr;
    if (inside_ && inside_number_ == number) return &*inside_;
    std::optional<sim::DecisionView> view = history().decision_at(number);
    if (!view) return nullptr;
    inside_number_ = number;
    machine_inside_.reset();
    const sim::NamedPolicy& policy = history().policy_at(view->before);
    const sim::CostModel& costs = scenario().machine.costs;
    if (!policy.source_lines.empty()) history().record_script_lines(*view);
    inside_.emplace(DecisionDetail{std::move(*view), {}, {}, {}});
    inside_->decision_reasons = sim::decision_reasons(inside_->view, policy, scenario());
    inside_->steps = sim::decision_steps(inside_->view, policy, costs);
    inside_->switch_view = sim::switch_steps(
        inside_->view, policy, scenario(), sim::make_task_namer(inside_->view, scenario()),
        sim::uses_switch_out(policy, scenario()) ? sim::find_switch_out(history(), inside_->view)
                                                 : std::nullopt);
    return &*inside_;
}

bool Run::is_at_decision() const {
    const DecisionDetail* const decision = last_decision();
    return decision != nullptr &&
           decision->view.after.globals().events == session_->machine().globals().events;
}

const std::string& Run::position_explanation() const {
    if (why_revision_ != session_->revision() || why_.empty()) {
        why_ = with_micro_sign(sim::explain_last_event(*session_));
        why_revision_ = session_->revision();
    }
    return why_;
}

std::vector<sim::ReschedCheck> Run::resched_checks_between(sim::Nanos begin, sim::Nanos end) const {
    return history().checks_between(begin, end);
}

const sim::Machine* Run::machine_at_step(std::size_t step) const {
    if (!machine_inside_ || machine_inside_step_ != step) {
        const std::uint64_t line = inside_->view.script[inside_->steps[step].script].number;
        machine_inside_.emplace(history().machine_at_line(inside_->view, line));
        machine_inside_step_ = step;
    }
    return &*machine_inside_;
}

const sim::PolicyFailure* Run::failure_at_position() const {
    const sim::Globals& g = session_->machine().globals();
    if (!g.is_stopped || g.stopped != sim::StopReason::policy_failed) return nullptr;
    return policy().policy->failure();
}

// Estimates the number of events in a range. Assumes that the events between the samples are evenly
// distributed over time.
std::uint64_t Run::estimated_events(const TimeRange& range) const {
    const std::span<const sim::Sample> samples = samples_around(history().overview().samples(), range);
    if (samples.empty()) return std::uint64_t{0};
    const double share = std::min(
        1.0, static_cast<double>(range.length().count()) /
                 std::max(1.0, static_cast<double>((samples.back().time - samples.front().time).count())));
    const std::uint64_t after_last =
        samples.back().time < range.end && samples.back().time < end()
            ? history().simulated_end().machine.globals().events - samples.back().events
            : 0;
    return after_last + static_cast<std::uint64_t>(
                            share * static_cast<double>(samples.back().events - samples.front().events));
}

const sim::Timeline* Run::timeline_of(const TimeRange& range) const {
    const TimeRange there{range.begin, std::min(range.end, end())};
    if (timeline_ && covers(timeline_->begin, timeline_->end, range) &&
        (timeline_whole_ || there.end < timeline_tip_))
        return &*timeline_;

    // First tries a range with a margin on each side, so that panning does not require another timeline. Each
    // margin has the length of the original range.
    const sim::Nanos margin = range.length();
    const TimeRange wide{std::max(sim::Nanos{}, range.begin - margin),
                         std::min(range.end, sim::kHorizon - margin) + margin};
    const std::uint64_t most = events_of_equal_replay_time(kDetailedEvents);
    for (const TimeRange& r : {wide, range}) {
        if (there.begin >= there.end || estimated_events(r) > most) continue;
        if (r == unfit_) continue;  // the range is known to have more events than estimated
        std::optional<sim::Timeline> made = sim::make_timeline(history(), r.begin, r.end, 4 * most);
        if (!made) {
            unfit_ = r;
            continue;
        }
        timeline_ = std::move(made);
        ++timeline_revision_;
        timeline_tip_ = end();
        timeline_whole_ = history().is_complete() || r.end <= timeline_tip_;
        return &*timeline_;
    }
    return nullptr;
}

// Replaces the samples by finer ones as soon as these are computed.
void Run::refine(TimelineDetail& detail, const TimeRange& range, int columns) const {
    const TimeRange there{range.begin, std::min(range.end, end())};
    // Finer samples are computed for ranges (tiles) on a fixed grid of time. Thus the samples depend only on
    // the range, not on earlier requests, and the same tile is sufficient while the range moves a little.
    const auto tile =
        static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(range.length().count())));
    const sim::Nanos tile_begin{there.begin.count() / tile * tile};
    const sim::Nanos tile_end = std::min(end(), tile_begin + sim::Nanos{2 * tile});
    const auto finer_columns = static_cast<std::uint32_t>(4 * std::max(1, columns));
    const bool fits =
        zoom_ && zoom_->begin() == tile_begin && zoom_->end() == tile_end && zoom_columns_ == finer_columns;
    if (!fits && history().is_complete()) {
        zoom_ = std::make_unique<sim::RangeSamples>(history(), tile_begin, tile_end, finer_columns);
        zoom_columns_ = finer_columns;
    }
    if (zoom_ && (fits || history().is_complete())) {
        detail.refining = !zoom_->is_complete();
        const std::span<const sim::Sample> finer = zoom_->samples();
        if (!finer.empty() && finer.back().time >= there.end) {
            detail.samples = samples_around(finer, range);
            detail.tasks = samples_around(zoom_->task_samples(), range);
        }
    }
}

TimelineDetail Run::detail(const TimeRange& range, int columns) const {
    columns_ = columns;
    if (const sim::Timeline* timeline = timeline_of(range))
        return {.revision = timeline_revision_, .timeline = timeline};
    const sim::Overview& overview = history().overview();
    TimelineDetail detail{.samples = samples_around(overview.samples(), range),
                          .tasks = samples_around(overview.task_samples(), range)};
    const bool enough = detail.samples.size() >= static_cast<std::size_t>(columns) / 2;
    if (range.begin < std::min(range.end, end()) && !enough) refine(detail, range, columns);
    return detail;
}

const sim::RangeStatistics* Run::range_statistics(const TimeRange& range) const {
    const TimeRange there{std::max(sim::Nanos{}, range.begin), std::min(range.end, end())};
    if (there.begin >= there.end) return nullptr;
    if (!range_ || range_->begin() != there.begin || range_->end() != there.end)
        range_ = std::make_unique<sim::RangeStatistics>(history(), there.begin, there.end);
    return range_.get();
}

void Run::update_cached_values() const {
    if (cached_revision_ == session_->revision()) return;
    cached_revision_ = session_->revision();
    const sim::Machine& m = session_->machine();
    parts_ = sim::elapsed_time_parts(scenario(), session_->statistics(), m);
    tasks_ = sim::elapsed_task_statistics(scenario(), session_->statistics(), m);
    broken_ = sim::check_invariants(m, scenario(), *policy().policy, &session_->statistics());
}

const sim::TimeParts& Run::time_parts() const { return update_cached_values(), parts_; }
const std::vector<sim::TaskStatistics>& Run::tasks() const { return update_cached_values(), tasks_; }
const std::string& Run::check_invariants() const { return update_cached_values(), broken_; }

sim::CpuId selected_cpu(const Run& run, const ViewState& view) {
    return std::min(view.cpu, run.scenario().cpus - 1);
}

bool Run::work(Deadline deadline) {
    sim::RunHistory& history = session_->history();
    while (!history.is_complete()) {
        const Clock::time_point begin = Clock::now();
        if (begin >= deadline) return true;
        history.extend(chunk_);
        const auto took = Clock::now() - begin;
        if (took < std::chrono::microseconds(500)) chunk_ = std::min(chunk_ * 2, std::uint64_t{1} << 16);
        if (took > std::chrono::microseconds(2000)) chunk_ = std::max(chunk_ / 2, std::uint64_t{1});
    }
    while (zoom_ && !zoom_->is_complete()) {
        if (Clock::now() >= deadline) return true;
        zoom_->advance(events_of_equal_replay_time(kEventsAtATime));
    }
    while (range_ && !range_->is_complete()) {
        if (Clock::now() >= deadline) return true;
        range_->advance(events_of_equal_replay_time(kEventsAtATime));
    }
    for (const CachedSegments* kept : {&pieces_of_all_, &pieces_of_range_}) {
        while (kept->pieces && !kept->pieces->is_complete()) {
            if (Clock::now() >= deadline) return true;
            kept->pieces->advance(events_of_equal_replay_time(kEventsAtATime));
        }
    }
    replays_.all = history.keyframe_count() - 1;
    while (check_replays && replays_.checked < replays_.all && !replays_.difference) {
        if (Clock::now() >= deadline) return true;
        replays_.difference = history.check_replay(replays_.checked++);
    }
    return false;
}

ViewState::TourStopState tour_stop_state_of(const Model& model) {
    const sim::RunHistory& history = model.a->history();
    return {.time = model.a->now(),
            .policy = history.policy().spec(),
            .compared = model.b == nullptr ? "" : model.b->history().policy().spec(),
            .sets = model.sets,
            .interventions = history.interventions().size()};
}

}  // namespace ui
