// Lockstep test of the index of ready tasks against the explicit walk of the queue.
//
// Engine::run() may let a policy use an index instead of walking the queue as its kernel did; with a
// DecisionLog it always walks. Two machines make the same random run, one without a log and one with. The run
// consists of segments of one to thousands of decisions, so that the index is built, used and dropped
// repeatedly. Between segments, both machines get the same interventions, and one may become a copy of the
// other or of its own past. All choices and work counts must be equal, and at each pause also all counters,
// the queue order and the hash.
//
// SWITCHYARD_LOCKSTEP_DECISIONS=10000000 sets the number of decisions; the default is small.
// SWITCHYARD_LOCKSTEP_FROM=N starts with scenario N, to reproduce a mismatch.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "sim/core/engine.h"
#include "sim/replay/intervention.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/random_scenario.h"
#include "tests/support/recorded.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace ready_index_lockstep_test {

// All options of the policies that have an index.
constexpr const char* kVariants[] = {
    "linux-2.0:yield=original,rt_wake_preempts=yes",
    "linux-2.2:prev_goodness=no",
    "sorted-queue:yield=original,insert=tail",
    "linux-2.4.0:lone_yield=returns",
    "linux-2.0:yield=one_tick,rt_wake_preempts=yes",
    "linux-2.4.22:lone_yield=returns",
    "sorted-queue:yield=one_tick,insert=head",
    "linux-2.2:prev_goodness=yes",
    "linux-2.0:yield=move_last_only,rt_wake_preempts=yes",
    "sorted-queue:yield=move_last_only,insert=tail",
    "linux-2.4.0:lone_yield=schedules",
    "linux-2.0:yield=original,rt_wake_preempts=no",
    "sorted-queue:yield=original,insert=head",
    "linux-2.4.22:lone_yield=schedules",
    "linux-2.0:yield=one_tick,rt_wake_preempts=no",
    "sorted-queue:yield=one_tick,insert=tail,rt_wake_preempts=no",
    "linux-2.0:yield=move_last_only,rt_wake_preempts=no",
    "sorted-queue:yield=move_last_only,insert=head,rt_wake_preempts=no",
};
// Policies without an index. A run may change from one of them to a policy with an index, which then takes
// over the queue and the counters.
constexpr const char* kOthers[] = {"round-robin", "round-robin:quantum=500", "nt4", "linux-1.2"};

// Numbers of the situations that the comparison covered.
struct Counts {
    std::uint64_t decisions = 0, scenarios = 0, pieces = 0;
    std::map<std::string, std::uint64_t> by_variant;
    std::uint64_t recalculations = 0, migrations = 0, forks = 0, exits = 0, yields = 0, queue_steps = 0;
    std::uint64_t real_time = 0;  // decisions for a fifo or rr task
    std::uint64_t with_several_cpus = 0;
    std::uint64_t long_queue = 0;  // decisions with more than 100 candidates
    std::uint64_t longest_queue = 0;
    std::uint64_t ties = 0;      // decisions between several tasks with the highest goodness
    std::uint64_t by_bonus = 0;  // decisions that depend on the bonus for prev, the CPU or the mm
    std::uint64_t by_mm = 0;     // of these, decisions that depend on the mm bonus alone
    std::uint64_t bare = 0;      // decisions with no sink attached
    // Wake-ups of tasks that missed one recalculation while they slept, and of tasks that missed more.
    std::uint64_t slept_through_one = 0, slept_through_more = 0;
    std::uint64_t interventions = 0, changes_of_policy = 0, rewinds = 0;
    std::uint64_t others = 0;  // decisions under policies without an index; not included in `decisions`

    // Counts one decision by the properties of its search.
    void look_at(const DecisionLog& log, std::uint64_t ready) {
        longest_queue = std::max(longest_queue, ready);
        long_queue += ready > 100;
        const Candidate *best = nullptr, *without = nullptr, *without_mm = nullptr;
        std::uint64_t equal = 0;
        const auto plain = [](const Candidate& c) { return c.goodness - (c.bonus - c.for_priority); };
        const auto no_mm = [](const Candidate& c) { return c.goodness - c.for_mm; };
        for (const Candidate& c : log.last_search()) {
            if (c.goodness < 0) continue;
            if (best == nullptr || c.goodness > best->goodness) {
                best = &c;
                equal = 0;
            }
            equal += c.goodness == best->goodness;
            if (without == nullptr || plain(c) > plain(*without)) without = &c;
            if (without_mm == nullptr || no_mm(c) > no_mm(*without_mm)) without_mm = &c;
        }
        ties += equal > 1;
        by_bonus += best != without;
        by_mm += best != without_mm;
    }
};

