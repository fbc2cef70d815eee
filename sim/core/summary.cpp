#include "sim/core/summary.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace sim {
namespace {

using nlohmann::ordered_json;

// The part of an overhead that has not passed yet when `left` of it is still to come: the end of it.
Overhead still_to_come(const Overhead& o, Nanos left) {
    Overhead rest;
    for (auto part = kOverheadParts.rbegin(); part != kOverheadParts.rend(); ++part) {
        const Nanos taken = std::min(o.**part, left);
        left -= taken;
        rest.** part = taken;
    }
    return rest;
}

// Calls user(task, span), idle(cpu, span) and unpaid(task, overhead) for what the CPUs are in the middle of.
template <class User, class Idle, class Unpaid>
void in_progress(const Scenario& scenario, const Statistics& s, const Machine& m, User user, Idle idle,
                 Unpaid unpaid) {
    const Nanos now = m.globals().now;
    const Pricing pricing(scenario.machine.costs);
    for (CpuId c = 0; c < m.shape().cpus; ++c) {
        const Cpu& cpu = m.cpu(c);
        if (now < cpu.kernel_until) {
            unpaid(s.cpus[c].charged, still_to_come(pricing.parts(s.cpus[c].latest), cpu.kernel_until - now));
        } else if (m.is_idle_task(cpu.current)) {
            idle(c, now - cpu.kernel_until);
        } else {
            user(cpu.current, now - cpu.kernel_until);
        }
    }
}

double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::optional<double> number_at(const ordered_json& summary, const std::string& pointer) {
    try {
        const ordered_json& value = summary.at(ordered_json::json_pointer(pointer));
        if (value.is_number()) return value.get<double>();
    } catch (const ordered_json::exception&) {
    }
    return std::nullopt;
}

}  // namespace

TimeParts settled_time(const Scenario& scenario, const Statistics& s, const Machine& m) {
    TimeParts time{
        .user = s.user, .idle = s.idle, .overhead = Pricing(scenario.machine.costs).parts(s.totals())};
    in_progress(
        scenario, s, m, [&](TaskId, Nanos span) { time.user += span; },
        [&](CpuId, Nanos span) { time.idle += span; },
        [&](TaskId, const Overhead& o) {
            for (const auto part : kOverheadParts) time.overhead.*part -= o.*part;
        });
    return time;
}

std::vector<TaskStatistics> settled_tasks(const Scenario& scenario, const Statistics& s, const Machine& m) {
    std::vector<TaskStatistics> tasks = s.tasks;
    in_progress(
        scenario, s, m, [&](TaskId p, Nanos span) { tasks[p].user += span; }, [](CpuId, Nanos) {},
        [&](TaskId p, const Overhead& o) { tasks[p].system -= o.total(); });
    const Globals& g = m.globals();
    for (TaskId p = m.first_task(); p < g.high_row; ++p) {
        const bool ready =
            m.task[p].state == TaskState::runnable && m.task[p].processor == Task::kNoProcessor;
        if (ready) tasks[p].ready += g.now - tasks[p].ready_since;
    }
    return tasks;
}

const char* state_word(const Machine& m, TaskId p) {
    const Task& task = m.task[p];
    if (task.state == TaskState::unused) return "exited";
    if (task.state != TaskState::runnable) return to_string(task.state);
    return task.processor == Task::kNoProcessor ? "ready" : "running";
}

