#include "sim/explain/decision_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "sim/base/units.h"

namespace sim {
namespace {

constexpr std::uint16_t kNoLine = 0xffff;

// First pseudo-code line of each phase; kNoLine: none.
std::array<std::uint16_t, kPhases> lines_of(const NamedPolicy& policy) {
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

// Queue steps made earlier by enqueue() and charged to this schedule().
std::uint32_t pending_steps(const DecisionLog& log) {
    std::uint32_t own = log.bitmap_words + log.leave_steps + log.requeue_steps;
    for (const Insertion& insertion : log.insertions) own += insertion.steps;
    return log.decision.queue_steps - std::min(own, log.decision.queue_steps);
}

// True if p is a prev that exited: its row is free when schedule() returns.
bool is_gone(const DecisionView& view, TaskId p) { return !view.after.is_live(p); }

class StepWriter {
  public:
    StepWriter(const DecisionView& view, const NamedPolicy& policy, const CostModel& costs)
        : view_(view), log_(view.log), costs_(costs), lines_(lines_of(policy)) {}

    std::vector<DecisionStep> steps() {
        const TraceRecord& r = view_.record;
        const Decision& d = log_.decision;
        steps_.reserve(16 + 2 * std::size_t{d.considered} + d.recalculated);
        add(Phase::enter, (r.from_syscall ? costs_.syscall.time : Nanos{}) + r.extra, r.other);
        if (r.after_yield) add(Phase::yield, {}, r.other);
        if (const std::uint32_t pending = pending_steps(log_); pending > 0)
            add(Phase::place_woken, costs_.queue_step.time * pending, kNoTask);
        add(Phase::begin, costs_.schedule.time, r.other);
        if (log_.prev_renewed) add(Phase::renew, {}, r.other);
        if (r.voluntary) add(Phase::leave, costs_.queue_step.time * log_.leave_steps, r.other);
        // Some kernels put prev back first, so that it competes from its position; others insert the losing
        // task.
        const bool puts_back = lines_[static_cast<std::size_t>(Phase::put_back)] != kNoLine;
        if (!view_.script.empty()) {
            script(d);
            return the_end(d);
        }
        if (puts_back) insertions(Phase::put_back);
        if (log_.bitmap_words > 0) add(Phase::find_bit, costs_.queue_step.time * log_.bitmap_words, kNoTask);
        if (log_.searched_before > 0) {
            search(log_.searched_before, log_.searched_before);
            add(Phase::recalc_test, {}, now_.best);
            refill(d);
        }
        search(d.considered, log_.candidates.size());
        if (log_.requeue_steps > 0) add(Phase::keep, costs_.queue_step.time * log_.requeue_steps, d.next);
        if (!puts_back) insertions(Phase::insert);
        add(Phase::recalc_test, {}, now_.best);
        if (log_.searched_before == 0) refill(d);
        for (const Insertion& insertion : log_.insertions)
            if (insertion.task == kNoTask)
                add(Phase::reorder, costs_.queue_step.time * insertion.steps, kNoTask);
        return the_end(d);
    }

  private:
    std::vector<DecisionStep> the_end(const Decision& d) {
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

    // Adds a step per script line, with the work counted since the line before. Then adds a step for work
    // after the last line, and for a choice made without pick_next().
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
                i > 0 && (before.what == ScriptLine::What::runs || line.what == ScriptLine::What::failed);
            if (!goes_on) {  // the call
                leave_script();
                add(phase_of(line), {}, view_.record.other);
            }
            now_.script = i;
            now_.skipped = i > 0 ? line.number - before.number - 1 : 0;
            now_.paid = goes_on && now_.skipped == 0 ? line.counted_at : 0;
            now_.refilling = costs_.recalculated.time * (line.recalculated - before.recalculated);
            now_.candidates = line.candidates;
            now_.refills = line.refills;
            now_.best = best_of(line.candidates);
            const Nanos cost = now_.refilling +
                               costs_.considered.time * (line.considered - before.considered) +
                               costs_.queue_step.time * (line.queue_steps - before.queue_steps);
            const TaskId task =
                line.candidates > before.candidates   ? log_.candidates[line.candidates - 1].task
                : line.refills > before.refills       ? log_.refills[line.refills - 1].task
                : line.insertions > before.insertions ? log_.insertions[line.insertions - 1].task
                                                      : kNoTask;
            add(phase_of(line), cost, task);
            before = line;
        }
        leave_script();
        now_.refilling = costs_.recalculated.time * (d.recalculated - before.recalculated);
        const std::uint32_t seen = now_.candidates;
        now_.candidates = static_cast<std::uint32_t>(log_.candidates.size());
        now_.refills = static_cast<std::uint32_t>(log_.refills.size());
        const Nanos rest = now_.refilling + costs_.considered.time * (d.considered - before.considered);
        if (!has_pick_next || rest != Nanos{} || seen < now_.candidates) {
            now_.best = d.next;
            add(Phase::consider, rest, d.next);
        }
        leave_script();
    }

    void leave_script() {
        now_.script = DecisionStep::kNoLine;
        now_.skipped = 0;
        now_.paid = 0;
        now_.refilling = {};
    }

    TaskId best_of(std::uint32_t candidates) const {
        for (std::uint32_t i = candidates; i-- > 0;)
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

    // The walks to the queue positions of single tasks.
    void insertions(Phase phase) {
        for (const Insertion& insertion : log_.insertions)
            if (insertion.task != kNoTask)
                add(phase, costs_.queue_step.time * insertion.steps, insertion.task);
    }

    // Adds the steps of one search: the logged candidates up to `end`, and unlogged ones up to `considered`.
    // Both count from the first candidate of the first search.
    void search(std::size_t considered, std::size_t end) {
        now_.best = log_.prev_first ? log_.prev : kNoTask;
        while (now_.candidates < end) {
            const Candidate& c = log_.candidates[now_.candidates++];
            add(Phase::consider, now_.candidates <= considered ? costs_.considered.time : Nanos{}, c.task);
            if (!c.best) continue;
            now_.best = c.task;
            add(Phase::keep, {}, c.task);
        }
        if (now_.candidates < considered)  // a policy that does not log them all
            add(Phase::consider,
                costs_.considered.time * static_cast<std::int64_t>(considered - now_.candidates), kNoTask);
    }

    // The log contains only counters that changed. The recalculation also visited the others: all tasks, in
    // table order, once per recalculation.
    void refill(const Decision& d) {
        const Nanos price = costs_.recalculated.time;
        const DecisionStep before = now_;
        const std::size_t size = steps_.size();
        std::uint32_t visited = 0;
        for (std::uint32_t round = 0; round < d.recalcs; ++round) {
            for (TaskId p = view_.after.first_task(); p < view_.after.globals().high_row; ++p) {
                if (!view_.after.is_live(p) && p != view_.record.other) continue;
                ++visited;
                if (now_.refills < log_.refills.size() && log_.refills[now_.refills].task == p)
                    ++now_.refills;
                add(Phase::refill, price, p);
            }
        }
        if (visited == d.recalculated && now_.refills == log_.refills.size()) return;

        // Another recalculation rule: add the logged counters, and one step for all others.
        steps_.resize(size);
        now_ = before;
        const auto known = static_cast<std::uint32_t>(log_.refills.size());
        for (const CounterChange& r : log_.refills) {
            ++now_.refills;
            add(Phase::refill, now_.refills <= d.recalculated ? price : Nanos{}, r.task);
        }
        if (known < d.recalculated) add(Phase::refill, price * (d.recalculated - known), kNoTask);
    }

    const DecisionView& view_;
    const DecisionLog& log_;
    const CostModel& costs_;
    const std::array<std::uint16_t, kPhases> lines_;
    std::vector<DecisionStep> steps_;
    DecisionStep now_;
};

// --- descriptions ---

std::string counted(std::uint32_t n, const char* noun) {
    return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

// The candidate p in the log, from the first search if there are two; null: none.
const Candidate* candidate_of(const DecisionLog& log, TaskId p) {
    const auto found = std::find_if(log.candidates.begin(), log.candidates.end(),
                                    [p](const Candidate& c) { return c.task == p; });
    return found == log.candidates.end() ? nullptr : &*found;
}

// Goodness of the best task at this step: from the current search, or prev's goodness before it.
std::int32_t goodness_of_best(const DecisionStep& step, const DecisionLog& log) {
    const bool again = log.searched_before > 0 && step.candidates > log.searched_before;
    for (std::size_t i = step.candidates; i-- > (again ? log.searched_before : 0);)
        if (log.candidates[i].task == step.best && log.candidates[i].best) return log.candidates[i].goodness;
    return log.prev_goodness[again ? 1 : 0];
}

// The counter of p when schedule() started, before any recalculation.
std::int32_t counter_found(const DecisionView& view, TaskId p) {
    if (const Candidate* c = candidate_of(view.log, p)) return c->counter;
    for (const CounterChange& r : view.log.refills)
        if (r.task == p) return r.before;
    return is_gone(view, p) ? view.before.counter[p] : view.after.counter[p];
}

std::string why_entered(const DecisionView& view, const std::string& who) {
    const TraceRecord& r = view.record;
    if (!r.from_syscall) {
        if (view.before.is_idle_task(r.other))
            return fmt::format("A task has woken up: need_resched is set, and {} gives way.", who);
        return fmt::format("need_resched is set: {} gives way before it returns to user mode.", who);
    }
    if (r.after_yield) return fmt::format("{} calls sched_yield().", who);
    if (!r.voluntary)
        return fmt::format("need_resched is set: {} gives way at the end of its system call.", who);
    if (is_gone(view, r.other)) return fmt::format("{} calls exit().", who);
    return fmt::format("{} makes a system call and goes to sleep in it.", who);
}

std::string describe_enter(const DecisionView& view, const std::string& who) {
    const std::string why = why_entered(view, who);
    const TraceRecord& r = view.record;
    if (r.extra == Nanos{}) return why;
    if (view.before.is_idle_task(r.other))
        return why + fmt::format(" Leaving the halt takes {}.", format_time(r.extra));
    return why + fmt::format(" The kernel's work for it before that takes {}.", format_time(r.extra));
}

std::string describe_switch_mm(const DecisionView& view, const std::string& who) {
    const TraceRecord& r = view.record;
    const Cpu& found = view.before.cpu(r.cpu);
    const bool left = found.left_mm && found.active_mm == view.after.task[r.task].mm;
    const char* const flush = r.flushes_tlb ? "the TLB is flushed" : "the tagged TLB is kept";
    if (left)
        return fmt::format(
            "{}'s page tables were borrowed, but leave_mm() has replaced them: they are loaded again, and "
            "{}.",
            who, flush);
    return fmt::format("{} has another address space: its page tables are loaded, and {}.", who, flush);
}

// The TLB entries and cache lines that the task must reload.
std::string describe_refill_of_caches(const TraceRecord& r) {
    if (r.refill == Nanos{}) return {};
    return fmt::format(" First, {} of its data and code and the translations of {} are reloaded: {}.",
                       counted(r.refilled_lines + r.streamed_lines, "line"),
                       counted(r.refilled_entries, "page"), format_time(r.refill));
}

std::string describe_yield(const DecisionView& view, const std::string& who) {
    const std::int32_t before = view.before.counter[view.record.other];
    const Candidate* const weighed = candidate_of(view.log, view.record.other);
    if (weighed != nullptr && weighed->remark == Remark::yielded)
        return fmt::format("sched_yield() has flagged {}: its goodness is {} in this search.", who,
                           weighed->goodness == 0 ? "0" : "negative");
    if (view.log.prev_renewed) return fmt::format("sched_yield() has taken the slice of {}.", who);
    const std::int32_t after = counter_found(view, view.record.other);
    if (before == after)
        return fmt::format("sched_yield() has put {} after the others; its counter stays {}.", who, after);
    return fmt::format("sched_yield() has put {} after the others; its counter went from {} to {}.", who,
                       before, after);
}

std::string describe_candidate(const DecisionStep& step, const DecisionView& view, const NamedPolicy& policy,
                               const TaskNamer& name) {
    if (step.task == kNoTask)
        return fmt::format("{} examined.",
                           counted(view.log.decision.considered - step.candidates, "more task"));
    const Candidate& c = view.log.candidates[step.candidates - 1];
    const std::string who = name(c.task);
    const std::string criterion = policy.criterion;
    if (policy.why) {
        const char* const remark = not_weighed(c);
        return fmt::format("{}: {}{}{}.", who, key_text(c, policy), remark == nullptr ? "" : ", ",
                           remark == nullptr ? "" : remark);
    }
    if (criterion == "priority")
        return fmt::format("{}: priority {}: {}.", who, c.goodness,
                           c.best ? "it is its turn" : "it is not its turn");
    if (criterion != "goodness")
        return fmt::format("{}: {}.", who, c.best ? "it is its turn" : "it is not its turn");
    if (c.remark == Remark::asleep) return fmt::format("{}: asleep.", who);
    if (c.goodness < 0 && c.remark != Remark::yielded)
        return fmt::format("{}: {}.", who,
                           c.remark == Remark::not_allowed ? not_weighed(c) : "runs on another CPU");

    std::string text;
    if (c.remark == Remark::yielded) {
        text = fmt::format("{}: has yielded, {} {}", who, criterion, c.goodness);
    } else if (is_real_time(c)) {
        text = fmt::format("{}: real time, {} {}", who, criterion, c.goodness);
    } else {
        text = fmt::format("{}: counter {}", who, c.counter);
        const std::int32_t for_prev = bonus_for_prev(c, view.log);
        if (for_prev != 0) text += fmt::format(", +{} for being prev", for_prev);
        if (c.for_priority != 0) text += fmt::format(", +{} for its priority", c.for_priority);
        if (c.for_mm != 0) text += fmt::format(", +{} for its address space", c.for_mm);
        if (const std::int32_t for_cpu = bonus_for_cpu(c, view.log); for_cpu != 0)
            text += fmt::format(", +{} for its last CPU", for_cpu);
        text += fmt::format(", {} {}", criterion, c.goodness);
    }
    if (step.best == kNoTask) return text + ": the first one examined.";
    const std::string rival = name(step.best);
    const std::int32_t best = goodness_of_best(step, view.log);
    if (c.task == step.best) return text + ": the search started with it, and no task before it is better.";
    if (c.goodness > best) return text + fmt::format(": more than {}'s {}.", rival, best);
    if (c.goodness < best) return text + fmt::format(": less than {}'s {}.", rival, best);
    if (c.best) return text + fmt::format(": the same as {}, but it came first.", rival);
    return text + fmt::format(": the same as {}, which comes first.", rival);
}

std::string describe_refill(const DecisionStep& step, const DecisionView& view, const TaskNamer& name) {
    const DecisionLog& log = view.log;
    if (step.task == kNoTask)
        return fmt::format(
            "{} visited.",
            counted(log.decision.recalculated - static_cast<std::uint32_t>(log.refills.size()), "more task"));
    const bool gone = is_gone(view, step.task);
    std::string who = name(step.task);
    if (gone)
        who += ", which has exited";
    else if (view.after.task[step.task].state != TaskState::runnable)
        who += ", asleep";
    const bool changed = step.refills > 0 && log.refills[step.refills - 1].task == step.task;
    if (!changed && gone) return fmt::format("{}: its counter does not change.", who);
    const Machine& m = gone ? view.before : view.after;
    const CounterChange r = changed ? log.refills[step.refills - 1]
                                    : CounterChange{step.task, m.counter[step.task], m.counter[step.task]};
    const std::int32_t half = r.before >> 1;
    const std::int32_t priority = m.priority[step.task], grant = r.after - half;
    if (grant != priority && grant != (priority >> 2) + 1)  // 2.0 and 2.2, 2.4
        return fmt::format("{}: {} -> {}.", who, r.before, r.after);
    return fmt::format("{}: half of {} is {}, plus {} is {}.", who, r.before, half, grant, r.after);
}

// --- policy scripts ---

bool calls_pick_next(const DecisionView& view) {
    return std::any_of(view.script.begin(), view.script.end(),
                       [](const ScriptLine& line) { return std::string_view(line.during) == "pick_next"; });
}

// Describes the work counted between two lines.
std::string describe_counted(const ScriptLine& before, const ScriptLine& line, const DecisionView& view,
                             const NamedPolicy& policy, const TaskNamer& name) {
    const DecisionLog& log = view.log;
    std::string text;
    if (const std::uint32_t considered = line.considered - before.considered; considered > 1) {
        text += fmt::format("{} tasks were considered. ", considered);
    } else if (considered == 1 && line.candidates > 0) {
        const Candidate& c = log.candidates[line.candidates - 1];
        if (policy.criterion == "turn")
            text += fmt::format("{} was considered. ", name(c.task));
        else
            text += fmt::format("{} was considered: {} {}{}. ", name(c.task), policy.criterion, c.key,
                                c.best ? ", the best so far" : "");
    }
    if (const std::uint32_t refills = line.recalculated - before.recalculated; refills > 1) {
        text += fmt::format("{} counters were recalculated. ", refills);
    } else if (refills == 1 && line.refills > before.refills) {
        const CounterChange& r = log.refills[line.refills - 1];
        text += fmt::format("{}'s counter was recalculated: {} -> {}. ", name(r.task), r.before, r.after);
    } else if (refills == 1) {
        text += "A counter was recalculated and did not change. ";
    }
    if (const std::uint32_t steps = line.queue_steps - before.queue_steps; steps > 0)
        text += fmt::format("{} found its position after {}. ",
                            name(log.insertions[line.insertions - 1].task), counted(steps, "comparison"));
    return text;
}

std::string describe_next_line(const ScriptLine* before, const ScriptLine& line) {
    if (before == nullptr || before->depth == line.depth || before->what != ScriptLine::What::runs)
        return fmt::format("Next is line {}, in {}().", line.line, line.function);
    if (before->depth < line.depth)
        return fmt::format("{}() is called: next is line {}.", line.function, line.line);
    return fmt::format("{}() has returned: next is line {}, in {}().", before->function, line.line,
                       line.function);
}

std::string describe_script(const DecisionStep& step, const DecisionView& view, const NamedPolicy& policy,
                            const TaskNamer& name) {
    const ScriptLine& line = view.script[step.script];
    const ScriptLine* const before = step.script > 0 ? &view.script[step.script - 1] : nullptr;
    std::string text;
    if (step.skipped > 0)
        text = step.skipped == 1
                   ? "One more line has run, which is not shown. "
                   : fmt::format("{} more lines have run, which are not shown one by one. ", step.skipped);
    text += describe_counted(before == nullptr ? ScriptLine{} : *before, line, view, policy, name);
    switch (line.what) {
        case ScriptLine::What::runs:
            return text + describe_next_line(step.skipped > 0 ? nullptr : before, line);
        case ScriptLine::What::returned: {
            if (line.variables.empty()) return text + fmt::format("{}() is done.", line.during);
            const ScriptLine::Variable& said = line.variables.front();
            return text + fmt::format("{}() returns {}.", line.during,
                                      said.task != kNoTask ? name(said.task) : said.value);
        }
        case ScriptLine::What::failed:
            break;
    }
    const PolicyFailure* const failure = policy.policy->failure();
    return text + (failure != nullptr ? describe(*failure, name)
                                      : fmt::format("The policy script fails in line {}.", line.line));
}

// Describes the engine's steps around the script lines; empty for steps common to all policies.
std::string describe_around_script(const DecisionStep& step, const DecisionView& view,
                                   const TaskNamer& name) {
    if (view.script.empty()) return {};
    const std::string prev = name(view.record.other);
    if (step.phase == Phase::put_back) return fmt::format("{} could continue: enqueue() is called.", prev);
    if (step.phase != Phase::consider) return {};
    if (!calls_pick_next(view))
        return fmt::format("{} is the first task of the first queue that has one.", name(step.task));
    if (step.cost == Nanos{} && step.task == view.record.other && step.best != view.log.decision.next)
        return "pick_next() is called.";
    return fmt::format("pick_next() has considered no task: taking {} counts as one.", name(step.task));
}

}  // namespace

std::vector<DecisionStep> decision_steps(const DecisionView& view, const NamedPolicy& policy,
                                         const CostModel& costs) {
    return StepWriter(view, policy, costs).steps();
}

std::string describe(const DecisionStep& step, const DecisionView& view, const NamedPolicy& policy,
                     const TaskNamer& name) {
    const DecisionLog& log = view.log;
    const auto who = [&] { return name(step.task); };
    const std::string prev = name(view.record.other);
    if (step.is_script()) return describe_script(step, view, policy, name);
    if (std::string text = describe_around_script(step, view, name); !text.empty()) return text;
    switch (step.phase) {
        case Phase::enter:
            return describe_enter(view, prev);
        case Phase::yield:
            if (policy.why) return fmt::format("{} has called sched_yield().", prev);
            return describe_yield(view, prev);
        case Phase::place_woken:
            if (log.has_lists)
                return fmt::format(
                    "Tasks were put on or taken off lists {}; the cost is charged now.",
                    pending_steps(log) == 1 ? "once" : fmt::format("{} times", pending_steps(log)));
            return fmt::format("Putting woken tasks into the queue took {}; the cost is charged now.",
                               counted(pending_steps(log), "comparison"));
        case Phase::begin:
            return fmt::format("schedule() begins: prev is {}.", prev);
        case Phase::renew:
            return fmt::format(
                "{} (class rr) has used up its slice: it gets a new one of {} and goes after its equals.",
                prev, view.before.priority[step.task]);
        case Phase::leave:
            return fmt::format("{} {}: it leaves the queue.", prev,
                               is_gone(view, step.task) ? "has exited" : "is asleep");
        case Phase::find_bit:
            return fmt::format("The first bit is in word {} of the bitmap.", log.bitmap_words);
        case Phase::consider:
            return describe_candidate(step, view, policy, name);
        case Phase::keep: {
            const Candidate& c = log.candidates[step.candidates - 1];
            if (policy.why && step.task != log.decision.next)
                return fmt::format("{} is the best so far.", who());
            if (policy.criterion != "goodness") return fmt::format("{} is chosen.", who());
            return fmt::format("{} is the best so far, with {}.", who(), c.goodness);
        }
        case Phase::put_back:
        case Phase::insert: {
            std::uint32_t steps = 0;
            for (const Insertion& insertion : log.insertions)
                if (insertion.task == step.task) steps = insertion.steps;
            return fmt::format(
                "{} {} its position in the queue: {}.", who(),
                step.phase == Phase::put_back ? "could continue, and is put back in" : "loses and goes to",
                counted(steps, "comparison"));
        }
        case Phase::recalc_test: {
            if (step.best == kNoTask) return "No task is runnable: nothing is recalculated.";
            const std::int32_t goodness = goodness_of_best(step, log);
            if (goodness != 0)
                return fmt::format("The best goodness is {}: nothing is recalculated.", goodness);
            return "The best goodness is 0: every runnable task has used up its slice.";
        }
        case Phase::refill:
            return describe_refill(step, view, name);
        case Phase::reorder: {
            std::uint32_t steps = 0;
            for (const Insertion& insertion : log.insertions)
                if (insertion.task == kNoTask) steps += insertion.steps;
            return fmt::format("The queue is sorted by priority again: {}.", counted(steps, "queue step"));
        }
        case Phase::switch_context:
            return fmt::format("{} is not {}: the state of {} is saved, the state of {} is loaded.", who(),
                               prev, prev, who());
        case Phase::switch_mm:
            return describe_switch_mm(view, who());
        case Phase::resume:
            if (step.task == view.record.other)
                return view.before.is_idle_task(step.task) ? fmt::format("{} continues to wait.", who())
                                                           : fmt::format("{} continues.", who());
            if (view.after.is_idle_task(step.task))
                return fmt::format("{} runs and waits for an interrupt.", who());
            return fmt::format("{} runs.", who()) + describe_refill_of_caches(view.record);
    }
    return {};
}

Overhead decision_overhead(const DecisionView& view, const CostModel& costs) {
    return Pricing(costs).parts(call_work(view.record));
}

Nanos Overhead::*part_of(Phase phase) {
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
        case Phase::refill:
            return &Overhead::recalc;
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
    sum.*part_of(step.phase) += step.cost - step.refilling;
    sum.*part_of(Phase::refill) += step.refilling;
}

TaskNamer names_in(const DecisionView& view, const Scenario& scenario) {
    return [&view, &scenario](TaskId p) {
        return scenario.task_name(is_gone(view, p) ? view.before : view.after, p);
    };
}

}  // namespace sim
