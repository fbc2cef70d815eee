// Round robin of the textbooks: one queue and a quantum.
//
// The first task of the queue runs until it blocks, yields or has used up its quantum. In the last two cases,
// it goes to the tail. A woken task goes to the tail and preempts no task. A running task stays at its
// position in the queue. Priorities and classes are ignored. `counter` is the rest of the quantum in ticks.
//
// Good at: fairness, simplicity. Bad at: responding to a key press while other tasks compute.
#include <fmt/format.h>

#include "sim/core/policy.h"
#include "sim/core/run_queue.h"
#include "sim/policies/policies.h"

namespace sim {
namespace {

const std::vector<PseudoLine> kPseudoCode{
    {Phase::enter, 0, "a system call, or an interrupt and need_resched, leads here"},
    {Phase::yield, 1, "sched_yield(): a new quantum, and to the end of the queue"},
    {Phase::yield, 1, "a tick that ended the quantum did the same"},
    {Phase::begin, 0, "schedule(): prev = the running task"},
    {Phase::leave, 1, "prev is no longer runnable? off the queue"},
    {Phase::consider, 0, "look at the first task of the queue"},
    {Phase::consider, 1, "it runs on another CPU? look at the next one"},
    {Phase::keep, 1, "otherwise it runs, and no other task is examined"},
    {Phase::switch_context, 0, "it is not prev? save prev's context, load its own"},
    {Phase::switch_mm, 1, "another address space? load its page tables, flush the TLB"},
    {Phase::resume, 0, "it runs, or the idle task if there is none"},
};

class RoundRobin final : public Policy {
  public:
    explicit RoundRobin(const PolicyOptions& options) : quantum_(std::stoi(options.at("quantum"))) {}

    void start(Machine& m, TaskId p) const override { m.counter[p] = quantum_; }

    std::uint32_t enqueue(Machine& m, TaskId p) const override {
        m.counter[p] = quantum_;
        RunQueue(m).add_last(p);
        return 0;
    }

    bool preempts(const Machine& m, TaskId, TaskId current) const override { return m.is_idle_task(current); }

    bool tick(Machine& m, TaskId p) const override {
        if (--m.counter[p] > 0) return false;
        return yield(m, p);
    }

    std::string wake_reason(const Machine& m, TaskId /*woken*/, TaskId current, bool /*needs_resched*/,
                            const TaskNamer& name) const override {
        return fmt::format("round robin does not preempt; {}'s quantum ends in {} tick{}", name(current),
                           m.counter[current], m.counter[current] == 1 ? "" : "s");
    }
    std::string tick_reason(const Machine& m, TaskId p, ReschedCheck::Point /*at*/, bool needs_resched,
                            const TaskNamer& name) const override {
        if (needs_resched) return fmt::format("{}'s quantum of {} ticks is used up", name(p), quantum_);
        return fmt::format("{} of {} ticks of {}'s quantum are left", m.counter[p], quantum_, name(p));
    }

    bool yield(Machine& m, TaskId p) const override {
        m.counter[p] = quantum_;
        RunQueue(m).move_last(p);
        return true;
    }

    void fork(Machine& m, TaskId, TaskId child) const override { m.counter[child] = quantum_; }

    Decision pick_next(Machine& m, CpuId cpu, TaskId prev, DecisionLog* log) const override {
        RunQueue queue(m);
        if (m.task[prev].state != TaskState::runnable) queue.remove(prev);
        m.task[prev].processor = Task::kNoProcessor;
        Decision decision{.next = cpu};
        for (TaskId p = queue.first(); p != 0; p = m.next_run[p]) {
            ++decision.considered;
            const bool free = m.task[p].processor == Task::kNoProcessor && m.may_run(p, cpu);
            if (log != nullptr) log->candidates.push_back({p, m.counter[p], 0, free ? 1 : 0, free});
            if (free) {
                decision.next = p;
                break;
            }
        }
        if (log != nullptr && decision.considered > 0)
            log->because = decision.considered == 1 ? "it is first in the queue"
                                                    : "it is the first in the queue that this CPU can run";
        m.set_running_task(decision.next, cpu);
        return decision;
    }

    bool keeps_running_task_queued() const override { return true; }

  private:
    std::int32_t quantum_;  // ticks
};

}  // namespace

PolicyInfo round_robin_policy() {
    return {
        .name = "round-robin",
        .summary = "textbook round robin: first come, first served, one quantum at a time",
        .source = "any operating-systems textbook",
        .options = {{"quantum", {"20", "N"}, "ticks that a task may run before the next one's turn"}},
        .criterion = "turn",
        .pseudo_code = [](const PolicyOptions&) { return kPseudoCode; },
        .make = [](const PolicyOptions& options) { return std::make_unique<RoundRobin>(options); },
    };
}

}  // namespace sim
