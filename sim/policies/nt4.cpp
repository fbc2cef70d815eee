// Windows NT 4: 32 priorities, each with a list of ready threads; the first thread of the highest non-empty
// list runs.
//
// Source: ReactOS, ntoskrnl/ke (thrdschd.c, thrdobj.c, wait.c), which models NT 5.2; the source code of NT 4
// is not available. Documents of Microsoft on NT 4 take precedence: Sleep(0) and SwitchToThread() yield only
// to threads of equal priority (manual page of Sleep). Quantum lengths: KB259025.
//
// Good at: a decision whose cost does not depend on the number of ready threads; short latency for threads
// that have waited for a key or a disk. Bad at: preventing starvation, because a thread does not run while a
// thread of higher priority computes.
//
// A task's base priority is 2/5 of its Linux priority (nice 0: 8), but at least 1 and at most 15; fifo and rr
// tasks have 16 to 31.
// `counter` is the rest of the quantum, 3 units per tick. `policy_byte` contains the current priority and
// flags for the next decision. The 32 lists are concatenated in the machine's list, the highest first, so the
// kernel's bitmap of non-empty lists is not needed. The walk that finds a position in the machine's list is
// not counted, because the kernel does not make it.
//
// Not modelled: the balance manager, which raises the priority of a thread to 15 if the thread has been ready
// for 300 ticks (so threads can starve in the model, but not in NT); the foreground boost; boosts that depend
// on the device (`boost` is the same for all devices); ideal processors. A fifo task of the model has no
// quantum; NT has no such tasks.
#include <algorithm>

#include <fmt/format.h>

#include "sim/core/policy.h"
#include "sim/core/run_queue.h"
#include "sim/policies/policies.h"

namespace sim {
namespace {

std::vector<PseudoLine> pseudo_code(const PolicyOptions& options) {
    const bool to_anyone = options.at("yield_to") == "any";
    return {
        {Phase::enter, 0, "a system call, or an interrupt and need_resched, leads here"},
        {Phase::yield, 1,
         to_anyone ? "Sleep(0): is any thread ready? a new quantum, and to the tail"
                   : "Sleep(0): is an equal ready? a new quantum, and to the tail"},
        {Phase::begin, 0, "prev = the running thread, which is on no list"},
        {Phase::leave, 1, "prev waits or has ended? any ready thread is better"},
        {Phase::consider, 0, "the highest bit names a list (16 to 31: real-time): look at its first thread"},
        {Phase::consider, 1, "prev can continue? look at its priority, too"},
        {Phase::keep, 1, "higher than prev, or equal and prev's quantum is over? it runs"},
        {Phase::keep, 1, "prev was preempted: head of its list; quantum over: tail"},
        {Phase::switch_context, 0, "it is not prev? save prev's context, load its own"},
        {Phase::switch_mm, 1, "another process? load its page tables, flush the TLB"},
        {Phase::resume, 0, "it runs, or the idle thread if there is none"},
    };
}

class Nt4 final : public Policy {
  public:
    explicit Nt4(const PolicyOptions& options)
        : quantum_(std::stoi(options.at("quantum"))),
          boost_(std::stoi(options.at("boost"))),
          to_anyone_(options.at("yield_to") == "any") {}

    void start(Machine& m, TaskId p) const override {
        m.counter[p] = quantum_;
        m.task[p].policy_byte = static_cast<std::uint8_t>(base_priority(m, p) | kNew);
    }

    std::uint32_t enqueue(Machine& m, TaskId p) const override {
        // When a thread's wait ends, the thread loses one unit of its quantum and is raised above its base
        // priority.
        if ((m.task[p].policy_byte & kNew) == 0) {
            if (--m.counter[p] <= 0) m.counter[p] = quantum_;
            const std::int32_t lifted = std::min(base_priority(m, p) + boost_, kHighestDynamic);
            set_level(m, p, is_real_time(m, p) ? base_priority(m, p) : std::max(level(m, p), lifted));
        } else {
            set_level(m, p, level(m, p));  // clears kNew
        }
        insert(m, p, false);
        return 0;
    }