// --- description of mismatches ---

const char* const kFields[] = {"time",        "kind",        "cpu",           "task",        "other task",
                               "span",        "extra",       "refill",        "TLB entries", "cache lines",
                               "streamed",    "chosen task", "considered",    "recalcs",     "recalculated",
                               "queue steps", "from a call", "after a yield", "voluntary",   "loads an mm",
                               "flushes",     "mm",          "channel",       "entry",       "ordinal"};
auto fields(const TraceRecord& r) {
    const Decision& d = r.decision;
    return std::tie(r.time, r.kind, r.cpu, r.task, r.other, r.span, r.extra, r.refill, r.refilled_entries,
                    r.refilled_lines, r.streamed_lines, d.next, d.considered, d.recalculations,
                    d.recalculated, d.queue_steps, r.from_syscall, r.after_yield, r.voluntary, r.loads_mm,
                    r.flushes_tlb, r.mm, r.channel, r.group, r.ordinal);
}
static_assert(std::tuple_size_v<decltype(fields(std::declval<TraceRecord>()))> == std::size(kFields));

std::string names_of_differences(const TraceRecord& a, const TraceRecord& b) {
    std::string text;
    std::size_t i = 0;
    const auto check = [&](const auto& x, const auto& y) {
        if (x != y) text += fmt::format("{}{}", text.empty() ? "" : ", ", kFields[i]);
        ++i;
    };
    std::apply(
        [&](const auto&... x) { std::apply([&](const auto&... y) { (check(x, y), ...); }, fields(b)); },
        fields(a));
    return text;
}

std::string text_of(const Scenario& scenario, const Machine& m, const TraceRecord& r) {
    const auto task = [&](TaskId p) {
        return p == kNoTask ? "nobody" : fmt::format("{} (row {})", scenario.task_name(m, p), p);
    };
    if (r.kind != TraceKind::schedule)
        return fmt::format("{} at {} on cpu{}: {}, {}", to_string(r.kind), r.time.count(), r.cpu,
                           task(r.task), task(r.other));
    const Decision& d = r.decision;
    return fmt::format(
        "schedule() at {} on cpu{}: prev {}{}{}, chosen {}; considered {}, recalcs {}, recalculated {}, "
        "queue "
        "steps {}, span {}",
        r.time.count(), r.cpu, task(r.other), r.voluntary ? ", which stopped" : "",
        r.after_yield ? ", which yielded" : "", task(d.next), d.considered, d.recalculations, d.recalculated,
        d.queue_steps, r.span.count());
}

std::vector<TaskId> queue_of(const Machine& m, TaskId head) {
    std::vector<TaskId> queue;
    for (TaskId p = m.next_run[head]; p != head && p != kNoTask && queue.size() <= m.shape().tasks;
         p = m.next_run[p])
        queue.push_back(p);
    return queue;
}

