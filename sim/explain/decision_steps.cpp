#include "sim/explain/decision_steps.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "sim/explain/decision_facts.h"

namespace sim {
namespace {

constexpr std::uint16_t kNoLine = 0xffff;

// Index of the first pseudo-code line of each phase; kNoLine: the phase has none.
std::array<std::uint16_t, kPhases> first_line_by_phase(const NamedPolicy& policy) {
    std::array<std::uint16_t, kPhases> lines;
    lines.fill(kNoLine);
    std::uint16_t index = 0;
    for (const PseudoLine& line : policy.pseudo_code) {
        std::uint16_t& first = lines[static_cast<std::size_t>(line.phase)];
        if (first == kNoLine) first = index;
        ++index;
    }
    return lines;
}

class DecisionStepWriter {
  public:
    DecisionStepWriter(const DecisionView& view, const NamedPolicy& policy, const CostModel& costs)
        : view_(view), log_(view.log), costs_(costs), lines_(first_line_by_phase(policy)) {}

    std::vector<DecisionStep> steps() {
        const TraceRecord& r = view_.record;
        const Decision& d = log_.decision;
        steps_.reserve(16 + 2 * std::size_t{d.considered} + d.recalculated);
        add(Phase::enter, (r.from_syscall ? costs_.syscall.time : Nanos{}) + r.extra, r.other);
        if (r.after_yield) add(Phase::yield, {}, r.other);
        if (const std::uint32_t pending = queue_steps_of_enqueue(log_); pending > 0)
            add(Phase::place_woken, costs_.queue_step.time * pending, kNoTask);
        add(Phase::begin, costs_.schedule.time, r.other);
        if (log_.prev_renewed) add(Phase::renew, {}, r.other);
        if (r.voluntary) add(Phase::leave, costs_.queue_step.time * log_.leave_steps, r.other);
        // Some kernels insert prev before the search, so that prev competes from its position in the queue.
        // Other kernels search first and then insert prev if it has lost.
        const bool puts_back = lines_[static_cast<std::size_t>(Phase::put_back)] != kNoLine;
        if (!view_.script.empty()) {
            script(d);
            return add_final_steps(d);
        }
        if (puts_back) add_insertions(Phase::put_back);
        if (log_.bitmap_words > 0) add(Phase::find_bit, costs_.queue_step.time * log_.bitmap_words, kNoTask);
        if (log_.searched_before > 0) {
            search(log_.searched_before, log_.searched_before);
            add(Phase::recalc_test, {}, now_.best);
            recalculate(d);
        }
        search(d.considered, log_.candidates.size());
        if (log_.requeue_steps > 0) add(Phase::keep, costs_.queue_step.time * log_.requeue_steps, d.next);
        if (!puts_back) add_insertions(Phase::insert);
        add(Phase::recalc_test, {}, now_.best);
        if (log_.searched_before == 0) recalculate(d);
        for (const Insertion& insertion : log_.insertions)
            if (insertion.task == kNoTask)
                add(Phase::reorder, costs_.queue_step.time * insertion.steps, kNoTask);
        return add_final_steps(d);
    }

  private:
    std::vector<DecisionStep> add_final_steps(const Decision& d) {
        const TraceRecord& r = view_.record;
        if (d.next != r.other) {
            add(Phase::switch_context, costs_.switch_same_mm.time, d.next);
            if (r.loads_mm)
                add(Phase::switch_mm, costs_.switch_other_mm.time - costs_.switch_same_mm.time, d.next);
        }
        now_.best = d.next;
        add(Phase::resume, r.refill, d.next);
        assert(now_.until == r.span);
        return std::move(steps_);
    }