    bool preempts(const Machine& m, TaskId woken, TaskId current) const override {
        return m.is_idle_task(current) || level(m, woken) > level(m, current);
    }

    bool tick(Machine& m, TaskId p) const override {
        m.counter[p] -= kUnitsPerTick;
        if (m.counter[p] > 0) return false;
        m.counter[p] = quantum_;
        if (m.sched_class[p] == SchedClass::fifo) return false;
        // A boost decays by one level per quantum.
        if (!is_real_time(m, p)) set_level(m, p, std::max(base_priority(m, p), level(m, p) - 1));
        return flag_if_rival_ready(m, p, level(m, p), kQuantumOver);
    }

    std::string wake_reason(const Machine& m, TaskId woken, TaskId current, bool /*needs_resched*/,
                            const TaskNamer& name) const override {
        const bool is_higher = level(m, woken) > level(m, current);
        return fmt::format("{}'s priority {} is {}higher than {}'s {}", name(woken), level(m, woken),
                           is_higher ? "" : "not ", name(current), level(m, current));
    }
    std::string tick_reason(const Machine& m, TaskId p, ReschedCheck::Point /*at*/, bool needs_resched,
                            const TaskNamer& name) const override {
        if (needs_resched)
            return fmt::format("{}'s quantum is over, and a thread of at least priority {} is ready", name(p),
                               level(m, p));
        if (m.sched_class[p] == SchedClass::fifo)
            return fmt::format("{} keeps the CPU at the end of its quantum, because its class is fifo",
                               name(p));
        if (m.counter[p] < quantum_)
            return fmt::format("{} of {} units of {}'s quantum are left", m.counter[p], quantum_, name(p));
        return fmt::format("{}'s quantum is over, but no thread of its priority {} is ready", name(p),
                           level(m, p));
    }

    bool yield(Machine& m, TaskId p) const override {
        const bool gives_way = to_anyone_ ? flag_if_rival_ready(m, p, 0, kQuantumOver | kToAnyone)
                                          : flag_if_rival_ready(m, p, level(m, p), kQuantumOver);
        if (gives_way) m.counter[p] = quantum_;
        return gives_way;
    }

    void fork(Machine& m, TaskId, TaskId child) const override { start(m, child); }

    void adopt(Machine& m, TaskId p) const override {
        const std::int32_t left = m.counter[p];
        start(m, p);
        if (left > 0 && left < quantum_) m.counter[p] = left;
    }

    Decision pick_next(Machine& m, CpuId cpu, TaskId prev, DecisionLog* log) const override {
        RunQueue queue(m);
        const bool goes_on = !m.is_idle_task(prev) && m.task[prev].state == TaskState::runnable;
        const std::uint8_t why = m.task[prev].policy_byte;
        m.task[prev].processor = Task::kNoProcessor;

        Decision decision{.next = cpu};
        const auto look_at = [&](TaskId p, bool better) {
            ++decision.considered;
            if (log != nullptr) log->candidates.push_back({p, m.counter[p], 0, level(m, p), better});
            if (better) decision.next = p;
        };
        if (goes_on) {
            set_level(m, prev, level(m, prev));  // clears the flags
            look_at(prev, true);
        }
        // The first thread of the highest list; with several CPUs, the first of all listed threads that may
        // run on this CPU.
        TaskId head = queue.first();
        while (head != kHead && !m.may_run(head, cpu)) head = m.next_run[head];
        if (head != kHead) {
            const std::int32_t needed = (why & kToAnyone) != 0      ? 0
                                        : (why & kQuantumOver) != 0 ? level(m, prev)
                                                                    : level(m, prev) + 1;
            look_at(head, !goes_on || level(m, head) >= needed);
            if (decision.next == head) {
                queue.remove(head);
                if (goes_on) insert(m, prev, (why & kQuantumOver) == 0);
            }
        }
        m.set_running_task(decision.next, cpu);
        return decision;
    }

