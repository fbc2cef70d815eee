#include "sim/trace_io/scenario/scenario_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "sim/base/join.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/scenario/json_in_order.h"
#include "sim/scenario/scenario_json.h"
#include "sim/trace_io/scenario/name_in_scenario.h"
#include "sim/trace_io/scenario/program_lifetime.h"
#include "sim/trace_io/scenario/program_text_writer.h"

namespace sim::trace_io {
namespace {

// A time at which no event happens: the latest possible "until" of a scenario. A run ends before its events
// at "until".
constexpr Nanos kAfterAnyEnd = kHorizon - Nanos{1};
constexpr std::int32_t kMostRealTimePrio = 99;

// The key "affinity" as JSON text. Empty if the key is not needed: all CPUs are allowed, and the task
// inherits no affinity from its creator. Also empty if `mask` contains no CPU.
std::string affinity_text(std::uint64_t mask, std::uint32_t cpus, bool would_inherit) {
    std::vector<std::uint32_t> list;
    for (std::uint32_t c = 0; c < cpus; ++c)
        if ((mask >> c & 1) != 0) list.push_back(c);
    if (list.empty() || (list.size() == cpus && !would_inherit)) return "";
    return fmt::format(", \"affinity\": [{}]", join(list, ", "));
}

// True if the number after the last '/' of the name, up to the end or a ':', is the only CPU on which the
// thread ran, as for per-CPU kernel threads: migration/1, kworker/1:2H, but not kworker/u8:1.
bool is_per_cpu_thread(std::string_view name, std::uint64_t ran_on_cpus) {
    const std::size_t slash = name.rfind('/');
    if (slash == std::string_view::npos) return false;
    const std::string_view rest = name.substr(slash + 1);
    CpuId cpu = 0;
    const auto [last, error] = std::from_chars(rest.data(), rest.data() + rest.size(), cpu);
    return error == std::errc{} && (last == rest.data() + rest.size() || *last == ':') && cpu < kMaxCpus &&
           ran_on_cpus == std::uint64_t{1} << cpu;
}

// The priority as text. Empty for the default priority, unless the task would inherit its creator's
// priority.
std::string prio_text(std::int32_t prio, bool would_inherit) {
    if (prio > kMostRealTimePrio)
        return prio == kDefaultPrio && !would_inherit
                   ? ""
                   : fmt::format("{}, \"nice\": {}", would_inherit ? ", \"class\": \"other\"" : "",
                                 std::clamp(prio - kDefaultPrio, -20, 19));
    return fmt::format(", \"class\": \"fifo\", \"rt_priority\": {}",
                       std::clamp(kMostRealTimePrio - prio, 1, 99));
}

}  // namespace

struct ScenarioMaker::CpuState {
    std::uint32_t life = kNoLife;
    Nanos since{};      // computation is counted up to this time
    int depth = 0;      // nesting depth of kernel work
    int misses_at = 0;  // depth of the "misses" interval, if it counts as computation; 0: none
    // The last system call on this CPU: its task (`caller`), its step in the task's program, and its time.
    // kSleep: the call is a sleep, whose step will be added at the wake-up.
    std::uint32_t caller = kNoLife;
    std::size_t step = 0;
    Nanos called{};
    // The last system call with a known duration: caller, step, end.
    std::uint32_t timed_caller = kNoLife;
    std::size_t timed_step = 0;
    Nanos timed_end{};
    // The part of the current kernel work that belongs to the system call itself.
    int system_at = 0;     // nesting depth of the system call's own kernel work; 0: none
    Nanos system_since{};  // start of the system call's own kernel work
    Nanos interrupted{};   // time of interrupt handlers during the system call
    int interrupt_at = 0;
    Nanos interrupt_since{};