// Describes the difference between two machines and their statistics, in a few lines. Compares hash, queue
// links, and statistics if both were recorded; empty if these are equal.
std::string difference_of(const Scenario& scenario, const Moment& a, const Moment& b, bool statistics) {
    const Machine &m = a.machine, &n = b.machine;
    const Globals &g = m.globals(), &h = n.globals();
    const TaskId rows = m.shape().cpus + m.shape().tasks;
    const auto same_column = [&](const auto& x, const auto& y) {
        return std::equal(x.data(), x.data() + rows, y.data());
    };
    const bool same = m.hash() == n.hash() && g.events == h.events && g.high_row == h.high_row &&
                      g.free_row == h.free_row && g.is_stopped == h.is_stopped &&
                      same_column(m.next_run, n.next_run) && same_column(m.prev_run, n.prev_run) &&
                      (!statistics || digest(a) == digest(b));
    if (same) return {};

    std::vector<std::string> lines;
    const auto compare = [&](const std::string& what, auto x, auto y) {
        if (x != y) lines.push_back(fmt::format("{} is {} with the index and {} with the walk", what, x, y));
    };
    compare("the clock", g.now.count(), h.now.count());
    compare("the number of decisions", g.decisions, h.decisions);
    compare("the number of switches", g.switches, h.switches);
    compare("the number of events", g.events, h.events);
    compare("next_sequence", g.next_sequence, h.next_sequence);
    compare("nr_running", g.nr_running, h.nr_running);
    compare("nr_tasks", g.nr_tasks, h.nr_tasks);
    compare("high_row", g.high_row, h.high_row);
    compare("free_row", g.free_row, h.free_row);
    for (CpuId c = 0; c < m.shape().cpus; ++c) {
        const auto cpu = [&](const char* what) { return fmt::format("cpu{}'s {}", c, what); };
        const Cpu &x = m.cpu(c), &y = n.cpu(c);
        compare(cpu("current"), x.current, y.current);
        compare(cpu("need_resched"), x.need_resched, y.need_resched);
        compare(cpu("pending_steps"), x.pending_steps, y.pending_steps);
        compare(cpu("active_mm"), x.active_mm, y.active_mm);
        compare(cpu("kernel_until"), x.kernel_until.count(), y.kernel_until.count());
        compare(cpu("burst_end"), x.burst_end.count(), y.burst_end.count());
        compare(cpu("deadline"), x.deadline.count(), y.deadline.count());
        const std::vector<TaskId> q = queue_of(m, c), r = queue_of(n, c);
        if (q == r) continue;
        const auto at = std::mismatch(q.begin(), q.end(), r.begin(), r.end());
        const auto where = at.first - q.begin();
        const auto task = [&](const std::vector<TaskId>& queue) {
            return static_cast<std::size_t>(where) < queue.size()
                       ? fmt::format("row {}", queue[static_cast<std::size_t>(where)])
                       : std::string("its end");
        };
        lines.push_back(
            fmt::format("the queue of cpu{} has {} tasks with the index and {} with the walk; at "
                        "place {} from the head stands {} and {}",
                        c, q.size(), r.size(), where, task(q), task(r)));
    }
    for (TaskId p = 0; p < rows; ++p) {
        const bool live = m.is_live(p);
        const std::string row = fmt::format("row {} ({}{})", p, live ? scenario.task_name(m, p) : "free",
                                            live ? fmt::format(", {}", to_string(m.task[p].state)) : "");
        const Task &x = m.task[p], &y = n.task[p];
        compare(row + " next_run", m.next_run[p], n.next_run[p]);
        compare(row + " prev_run", m.prev_run[p], n.prev_run[p]);
        compare(row + " state", static_cast<int>(x.state), static_cast<int>(y.state));
        if (!live) continue;
        compare(row + " counter", m.counter[p], n.counter[p]);
        compare(row + " priority", m.priority[p], n.priority[p]);
        compare(row + " sequence", m.sequence[p], n.sequence[p]);
        compare(row + " mark", x.policy_byte, y.policy_byte);
        compare(row + " processor", x.processor, y.processor);
        compare(row + " last_processor", x.last_processor, y.last_processor);
        compare(row + " wake_at", x.wake_at.count(), y.wake_at.count());
        compare(row + " remaining", x.remaining.count(), y.remaining.count());
        compare(row + " step", x.step, y.step);
    }
    if (statistics) {
        const Statistics &s = a.statistics, &t = b.statistics;
        compare("schedule() calls counted", s.schedule_calls, t.schedule_calls);
        compare("considered in all", s.considered, t.considered);
        compare("recalcs in all", s.recalculations, t.recalculations);
        compare("recalculated in all", s.recalculated, t.recalculated);
        compare("queue steps in all", s.queue_steps, t.queue_steps);
        compare("switches counted", s.switches.total(), t.switches.total());
        compare("migrations", s.migrations, t.migrations);
    }
    if (lines.empty()) return "something that no line of this test names: the hash or the statistics\n";
    constexpr std::size_t kMost = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(lines.size(), kMost); ++i) text += "  " + lines[i] + "\n";
    if (lines.size() > kMost) text += fmt::format("  and {} more\n", lines.size() - kMost);
    return text;
}

// --- one run ---

class Trial {
  public:
    Trial(std::uint64_t number, const char* variant, Counts& counts)
        : number_(number),
          counts_(counts),
          random_(number * 0x9e3779b97f4a7c15 + 6),
          scenario_(parse_scenario("crowd.json", random_crowd_json(number))),
          spec_(variant),
          a_{way(variant).engine.initial_state(), Statistics(scenario_.shape)},
          b_(a_) {
        ++counts_.scenarios;
    }