    // Ticks are counted from the previous tick, so a sleep can be shorter than requested (manual page of
    // Sleep).
    std::uint64_t ticks_of_sleep(std::uint64_t requested_ticks) const override { return requested_ticks; }

    bool keeps_running_task_queued() const override { return false; }

  private:
    static constexpr TaskId kHead = 0;
    static constexpr std::int32_t kUnitsPerTick = 3;
    static constexpr std::int32_t kHighestDynamic = 15;

    // Task::policy_byte: the current priority, 0 to 31, and flags for the next decision.
    static constexpr std::uint8_t kLevel = 0x1f;
    // Quantum over: if another task is chosen, this task goes to the tail of its list.
    static constexpr std::uint8_t kQuantumOver = 0x20;
    static constexpr std::uint8_t kToAnyone = 0x40;  // the task yields to a ready task of any priority
    // The task becomes ready for the first time, so it gets no boost.
    static constexpr std::uint8_t kNew = 0x80;

    static bool is_real_time(const Machine& m, TaskId p) { return sim::is_real_time(m.sched_class[p]); }

    static std::int32_t base_priority(const Machine& m, TaskId p) {
        if (is_real_time(m, p)) return 16 + std::clamp(m.rt_priority[p], 0, 99) * 15 / 99;
        return std::clamp(m.priority[p] * 2 / 5, 1, kHighestDynamic);
    }

    static std::int32_t level(const Machine& m, TaskId p) { return m.task[p].policy_byte & kLevel; }
    static void set_level(Machine& m, TaskId p, std::int32_t level) {
        m.task[p].policy_byte = static_cast<std::uint8_t>(level);
    }

    // If some ready task has at least level `min_level`, sets the flags `flags` on the running task p.
    // Returns whether the flags were set.
    static bool flag_if_rival_ready(Machine& m, TaskId p, std::int32_t min_level, std::uint8_t flags) {
        const RunQueue queue(m);
        if (queue.empty() || level(m, queue.first()) < min_level) return false;
        m.task[p].policy_byte |= flags;
        return true;
    }

    // Inserts p at the head or the tail of the list of its priority.
    static void insert(Machine& m, TaskId p, bool at_head) {
        const std::int32_t own = level(m, p) + (at_head ? 1 : 0);
        TaskId place = kHead;
        while (m.prev_run[place] != kHead && level(m, m.prev_run[place]) < own) place = m.prev_run[place];
        RunQueue(m).insert_before(place, p);
    }

    std::int32_t quantum_;  // length of a quantum in units
    std::int32_t boost_;
    bool to_anyone_;
};

}  // namespace

PolicyInfo nt4_policy() {
    return {
        .name = "nt4",
        .summary = "Windows NT 4: 32 lists of ready threads; the first thread of the highest list runs",
        .source = "ReactOS ntoskrnl/ke (NT 5.2) and Microsoft's documents; no source code of NT 4",
        .options = {{"quantum",
                     {"36", "6", "12", "18", "24"},
                     "length of a quantum, in thirds of a tick: 36 on a server, 6 in the background of a "
                     "workstation"},
                    {"boost",
                     {"1", "0", "2", "6"},
                     "how much the end of a wait raises a task above its base priority: 1 as for a disk or "
                     "an event, "
                     "2 as for a network, 6 as for a keyboard, 0 not at all"},
                    {"yield_to",
                     {"equal", "any"},
                     "which threads a yield lets run: those of equal priority (NT 4), or any ready one "
                     "(since Server "
                     "2003)"}},
        .criterion = "priority",
        .pseudo_code = pseudo_code,
        .system = "nt",
        .make = [](const PolicyOptions& options) { return std::make_unique<Nt4>(options); },
    };
}

}  // namespace sim
