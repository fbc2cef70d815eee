// Linux 2.0 with a ready queue in order of goodness, so that the task to run is at the head of the queue. A
// document of 1997 (docs/reference/model.md) describes this queue as its second proposal.
//
// With one CPU, this policy makes the same decisions as linux-2.0, with the same counters and rules
// (linux_2_0.h). The ready tasks are ordered by goodness. Tasks of equal goodness are in the order in which
// linux-2.0 last added them to the tail of its list or moved them there (Machine::sequence). Only the work
// differs: schedule() makes no search, but a task that becomes ready is inserted in order, and each queue
// step is counted.
//
// The running task is not on the queue. schedule() compares the running task, including its bonus of 1, with
// the head of the queue, and inserts it into the queue only if the head is better. Source: the section "The
// Search Loop" of the 1997 document, which has no code; docs/reference/model.md derives the rules under which
// the decisions are equal. With several CPUs, which share the queue, decisions differ from linux-2.0: the
// bonus of 20 for the last CPU is not modelled, because no single order fits all CPUs.
#include "sim/policies/linux_2_0.h"
#include "sim/policies/ordered_queue.h"
#include "sim/policies/policies.h"

namespace sim {
namespace {

class SortedQueue final : public Linux20Rules {
  public:
    explicit SortedQueue(const PolicyOptions& options)
        : Linux20Rules(options), from_tail_(options.at("insert") == "tail") {}

    std::uint32_t enqueue(Machine& m, TaskId p) const override {
        return queue_of(m).insert_as_last_arrival(p);
    }

    bool yield(Machine& m, TaskId p) const override {
        queue_of(m).mark_as_last_arrival(p);
        return apply_yield_to_counter(m, p);
    }

    Decision pick_next(Machine& m, CpuId cpu, TaskId prev, DecisionLog* log) const override {
        OrderedQueue queue = queue_of(m);
        if (rr_slice_used_up(m, prev)) {
            m.counter[prev] = m.priority[prev];
            queue.mark_as_last_arrival(prev);
            if (log != nullptr) log->prev_renewed = true;
        }
        const bool prev_runs_on = !m.is_idle_task(prev) && m.task[prev].state == TaskState::runnable;
        if (!prev_runs_on && !m.is_idle_task(prev)) queue.remove_from_index(prev);
        m.task[prev].processor = Task::kNoProcessor;

        Decision decision{.next = cpu};
        std::int32_t best = -1;
        // The head of the queue. With several CPUs: the first task on the queue that may run on this CPU.
        TaskId head = queue.first();
        for (; head != OrderedQueue::kInitTask && !m.may_run(head, cpu); head = m.next_run[head]) {
            ++decision.considered;
            if (log != nullptr)
                log->candidates.push_back(
                    {head, m.counter[head], 0, -1000, false, CandidateRemark::not_allowed});
        }
        if (head != OrderedQueue::kInitTask) {
            decision.next = head;
            best = OrderedQueue::sort_key(m, head);
            ++decision.considered;
            if (log != nullptr) log->candidates.push_back({head, m.counter[head], 0, best, true});
        }
        if (prev_runs_on) {
            const bool plain = !is_real_time(m.sched_class[prev]) && m.counter[prev] != 0;
            const std::int32_t weight = OrderedQueue::sort_key(m, prev) + (plain ? 1 : 0);
            const bool stays = weight > best || (weight == best && m.sequence[prev] < m.sequence[head]);
            ++decision.considered;
            if (log != nullptr)
                log->candidates.push_back({prev, m.counter[prev], plain ? 1 : 0, weight, stays});
            if (stays) {
                decision.next = prev;
                best = weight;
            } else {
                const std::uint32_t steps = queue.insert(prev);
                decision.queue_steps += steps;
                if (log != nullptr) log->insertions.push_back({prev, steps});
            }
        }
        if (decision.next != cpu && decision.next != prev) queue.remove_chosen(decision.next);

        if (best == 0) {
            const std::uint32_t steps = queue.recalculate(decision, log);
            decision.queue_steps += steps;
            if (log != nullptr) log->insertions.push_back({kNoTask, steps});
        }
        queue.finish_schedule(cpu, decision);
        return decision;
    }

    bool keeps_running_task_queued() const override { return false; }

  private:
    OrderedQueue queue_of(Machine& m) const { return {m, from_tail_}; }

    bool from_tail_;
};

std::vector<OptionInfo> options() {
    auto list = Linux20Rules::options();
    list.push_back(
        {"insert", {"tail", "head"}, "the end of the queue where the search for a task's position starts"});
    return list;
}

std::vector<PseudoLine> pseudo_code(const PolicyOptions& options) {
    const std::string& rule = options.at("yield");
    return {
        {Phase::enter, 0, "a system call, or an interrupt and need_resched, leads here"},
        {Phase::yield, 1,
         rule == "original"   ? "sched_yield(): the caller counts as the last arrival, its counter = 0"
         : rule == "one_tick" ? "sched_yield(): the caller counts as the last arrival, its counter - 1"
                              : "sched_yield(): the caller counts as the last arrival, and that is all"},
        {Phase::place_woken, 1, "woken tasks were inserted in order, each comparison counted"},
        {Phase::begin, 0, "schedule(): prev = the running task, which is not on the queue"},
        {Phase::renew, 1, "prev is rr and its slice is used up? a new one; prev counts as last arrival"},
        {Phase::consider, 0, "weigh the head, and prev if runnable, +1; rt: 1000 + rt_priority, never +1"},
        {Phase::keep, 1, "more than the best so far, or equal and earlier? keep it"},
        {Phase::insert, 1,
         options.at("insert") == "tail" ? "prev is runnable and loses? walk from the tail to its position"
                                        : "prev is runnable and loses? walk from the head to its position"},
        {Phase::recalc_test, 0, "is the best goodness 0, every slice used up?"},
        {Phase::recalculate, 1, "for every task, asleep or not: counter = counter / 2 + priority"},
        {Phase::reorder, 1, "sort the queue again, by priority: a step for each task; the best stays"},
        {Phase::switch_context, 0, "is the best not prev? save prev's context, load that of the best"},
        {Phase::switch_mm, 1, "another address space? load its page tables, flush the TLB"},
        {Phase::resume, 0, "the best runs, or the idle task if there is none"},
    };
}

}  // namespace

PolicyInfo sorted_queue_policy() {
    return {
        .name = "sorted-queue",
        .summary =
            "Linux 2.0's decisions from a ready queue kept in order: the head runs, insertion has a cost",
        .source = "the 1997 document's proposal, under the rules of Linux 2.0.40",
        .options = options(),
        .criterion = "goodness",
        .pseudo_code = pseudo_code,
        .system = "linux",
        .make = [](const PolicyOptions& options) { return std::make_unique<SortedQueue>(options); },
    };
}

}  // namespace sim