    // Returns the first mismatch; empty if there is none.
    std::string run() {
        const std::uint64_t wanted = 300 + below(chance(30) ? 8'000 : 3'000);
        const std::uint64_t most_events = 40 * wanted;
        const std::uint64_t from = counts_.decisions;
        while (counts_.decisions - from < wanted && events_ < most_events) {
            std::string problem = a_piece();
            if (problem.empty()) problem = between_pieces();
            if (!problem.empty()) return problem;
            if (b_.machine.globals().is_stopped) break;
        }
        return {};
    }

  private:
    struct Way {
        Way(const Scenario& scenario, std::string_view spec)
            : policy(make_policy(spec, scenario.cpus)), engine(scenario, *policy.policy) {}
        NamedPolicy policy;
        Engine engine;
    };
    struct Saved {
        Moment moment;
        std::string spec;
    };

    std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
    bool chance(std::uint64_t percent) { return below(100) < percent; }
    // Draws a length from 1 to 4,096, logarithmically distributed.
    std::uint64_t length() { return 1 + below(std::uint64_t{1} << below(13)); }

    const Way& way(const std::string& spec) {
        std::unique_ptr<Way>& known = ways_[spec];
        if (known == nullptr) known = std::make_unique<Way>(scenario_, spec);
        return *known;
    }

    Limits some_limits() {
        const Globals& g = b_.machine.globals();
        const std::uint64_t n = length();
        Limits limits{.events = g.events + 40 * n + 100};
        switch (below(8)) {
            case 0:
                limits.switches = g.switches + n;
                break;
            case 1:
                limits.events = g.events + n;
                break;
            case 2:
            case 3: {  // limits the time; in half of the cases, the limit is at a tick
                const Nanos each = g.now / static_cast<std::int64_t>(g.decisions + 1) + 1ns;
                limits.until = g.now + each * static_cast<std::int64_t>(n);
                if (chance(50)) limits.until = std::max(g.now, g.next_tick + (chance(50) ? 1ns : 0ns));
                break;
            }
            default:
                limits.decisions = g.decisions + n;
                break;
        }
        return limits;
    }

    // Runs both machines up to the same limits; returns the mismatch.
    std::string a_piece() {
        ++counts_.pieces;
        const Engine& engine = way(spec_).engine;
        Limits limits = some_limits();
        watched_ = chance(75);
        traced_ = chance(60);
        const bool by_step = chance(4);  // step() walks the queue; the next segment may use the index
        const Moment before = b_;
        trace_a_.records.clear();
        trace_b_.records.clear();
        const Sinks sinks{.statistics = watched_ ? &a_.statistics : nullptr,
                          .trace = traced_ ? &trace_a_ : nullptr};
        StopReason reason{};
        if (by_step) {
            const std::uint64_t steps = 1 + below(30);
            limits = {.events = b_.machine.globals().events + steps};
            std::uint64_t left = steps;
            while (left > 0 && engine.step(a_.machine, limits.until, sinks)) --left;
        } else {
            reason = engine.run(a_.machine, limits, sinks);
        }
        const StopReason expected = walk(engine, limits, !by_step);
        count_sleeps();
        events_ += b_.machine.globals().events - before.machine.globals().events;

        std::string problem;
        if (!by_step && reason != expected)
            problem = fmt::format("the run stops for \"{}\" with the index and for \"{}\" with the walk\n",
                                  to_string(reason), to_string(expected));
        if (traced_) problem += difference_of_traces(before.machine.globals().decisions);
        problem += difference_of(scenario_, a_, b_, watched_);
        if (!watched_) a_.statistics = b_.statistics;
        if (problem.empty()) return {};
        return fmt::format("{}from decision {} to {} ({} events from {}), {}{}\n{}{}", where(),
                           before.machine.globals().decisions + 1, b_.machine.globals().decisions,
                           b_.machine.globals().events - before.machine.globals().events,
                           before.machine.globals().events,
                           watched_ ? "with statistics" : "without statistics", traced_ ? " and trace" : "",
                           problem, closer_look(engine, before, limits));
    }

