#include "sim/replay/run_history.h"

#include <algorithm>

namespace sim {
namespace {

constexpr std::uint64_t kEventsADecision = 8;
// extend() simulates in strides of `stride_` events. The constants are numbers of executed instructions of
// policy scripts; 100,000 instructions take about 1 ms. kEffortAtATime: after this number, extend() begins no
// further stride. kEffortOfAStride: after a stride with more instructions, the next stride has half as many
// events, otherwise twice as many. A stride can exceed both numbers, because one call of a script may execute
// up to 5,000,000 instructions.
constexpr std::uint64_t kEffortAtATime = 2'000'000, kEffortOfAStride = 200'000;
constexpr std::uint64_t kLongestStride = std::uint64_t{1} << 40;  // events

std::vector<std::unique_ptr<const Engine>> make_engines(const Scenario& scenario,
                                                        const std::vector<NamedPolicy>& policies) {
    std::vector<std::unique_ptr<const Engine>> engines;
    for (const NamedPolicy& policy : policies)
        engines.push_back(std::make_unique<const Engine>(scenario, *policy.policy));
    return engines;
}

std::vector<NamedPolicy> policies_of_run(NamedPolicy initial, std::uint32_t cpus,
                                         const std::vector<Intervention>& interventions) {
    std::vector<NamedPolicy> policies{std::move(initial)};
    for (const Intervention& i : interventions)
        if (i.kind == Intervention::Kind::policy) policies.push_back(make_policy(i.policy, cpus, i.scripts));
    return policies;
}

}  // namespace

std::uint64_t count_steps(StepEventKind kind, const Machine& m, const Statistics& s) {
    switch (kind) {
        case StepEventKind::event:
            return m.globals().events;
        case StepEventKind::decision:
            return m.globals().decisions;
        case StepEventKind::context_switch:
            return m.globals().switches;
        case StepEventKind::tick:
            return m.globals().ticks;
        case StepEventKind::yield:
            return s.yields;
        case StepEventKind::recalculation:
            return s.recalculations;
    }
    return 0;
}

RunHistory::RunHistory(std::shared_ptr<const Scenario> scenario, NamedPolicy policy,
                       std::vector<Intervention> interventions, const RecordingLimits& limits)
    : scenario_(std::move(scenario)),
      interventions_(std::move(interventions)),
      policies_(policies_of_run(std::move(policy), scenario_->cpus, interventions_)),
      engines_(make_engines(*scenario_, policies_)),
      until_(scenario_->until.value_or(limits.until)),
      tip_{engines_.front()->initial_state(), Statistics(scenario_->shape)},
      overview_(*scenario_, until_, tip_.machine),
      limits_(limits),
      spacing_(limits.keyframe_spacing) {
    segments_.push_back(0);
    for (const Intervention& i : interventions_)
        segments_.push_back(segments_.back() + (i.kind == Intervention::Kind::policy ? 1 : 0));
    keyframe_size_ = sizeof(Keyframe) + tip_.machine.bytes() +
                     tip_.statistics.tasks.size() * (sizeof(TaskStatistics) + sizeof(JobTimes)) +
                     tip_.statistics.exited_threads.size() * sizeof(ExitedThreads) +
                     tip_.statistics.queue_length.size() * sizeof(std::uint64_t) +
                     tip_.statistics.cpus.size() * sizeof(Statistics::CpuStats);
    const auto is_script = [](const NamedPolicy& one) { return !one.source_lines.empty(); };
    if (std::none_of(policies_.begin(), policies_.end(), is_script)) stride_ = kLongestStride;
    advance(tip_, {.events = 0});  // applies interventions at the start of the run
    add_keyframe();
}

std::size_t RunHistory::policy_index(const Machine& m) const { return segments_[m.globals().interventions]; }

const Intervention* RunHistory::next_intervention(const Machine& m) const {
    const std::size_t made = m.globals().interventions;
    return made < interventions_.size() ? &interventions_[made] : nullptr;
}

StopReason RunHistory::advance(Moment& moment, const Limits& limits, Trace* trace) const {
    Machine& m = moment.machine;
    const Sinks sinks{.statistics = &moment.statistics, .trace = trace};
    for (;;) {
        const Engine& engine = *engines_[policy_index(m)];
        const Intervention* due = next_intervention(m);
        if (due == nullptr) return engine.run(m, limits, sinks);

        // First simulates the events before the intervention, then the time without events up to the
        // intervention.
        Limits piece = limits;
        piece.events = std::min(limits.events, due->after_events);
        StopReason reason = engine.run(m, piece, sinks);
        if (m.globals().events == due->after_events && due->after_events < limits.events) {
            piece.until = std::min(limits.until, due->time);
            piece.events = limits.events;
            reason = engine.run(m, piece, sinks);
        }
        if (m.globals().events != due->after_events || m.globals().now != due->time) return reason;
        ++m.globals().interventions;
        intervene(*due, engines_[policy_index(m)]->context(m, sinks));
    }
}

std::unique_ptr<RunHistory> RunHistory::branch(const Intervention& intervention) const {
    const auto earlier =
        std::partition_point(interventions_.begin(), interventions_.end(), [&](const Intervention& i) {
            return i.after_events < intervention.after_events ||
                   (i.after_events == intervention.after_events && i.time <= intervention.time);
        });
    std::vector<Intervention> all(interventions_.begin(), earlier);
    all.push_back(intervention);
    auto other = std::make_unique<RunHistory>(scenario_, policy(), std::move(all), limits_);
    const Nanos common = overview_.last_regular_sample_time_before(intervention.time);
    if (common == Nanos{}) return other;
    state_at(common, other->tip_);
    other->overview_ = overview_.copy_until(common, other->tip_.statistics);
    other->spacing_ = spacing_;
    other->effort_ = effort_;
    other->keyframes_.clear();
    for (const auto& keyframe : keyframes_)
        if (keyframe->moment.machine.globals().events <= other->tip_.machine.globals().events)
            other->keyframes_.push_back(keyframe);
    return other;
}

void RunHistory::extend(std::uint64_t decisions) {
    // The reference to Globals must be fetched again each time: a policy with state of another size makes
    // the machine reallocate the memory that contains Globals.
    const auto g = [this]() -> const Globals& { return tip_.machine.globals(); };
    const std::uint64_t last_decision = g().decisions + decisions;
    const std::uint64_t last_event = g().events + kEventsADecision * decisions;
    const std::uint64_t begin = effort_;
    while (!complete_ && g().decisions < last_decision && g().events < last_event &&
           effort_ - begin < kEffortAtATime) {
        const std::uint64_t due = keyframes_.back()->moment.machine.globals().events + spacing_;
        const std::uint64_t before = instructions_of_policies(), events = g().events;
        reason_ = advance(tip_, {.until = std::min(until_, overview_.next_sample_time()),
                                 .decisions = last_decision,
                                 .events = std::min({due, last_event, events + stride_})});
        const std::uint64_t took = instructions_of_policies() - before;
        stride_ = took > kEffortOfAStride ? std::max<std::uint64_t>(1, stride_ / 2)
                                          : std::min(stride_ * 2, kLongestStride);
        effort_since_keyframe_ += took;
        effort_ += took;
        complete_ = g().is_stopped || g().now >= until_;
        if (complete_ || g().now == overview_.next_sample_time())
            overview_.add(*scenario_, tip_.statistics, tip_.machine);
        const bool is_dear = effort_since_keyframe_ >= keyframe_effort_ && g().events > events;
        if (g().events == due || is_dear) add_keyframe();
    }
}

std::uint64_t RunHistory::instructions_of_policies() const {
    std::uint64_t sum = 0;
    for (const NamedPolicy& policy : policies_) sum += policy.policy->instructions_executed();
    return sum;
}

void RunHistory::add_keyframe() {
    keyframes_.push_back(std::make_shared<const Keyframe>(Keyframe{tip_.machine.hash(), tip_}));
    effort_since_keyframe_ = 0;
    if (keyframes_.size() < 4 || keyframe_bytes() <= limits_.keyframe_bytes) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < keyframes_.size(); i += 2, ++kept)
        if (kept != i) keyframes_[kept] = std::move(keyframes_[i]);
    keyframes_.erase(keyframes_.begin() + static_cast<std::ptrdiff_t>(kept), keyframes_.end());
    spacing_ *= 2;
    keyframe_effort_ *= 2;
}

