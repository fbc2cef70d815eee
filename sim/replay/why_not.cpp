#include "sim/replay/why_not.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/human_text.h"
#include "sim/explain/decision_reasons.h"
#include "sim/explain/decision_steps.h"

namespace sim {
namespace {

std::string when_text(Nanos time) { return time == Nanos{} ? "the start" : human_instant(time); }

TaskNamer names_at(const RunHistory& history, const Machine& m) {
    return [&](TaskId p) { return history.scenario().task_name(m, p); };
}

// The latest decision on CPU c, whether it chose another task or kept the running task. Returns nullopt if
// none of the last 64 decisions was made on this CPU.
std::optional<DecisionView> last_decision_of(const RunHistory& history, const Moment& moment, CpuId c) {
    constexpr std::uint64_t kMost = 64;
    const std::uint64_t last = moment.machine.globals().decisions;
    for (std::uint64_t n = last; n > 0 && last - n < kMost; --n) {
        std::optional<DecisionView> view = history.decision_at(n);
        if (!view || view->record.cpu == c) return view;
    }
    return std::nullopt;
}

// Why the latest decision that could have chosen p did not choose p. Examines the last 16 decisions, back to
// the time when p became ready. Empty: p could not have been chosen at any of these decisions.
std::string not_chosen_text(const RunHistory& history, const Moment& moment, TaskId p) {
    const Nanos since = moment.statistics.tasks[p].ready_since;
    const std::uint64_t last = moment.machine.globals().decisions;
    constexpr std::uint64_t kMost = 16;
    for (std::uint64_t n = last; n > 0 && last - n < kMost; --n) {
        const std::optional<DecisionView> view = history.decision_at(n);
        if (!view || view->record.time < since) break;
        const NamedPolicy& policy = history.policy_at(view->before);
        const DecisionReasons reasons = decision_reasons(*view, policy, history.scenario());
        const auto other = std::find_if(reasons.others.begin(), reasons.others.end(),
                                        [p](const DecisionReasons::NotChosenTask& o) { return o.task == p; });
        if (other == reasons.others.end()) continue;
        const TaskNamer name = make_task_namer(*view, history.scenario());
        return fmt::format("At {}, {} was not chosen: {}. {}", when_text(view->record.time), name(p),
                           other->reason, reasons.chosen);
    }
    return {};
}

// Why p did not preempt when p became ready. Empty if p did not become ready by a wake-up, or if the wake-up
// requested a schedule().
std::string no_preemption_text(const RunHistory& history, const Moment& moment, TaskId p) {
    const Nanos since = moment.statistics.tasks[p].ready_since;
    for (const ReschedCheck& check : history.checks_between(since, since + Nanos{1}))
        if (check.at == ReschedCheck::Point::wake_up && check.task == p && !check.asks)
            return fmt::format("At {}: {}", when_text(check.time),
                               resched_check_text(check, moment.machine, names_at(history, moment.machine)));
    return {};
}

// The wake-ups and ticks after the last decision that have the same time as the last event and precede this
// event.
std::vector<ReschedCheck> checks_before(const RunHistory& history, std::uint64_t events,
                                        const std::optional<DecisionView>& decision) {
    Moment before = history.beginning();
    history.state_after(events, before);
    const Nanos time = before.machine.globals().now;
    history.state_at(time, before);
    std::uint64_t first = before.machine.globals().events;
    if (decision) first = std::max(first, decision->after.globals().events);
    std::vector<ReschedCheck> checks = history.checks_of_events(first, events - 1);
    // Removes the checks at other times: interventions may have made checks at earlier times.
    std::erase_if(checks, [&](const ReschedCheck& c) { return c.time != time; });
    return checks;
}

}  // namespace

std::string explain_last_event(const Session& session) {
    const RunHistory& history = session.history();
    const Machine& m = session.machine();
    const std::uint64_t events = m.globals().events;
    const std::optional<DecisionView> decision = history.decision_at(m.globals().decisions);
    if (decision && decision->after.globals().events == events)
        return decision_reasons(*decision, history.policy_at(decision->before), history.scenario()).text();
    std::string text;
    CpuId cpu = 0;
    if (events > 0) {
        const TaskNamer name = names_at(history, m);
        for (const ReschedCheck& check : history.checks_of_events(events - 1, events)) {
            if (!text.empty()) text += ' ';
            text += resched_check_text(check, m, name);
            cpu = check.cpu;
        }
        const bool has_check = !text.empty();
        bool is_first = true;
        for (const ReschedCheck& check : checks_before(history, events, decision)) {
            if (!text.empty()) text += ' ';
            if (std::exchange(is_first, false) && has_check) text += "Earlier at the same time: ";
            text += resched_check_text(check, m, name);
            if (!has_check) cpu = check.cpu;
        }
    }
    if (text.empty() && decision)
        return fmt::format(
            "At {}: {}", when_text(decision->record.time),
            decision_reasons(*decision, history.policy_at(decision->before), history.scenario()).text());
    // Adds the reason why the task that keeps the CPU was chosen.
    const std::optional<DecisionView> last = last_decision_of(history, session.moment(), cpu);
    const bool still_runs = last && last->record.cpu == cpu && m.cpu(cpu).current == last->record.task;
    if (!still_runs || m.is_idle_task(last->record.task)) return text;
    return fmt::format("{} At {}: {}", text, when_text(last->record.time),
                       why_winner_won(last->log, history.policy_at(last->before),
                                      make_task_namer(*last, history.scenario())));
}

std::string explain_not_running(const RunHistory& history, const Moment& moment, TaskId p) {
    const Machine& m = moment.machine;
    const NamedPolicy& policy = history.policy_at(moment.machine);
    std::string text = why_not_running(m, policy, history.scenario(), p);
    if (!m.is_live(p) || m.task[p].state != TaskState::runnable) return text;
    std::string more;
    if (const std::uint16_t c = m.task[p].processor; c != Task::kNoProcessor) {
        const std::optional<DecisionView> view = last_decision_of(history, moment, c);
        if (view && view->record.task == p)
            more = decision_reasons(*view, history.policy_at(view->before), history.scenario()).chosen;
    } else {
        more = not_chosen_text(history, moment, p);
        if (more.empty()) more = no_preemption_text(history, moment, p);
    }
    return more.empty() ? text : text + " " + more;
}

}  // namespace sim
