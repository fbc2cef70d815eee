// The seed's other proposal: keep the ready queue in order, so that the task to run is at its head.
//
// It makes the decisions of linux-2.0, every one of them: the same counters and the same rules (linux_2_0.h),
// with the ready tasks ordered by goodness and, among equals, by the time at which linux-2.0 would have put
// them at the tail of its list (Machine::sequence; a yield or a used-up rr slice renews it). What differs is
// the work: nobody is searched for, but whoever becomes ready has to be put in place, and each step of that
// is counted.
//
// The running task is off the queue. At schedule() it is compared with the head, with its +1 for being there,
// and put in place only if it loses. Source: the 1997 document's section "The Search Loop" proposes the idea
// and no code; the rules of equivalence are worked out in docs/model.md. With several CPUs, which share the
// one queue, it decides otherwise than linux-2.0: the +20 of the last CPU differs from CPU to CPU, so that no
// single order of the queue would do, and is left out.
#include <algorithm>
#include <array>
#include <vector>

#include "sim/core/run_queue.h"
#include "sim/policies/linux_2_0.h"
#include "sim/policies/policies.h"

namespace sim {
namespace {

// schedule() in our own words; what depends on the options is put in by the constructor.
constexpr std::array<PseudoLine, 14> kPseudoCode{{
    {Phase::enter, 0, "a system call, or an interrupt and need_resched, leads here"},
    {Phase::yield, 1, ""},
    {Phase::place_woken, 1, "woken tasks were put in their places, each comparison counted"},
    {Phase::begin, 0, "schedule(): prev = the running task, which is not on the queue"},
    {Phase::renew, 1, "prev is rr and its slice is used up? a new one, and it came last"},
    {Phase::consider, 0, "weigh the head of the queue, and prev if it is runnable, with its +1"},
    {Phase::keep, 1, "more than the best so far, or as much and there earlier? keep it"},
    {Phase::insert, 1, ""},
    {Phase::recalc_test, 0, "is the best goodness 0, every slice used up?"},
    {Phase::refill, 1, "for every task, asleep or not: counter = counter / 2 + priority"},
    {Phase::reorder, 1, "order the queue anew, by priority: a step for each task; the best stays"},
    {Phase::switch_context, 0, "is the best not prev? save prev's context, load that of the best"},
    {Phase::switch_mm, 1, "another address space? load its page tables, flush the TLB"},
    {Phase::resume, 0, "the best goes on, or the idle task if there is nobody"},
}};

class SortedQueue final : public Linux20Rules {
  public:
    explicit SortedQueue(const PolicyOptions& options)
        : Linux20Rules(options), from_tail_(options.at("insert") == "tail") {
        switch (yield_rule()) {
            case Yield::original:
                pseudo_code_[1].text =
                    "sched_yield(): the caller counts as the last to come, its counter = 0";
                break;
            case Yield::one_tick:
                pseudo_code_[1].text =
                    "sched_yield(): the caller counts as the last to come, its counter - 1";
                break;
            case Yield::move_last_only:
                pseudo_code_[1].text =
                    "sched_yield(): the caller counts as the last to come, and that is all";
                break;
        }
        pseudo_code_[7].text = from_tail_ ? "prev is runnable and loses? walk from the tail to its place"
                                          : "prev is runnable and loses? walk from the head to its place";
    }

    static std::vector<OptionInfo> options() {
        auto list = Linux20Rules::options();
        list.push_back(
            {"insert", {"tail", "head"}, "the end of the queue at which the walk to a task's place begins"});
        return list;
    }

    std::uint32_t enqueue(Machine& m, TaskId p) const override {
        m.sequence[p] = ++m.globals().next_sequence;
        if (m.ready.is_live()) {
            catch_up_with(m, p);
            m.ready.add_last(p);
        }
        return insert(m, p);
    }

    bool yield(Machine& m, TaskId p) const override {
        come_last(m, p);
        return yield_counter(m, p);
    }

