#include "sim/grade/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/base/units.h"
#include "sim/check/lockstep.h"
#include "sim/explain/explain.h"
#include "sim/grade/bounded_run.h"
#include "sim/replay/run_segments.h"

namespace sim::grade {
namespace {

constexpr const char* kIndent = "  ";

std::string decision_explanation(const Scenario& scenario, const LabelledPolicy& party,
                                 const DecisionView& view) {
    const auto name = [&](TaskId p) { return scenario.task_name(view.after, p); };
    return fmt::format("{} at {}:\n{}", party.label, format_time(view.record.time),
                       explain_decision(view.log, party.policy, name, kIndent));
}

// --- CPU intervals ---

// A complete run and its CPU intervals.
class SegmentedRun {
  public:
    SegmentedRun(const Scenario& scenario, const LabelledPolicy& party)
        : scenario_(scenario), engine_(scenario, *party.policy.policy) {
        Machine m = engine_.initial_state();
        RunSegments pieces(m);
        follow(m, grading_limits(scenario), [&](const TraceRecord& r) { pieces.add_record(r); });
        // follow() has simulated the entire run. This call only throws an error if the run did not end
        // normally.
        run_to_end(engine_, scenario, m, {});
        pieces.finish(m.globals().now);
        pieces_ = pieces.by_cpu();
    }

    const std::vector<RunSegment>& of_cpu(CpuId c) const { return pieces_[c]; }

    // Returns the name of the task that runs on the CPU `c` at the time `at`, or an empty string if the run
    // has ended by then.
    std::string running_task(CpuId c, Nanos at) const {
        for (const RunSegment& piece : pieces_[c])
            if (piece.begin <= at && at < piece.end) return piece.name(scenario_);
        return {};
    }

    // Returns the CPU intervals around the time `at` as text, for example "from 5ms: A to 20ms, B to 40ms".
    std::string segments_around(CpuId c, Nanos at) const {
        constexpr std::ptrdiff_t kBefore = 3, kAfter = 3;
        const std::vector<RunSegment>& all = pieces_[c];
        const auto place =
            std::find_if(all.begin(), all.end(), [&](const RunSegment& p) { return p.end > at; });
        const auto first = place - std::min(kBefore, place - all.begin());
        const auto last = place + std::min(kAfter, all.end() - place);
        if (first == last) return "no task";
        std::string text = fmt::format("from {}: ", format_time(first->begin));
        for (auto p = first; p != last; ++p)
            text +=
                fmt::format("{}{} to {}", p == first ? "" : ", ", p->name(scenario_), format_time(p->end));
        return text + (last == all.end() ? "" : ", ...");
    }

    // Replays the last decision of the CPU `c` at exactly the time `at`; std::nullopt if there is no such
    // decision.
    std::optional<DecisionView> decision_at(CpuId c, Nanos at) const {
        Machine m = engine_.initial_state();
        Limits limits = grading_limits(scenario_);
        limits.until = std::min(limits.until, Nanos(at + 1ns));
        std::uint64_t decisions = 0, wanted = 0;
        follow(m, limits, [&](const TraceRecord& r) {
            if (r.kind != TraceKind::schedule) return;
            ++decisions;
            if (r.cpu == c && r.time == at) wanted = decisions;
        });
        if (wanted == 0) return std::nullopt;
        m = engine_.initial_state();
        limits.decisions = wanted;
        engine_.run(m, limits, {});
        limits.events = m.globals().events - 1;
        m = engine_.initial_state();
        engine_.run(m, limits, {});
        return compute_decision_view(engine_, m);
    }

  private:
    template <class Follow>
    void follow(Machine& m, const Limits& limits, Follow&& each) const {
        // Maximum number of events per chunk, so that their trace fits into memory.
        constexpr std::uint64_t kSlice = 1 << 14;
        Trace trace;
        for (;;) {
            Limits slice = limits;
            slice.events = std::min(limits.events, m.globals().events + kSlice);
            const StopReason reason = engine_.run(m, slice, {.trace = &trace});
            engine_.throw_if_policy_failed(m);
            for (const TraceRecord& r : trace.records) each(r);
            trace.records.clear();
            if (reason != StopReason::event_limit || m.globals().events >= limits.events) return;
        }
    }