    // Adds a step for each script line; its cost is the work counted since the previous line. Then adds one
    // more step if work was counted after the last line, or if the choice was made without pick_next().
    void script(const Decision& d) {
        const auto phase_of = [](const ScriptLine& line) {
            return std::string_view(line.during) == "pick_next" ? Phase::consider : Phase::put_back;
        };
        const bool has_pick_next =
            std::any_of(view_.script.begin(), view_.script.end(),
                        [&](const ScriptLine& line) { return phase_of(line) == Phase::consider; });
        ScriptLine before;
        for (std::uint32_t i = 0; i < view_.script.size(); ++i) {
            const ScriptLine& line = view_.script[i];
            const bool goes_on =
                i > 0 && (before.what == ScriptLine::Event::runs || line.what == ScriptLine::Event::failed);
            if (!goes_on) {  // the call
                leave_script();
                add(phase_of(line), {}, view_.record.other);
            }
            now_.script = i;
            now_.skipped = i > 0 ? line.number - before.number - 1 : 0;
            now_.cost_line = goes_on && now_.skipped == 0 ? line.counted_at : 0;
            now_.recalculation_cost = costs_.recalculated.time * (line.recalculated - before.recalculated);
            now_.candidates = line.candidates;
            now_.counter_changes = line.counter_changes;
            now_.best = best_of_first(line.candidates);
            const Nanos cost = now_.recalculation_cost +
                               costs_.considered.time * (line.considered - before.considered) +
                               costs_.queue_step.time * (line.queue_steps - before.queue_steps);
            const TaskId task =
                line.candidates > before.candidates ? log_.candidates[line.candidates - 1].task
                : line.counter_changes > before.counter_changes
                    ? log_.counter_changes[line.counter_changes - 1].task
                : line.insertions > before.insertions ? log_.insertions[line.insertions - 1].task
                                                      : kNoTask;
            add(phase_of(line), cost, task);
            before = line;
        }
        leave_script();
        now_.recalculation_cost = costs_.recalculated.time * (d.recalculated - before.recalculated);
        const std::uint32_t seen = now_.candidates;
        now_.candidates = static_cast<std::uint32_t>(log_.candidates.size());
        now_.counter_changes = static_cast<std::uint32_t>(log_.counter_changes.size());
        const Nanos rest =
            now_.recalculation_cost + costs_.considered.time * (d.considered - before.considered);
        if (!has_pick_next || rest != Nanos{} || seen < now_.candidates) {
            now_.best = d.next;
            add(Phase::consider, rest, d.next);
        }
        leave_script();
    }

    void leave_script() {
        now_.script = DecisionStep::kNoLine;
        now_.skipped = 0;
        now_.cost_line = 0;
        now_.recalculation_cost = {};
    }

    TaskId best_of_first(std::uint32_t candidate_count) const {
        for (std::uint32_t i = candidate_count; i-- > 0;)
            if (log_.candidates[i].best) return log_.candidates[i].task;
        return kNoTask;
    }

    void add(Phase phase, Nanos cost, TaskId task) {
        const std::uint16_t line = lines_[static_cast<std::size_t>(phase)];
        if (line != kNoLine)
            now_.line = line;
        else if (cost == Nanos{})
            return;
        now_.phase = phase;
        now_.cost = cost;
        now_.until += cost;
        now_.task = task;
        steps_.push_back(now_);
    }

    // Adds a step for each task that was inserted into a queue. The cost of the step is the cost of finding
    // the position in the queue.
    void add_insertions(Phase phase) {
        for (const Insertion& insertion : log_.insertions)
            if (insertion.task != kNoTask)
                add(phase, costs_.queue_step.time * insertion.steps, insertion.task);
    }

