// Linux 1.2: there is no run queue; schedule() walks all tasks, and only the counter decides.
//
// Source: kernel/sched.c of Linux 1.2.13: schedule(), wake_up_process(), do_timer(); do_fork() in
// kernel/fork.c. Not verified against recorded decisions, because none exist for this kernel.
//
// Good at: simplicity. Bad at: many tasks, even if they all sleep.
//
// The machine's list holds the runnable tasks in order of creation, which is the order of the kernel's task
// list. The simulator does not visit sleeping tasks, but counts them, because the kernel visits them. Not
// modelled: signals and timeouts, which the kernel's loop also handles; the tick of the idle task, which
// requests a schedule() each time. Linux 1.2 has no real-time classes, so the policy ignores classes. It has
// no sched_yield(): the call fails and changes nothing. The policy supports one CPU only.
#include <algorithm>
#include <vector>

#include "sim/core/policy.h"
#include "sim/core/run_queue.h"
#include "sim/policies/policies.h"
#include "sim/policies/reasons.h"
#include "sim/policies/recalculation.h"

namespace sim {
namespace {

const std::vector<PseudoLine> kPseudoCode{
    {Phase::enter, 0, "a system call, or an interrupt and need_resched, leads here"},
    {Phase::yield, 1, "there is no sched_yield() yet: the call fails"},
    {Phase::begin, 0, "schedule(): best = the idle task"},
    {Phase::leave, 1, "a task that is no longer runnable stays on the list, and is skipped"},
    {Phase::consider, 0, "for each task there is, oldest first: runnable? weigh its counter (no rt yet)"},
    {Phase::keep, 1, "more than the best so far? keep it; of equals, the oldest stays"},
    {Phase::recalc_test, 0, "is the highest counter 0, every slice used up?"},
    {Phase::recalculate, 1, "for every task, asleep or not: counter = counter / 2 + priority"},
    {Phase::recalculate, 1, "and no second search: the best stays the best"},
    {Phase::switch_context, 0, "is the best not the running task? switch to it"},
    {Phase::switch_mm, 1, "another address space? load its page tables, flush the TLB"},
    {Phase::resume, 0, "the best runs, or the idle task if there is none"},
};

class Linux12 final : public Policy {
  public:
    void start(Machine& m, TaskId p) const override { m.counter[p] = m.priority[p]; }

    std::uint32_t enqueue(Machine& m, TaskId p) const override {
        constexpr TaskId kHead = 0;
        TaskId place = kHead;
        while (m.prev_run[place] != kHead && m.task[m.prev_run[place]].pid > m.task[p].pid)
            place = m.prev_run[place];
        RunQueue(m).insert_before(place, p);
        return 0;
    }

    bool preempts(const Machine& m, TaskId woken, TaskId current) const override {
        return m.counter[woken] > m.counter[current] + 3;
    }

    bool tick(Machine& m, TaskId p) const override {
        if (--m.counter[p] > 0) return false;  // a slice of 20 lasts 20 ticks
        m.counter[p] = 0;
        return true;
    }

    std::string wake_reason(const Machine& m, TaskId woken, TaskId current, bool /*needs_resched*/,
                            const TaskNamer& name) const override {
        return counter_margin_reason(m, woken, current, 3, name);
    }
    std::string tick_reason(const Machine& m, TaskId p, ReschedCheck::Point /*at*/, bool needs_resched,
                            const TaskNamer& name) const override {
        return counter_left_reason(m, p, needs_resched, name);
    }

    std::uint32_t max_cpus() const override { return 1; }

    bool yield(Machine&, TaskId) const override { return false; }

    void fork(Machine& m, TaskId parent, TaskId child) const override {
        m.counter[child] = m.counter[parent] >> 1;  // the parent keeps its full counter
    }

    Decision pick_next(Machine& m, CpuId cpu, TaskId prev, DecisionLog* log) const override {
        RunQueue queue(m);
        if (m.task[prev].state != TaskState::runnable) queue.remove(prev);
        m.task[prev].processor = Task::kNoProcessor;

        Decision decision{.next = cpu, .considered = m.globals().nr_tasks};
        std::int32_t best = -1000;
        for (TaskId p = queue.first(); p != 0; p = m.next_run[p]) {
            if (m.counter[p] <= best) continue;
            best = m.counter[p];
            decision.next = p;
        }
        if (log != nullptr) log_search(m, *log);
        if (best == 0) {
            count_recalculation(m, decision);
            recalculate_all<Rules>(m, log);
        }
        m.set_running_task(decision.next, cpu);
        return decision;
    }

    bool keeps_running_task_queued() const override { return true; }
    LoadRule load_average_rule() const override { return LoadRule::linux_1_2; }
    bool has_linux_counters() const override { return true; }

  private:
    struct Rules {
        static std::int32_t grant(std::int32_t priority) { return priority; }
    };

    static void log_search(const Machine& m, DecisionLog& log) {
        std::vector<TaskId> tasks;
        for (TaskId p = m.first_task(); p < m.globals().high_row; ++p)
            if (m.is_live(p)) tasks.push_back(p);
        std::sort(tasks.begin(), tasks.end(),
                  [&](TaskId a, TaskId b) { return m.task[a].pid < m.task[b].pid; });
        std::int32_t best = -1000;
        for (const TaskId p : tasks) {
            const std::int32_t counter = m.counter[p];
            if (m.task[p].state != TaskState::runnable) {
                log.candidates.push_back({p, counter, 0, -1000, false, CandidateRemark::asleep});
                continue;
            }
            log.candidates.push_back({p, counter, 0, counter, counter > best});
            best = std::max(best, counter);
        }
    }
};

}  // namespace

PolicyInfo linux_1_2_policy() {
    return {
        .name = "linux-1.2",
        .summary = "Linux 1.2: walk all tasks, asleep or not, for the highest counter",
        .source = "Linux 1.2.13 kernel/sched.c",
        .options = {},
        .criterion = "goodness",
        .pseudo_code = [](const PolicyOptions&) { return kPseudoCode; },
        .system = "linux",
        .make = [](const PolicyOptions&) { return std::make_unique<Linux12>(); },
    };
}

}  // namespace sim