    Decision pick_next(Machine& m, CpuId cpu, TaskId prev, DecisionLog* log) const override {
        RunQueue queue(m);
        if (rr_slice_used_up(m, prev)) {
            m.counter[prev] = m.priority[prev];
            come_last(m, prev);
            if (log != nullptr) log->prev_renewed = true;
        }
        const bool prev_runs_on = !m.is_idle_task(prev) && m.task[prev].state == TaskState::runnable;
        const bool by_index = m.ready.is_live();
        if (by_index && !prev_runs_on && !m.is_idle_task(prev)) m.ready.remove(prev);
        m.task[prev].processor = Task::kNoProcessor;

        Decision decision{.next = cpu};
        std::int32_t best = -1;
        // The head, or with several CPUs the first that may use this one.
        TaskId head = queue.first();
        for (; head != kInitTask && !m.may_run(head, cpu); head = m.next_run[head]) {
            ++decision.considered;
            if (log != nullptr)
                log->candidates.push_back({head, m.counter[head], 0, -1000, false, Remark::not_allowed});
        }
        if (head != kInitTask) {
            decision.next = head;
            best = key(m, head);
            ++decision.considered;
            if (log != nullptr) log->candidates.push_back({head, m.counter[head], 0, best, true});
        }
        if (prev_runs_on) {
            const bool plain = m.sched_class[prev] == SchedClass::other && m.counter[prev] != 0;
            const std::int32_t weight = key(m, prev) + (plain ? 1 : 0);
            const bool stays = weight > best || (weight == best && m.sequence[prev] < m.sequence[head]);
            ++decision.considered;
            if (log != nullptr)
                log->candidates.push_back({prev, m.counter[prev], plain ? 1 : 0, weight, stays});
            if (stays) {
                decision.next = prev;
                best = weight;
            } else {
                const std::uint32_t steps = insert(m, prev);
                decision.queue_steps += steps;
                if (log != nullptr) log->insertions.push_back({prev, steps});
            }
        }
        if (decision.next != cpu && decision.next != prev) {
            queue.remove(decision.next);
            if (by_index) m.ready.hide(decision.next);
        }

        if (best == 0) {
            if (by_index)
                recalculate_queued(m, decision, [&](TaskId p) { return level(m, p); });
            else
                recalculate(m, decision, log);
            const std::uint32_t steps = reorder(m);
            decision.queue_steps += steps;
            if (log != nullptr) log->insertions.push_back({kNoTask, steps});
        }
        m.run_on(decision.next, cpu);
        Decision all = decision;
        all.queue_steps += m.cpu(cpu).pending_steps;  // of those who woke
        if (by_index) {
            if (m.ready.is_idle(all)) [[unlikely]]
                drop_index(m, grant);
        } else if (m.shape().cpus == 1 && m.ready.is_due(all)) [[unlikely]] {
            // With several CPUs, affinities can keep a refill from leaving the queue in order.
            build_index(m);
        }
        return decision;
    }

    bool keeps_running_task_queued() const override { return false; }
    std::span<const PseudoLine> pseudo_code() const override { return pseudo_code_; }
    bool matches_kernel(std::string_view) const override { return false; }

  private:
    static constexpr TaskId kInitTask = 0;  // the head of the queue

    // goodness() without the bonus for prev: what the queue is ordered by, highest first.
    static std::int32_t key(const Machine& m, TaskId p) {
        return m.sched_class[p] == SchedClass::other ? m.counter[p] : kRealTime + m.rt_priority[p];
    }

    static bool before(const Machine& m, TaskId a, TaskId b) {
        const std::int32_t key_a = key(m, a), key_b = key(m, b);
        return key_a != key_b ? key_a > key_b : m.sequence[a] < m.sequence[b];
    }

    // p counts as the last to come from now on. REQUIRES: it is not on the queue.
    static void come_last(Machine& m, TaskId p) {
        m.sequence[p] = ++m.globals().next_sequence;
        if (m.ready.is_live()) m.ready.move_last(p);
    }

    // Puts p in its place; answers how many tasks it was compared with on the way.
    std::uint32_t insert(Machine& m, TaskId p) const {
        if (m.ready.is_live()) return insert_by_index(m, p);
        const auto [place, steps] = walk(m, p, kInitTask);
        RunQueue(m).insert_before(place, p);
        return steps;
    }

    struct Walk {
        TaskId place;  // the task before which p belongs, or the head of the queue
        std::uint32_t steps;
    };

    // The walk from one end. From the tail it may begin before a task `behind` that comes after p.
    Walk walk(const Machine& m, TaskId p, TaskId behind) const {
        std::uint32_t steps = 0;
        TaskId place = behind;
        if (from_tail_) {
            while (m.prev_run[place] != kInitTask && (++steps, before(m, p, m.prev_run[place])))
                place = m.prev_run[place];
        } else {
            place = m.next_run[kInitTask];
            while (place != kInitTask && (++steps, !before(m, p, place))) place = m.next_run[place];
        }
        return {place, steps};
    }

