#include "sim/replay/why_not.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/human_text.h"
#include "sim/explain/decision_steps.h"
#include "sim/explain/why.h"

namespace sim {
namespace {

std::string when_text(Nanos time) { return time == Nanos{} ? "the start" : human_instant(time); }

TaskNamer names_at(const RunHistory& history, const Machine& m) {
    return [&](TaskId p) { return history.scenario().task_name(m, p); };
}

// The latest decision that put a task on this CPU or left the running task there; nullopt: none within reach.
std::optional<DecisionView> last_decision_of(const RunHistory& history, const Moment& at, CpuId c) {
    constexpr std::uint64_t kMost = 64;
    const std::uint64_t last = at.machine.globals().decisions;
    for (std::uint64_t n = last; n > 0 && last - n < kMost; --n) {
        std::optional<DecisionView> view = history.decision_at(n);
        if (!view || view->record.cpu == c) return view;
    }
    return std::nullopt;
}

// Why p was not chosen by the last decision at which it was ready; empty: there was none since it became
// ready.
std::string lost_text(const RunHistory& history, const Moment& at, TaskId p) {
    const Nanos since = at.statistics.tasks[p].ready_since;
    const std::uint64_t last = at.machine.globals().decisions;
    constexpr std::uint64_t kMost = 16;
    for (std::uint64_t n = last; n > 0 && last - n < kMost; --n) {
        const std::optional<DecisionView> view = history.decision_at(n);
        if (!view || view->record.time < since) break;
        const NamedPolicy& policy = history.policy_at(view->before);
        const Why reasons = why(*view, policy, history.scenario());
        const auto other = std::find_if(reasons.others.begin(), reasons.others.end(),
                                        [p](const Why::Other& o) { return o.task == p; });
        if (other == reasons.others.end()) continue;
        const TaskNamer name = names_in(*view, history.scenario());
        return fmt::format("At {}, {} was not chosen: {}. {}", when_text(view->record.time), name(p),
                           other->reason, reasons.chosen);
    }
    return {};
}

// Why p did not preempt when it became ready; empty if it has not become ready by a wake-up.
std::string arrival_text(const RunHistory& history, const Moment& at, TaskId p) {
    const Nanos since = at.statistics.tasks[p].ready_since;
    for (const ReschedCheck& check : history.checks_between(since, since + Nanos{1}))
        if (check.at == ReschedCheck::At::wake_up && check.task == p && !check.asks)
            return fmt::format("At {}: {}", when_text(check.time),
                               check_text(check, at.machine, names_at(history, at.machine)));
    return {};
}

// The wake-ups and ticks at the time of the last event, before this event and after the last decision.
std::vector<ReschedCheck> checks_before(const RunHistory& history, std::uint64_t events,
                                        const std::optional<DecisionView>& decision) {
    Moment before = history.beginning();
    history.state_after(events, before);
    const Nanos time = before.machine.globals().now;
    history.state_at(time, before);
    std::uint64_t first = before.machine.globals().events;
    if (decision) first = std::max(first, decision->after.globals().events);
    std::vector<ReschedCheck> checks = history.checks_of_events(first, events - 1);
    std::erase_if(checks, [&](const ReschedCheck& c) { return c.time != time; });  // of an intervention
    return checks;
}

}  // namespace

std::string why_at(const Session& session) {
    const RunHistory& history = session.history();
    const Machine& m = session.machine();
    const std::uint64_t events = m.globals().events;
    const std::optional<DecisionView> decision = history.decision_at(m.globals().decisions);
    if (decision && decision->after.globals().events == events)
        return why(*decision, history.policy_at(decision->before), history.scenario()).text();
    std::string text;
    CpuId cpu = 0;
    if (events > 0) {
        const TaskNamer name = names_at(history, m);
        for (const ReschedCheck& check : history.checks_of_events(events - 1, events)) {
            if (!text.empty()) text += ' ';
            text += check_text(check, m, name);
            cpu = check.cpu;
        }
        const bool has_check = !text.empty();
        bool is_first = true;
        for (const ReschedCheck& check : checks_before(history, events, decision)) {
            if (!text.empty()) text += ' ';
            if (std::exchange(is_first, false) && has_check) text += "Before, at the same time: ";
            text += check_text(check, m, name);
            if (!has_check) cpu = check.cpu;
        }
    }
    if (text.empty() && decision)
        return fmt::format("At {}: {}", when_text(decision->record.time),
                           why(*decision, history.policy_at(decision->before), history.scenario()).text());
    // The task that keeps the CPU, and why it was chosen.
    const std::optional<DecisionView> last = last_decision_of(history, session.moment(), cpu);
    const bool still_runs = last && last->record.cpu == cpu && m.cpu(cpu).current == last->record.task;
    if (!still_runs || m.is_idle_task(last->record.task)) return text;
    return fmt::format(
        "{} At {}: {}", text, when_text(last->record.time),
        why_it_won(last->log, history.policy_at(last->before), names_in(*last, history.scenario())));
}

std::string why_not(const RunHistory& history, const Moment& at, TaskId p) {
    const Machine& m = at.machine;
    const NamedPolicy& policy = history.policy_at(at.machine);
    std::string text = why_not_running(m, policy, history.scenario(), p);
    if (!m.is_live(p) || m.task[p].state != TaskState::runnable) return text;
    std::string more;
    if (const std::uint16_t c = m.task[p].processor; c != Task::kNoProcessor) {
        const std::optional<DecisionView> view = last_decision_of(history, at, c);
        if (view && view->record.task == p)
            more = why(*view, history.policy_at(view->before), history.scenario()).chosen;
    } else {
        more = lost_text(history, at, p);
        if (more.empty()) more = arrival_text(history, at, p);
    }
    return more.empty() ? text : text + " " + more;
}

}  // namespace sim