    const Scenario& scenario_;
    Engine engine_;
    std::vector<std::vector<RunSegment>> pieces_;
};

// The first time at which a CPU runs different tasks in two runs; std::nullopt if the intervals are equal.
std::optional<Nanos> first_difference_time(const std::vector<RunSegment>& a,
                                           const std::vector<RunSegment>& b) {
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        if (i >= a.size()) return b[i].begin;
        if (i >= b.size()) return a[i].begin;
        const bool same_task =
            a[i].task == b[i].task && a[i].group == b[i].group && a[i].ordinal == b[i].ordinal;
        if (!same_task) return a[i].begin;
        if (a[i].end != b[i].end) return std::min(a[i].end, b[i].end);
    }
    return std::nullopt;
}

std::string schedule_difference(const Scenario& scenario, const LabelledPolicy& mine,
                                const LabelledPolicy& other) {
    const SegmentedRun my_run(scenario, mine), other_run(scenario, other);
    std::optional<Nanos> at;
    CpuId cpu = 0;
    for (CpuId c = 0; c < scenario.cpus; ++c) {
        const std::optional<Nanos> its = first_difference_time(my_run.of_cpu(c), other_run.of_cpu(c));
        if (!its || (at && *at <= *its)) continue;
        at = its;
        cpu = c;
    }
    if (!at) return {};
    const auto does = [](const std::string& task) {
        return task.empty() ? "the run is over" : task + " runs";
    };
    std::string text = fmt::format("{}, from {} on{}: {} under {}, and {} under {}\n", scenario.name,
                                   format_time(*at), scenario.cpus > 1 ? fmt::format(" on CPU {}", cpu) : "",
                                   does(my_run.running_task(cpu, *at)), mine.label,
                                   does(other_run.running_task(cpu, *at)), other.label);
    const std::size_t width = std::max(mine.label.size(), other.label.size());
    text += fmt::format("{}{:<{}}  {}\n", kIndent, mine.label, width, my_run.segments_around(cpu, *at));
    text += fmt::format("{}{:<{}}  {}\n", kIndent, other.label, width, other_run.segments_around(cpu, *at));
    const auto tell = [&](const SegmentedRun& run, const LabelledPolicy& party) {
        if (const std::optional<DecisionView> view = run.decision_at(cpu, *at))
            text += decision_explanation(scenario, party, *view);
        else
            text += fmt::format("{} at {}: schedule() was not requested\n", party.label, format_time(*at));
    };
    tell(my_run, mine);
    tell(other_run, other);
    return text;
}

// --- order of decisions ---

std::string decision_difference(const Scenario& scenario, const LabelledPolicy& mine,
                                const LabelledPolicy& other) {
    for (const LabelledPolicy* party : {&mine, &other}) {
        const Engine engine(scenario, *party->policy.policy);
        Machine m = engine.initial_state();
        run_to_end(engine, scenario, m, {});
    }
    const LockstepResult r = find_first_divergence(
        {scenario, *mine.policy.policy}, {scenario, *other.policy.policy}, grading_limits(scenario));
    if (r.divergence)
        return fmt::format("{}, decision {}\n{}{}", scenario.name, r.divergence->decision,
                           decision_explanation(scenario, mine, r.divergence->a),
                           decision_explanation(scenario, other, r.divergence->b));
    if (!r.a_goes_on && !r.b_goes_on) return {};
    return fmt::format("{}: {} decisions agree, but then {} makes more decisions than {}\n", scenario.name,
                       r.decisions, r.a_goes_on ? mine.label : other.label,
                       r.a_goes_on ? other.label : mine.label);
}

}  // namespace

std::string first_difference(AgreementCriterion agreement, const Scenario& scenario,
                             const LabelledPolicy& mine, const LabelledPolicy& other) {
    return agreement == AgreementCriterion::schedule ? schedule_difference(scenario, mine, other)
                                                     : decision_difference(scenario, mine, other);
}

}  // namespace sim::grade
