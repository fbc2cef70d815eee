#include "ui/view/decision_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "sim/explain/decision_steps.h"
#include "ui/view/animation_timing.h"
#include "ui/view/format.h"

namespace ui {
namespace {

using sim::Candidate;
using sim::Machine;
using sim::Phase;
using sim::TaskId;
using ActKind = SceneAct::Kind;

// A search shows its first kFirstCandidates candidates, and later candidates only if they become the best.
constexpr std::size_t kFirstCandidates = 12;

double mix(double from, double to, double part) { return from + (to - from) * part; }

// The ready tasks that wait for this CPU, in the order of the queue.
std::vector<TaskId> queue_of(const Cursor& c, const Machine& m) {
    const sim::CpuId cpu = c.decision().record.cpu;
    const TaskId head = c.policy().policy->has_queue_per_cpu() ? cpu : 0;
    std::vector<TaskId> tasks;
    for (TaskId p = m.next_run[head]; p != head && p != sim::kNoTask; p = m.next_run[p])
        if (m.task[p].processor == sim::Task::kNoProcessor) tasks.push_back(p);
    return tasks;
}

// The order of the queue at three times: before the decision, during the search (prev has been put back), and
// after the decision.
struct QueueOrders {
    std::vector<TaskId> before, search, after;
};

QueueOrders queue_orders_of(const Cursor& c) {
    const sim::TraceRecord& r = c.decision().record;
    QueueOrders orders{queue_of(c, c.decision().before), {}, queue_of(c, c.decision().after)};
    orders.search = orders.after;
    if (r.task != r.other && !c.decision().after.is_idle_task(r.task)) {
        // The chosen task is still on the queue during the search, so it is inserted at the position that it
        // had before the decision.
        const auto was = std::find(orders.before.begin(), orders.before.end(), r.task);
        const auto place =
            std::min(was - orders.before.begin(), static_cast<std::ptrdiff_t>(orders.search.size()));
        orders.search.insert(orders.search.begin() + place, r.task);
    }
    return orders;
}

double place_in(const std::vector<TaskId>& order, TaskId p) {
    return static_cast<double>(std::find(order.begin(), order.end(), p) - order.begin());
}
bool is_in(const std::vector<TaskId>& order, TaskId p) {
    return std::find(order.begin(), order.end(), p) != order.end();
}

std::size_t first_candidate_of_last_search(const sim::DecisionLog& log) { return log.searched_before; }

// The step that examines this candidate, for the caption and the clock of the animation. null: the policy is
// a script, whose steps are script lines.
const sim::DecisionStep* step_of_candidate(const Cursor& c, std::size_t candidate) {
    for (const sim::DecisionStep& step : c.in.steps)
        if (step.phase == Phase::consider && !step.is_script() && step.candidates == candidate + 1)
            return &step;
    return nullptr;
}

std::string candidate_caption(const Cursor& c, std::size_t i) {
    const sim::DecisionLog& log = c.decision().log;
    const Candidate& candidate = log.candidates[i];
    const sim::TaskNamer name = sim::make_task_namer(c.decision(), c.run.scenario());
    std::string text;
    if (is_script(c.policy()) && !c.policy().why)
        return name(candidate.task) +
               (candidate.best ? " is chosen by pick_next()." : " is visited by pick_next().");
    if (const sim::DecisionStep* step = step_of_candidate(c, i))
        text = sim::describe(*step, c.decision(), c.policy(), name);
    else
        text = name(candidate.task) +
               (c.policy().why ? ": " + sim::key_text(candidate, c.policy()) + "." : " is visited.");
    if (candidate.remark == sim::CandidateRemark::not_eligible)
        text += " Its vruntime is greater than V: the task has received more than its share.";
    if (c.policy().why && candidate.remark == sim::CandidateRemark::none)
        text += candidate.best ? " It is the best so far." : " It is not better than the best so far.";
    // Ties are decided by a rule: of two candidates with equal goodness, the first remains the best.
    for (std::size_t k = first_candidate_of_last_search(log) <= i ? first_candidate_of_last_search(log) : 0;
         k < i; ++k)
        if (c.policy().criterion == "goodness" && log.candidates[k].best && candidate.goodness > 0 &&
            log.candidates[k].goodness == candidate.goodness && !candidate.best)
            return text + " With equal goodness, the task found first remains the best.";
    return text;
}

// The sentence that states the position of prev in a queue of several parts. nullopt: prev is in no part.
std::optional<std::string> put_back_in_part_caption(const Cursor& c, const QueuePartsScene& parts) {
    const QueuePartsScene::TaskChip* const prev = parts.find(c.decision().record.other);
    if (prev == nullptr || !prev->search) return std::nullopt;
    const QueuePartsScene::Place place = *prev->search;
    const bool stays = prev->before == prev->search;
    const std::size_t length = parts.row_length_during_search(place.row);
    std::string text = fmt::format("{} {} {}", c.name(prev->task), stays ? "stays in" : "goes to",
                                   parts.row_text(place.row));
    return text + (length == 1 ? ", which is otherwise empty."
                               : fmt::format(", at place {} of {}.", place.index + 1, length));
}

// The sentence that states where prev goes after it leaves the CPU. During the search, the chosen task is
// still on the queue. So the position of prev and the length of the queue count the chosen task, too.
std::string put_back_caption(const Cursor& c) {
    const TaskId prev = c.decision().record.other;
    if (const auto parts = queue_parts_scene(c))
        if (const auto text = put_back_in_part_caption(c, *parts)) return *text;
    const std::vector<TaskId> order = queue_orders_of(c).search;
    if (c.in.decision_reasons.goes.empty() || !is_in(order, prev))
        return c.name(prev) + " leaves the CPU and the queue.";
    const auto place = static_cast<std::size_t>(place_in(order, prev));
    std::string text =
        fmt::format("{} goes to place {} of {} in the queue", c.name(prev), place + 1, order.size());
    if (place > 0) text += fmt::format(", behind {}", c.name(order[place - 1]));
    return text + ".";
}

void add_candidate_acts(const Cursor& c, std::size_t begin, std::size_t end, std::vector<SceneAct>& acts) {
    for (std::size_t i = begin; i < end; ++i) {
        // In a long search, only the first candidates and the candidates that become the best are shown.
        if (end - begin > kFirstCandidates && i - begin >= kFirstCandidates &&
            !c.decision().log.candidates[i].best)
            continue;
        acts.push_back({.kind = ActKind::look,
                        .index = i,
                        .seconds = 0.8,
                        .caption = with_micro_sign(candidate_caption(c, i))});
    }
}

void add_recalculation_act(const Cursor& c, std::vector<SceneAct>& acts) {
    const RecalculationSteps walk = recalculation_steps(c);
    if (walk.count == 0) return;
    acts.push_back(
        {.kind = ActKind::recalculate,
         .seconds = std::clamp(0.4 * static_cast<double>(walk.count), 2.0, 8.0),
         .caption = fmt::format("The counters of all {} tasks, asleep or not, are recalculated: half of "
                                "the old value plus the priority.",
                                group_digits(walk.count))});
}

// The cost up to the end of this act.
sim::Nanos cost_after_act(const Cursor& c, const SceneAct& act) {
    const auto until = [&](auto&& is_part) {
        sim::Nanos latest{};
        for (const sim::DecisionStep& step : c.in.steps)
            if (is_part(step)) latest = std::max(latest, step.until);
        return latest;
    };
    switch (act.kind) {
        case ActKind::stop:
            return until([](const auto& s) { return s.phase <= Phase::yield; });
        case ActKind::leave:
            return until(
                [](const auto& s) { return s.phase < Phase::consider && s.phase != Phase::find_bit; });
        case ActKind::exchange:
            return until([](const auto& s) { return s.phase < Phase::consider; });
        case ActKind::look:
            return until(
                [&](const auto& s) { return s.candidates <= act.index + 1 && s.phase < Phase::recalculate; });
        case ActKind::recalculate:
            return until([](const auto& s) { return s.phase <= Phase::recalculate; });
        case ActKind::run:
            return c.in.steps.back().until;
    }
    return {};
}

struct SceneProgress {
    const Cursor& c;
    const std::vector<SceneAct>& acts;
    DecisionScene& scene;
    std::size_t act;
    // Progress of the current act, 0 to 1. Except in `recalculate`, the motion begins and ends slowly.
    double part;