ordered_json summarize(const Scenario& scenario, const std::string& policy, const Machine& m,
                       const Statistics& s, StopReason reason) {
    const Globals& g = m.globals();
    const TimeParts time = settled_time(scenario, s, m);
    const std::vector<TaskStatistics> by_task = settled_tasks(scenario, s, m);
    const auto ns = [](Nanos span) { return span.count(); };

    std::uint64_t samples = 0, over_10 = 0, from_20 = 0, longest = 0;
    double sum = 0;
    for (std::size_t length = 0; length < s.queue_length.size(); ++length) {
        const std::uint64_t n = s.queue_length[length];
        if (n == 0) continue;
        samples += n;
        sum += static_cast<double>(n) * static_cast<double>(length);
        longest = length;
        if (length > 10) over_10 += n;
        if (length >= 20) from_20 += n;
    }
    ordered_json histogram = ordered_json::array();
    for (std::size_t length = 0; length <= longest && samples > 0; ++length)
        histogram.push_back(s.queue_length[length]);

    ordered_json tasks = ordered_json::array();
    for (TaskId p = m.first_task(); p < g.high_row; ++p) {
        const TaskStatistics& t = by_task[p];
        tasks.push_back({{"pid", m.task[p].pid},
                         {"name", scenario.task_name(m, p)},
                         {"state", state_word(m, p)},
                         {"user_ns", ns(t.user)},
                         {"system_ns", ns(t.system)},
                         {"ready_ns", ns(t.ready)},
                         {"voluntary", t.voluntary},
                         {"involuntary", t.involuntary},
                         {"yields", t.yields}});
    }

    // Voluntary switches by cause, and for each cause who ended the waits.
    const auto wait = [&](const char* kind, const std::string& name, const WaitStatistics& w) {
        return ordered_json{
            {"kind", kind}, {"name", name}, {"switches", w.switches}, {"waited_ns", ns(w.waited)}};
    };
    ordered_json waits = ordered_json::array();
    if (s.sleeps.switches > 0) waits.push_back(wait("sleep", "", s.sleeps));
    if (s.exit_switches > 0) waits.push_back(wait("exit", "", {s.exit_switches, {}}));
    for (ChannelId c = 0; c < s.waits.size(); ++c) {
        if (s.waits[c].switches == 0) continue;
        const ChannelSpec& spec = scenario.channels[c];
        ordered_json entry = wait(to_string(spec.kind), spec.name, s.waits[c]);
        ordered_json& by = entry["ended_by"] = ordered_json::array();
        for (const Blame& b : s.blames)
            if (b.channel == c)
                by.push_back({{"waiter", scenario.groups[b.waiter].name},
                              {"waker", b.waker == Blame::kByItself ? "" : scenario.groups[b.waker].name},
                              {"waits", b.waits},
                              {"waited_ns", ns(b.waited)}});
        waits.push_back(std::move(entry));
    }

    std::vector<Nanos> idle(m.shape().cpus);
    for (CpuId c = 0; c < m.shape().cpus; ++c) idle[c] = s.cpus[c].idle;
    in_progress(
        scenario, s, m, [](TaskId, Nanos) {}, [&](CpuId c, Nanos span) { idle[c] += span; },
        [](TaskId, const Overhead&) {});
    ordered_json cpus = ordered_json::array();
    for (CpuId c = 0; c < m.shape().cpus; ++c)
        cpus.push_back({{"switches", s.cpus[c].switches},
                        {"to_idle", s.cpus[c].to_idle},
                        {"migrations", s.cpus[c].migrations},
                        {"idle_ns", ns(idle[c])}});

    const Overhead& o = time.overhead;
    return {
        {"format", "switchyard-run/1"},
        {"scenario", scenario.name},
        {"policy", policy},
        {"seed", scenario.seed},
        {"cpus", scenario.cpus},
        {"simulated_ns", ns(g.now)},
        {"stop_reason", to_string(reason)},
        {"switches",
         {{"total", s.switches.total()},
          {"voluntary", s.switches.voluntary},
          {"involuntary", s.switches.involuntary},
          {"from_idle", s.switches.from_idle},
          {"to_idle", s.switches.to_idle},
          {"same_mm", s.switches.same_mm},
          {"other_mm", s.switches.other_mm},
          {"kernel_thread", s.switches.kernel_thread}}},
        {"yields", {{"calls", s.yields}, {"switched", s.yields_switched}}},
        {"schedule",
         {{"calls", s.schedule_calls},
          {"considered", s.considered},
          {"recalcs", s.recalcs},
          {"recalculated", s.recalculated},
          {"queue_steps", s.queue_steps}}},
        {"time_ns",
         {{"user", ns(time.user)},
          {"system", ns(o.system)},
          {"select", ns(o.select)},
          {"recalc", ns(o.recalc)},
          {"switch", ns(o.context_switch)},
          {"address_space", ns(o.address_space)},
          {"cache_refill", ns(o.cache_refill)},
          {"idle", ns(time.idle)}}},
        {"tlb",
         {{"flushes", s.tlb_flushes + (scenario.machine.costs.tlb.tagged ? 0 : s.mm_loads)},
          {"loads", s.mm_loads},
          {"lazy_avoided", s.lazy_avoided},
          {"same_mm_avoided", s.switches.total() - s.mm_loads - s.lazy_avoided},
          {"flush_ipis", s.flush_ipis},
          {"left_mms", s.left_mms},
          {"entries_refilled", s.tlb_entries}}},
        {"cache", {{"lines_refilled", s.cache_lines}, {"lines_streamed", s.streamed_lines}}},
        {"smp", {{"reschedule_ipis", s.reschedule_ipis}, {"migrations", s.migrations}}},
        {"per_cpu", std::move(cpus)},
        {"forks", s.forks},
        {"exits", s.exits},
        {"timer_events", s.timer_events},
        {"ticks", g.ticks},
        {"waits", std::move(waits)},
        {"runqueue",
         {{"mean", samples == 0 ? 0.0 : sum / static_cast<double>(samples)},
          {"max", longest},
          {"share_over_10", share(over_10, samples)},
          {"share_20_or_more", share(from_20, samples)},
          {"histogram", std::move(histogram)}}},
        {"tasks", std::move(tasks)},
        {"hash", fmt::format("{:016x}", m.hash())},
    };
}

ClaimResult check_claim(const Expectation& claim, const ordered_json& summary) {
    const std::optional<double> value = number_at(summary, claim.pointer);
    if (!value) return {false, fmt::format("the summary has no number at {}", claim.pointer)};
    double result = *value;
    std::string what = claim.pointer;
    if (!claim.per.empty()) {
        const std::optional<double> per = number_at(summary, claim.per);
        if (!per) return {false, fmt::format("the summary has no number at {}", claim.per)};
        if (*per == 0) return {false, fmt::format("{} is 0, and nothing can be counted per that", claim.per)};
        result /= *per;
        what += " per " + claim.per;
    }
    const bool holds = result >= claim.least && result <= claim.most;
    const std::string range = claim.least == claim.most ? fmt::format("{}", claim.least)
                                                        : fmt::format("[{}, {}]", claim.least, claim.most);
    return {holds, fmt::format("{} is {:.10g}, {} {}", what, result,
                               holds ? "as claimed:" : "and not, as claimed,", range)};
}

}  // namespace sim