    // Adds the steps of one search. `end`: number of candidates that the policy has logged until the end of
    // this search; each of them gets a step. `considered`: number of candidates examined until then. If this
    // number is higher, one more step has the cost of the candidates not logged. Both numbers include the
    // earlier search of this decision.
    void search(std::size_t considered, std::size_t end) {
        now_.best = log_.prev_first ? log_.prev : kNoTask;
        while (now_.candidates < end) {
            const Candidate& c = log_.candidates[now_.candidates++];
            add(Phase::consider, now_.candidates <= considered ? costs_.considered.time : Nanos{}, c.task);
            if (!c.best) continue;
            now_.best = c.task;
            add(Phase::keep, {}, c.task);
        }
        if (now_.candidates < considered)  // the policy does not log all candidates
            add(Phase::consider,
                costs_.considered.time * static_cast<std::int64_t>(considered - now_.candidates), kNoTask);
    }

    // Adds the steps of the recalculations. The log contains only the counters that changed, but a
    // recalculation visits all tasks, in table order.
    void recalculate(const Decision& d) {
        const Nanos cost = costs_.recalculated.time;
        const DecisionStep before = now_;
        const std::size_t size = steps_.size();
        std::uint32_t visited = 0;
        for (std::uint32_t round = 0; round < d.recalculations; ++round) {
            for (TaskId p = view_.after.first_task(); p < view_.after.globals().high_row; ++p) {
                if (!view_.after.is_live(p) && p != view_.record.other) continue;
                ++visited;
                if (now_.counter_changes < log_.counter_changes.size() &&
                    log_.counter_changes[now_.counter_changes].task == p)
                    ++now_.counter_changes;
                add(Phase::recalculate, cost, p);
            }
        }
        if (visited == d.recalculated && now_.counter_changes == log_.counter_changes.size()) return;

        // The policy does not recalculate the counters of all tasks in table order. So the steps added above
        // are replaced by a step for each logged counter and one step for all other counters together.
        steps_.resize(size);
        now_ = before;
        const auto known = static_cast<std::uint32_t>(log_.counter_changes.size());
        for (const CounterChange& r : log_.counter_changes) {
            ++now_.counter_changes;
            add(Phase::recalculate, now_.counter_changes <= d.recalculated ? cost : Nanos{}, r.task);
        }
        if (known < d.recalculated) add(Phase::recalculate, cost * (d.recalculated - known), kNoTask);
    }

    const DecisionView& view_;
    const DecisionLog& log_;
    const CostModel& costs_;
    const std::array<std::uint16_t, kPhases> lines_;
    std::vector<DecisionStep> steps_;
    DecisionStep now_;
};

}  // namespace

std::vector<DecisionStep> decision_steps(const DecisionView& view, const NamedPolicy& policy,
                                         const CostModel& costs) {
    return DecisionStepWriter(view, policy, costs).steps();
}

Overhead decision_overhead(const DecisionView& view, const CostModel& costs) {
    return CostCalculator(costs).overhead_of(work_of_schedule_call(view.record));
}

Nanos Overhead::*overhead_part_of(Phase phase) {
    switch (phase) {
        case Phase::enter:
        case Phase::yield:
            return &Overhead::system;
        case Phase::place_woken:
        case Phase::begin:
        case Phase::renew:
        case Phase::leave:
        case Phase::put_back:
        case Phase::find_bit:
        case Phase::consider:
        case Phase::keep:
        case Phase::insert:
        case Phase::recalc_test:
        case Phase::reorder:
            return &Overhead::select;
        case Phase::recalculate:
            return &Overhead::recalculation;
        case Phase::switch_context:
            return &Overhead::context_switch;
        case Phase::switch_mm:
            return &Overhead::address_space;
        case Phase::resume:
            return &Overhead::cache_refill;
    }
    return &Overhead::select;
}

void add_cost(const DecisionStep& step, Overhead& sum) {
    sum.*overhead_part_of(step.phase) += step.cost - step.recalculation_cost;
    sum.*overhead_part_of(Phase::recalculate) += step.recalculation_cost;
}

TaskNamer make_task_namer(const DecisionView& view, const Scenario& scenario) {
    return [&view, &scenario](TaskId p) {
        return scenario.task_name(has_exited(view, p) ? view.before : view.after, p);
    };
}

}  // namespace sim