    bool has(ActKind kind) const {
        return std::any_of(acts.begin(), acts.end(), [kind](const SceneAct& a) { return a.kind == kind; });
    }
    // The progress of the first act of this kind, 0 to 1.
    double progress_of(ActKind kind) const {
        for (std::size_t i = 0; i < acts.size(); ++i)
            if (acts[i].kind == kind) return i < act ? 1 : i == act ? part : 0;
        return act == acts.size() ? 1 : 0;
    }
};

void add_cards(const SceneProgress& m) {
    const Cursor& c = m.c;
    const sim::DecisionView& view = c.decision();
    const sim::TraceRecord& r = view.record;
    const QueueOrders orders = queue_orders_of(c);
    const double left = m.progress_of(ActKind::leave), runs = m.progress_of(ActKind::run);
    const bool prev_is_idle = view.before.is_idle_task(r.other),
               next_is_idle = view.after.is_idle_task(r.task);
    std::vector<TaskId> tasks = orders.search;
    for (const TaskId p : orders.before)
        if (!is_in(tasks, p)) tasks.push_back(p);
    if (!prev_is_idle && !is_in(tasks, r.other)) tasks.insert(tasks.begin(), r.other);
    const auto queue_place = [&](TaskId p) {
        const double from = is_in(orders.before, p) ? place_in(orders.before, p) : place_in(orders.search, p);
        const double in_search = is_in(orders.search, p) ? place_in(orders.search, p) : from;
        const double to = is_in(orders.after, p) ? place_in(orders.after, p) : in_search;
        return mix(mix(from, in_search, left), to, runs);
    };
    for (const TaskId p : tasks) {
        SceneCard card;
        card.task = p;
        if (p == r.other && r.task == r.other) {
            card.place = -1;  // the task keeps the CPU
        } else if (p == r.other) {
            const bool returns = is_in(orders.after, p);
            card.place = returns ? mix(-1, place_in(orders.search, p), left) : -1;
            if (returns) card.place = mix(card.place, place_in(orders.after, p), runs);
            card.opacity = returns ? 1 : 1 - left;
        } else if (p == r.task && !next_is_idle) {
            card.place = mix(queue_place(p), -1, runs);
        } else {
            card.place = queue_place(p);
            const bool appears = !is_in(orders.before, p), vanishes = !is_in(orders.after, p);
            if (appears) card.opacity = left;
            if (vanishes) card.opacity = 1 - left;
        }
        m.scene.cards.push_back(std::move(card));
    }
}

// Marks the candidates that the search has examined so far, and the best of them.
void mark_candidates(const SceneProgress& m) {
    const sim::DecisionLog& log = m.c.decision().log;
    std::optional<TaskId> best;
    for (std::size_t i = 0; i < m.acts.size() && i <= m.act; ++i) {
        if (m.acts[i].kind == ActKind::recalculate && log.searched_before > 0) {
            best.reset();  // a second search starts
            for (SceneCard& card : m.scene.cards) card.value.clear();
        }
        if (m.acts[i].kind != ActKind::look) continue;
        const Candidate& candidate = log.candidates[m.acts[i].index];
        const bool is_now = i == m.act;
        // The marker of the best candidate moves in the second half of the act.
        if (candidate.best && (!is_now || m.part > 0.5)) best = candidate.task;
        m.scene.seen.push_back(candidate.task);
        for (SceneCard& card : m.scene.cards) {
            if (card.task != candidate.task) continue;
            card.examined = is_now;
            if (!is_now || m.part > 0.25)
                card.value =
                    m.c.policy().why
                        ? with_micro_sign(sim::key_text(candidate, m.c.policy())) +
                              (candidate.remark == sim::CandidateRemark::not_eligible ? ", not eligible" : "")
                    : m.c.policy().criterion == "turn"
                        ? std::string(candidate.best ? "chosen" : "visited")
                        : fmt::format("{} {}", m.c.policy().criterion, candidate.goodness);
        }
    }
    for (SceneCard& card : m.scene.cards) card.best = best == card.task;
}

// The counters at this progress of the animation. They start with the values before the decision, change to
// the values during the search (sched_yield() may clear a counter), and are then recalculated.
std::unordered_map<TaskId, double> counters_at(const SceneProgress& m) {
    const sim::DecisionView& view = m.c.decision();
    const bool leaves = m.acts.size() > 1 && m.acts[1].kind == ActKind::leave;
    const double searched = leaves ? m.progress_of(ActKind::leave) : m.act > 0 ? 1 : 0;
    std::unordered_map<TaskId, double> counters, in_search;
    const RecalculationSteps walk = recalculation_steps(m.c);
    for (std::size_t i = 0; i < walk.count; ++i)
        if (const RecalculatedCounter v = recalculated_counter(m.c, walk, i); v.task != sim::kNoTask)
            in_search[v.task] = v.before;
    for (const SceneCard& card : m.scene.cards) {
        if (!view.before.is_live(card.task)) continue;
        const double start = view.before.counter[card.task];
        const auto found = in_search.find(card.task);
        const double search = found != in_search.end()        ? found->second
                              : view.after.is_live(card.task) ? view.after.counter[card.task]
                                                              : start;
        counters[card.task] = mix(start, search, searched);
    }
    for (const SceneColumn& column : m.scene.columns) counters[column.task] = column.counter;
    return counters;
}

// The counter as text during and after the recalculation: the old or the new value, but no value in between.
std::string counter_text(const SceneProgress& m, TaskId p) {
    for (const SceneColumn& column : m.scene.columns)
        if (column.task == p) return fmt::format("counter {}", column.done ? column.after : column.before);
    return {};
}

// Sets the lengths of the bars on the cards. If the slice of prev has ended, the bar of prev shrinks to 0 in
// the first act. If the policy has counters, all other bars show the counters.
void set_slice_bars(const SceneProgress& m) {
    const sim::DecisionView& view = m.c.decision();
    const sim::TraceRecord& r = view.record;
    const bool ends = r.cause == sim::ReschedCause::tick || r.cause == sim::ReschedCause::slice_end;
    const bool counts = m.c.policy().policy->has_linux_counters();
    const auto counters = counts ? counters_at(m) : std::unordered_map<TaskId, double>{};
    for (SceneCard& card : m.scene.cards) {
        if (card.task == r.other && ends) card.slice = 1 - m.progress_of(ActKind::stop);
        if (!counts || !view.before.is_live(card.task)) continue;
        const double counter = counters.at(card.task);
        if (card.task != r.other || !ends || m.progress_of(ActKind::stop) >= 1)
            card.slice = std::min(1.0, counter / std::max(1, 2 * view.before.priority[card.task]));
        // searched_before is 0 if no second search follows the recalculation. The values on the cards are
        // then from the search before the recalculation, so the cards show the counters instead.
        if (!m.scene.columns.empty() && view.log.searched_before == 0)
            card.value = counter_text(m, card.task);
    }
}

void add_columns(const SceneProgress& m) {
    const bool is_now = m.acts[m.act].kind == ActKind::recalculate;
    if (!is_now && m.progress_of(ActKind::recalculate) < 1) return;
    const RecalculationSteps walk = recalculation_steps(m.c);
    const Machine& after = m.c.decision().after;
    // The read head moves at a constant speed, so that each column takes the same time.
    m.scene.read_head = (is_now ? m.part : 1) * static_cast<double>(walk.count);
    for (std::size_t i = 0; i < walk.count; ++i) {
        const RecalculatedCounter v = recalculated_counter(m.c, walk, i);
        if (v.task == sim::kNoTask) continue;
        const double part = std::clamp(m.scene.read_head - static_cast<double>(i), 0.0, 1.0);
        const double half = v.before / 2;
        // The first half of the motion subtracts half of the counter, and the second half adds the priority.
        const double counter = part < 0.5 ? mix(v.before, half, part * 2) : mix(half, v.after, part * 2 - 1);
        const bool asleep = !after.is_live(v.task) || after.task[v.task].state != sim::TaskState::runnable;
        const std::int32_t priority = after.is_live(v.task) ? after.priority[v.task] : 0;
        m.scene.columns.push_back({.task = v.task,
                                   .counter = counter,
                                   .before = v.before,
                                   .after = v.after,
                                   .priority = priority,
                                   .asleep = asleep,
                                   .done = part >= 1});
        m.scene.limit = std::max(m.scene.limit, 2 * priority);
    }
}

// Adds the parts of the queue or its tree to the scene, and the progress of their changes.
void add_queue(const SceneProgress& m) {
    m.scene.parts = queue_parts_scene(m.c);
    m.scene.tree = tree_scene(m.c);
    m.scene.put_back = m.progress_of(m.has(ActKind::leave) ? ActKind::leave : ActKind::stop);
    m.scene.exchanged = m.progress_of(ActKind::exchange);
    m.scene.switched = m.progress_of(ActKind::run);
}

void add_fair_queues(const SceneProgress& m) {
    const sim::CpuId cpu = m.c.decision().record.cpu;
    const auto queue_at = [&](const Machine& machine) -> std::optional<FairQueue> {
        const QueueMoment moment{.cursor = std::nullopt, .phase = {}, .machine = &machine};
        const sim::fair::FairKernel kernel = fair_kernel(m.c.run, moment);
        if (kernel == sim::fair::FairKernel::none) return std::nullopt;
        return fair_queue(moment, cpu, kernel);
    };
    m.scene.fair_before = queue_at(m.c.decision().before);
    m.scene.fair_after = queue_at(m.c.decision().after);
    if (!m.scene.fair_before || !m.scene.fair_after) {
        m.scene.fair_before.reset();
        m.scene.fair_after.reset();
        return;
    }
    m.scene.charged = m.progress_of(ActKind::stop);
}

// Under linux-6.6, a task that reaches its deadline gets a new deadline at once (update_deadline()). This
// happens before schedule(), so the scene shows only the new deadline.
std::string new_deadline_text(const Cursor& c) {
    const sim::DecisionView& view = c.decision();
    const sim::ReschedCause cause = view.record.cause;
    const bool is_slice_over = cause == sim::ReschedCause::tick || cause == sim::ReschedCause::slice_end;
    if (sim::fair::fair_kernel_of(c.policy()) != sim::fair::FairKernel::linux_6_6 || !is_slice_over ||
        view.record.voluntary || view.before.is_idle_task(view.record.other) ||
        sim::is_real_time(view.before.sched_class[view.record.other]))
        return {};
    return fmt::format(" The figure shows the new deadline of {}.", c.name(view.record.other));
}

}  // namespace

std::vector<SceneAct> scene_acts(const Cursor& c) {
    const sim::DecisionView& view = c.decision();
    const sim::DecisionLog& log = view.log;
    const sim::TraceRecord& r = view.record;
    const sim::DecisionReasons& decision_reasons = c.in.decision_reasons;
    std::vector<SceneAct> acts{{.kind = ActKind::stop,
                                .seconds = 1.6,
                                .caption = with_micro_sign(decision_reasons.stopped + new_deadline_text(c))}};
    if (r.task != r.other && !view.before.is_idle_task(r.other))
        acts.push_back({.kind = ActKind::leave, .caption = put_back_caption(c)});
    if (!decision_reasons.changed.empty())
        acts.push_back({.kind = ActKind::exchange, .seconds = 1.6, .caption = decision_reasons.changed});
    add_candidate_acts(c, 0, log.searched_before > 0 ? log.searched_before : log.candidates.size(), acts);
    add_recalculation_act(c, acts);
    if (log.searched_before > 0) add_candidate_acts(c, log.searched_before, log.candidates.size(), acts);
    acts.push_back(
        {.kind = ActKind::run,
         .seconds = 1.2,
         .caption = with_micro_sign(decision_reasons.chosen +
                                    (decision_reasons.since.empty() ? "" : " " + decision_reasons.since))});
    return acts;
}

DecisionScene scene_at(const Cursor& c, const std::vector<SceneAct>& acts, double progress) {
    DecisionScene scene;
    const double at = std::clamp(progress, 0.0, static_cast<double>(acts.size()));
    scene.act = std::min(static_cast<std::size_t>(at), acts.size() - 1);
    const double part = at - static_cast<double>(scene.act);
    const bool is_even = acts[scene.act].kind == ActKind::recalculate;
    const SceneProgress moving{c, acts, scene, scene.act, is_even ? part : ease_in_out(part)};
    add_cards(moving);
    mark_candidates(moving);
    add_columns(moving);
    set_slice_bars(moving);
    add_fair_queues(moving);
    add_queue(moving);
    const sim::Nanos from = scene.act == 0 ? sim::Nanos{} : cost_after_act(c, acts[scene.act - 1]);
    const sim::Nanos to = std::max(from, cost_after_act(c, acts[scene.act]));
    scene.cost =
        from + sim::Nanos{static_cast<std::int64_t>(static_cast<double>((to - from).count()) * part)};
    return scene;
}

}  // namespace ui