    static constexpr std::size_t kSleep = ~std::size_t{0};
};

ScenarioMaker::ScenarioMaker(ImportOptions options, Notes& notes)
    : options_(std::move(options)), notes_(notes) {}
ScenarioMaker::~ScenarioMaker() = default;

void ScenarioMaker::begin(const RunInfo& info) {
    info_ = info;
    costs_ = parse_scenario(
                 options_.machine.empty() ? "the trace's machine" : "--machine",
                 fmt::format("{{\"format\": \"switchyard-scenario/1\", \"machine\": {}, \"tasks\": []}}",
                             machine_json()))
                 .machine.costs;
    for (const RunInfo::InitialThread& known : info.threads) {
        if (!known.asleep) continue;  // other threads are added when they first run
        asleep_.emplace(known.thread.pid, static_cast<std::uint32_t>(lives_.size()));
        lives_.emplace_back();
        lives_.back().set_identity(known.thread);
    }
    for (const RunInfo::InitialThread& known : info.threads)
        affinity_.emplace(known.thread.pid, known.thread.cpus);
    has_initial_threads_ = !info.threads.empty();
    info_.threads.clear();
}

std::uint32_t ScenarioMaker::lifetime_index_of(ThreadId thread, const Threads& threads) {
    if (life_of_thread_.size() <= thread) life_of_thread_.resize(std::size_t{thread} + 1, 0);
    std::uint32_t& number = life_of_thread_[thread];
    const Thread& t = threads[thread];
    if (number == 0 || lives_[number - 1].pid != t.pid) {
        const auto slept = asleep_.find(t.pid);
        if (slept != asleep_.end()) {
            number = slept->second + 1;
            asleep_.erase(slept);
        } else {
            lives_.emplace_back();
            number = static_cast<std::uint32_t>(lives_.size());
        }
    }
    lives_[number - 1].set_identity(t);
    return number - 1;
}

// Counts the time until now as computation of the current task, unless the task is in the kernel.
void ScenarioMaker::add_computation_time(CpuId cpu, Nanos now) {
    CpuState& of = cpus_[cpu];
    if (of.life != kNoLife && (of.depth == 0 || of.misses_at > 0)) lives_[of.life].computed += now - of.since;
    of.since = now;
}

// Adds a step to program number `life`, the program of the task that runs on this CPU.
void ScenarioMaker::add_step(std::uint32_t life, Step step, CpuId cpu, Nanos now) {
    CpuState& of = cpus_[cpu];
    of.caller = life;
    of.step = lives_[life].steps.size();
    of.called = now;
    lives_[life].steps.push_back(step);
}

// Stores `span` as the duration of the system call that ends on this CPU. If the CPU's latest step was added
// when the current kernel work began, `span` belongs to this step. Otherwise the kind of the system call is
// unknown, and a step `syscall` is added.
void ScenarioMaker::set_system_call_time(CpuId cpu, Nanos span) {
    CpuState& of = cpus_[cpu];
    of.timed_caller = kNoLife;
    if (of.caller != kNoLife && of.called == of.system_since) {
        ProgramLifetime& caller = lives_[of.caller];
        of.timed_caller = of.caller;
        of.timed_step = of.step;
        (of.step == CpuState::kSleep ? caller.system_of_sleep : caller.steps[of.step].system) = span;
    } else if (of.depth == 1 && of.life != kNoLife) {
        flush_computation(lives_[of.life]);
        lives_[of.life].steps.push_back({.kind = Step::Kind::syscall, .system = span});
    }
    of.caller = kNoLife;
}

void ScenarioMaker::flush_computation(ProgramLifetime& life) {
    if (life.computed > Nanos{}) life.steps.push_back({.kind = Step::Kind::run, .time = life.computed});
    life.computed = Nanos{};
}

void ScenarioMaker::on_switch(const SchedEvent& e, const Threads& threads) {
    // No kernel preempts a task to run the idle task. Such a switch means that the trace ends, that the end
    // of an interval is missing, or that the tracer prints the state of an idle kernel thread (I) as R.
    const bool is_no_decision = e.state == PrevState::preempted && e.thread == kIdleThread;
    switches_ += is_no_decision ? 0 : 1;
    CpuState& of = cpus_[e.cpu];
    if (e.current != kIdleThread) {
        const std::uint32_t number = lifetime_index_of(e.current, threads);
        ProgramLifetime& prev = lives_[number];
        const bool leaves = e.state != PrevState::runnable && e.state != PrevState::preempted;
        if (leaves) left_at_ = e.time;
        if (leaves) flush_computation(prev);
        prev.state = e.state == PrevState::dead                 ? ProgramLifetime::State::gone
                     : leaves                                   ? ProgramLifetime::State::asleep
                     : e.thread == kIdleThread || e.is_inferred ? ProgramLifetime::State::ready_or_asleep
                                                                : ProgramLifetime::State::preempted;
        prev.left_unseen = e.is_inferred;
        prev.last_cpu = e.cpu;
        prev.off_cpu_since = e.time;
        if (leaves) {
            of.caller = number;
            of.step = CpuState::kSleep;
            of.called = e.time;
        }
    }
    of.life = kNoLife;
    if (e.thread == kIdleThread) return;
    of.life = lifetime_index_of(e.thread, threads);
    ProgramLifetime& next = lives_[of.life];
    ran_on_[next.pid] |= std::uint64_t{1} << e.cpu;
    const bool was_asleep = next.state == ProgramLifetime::State::ready_or_asleep && next.left_unseen &&
                            sleeps_.was_asleep(next.last_cpu, next.off_cpu_since, e.time);
    if (next.state == ProgramLifetime::State::asleep || was_asleep) {
        // The waker was not recorded. The wake-up becomes an external event at the current time, the latest
        // possible one.
        notes_.add({"run of a task after a sleep without a recorded wake-up",
                    "runs of a task after a sleep without a recorded wake-up"});
        on_wake_up({.time = e.time,
                    .kind = EventKind::waking,
                    .cpu = e.cpu,
                    .thread = e.thread,
                    .in_interrupt = true},
                   threads);
    }
    if (next.first_run == ProgramLifetime::kNever) next.first_run = e.time;
    if (next.state == ProgramLifetime::State::new_one) next.runs_before_wake_up = !next.is_made;
    next.state = ProgramLifetime::State::ready;
}

void ScenarioMaker::on_wake_up(const SchedEvent& e, const Threads& threads) {
    const std::uint32_t number = lifetime_index_of(e.thread, threads);
    ProgramLifetime& woken = lives_[number];
    if (woken.state == ProgramLifetime::State::new_one) {
        if (!woken.is_made) woken.start = e.time;
        woken.state = ProgramLifetime::State::ready;
        woken.last_cpu = e.target;
        woken.off_cpu_since = e.time;
        return;
    }
    if (woken.state == ProgramLifetime::State::ready_or_asleep) {
        flush_computation(woken);
        woken.state = ProgramLifetime::State::asleep;
    }
    if (woken.state != ProgramLifetime::State::asleep) return;  // already woken, or not asleep yet
    ++wake_ups_;
    woken.state = ProgramLifetime::State::ready;
    const bool by_task = !e.in_interrupt && cpus_[e.cpu].life != kNoLife && cpus_[e.cpu].life != number;
    Step sleep{.kind = Step::Kind::wait, .system = std::exchange(woken.system_of_sleep, Step::kUnknown)};
    if (!by_task && options_.replay == ArrivalReplay::open) {
        sleep.kind = Step::Kind::arrival_at;
        sleep.time = e.time - info_.begin;
    } else if (!by_task) {
        sleep.kind = Step::Kind::arrival;
        sleep.time = e.time - woken.off_cpu_since;
    }
    // If the system call that put the task to sleep has not ended yet, its duration will be stored in the
    // step added below.
    for (CpuState& of : cpus_)
        if (of.caller == number && of.step == CpuState::kSleep) of.step = woken.steps.size();
    woken.steps.push_back(sleep);
    if (!by_task) return;
    flush_computation(lives_[cpus_[e.cpu].life]);
    add_step(cpus_[e.cpu].life, {.kind = Step::Kind::wake, .target = number}, e.cpu, e.time);
}

void ScenarioMaker::on_fork(const SchedEvent& e, const Threads& threads) {
    const std::uint32_t child = lifetime_index_of(e.thread, threads);
    if (e.current == kIdleThread || lives_[child].state != ProgramLifetime::State::new_one) return;
    lives_[child].is_made = true;
    const std::uint32_t parent = lifetime_index_of(e.current, threads);
    flush_computation(lives_[parent]);
    add_step(parent, {.kind = Step::Kind::fork, .target = child}, e.cpu, e.time);
}

void ScenarioMaker::on_exec(const SchedEvent& e, const Threads& threads) {
    const std::uint32_t before = cpus_[e.cpu].life;
    if (before == kNoLife) return;
    flush_computation(lives_[before]);
    life_of_thread_[e.current] = 0;
    const std::uint32_t after = lifetime_index_of(e.current, threads);
    lives_[after].is_made = true;
    lives_[after].state = ProgramLifetime::State::ready;
    lives_[after].first_run = e.time;
    add_step(before, {.kind = Step::Kind::exec, .target = after}, e.cpu, e.time);
    lives_[before].state = ProgramLifetime::State::gone;
    cpus_[e.cpu].life = after;
}

void ScenarioMaker::on_kernel_work(const SchedEvent& e) {
    CpuState& of = cpus_[e.cpu];
    if (e.kind == EventKind::work_begin) {
        ++of.depth;
        // A machine that models a TLB or cache computes the time of misses itself. For any other machine,
        // the recorded time of misses counts as computation.
        if (std::string_view(e.what) == "misses" && costs_.tlb.entries == 0 && costs_.cache.size == 0)
            of.misses_at = of.depth;
        if (std::string_view(e.what) == "system_call") {
            of.system_at = of.depth;
            of.system_since = e.time;
            of.interrupted = Nanos{};
        }
        // The outermost interrupt starts.
        if (of.interrupt_at == 0 && std::string_view(e.what) == "interrupt") {
            of.interrupt_at = of.depth;
            of.interrupt_since = e.time;
        }
    } else if (of.depth > 0) {
        if (of.misses_at == of.depth) of.misses_at = 0;
        if (of.interrupt_at == of.depth) {
            of.interrupt_at = 0;
            of.interrupted += e.time - of.interrupt_since;
        }
        if (of.system_at == of.depth) {
            set_system_call_time(e.cpu, e.time - of.system_since - of.interrupted);
            of.timed_end = e.time;
            of.system_at = 0;
        }
        --of.depth;
    }
}

void ScenarioMaker::event(const SchedEvent& e, const Threads& threads) {
    if (cpus_.size() <= e.cpu) cpus_.resize(std::size_t{e.cpu} + 1);
    add_computation_time(e.cpu, e.time);
    sleeps_.on_event(e);
    switch (e.kind) {
        case EventKind::sched_switch:
            return on_switch(e, threads);
        case EventKind::waking:
        case EventKind::wakeup:
        case EventKind::wakeup_new:
            return on_wake_up(e, threads);
        case EventKind::fork:
            return on_fork(e, threads);
        case EventKind::exec:
            return on_exec(e, threads);
        case EventKind::yield:
            if (cpus_[e.cpu].life == kNoLife) return;
            flush_computation(lives_[cpus_[e.cpu].life]);
            return add_step(cpus_[e.cpu].life, {.kind = Step::Kind::yield}, e.cpu, e.time);
        case EventKind::work_begin:
        case EventKind::work_end:
            return on_kernel_work(e);
        case EventKind::migrate:
        case EventKind::exit:
        case EventKind::recalculation:
        case EventKind::queue_length:
            return;
    }
}

void ScenarioMaker::end(Nanos now) {
    end_ = now;
    // A run does not include events at its end time. If a task went to sleep or exited at the end of the
    // trace, the run must therefore be one nanosecond longer.
    until_ = std::max(now - info_.begin + Nanos{left_at_ == now ? 1 : 0}, Nanos{1});
    // A system call that the end of the trace cut off would have taken longer, so its duration is unknown.
    for (const CpuState& of : cpus_) {
        if (of.timed_caller == kNoLife || of.timed_end != now) continue;
        ProgramLifetime& life = lives_[of.timed_caller];
        (of.timed_step == CpuState::kSleep ? life.system_of_sleep : life.steps[of.timed_step].system) =
            Step::kUnknown;
    }
    for (ProgramLifetime& life : lives_) {
        set_start_time(life);
        end_program(life, now);
    }
}

// A task that runs before it is woken was ready at the start of the trace. Without events of wake-ups, and
// without a list of the tasks at the start, nothing is known about a task before it runs.
void ScenarioMaker::set_start_time(ProgramLifetime& life) const {
    if (!life.runs_before_wake_up) return;
    life.start = sleeps_.has_wake_ups() || has_initial_threads_ ? info_.begin : life.first_run;
}

void ScenarioMaker::end_program(ProgramLifetime& life, Nanos now) {
    using State = ProgramLifetime::State;
    flush_computation(life);
    // All CPUs switch to the idle task at the end of the trace; a task that leaves its CPU then was running.
    if (life.state == State::ready_or_asleep)
        life.state = life.off_cpu_since == now && !life.left_unseen ? State::ready : State::asleep;
    if (life.state == State::preempted) life.state = State::ready;
    if (life.state == State::ready && life.first_run == ProgramLifetime::kNever &&
        sleeps_.is_new_task_asleep(life.last_cpu, life.off_cpu_since, now))
        life.state = State::new_one;
    const Nanos system = life.system_of_sleep;
    // A task that sleeps at the end gets an arrival after the end of the run, so that the run does not stop
    // with a deadlock. A task that is ready at the end gets a computation as long as the run.
    if (life.state == State::asleep || life.state == State::new_one)
        life.steps.push_back({.kind = Step::Kind::arrival_at, .time = kAfterAnyEnd, .system = system});
    if (life.state == State::ready) life.steps.push_back({.kind = Step::Kind::run, .time = until_});
    if (life.state == State::gone && system != Step::kUnknown)
        life.steps.push_back({.kind = Step::Kind::exit, .system = system});
}

std::map<std::pair<std::int32_t, int>, std::string> ScenarioMaker::names_by_task() const {
    const std::vector<std::string> names = task_group_names();
    std::map<std::int32_t, int> lives;  // by pid
    std::map<std::pair<std::int32_t, int>, std::string> entries;
    for (std::size_t i = 0; i < lives_.size(); ++i)
        entries[{lives_[i].pid, lives[lives_[i].pid]++}] = names[i];
    return entries;
}

// Names of the task groups. Each is the name of its thread, with the pid if several threads have the same
// name.
std::vector<std::string> ScenarioMaker::task_group_names() const {
    std::map<std::string, int> times;
    const auto word = [](const std::string& name) { return name_in_scenario(name); };
    for (const ProgramLifetime& life : lives_) ++times[word(life.name)];
    std::set<std::string> taken;
    std::vector<std::string> names;
    for (const ProgramLifetime& life : lives_) {
        std::string name = word(life.name);
        if (times[name] > 1) name += fmt::format(".{}", life.pid);
        for (int more = 2; !taken.insert(name).second; ++more)
            name = fmt::format("{}.{}.{}", word(life.name), life.pid, more);
        names.push_back(std::move(name));
    }
    return names;
}

// The machine in the syntax of a scenario's "machine".
std::string ScenarioMaker::machine_json() const {
    const bool is_ideal = options_.machine.empty() && info_.machine.empty();
    std::string base = !options_.machine.empty() ? options_.machine : is_ideal ? "\"ideal\"" : info_.machine;
    const std::uint32_t hz = options_.hz != 0 ? options_.hz : is_ideal && info_.hz != 100 ? info_.hz : 0;
    if (hz == 0) return base;
    if (base.front() != '{') return fmt::format("{{\"base\": {}, \"hz\": {}}}", base, hz);
    nlohmann::ordered_json object = parse_json_in_order(base);
    // The parser discards an object with too many keys. begin() reports this error.
    if (!object.is_object()) return base;
    object["hz"] = hz;
    return object.dump();
}

ImportCounts ScenarioMaker::write(const std::function<void(std::string_view)>& output) {
    ImportCounts imported{.switches = switches_,
                          .wake_ups = wake_ups_,
                          .tasks = static_cast<std::uint32_t>(lives_.size()),
                          .cpus = std::max({info_.cpus, static_cast<std::uint32_t>(cpus_.size()), 1U}),
                          .length = end_ - info_.begin};
    const std::vector<std::string> names = task_group_names();
    ProgramTextWriter programs(options_, costs_, lives_, names, notes_);
    std::map<std::int32_t, std::set<std::int32_t>> threads_of;  // pids by tgid
    for (const ProgramLifetime& life : lives_)
        if (!life.is_kernel) threads_of[life.tgid].insert(life.pid);
    const std::string title = !options_.title.empty() ? options_.title
                              : !info_.title.empty()  ? info_.title
                                                      : "A trace";
    const std::string policy = !options_.policy.empty() ? options_.policy : info_.policy;
    const bool forks =
        std::any_of(lives_.begin(), lives_.end(), [](const ProgramLifetime& life) { return life.is_made; });
    const std::string max_tasks =
        forks ? fmt::format("    \"max_tasks\": {},\n", std::min<std::size_t>(lives_.size(), kMaxTasks)) : "";
    output(
        fmt::format("{{\n    \"format\": \"switchyard-scenario/1\",\n    \"title\": {},\n    \"machine\": "
                    "{},\n    \"cpus\": {},\n"
                    "    \"policy\": {},\n    \"until\": \"{}\",\n{}    \"tasks\": [",
                    json_string_of(shorten(printable(title), 200)), machine_json(), imported.cpus,
                    json_string_of(policy.empty() ? "linux-6.6" : policy), format_time(until_), max_tasks));
    // Task groups are in the order of creation, because kernels use this order to break ties.
    std::vector<std::size_t> order(lives_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(lives_[a].is_made, lives_[a].pid) < std::pair(lives_[b].is_made, lives_[b].pid);
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const ProgramLifetime& life = lives_[order[i]];
        std::string mm;
        if (life.is_kernel)
            mm = ", \"mm\": null";
        else if (threads_of[life.tgid].size() > 1)
            mm = fmt::format(", \"mm\": \"process-{}\"", life.tgid);
        if (options_.keeps_cpus)
            mm += affinity_text(ran_on_[life.pid], imported.cpus, life.is_made);
        else if (const auto cpus = affinity_.find(life.pid); cpus != affinity_.end() && !life.is_made)
            mm += affinity_text(cpus->second, imported.cpus, false);
        else if (info_.machine.empty() && is_per_cpu_thread(life.name, ran_on_[life.pid]))
            mm += affinity_text(ran_on_[life.pid], imported.cpus, false);
        // A task that never becomes ready gets a start after the end of the run. Such a task exists and
        // sleeps during the run, so kernels that visit all tasks also visit this task.
        const Nanos start = life.start == ProgramLifetime::kNever
                                ? kAfterAnyEnd
                                : std::max(life.start - info_.begin, Nanos{});
        const std::string begins = life.is_made      ? ", \"count\": 0"
                                   : start > Nanos{} ? fmt::format(", \"start\": \"{}\"", format_time(start))
                                                     : "";
        output(fmt::format("{}\n        {{\"name\": {}{}{}{}, \"program\": {}}}", i > 0 ? "," : "",
                           json_string_of(names[order[i]]), prio_text(life.prio, life.is_made), mm, begins,
                           programs.text_of(life)));
    }
    imported.steps = programs.steps();
    output("\n    ]\n}\n");
    return imported;
}

}  // namespace sim::trace_io