    // Runs b_ up to the limits with its log on, one decision at a time.
    StopReason walk(const Engine& engine, const Limits& limits, bool counted) {
        const Globals& g = b_.machine.globals();
        const Statistics& s = b_.statistics;
        const Sinks sinks{.statistics = &b_.statistics, .trace = &trace_b_, .log = &log_};
        const std::uint64_t first = g.decisions;
        const std::array before{s.recalculations, s.migrations, s.forks, s.exits, s.yields, s.queue_steps};
        StopReason reason{};
        do {
            const std::uint64_t made = g.decisions;
            Limits one = limits;
            one.decisions = std::min(limits.decisions, made + 1);
            reason = engine.run(b_.machine, one, sinks);
            if (g.decisions == made || !counted || !has_index()) continue;
            counts_.look_at(log_, g.nr_running);
            const TaskId next = log_.decision.next;
            counts_.real_time += b_.machine.sched_class[next] != SchedClass::other;
        } while (reason == StopReason::decision_limit && g.decisions < limits.decisions);
        if (!counted) return reason;
        const std::uint64_t made = g.decisions - first;
        if (!has_index()) {
            counts_.others += made;
            return reason;
        }
        counts_.decisions += made;
        counts_.by_variant[spec_] += made;
        if (scenario_.cpus > 1) counts_.with_several_cpus += made;
        if (!watched_ && !traced_) counts_.bare += made;
        counts_.recalculations += s.recalculations - before[0];
        counts_.migrations += s.migrations - before[1];
        counts_.forks += s.forks - before[2];
        counts_.exits += s.exits - before[3];
        counts_.yields += s.yields - before[4];
        counts_.queue_steps += s.queue_steps - before[5];
        return reason;
    }

    bool has_index() const {
        return std::find(std::begin(kVariants), std::end(kVariants), spec_) != std::end(kVariants);
    }

    void count_sleeps() {
        for (const TraceRecord& r : trace_b_.records) {
            if (r.kind == TraceKind::schedule) {
                recalcs_ += r.decision.recalculations;
            } else if (r.kind == TraceKind::sleep || r.kind == TraceKind::wait) {
                asleep_since_[r.task] = recalcs_;
            } else if (r.kind == TraceKind::wake_up) {
                const auto since = asleep_since_.find(r.task);
                if (since == asleep_since_.end()) continue;
                counts_.slept_through_one += recalcs_ == since->second + 1;
                counts_.slept_through_more += recalcs_ > since->second + 1;
                asleep_since_.erase(since);
            }
        }
    }

    std::string where() const {
        return fmt::format("scenario {} under {} on {} CPUs, piece {}: ", number_, spec_, scenario_.cpus,
                           counts_.pieces);
    }

    std::string difference_of_traces(std::uint64_t decisions) const {
        const auto &a = trace_a_.records, &b = trace_b_.records;
        std::size_t i = 0;
        for (; i < a.size() && i < b.size() && fields(a[i]) == fields(b[i]); ++i)
            decisions += a[i].kind == TraceKind::schedule;
        if (i == a.size() && i == b.size()) return {};
        if (i == a.size() || i == b.size())
            return fmt::format("the trace is {} records long with the index and {} with the walk\n", a.size(),
                               b.size());
        return fmt::format("after decision {} another {}\n  index: {}\n  walk:  {}\n", decisions,
                           names_of_differences(a[i], b[i]), text_of(scenario_, a_.machine, a[i]),
                           text_of(scenario_, b_.machine, b[i]));
    }