// The last keyframe for which precedes(keyframe.moment) is true. REQUIRES: precedes() is true for the first
// keyframe.
const RunHistory::Keyframe& RunHistory::last_keyframe(auto precedes) const {
    const auto after = std::partition_point(keyframes_.begin() + 1, keyframes_.end(),
                                            [&](const auto& k) { return precedes(k->moment); });
    return **(after - 1);
}

void RunHistory::state_at(Nanos t, Moment& out) const {
    if (t > tip_.machine.globals().now) {
        out = tip_;
        return;
    }
    out = last_keyframe([&](const Moment& k) { return k.machine.globals().now < t; }).moment;
    advance(out, {.until = t});
}

void RunHistory::state_after(std::uint64_t events, Moment& out) const {
    events = std::min(events, tip_.machine.globals().events);
    out = last_keyframe([&](const Moment& k) { return k.machine.globals().events <= events; }).moment;
    advance(out, {.events = events});
}

bool RunHistory::find_step(StepEventKind kind, std::uint64_t n, Moment& out) const {
    if (count_steps(kind, tip_.machine, tip_.statistics) < n) return false;
    if (n == 0) {
        out = beginning();
        return true;
    }
    const auto behind = [&](const Moment& k) { return count_steps(kind, k.machine, k.statistics) < n; };
    out = last_keyframe(behind).moment;
    const auto g = [&out]() -> const Globals& { return out.machine.globals(); };
    switch (kind) {
        case StepEventKind::event:
            advance(out, {.events = n});
            return true;
        case StepEventKind::decision:
            advance(out, {.decisions = n});
            return true;
        case StepEventKind::context_switch:
            advance(out, {.switches = n});
            return true;
        case StepEventKind::recalculation:
            while (behind(out) && !g().is_stopped) advance(out, {.decisions = g().decisions + 1});
            return true;
        case StepEventKind::tick:
            advance(out, {.until = scenario_->time_of_tick(n)});
            break;
        case StepEventKind::yield:
            break;
    }
    while (behind(out) && !g().is_stopped) advance(out, {.events = g().events + 1});
    return true;
}