    // After a recalculation every ready task stands at its priority, in the order of arrival: a stable
    // distribution by priority puts the queue in order again, one step a task. Where a task may be ready that
    // this CPU may not run, some have more, and some are real-time tasks.
    static std::uint32_t reorder(Machine& m) {
        constexpr std::size_t kSlices = 81;                 // counters 0..80
        constexpr std::size_t kMostLevels = kSlices + 100;  // and rt_priority 0..99 above them
        const std::size_t levels = m.shape().cpus == 1 ? 41 : kMostLevels;  // priorities 0..40
        TaskId first[kMostLevels], last[kMostLevels];
        std::fill(first, first + levels, kNoTask);
        std::uint32_t steps = 0;
        RunQueue queue(m);
        while (!queue.empty()) {
            const TaskId p = queue.first();
            queue.remove(p);
            const bool real_time = m.sched_class[p] != SchedClass::other;
            const std::size_t level = real_time ? kSlices + static_cast<std::size_t>(m.rt_priority[p])
                                                : static_cast<std::size_t>(m.counter[p]);
            assert(level < levels);
            // The lists borrow the prev_run link while the tasks are off the queue.
            if (first[level] == kNoTask)
                first[level] = p;
            else
                m.prev_run[last[level]] = p;
            last[level] = p;
            m.prev_run[p] = kNoTask;
            ++steps;
        }
        for (std::size_t level = levels; level-- > 0;) {
            for (TaskId p = first[level]; p != kNoTask;) {
                const TaskId following = m.prev_run[p];
                queue.add_last(p);
                p = following;
            }
        }
        return steps;
    }

    // --- the same from the index (ready_index.h) ---
    // It shows who is on the queue; its places grow with `sequence`.

    static std::int32_t level(const Machine& m, TaskId p) {
        if (m.next_run[p] == kNoTask) return ReadyIndex::kNoLevel;
        return m.sched_class[p] == SchedClass::other ? m.counter[p] : ReadyIndex::kRealTime;
    }

    // How many tasks the walk would have passed is counted, row by row. fifo and rr tasks are walked past.
    std::uint32_t insert_by_index(Machine& m, TaskId p) const {
        ReadyIndex& ready = m.ready;
        const bool real_time = m.sched_class[p] != SchedClass::other;
        const std::int32_t its = real_time ? ReadyIndex::kRealTime : m.counter[p];
        const std::int32_t lower = ready.highest(its);
        const TaskId below = lower == ReadyIndex::kNoLevel ? kInitTask : ready.first(lower);
        std::uint32_t lower_tasks = 0, higher_tasks = 0;
        if (from_tail_)
            for (std::int32_t l = lower; l != ReadyIndex::kNoLevel; l = ready.highest(l))
                lower_tasks += ready.shown_at(l);
        else
            for (std::int32_t l = ready.highest(); l > its; l = ready.highest(l))
                higher_tasks += ready.shown_at(l);

        Walk found{};
        if (real_time) {
            found = walk(m, p, below);
            if (from_tail_) found.steps += lower_tasks;
        } else {
            const std::uint32_t behind = ready.count_from(its, ready.place(p));
            found.place = behind > 0 ? ready.first(its, ready.place(p)) : below;
            if (from_tail_)  // and one more step to see that the next one comes before p, if there is one
                found.steps = lower_tasks + behind + (m.prev_run[found.place] != kInitTask ? 1 : 0);
            else
                found.steps =
                    higher_tasks + ready.shown_at(its) - behind + (found.place != kInitTask ? 1 : 0);
        }
        RunQueue(m).insert_before(found.place, p);
        ready.show(p, its);
        return found.steps;
    }

    [[gnu::noinline]] static void build_index(Machine& m) {
        std::vector<TaskId> tasks;
        for (TaskId p = m.first_task(); p < m.globals().high_row; ++p)
            if (m.next_run[p] != kNoTask || (m.task[p].processor != Task::kNoProcessor && m.is_live(p)))
                tasks.push_back(p);
        std::sort(tasks.begin(), tasks.end(),
                  [&](TaskId a, TaskId b) { return m.sequence[a] < m.sequence[b]; });
        m.ready.build(
            {.tasks = m.shape().cpus + m.shape().tasks, .cpus = 1, .mms = 0, .at_both_ends = false});
        for (const TaskId p : tasks) {
            m.ready.add_last(p);
            if (level(m, p) != ReadyIndex::kNoLevel) m.ready.show(p, level(m, p));
        }
    }

    bool from_tail_;
    std::array<PseudoLine, 14> pseudo_code_ = kPseudoCode;
};

}  // namespace

PolicyInfo sorted_queue_policy() {
    return {
        .name = "sorted-queue",
        .summary =
            "Linux 2.0's decisions from a ready queue kept in order: the head runs, insertion is paid for",
        .source = "the 1997 document's proposal, under the rules of Linux 2.0.40",
        .options = SortedQueue::options(),
        .make = [](const PolicyOptions& options) { return std::make_unique<SortedQueue>(options); },
    };
}

}  // namespace sim