    // Repeats the segment from copies of its start. Reports the first decision after which the machines
    // differ, and how the explicit walk searched in it.
    std::string closer_look(const Engine& engine, const Moment& before, const Limits& limits) {
        const auto after = [&](std::uint64_t decisions, DecisionLog* log) {
            Moment m = before;
            Limits to = limits;
            to.decisions = decisions;
            engine.run(m.machine, to, {.statistics = &m.statistics, .log = log});
            return m;
        };
        const auto differ = [&](std::uint64_t decisions) {
            return difference_of(scenario_, after(decisions, nullptr), after(decisions, &log_), true);
        };
        std::uint64_t alike = before.machine.globals().decisions;
        std::uint64_t unlike = std::max(b_.machine.globals().decisions, a_.machine.globals().decisions);
        if (differ(unlike).empty())
            return "Again from a copy of the beginning of the piece, nothing differs: what the index "
                   "remembered "
                   "from before the pause is to blame, or time that passed without a decision.\n";
        while (unlike - alike > 1) {
            const std::uint64_t middle = alike + (unlike - alike) / 2;
            (differ(middle).empty() ? alike : unlike) = middle;
        }
        std::string text = fmt::format(
            "Again from a copy of the beginning, decision {} is the first after which "
            "they differ:\n{}",
            unlike, differ(unlike));
        const Moment m = after(unlike, &log_);
        text += fmt::format(
            "  the walk at {}: prev row {}{}{}, chosen row {}; considered {}, recalcs {}, "
            "recalculated {}, queue steps {}\n",
            m.machine.globals().now.count(), log_.prev, log_.prev_runnable ? "" : ", which stopped",
            log_.prev_renewed ? ", renewed" : "", log_.decision.next, log_.decision.considered,
            log_.decision.recalculations, log_.decision.recalculated, log_.decision.queue_steps);
        std::size_t place = 0;
        std::int32_t most = 0;
        for (const Candidate& c : log_.candidates) most = std::max(most, c.goodness);
        for (const Candidate& c : log_.candidates) {
            const bool counts = c.best || c.goodness >= most - 1 || c.task == log_.prev;
            if (counts)
                text += fmt::format(
                    "    place {}: row {}, counter {}, goodness {}, of it for priority {}, mm {}{}\n", place,
                    c.task, c.counter, c.goodness, c.for_priority, c.for_mm, c.best ? ", best so far" : "");
            ++place;
        }
        return text;
    }

    // Applies the same interventions, copies and rewinds to both machines.
    std::string between_pieces() {
        if (chance(5)) saved_ = Saved{chance(50) ? a_ : b_, spec_};
        if (chance(12)) rewind();
        const bool stuck = b_.machine.globals().is_stopped;
        for (std::uint64_t i = stuck ? 20 : chance(25) ? 1 + below(4) : 0; i > 0; --i) intervene_in_both();
        return difference_after("an intervention or a copy");
    }

    std::string difference_after(const char* what) {
        const std::string problem = difference_of(scenario_, a_, b_, true);
        return problem.empty() ? problem : fmt::format("{}after {}\n{}", where(), what, problem);
    }

    void rewind() {
        ++counts_.rewinds;
        switch (below(5)) {
            case 0:
                a_ = Moment(a_);
                break;
            case 1:
                a_ = b_;
                break;
            case 2:
                std::swap(a_, b_);
                break;
            case 3: {
                const Moment copy = a_;
                a_.machine = copy.machine;
                break;
            }
            default:
                if (!saved_) break;
                a_ = saved_->moment;
                b_ = saved_->moment;
                spec_ = saved_->spec;
                asleep_since_.clear();
                break;
        }
    }

    void intervene_in_both() {
        const Machine& m = b_.machine;
        Intervention what{};
        const std::uint64_t kind = below(100);
        what.kind = kind < 35   ? Intervention::Kind::renice
                    : kind < 65 ? Intervention::Kind::wake
                    : kind < 72 ? Intervention::Kind::kill
                                : Intervention::Kind::policy;
        if (m.globals().high_row > m.first_task())
            what.task = m.first_task() + static_cast<TaskId>(below(m.globals().high_row - m.first_task()));
        what.priority = static_cast<std::int32_t>(1 + below(40));
        if (what.kind == Intervention::Kind::policy)
            what.policy =
                chance(80) ? kVariants[below(std::size(kVariants))] : kOthers[below(std::size(kOthers))];
        if (!refusal(what, m).empty() || !refusal(what, a_.machine).empty()) return;
        if (what.kind == Intervention::Kind::policy) {
            spec_ = what.policy;
            ++counts_.changes_of_policy;
        }
        ++counts_.interventions;
        const Engine& engine = way(spec_).engine;
        for (const auto& [side, log] :
             {std::pair{&a_, static_cast<DecisionLog*>(nullptr)}, std::pair{&b_, &log_}}) {
            ++side->machine.globals().interventions;
            intervene(what, engine.context(side->machine, {.statistics = &side->statistics, .log = log}));
        }
    }