std::optional<DecisionView> RunHistory::decision_at(std::uint64_t n) const {
    if (n == 0 || n > tip_.machine.globals().decisions) return std::nullopt;
    // Finds the event that makes decision n by simulating from decision n - 1. Then simulates again, up to
    // the position before this event.
    Moment moment = beginning();
    find_step(StepEventKind::decision, n - 1, moment);
    Moment ahead = moment;
    advance(ahead, {.decisions = n});
    const std::uint64_t before = ahead.machine.globals().events - 1;
    // The event that requested the schedule() is usually among the last events before the decision. So at
    // most kMostEvents events are searched.
    constexpr std::uint64_t kMostEvents = 256;
    const std::uint64_t first = before - std::min(before, kMostEvents);
    if (first > moment.machine.globals().events)
        advance(moment, {.events = first});
    else if (first < moment.machine.globals().events)
        state_after(first, moment);
    Trace trace;
    trace.logs_checks = true;
    advance(moment, {.events = before}, &trace);
    // Interventions after the previous event are applied before the decision.
    for (const Intervention* due = next_intervention(moment.machine);
         due != nullptr && due->after_events == before; due = next_intervention(moment.machine))
        advance(moment, {.until = due->time});
    DecisionView view = compute_decision_view(*engines_[policy_index(moment.machine)], moment.machine);
    if (!view.check) view.check = find_requesting_check(view.record, trace.checks);
    for (const TraceRecord& record : trace.records)
        if (record.kind == TraceKind::schedule && record.task != record.other &&
            record.task == view.record.other)
            view.prev_since = record.time;
    if (!view.ready_since && moment.machine.is_live(view.record.task))
        view.ready_since = moment.statistics.tasks[view.record.task].ready_since;
    return view;
}

std::vector<ReschedCheck> RunHistory::checks_of_events(std::uint64_t from, std::uint64_t to) const {
    if (from >= to || to > tip_.machine.globals().events) return {};
    Moment moment = beginning();
    state_after(from, moment);
    Trace trace;
    trace.logs_checks = true;
    advance(moment, {.events = to}, &trace);
    return std::move(trace.checks);
}

void RunHistory::record_script_lines(DecisionView& view) const {
    sim::record_script_lines(*engines_[policy_index(view.before)], view);
}

Machine RunHistory::machine_at_line(const DecisionView& view, std::uint64_t line) const {
    return sim::machine_at_line(*engines_[policy_index(view.before)], view, line);
}

std::vector<ReschedCheck> RunHistory::checks_between(Nanos begin, Nanos end) const {
    Moment moment = beginning();
    state_at(begin, moment);
    Trace trace;
    trace.logs_checks = true;
    advance(moment, {.until = end}, &trace);
    return std::move(trace.checks);
}

std::optional<ReplayDifference> RunHistory::check_replay(std::size_t keyframe_index) const {
    Moment moment = keyframes_[keyframe_index]->moment;
    const Keyframe& next = *keyframes_[keyframe_index + 1];
    const std::uint64_t until = next.moment.machine.globals().events;
    const auto events = [&moment] { return moment.machine.globals().events; };
    Trace trace;
    for (std::uint64_t piece = events(); events() == piece && piece < until;) {
        piece = std::min(until, events() + 4096);
        trace.records.clear();
        advance(moment, {.events = piece}, &trace);
    }
    const std::uint64_t hash = moment.machine.hash();
    if (hash == next.hash) return std::nullopt;
    return ReplayDifference{until, next.hash, hash};
}

}  // namespace sim