    std::uint64_t number_;
    Counts& counts_;
    std::mt19937_64 random_;
    Scenario scenario_;
    std::map<std::string, std::unique_ptr<Way>> ways_;
    std::string spec_;  // the current policy
    Moment a_, b_;      // machine without a log, and with one
    Trace trace_a_, trace_b_;
    DecisionLog log_;
    bool watched_ = true, traced_ = true;
    std::uint64_t events_ = 0;
    std::optional<Saved> saved_;
    std::uint64_t recalcs_ = 0;
    std::map<TaskId, std::uint64_t> asleep_since_;  // recalcs_ when the task went to sleep
};

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(ReadyIndex, DecidesLikeTheExplicitWalk) {
    const std::uint64_t wanted =
        from_environment("SWITCHYARD_LOCKSTEP_DECISIONS", decisions(2'000'000, 120'000, 20'000));
    const std::uint64_t first = from_environment("SWITCHYARD_LOCKSTEP_FROM", 1);
    Counts counts;
    for (std::uint64_t number = first; counts.decisions < wanted; ++number) {
        ASSERT_LT(number - first, wanted) << "the scenarios hardly decide anything";
        const std::string problem = Trial(number, kVariants[number % std::size(kVariants)], counts).run();
        if (!problem.empty()) FAIL() << problem;
    }

    std::map<std::string, std::uint64_t> by_policy;
    for (const auto& [spec, decisions] : counts.by_variant)
        by_policy[spec.substr(0, spec.find(':'))] += decisions;
    std::cout << fmt::format("{} decisions compared, in {} scenarios and {} pieces; of them\n",
                             counts.decisions, counts.scenarios, counts.pieces);
    const auto line = [&](const std::string& what, std::uint64_t n) {
        std::cout << fmt::format("  {:10} {}\n", n, what);
        testing::Test::RecordProperty(what, std::to_string(n));
    };
    for (const auto& [policy, decisions] : by_policy) line(policy, decisions);
    line("with several CPUs", counts.with_several_cpus);
    line("with more than 100 tasks to choose from", counts.long_queue);
    line("for a fifo or rr task", counts.real_time);
    line("between several of the highest goodness", counts.ties);
    line("made by a bonus: for prev, the last CPU, the mm", counts.by_bonus);
    line("made by the mm's point alone", counts.by_mm);
    line("with no sink at all", counts.bare);
    std::cout << "and\n";
    line("tasks to choose from at most", counts.longest_queue);
    line("recalculations", counts.recalculations);
    line("wake-ups of tasks that slept through one", counts.slept_through_one);
    line("wake-ups of tasks that slept through several", counts.slept_through_more);
    line("yields", counts.yields);
    line("queue steps", counts.queue_steps);
    line("migrations", counts.migrations);
    line("forks", counts.forks);
    line("exits", counts.exits);
    line("interventions", counts.interventions);
    line("changes of policy", counts.changes_of_policy);
    line("copies and returns to the past", counts.rewinds);
    line("decisions under policies that have no index", counts.others);

    if (wanted < 200'000) return;  // a single scenario is being reproduced
    const std::uint64_t n = counts.decisions;
    for (const char* spec : kVariants) EXPECT_GT(counts.by_variant[spec], n / 200) << spec;
    EXPECT_GT(counts.with_several_cpus, n / 4);
    EXPECT_LT(counts.with_several_cpus, n / 4 * 3);
    EXPECT_GT(counts.long_queue, n / 3);
    EXPECT_LT(counts.long_queue, n / 5 * 4);
    EXPECT_GE(counts.longest_queue, 270u);
    EXPECT_GT(counts.real_time, n / 50);
    EXPECT_GT(counts.ties, n / 10);
    EXPECT_GT(counts.by_bonus, n / 10);
    EXPECT_GT(counts.by_mm, n / 40);
    EXPECT_GT(counts.bare, n / 25);
    EXPECT_GT(counts.recalculations, n / 200);
    EXPECT_GT(counts.slept_through_one, n / 1'000);
    EXPECT_GT(counts.slept_through_more, n / 1'000);
    EXPECT_GT(counts.yields, n / 2);
    EXPECT_GT(counts.queue_steps, n);
    EXPECT_GT(counts.migrations, n / 30);
    EXPECT_GT(counts.forks, n / 1'000);
    EXPECT_GT(counts.exits, n / 1'000);
    EXPECT_GT(counts.pieces, n / 500);
    EXPECT_GT(counts.interventions, n / 1'000);
    EXPECT_GT(counts.changes_of_policy, n / 3'000);
    EXPECT_GT(counts.rewinds, n / 3'000);
}

}  // namespace ready_index_lockstep_test
}  // namespace sim
