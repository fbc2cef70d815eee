// Lockstep test of linux-2.2, linux-2.4.0 and linux-2.4.22 against a simple reference model, on one to three
// CPUs, with random events. The test calls the policies directly, so that calls can come in any order.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "sim/core/policy.h"
#include "tests/reference/linux_2_4_model.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace linux_2_4_lockstep_test {

using reference24::Linux24Model;
using reference24::Version;

struct Variant {
    const char* spec;
    Version version;
    bool lone_yield_schedules;
};

constexpr Variant kVariants[] = {
    {"linux-2.2", Version::v2_2_1, false},     {"linux-2.2:prev_goodness=yes", Version::v2_2_16, false},
    {"linux-2.4.0", Version::v2_4_0, false},   {"linux-2.4.0:lone_yield=schedules", Version::v2_4_0, true},
    {"linux-2.4.22", Version::v2_4_22, false}, {"linux-2.4.22:lone_yield=schedules", Version::v2_4_22, true},
};

struct Counts {
    std::uint64_t decisions = 0, recalculations = 0, repeated = 0, yields = 0, reaped = 0;
};

class Pair {
  public:
    Pair(const Variant& variant, std::uint32_t cpus, std::uint64_t seed, Counts& counts)
        : policy_(make_policy(variant.spec)),
          m_({.cpus = cpus, .tasks = 9}),
          model_(variant.version, static_cast<int>(cpus), variant.lone_yield_schedules),
          random_(seed),
          counts_(counts) {
        ticks_ = 20 + below(60);
        real_time_ = below(3) == 0;
        kernel_threads_ = below(2) == 0;
        mms_ = 1 + below(4);
        nice_ = below(2) == 0;
    }

    // Returns the first mismatch, or an empty string.
    std::string run(int events) {
        const std::uint32_t at_start = 1 + below(6);
        for (std::uint32_t i = 0; i < at_start; ++i) make();
        for (int i = 0; i < events; ++i) {
            const CpuId cpu = below(m_.shape().cpus);
            what_ = event(cpu);
            for (CpuId c = 0; c < m_.shape().cpus; ++c) {
                if (m_.cpu(c).need_resched != model_.need_resched(static_cast<int>(c)))
                    return fmt::format("{}: need_resched of cpu{} differs", what_, c);
                if (!must_schedule(c)) continue;
                if (c != cpu && m_.task[m_.cpu(c).current].state == TaskState::runnable && below(3) == 0)
                    continue;  // this CPU has not returned to user mode yet
                const std::string problem = schedule(c);
                if (!problem.empty()) return fmt::format("{}: {}", what_, problem);
            }
            const std::string problem = compare();
            if (!problem.empty()) return fmt::format("{}: {}", what_, problem);
        }
        return {};
    }

  private:
    std::uint32_t below(std::uint64_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
    static int id(TaskId p) { return static_cast<int>(p); }
    bool must_schedule(CpuId c) const {
        return m_.cpu(c).need_resched || m_.task[m_.cpu(c).current].state != TaskState::runnable;
    }

    MmId some_mm() { return kernel_threads_ && below(5) == 0 ? kKernelMm : 1 + below(mms_); }

    void make() {
        const TaskId p = m_.allocate_task();
        if (p == kNoTask) return;
        reference24::Task t;
        const auto sched_class = static_cast<SchedClass>(real_time_ && below(3) == 0 ? 1 + below(2) : 0);
        m_.sched_class[p] = sched_class;
        t.policy = static_cast<reference24::SchedClass>(sched_class);
        m_.rt_priority[p] = t.rt_priority =
            sched_class == SchedClass::other ? 0 : static_cast<int>(1 + below(3));
        t.nice = nice_ ? static_cast<int>(below(40)) - 20 : 0;
        m_.priority[p] = 20 - t.nice;
        m_.task[p].mm = some_mm();
        t.mm = t.active_mm = static_cast<int>(m_.task[p].mm);
        policy_.policy->start(m_, p);
        t.counter = model_.first_counter(t.nice);
        if (below(2) == 0) m_.counter[p] = t.counter = static_cast<int>(below(12));
        model_.add_task(id(p), t);
        m_.task[p].state = TaskState::waiting;
        wake(p, below(m_.shape().cpus));
    }

    void wake(TaskId p, CpuId cpu) {
        m_.task[p].state = TaskState::runnable;
        ++m_.globals().nr_running;
        policy_.policy->enqueue(m_, p);
        if (policy_.policy->preempts(m_, p, m_.cpu(cpu).current)) m_.cpu(cpu).need_resched = true;
        model_.wake(id(p), id(cpu));
    }

    std::string event(CpuId cpu) {
        const std::uint32_t choice = below(100);
        const TaskId current = m_.cpu(cpu).current;
        const bool idle = m_.is_idle_task(current);
        if (choice < ticks_) {
            if (!idle && policy_.policy->tick(m_, current)) m_.cpu(cpu).need_resched = true;
            model_.tick(id(cpu));
            return "tick";
        }
        const std::uint32_t what = below(20);
        if (what < 5) {
            for (TaskId p = m_.first_task() + below(9), n = 0; n < 9; ++n, ++p) {
                if (p >= m_.shape().cpus + 9) p = m_.first_task();
                if (p >= m_.globals().high_row || m_.task[p].state != TaskState::waiting) continue;
                wake(p, cpu);
                return fmt::format("wake {}", p);
            }
            return "nobody to wake";
        }
        if (what < 6) {
            make();
            return "make";
        }
        if (what < 7) {
            const TaskId p = m_.first_task() + below(m_.globals().high_row - m_.first_task());
            if (!m_.is_live(p)) return "nothing";
            const int nice = static_cast<int>(below(40)) - 20;
            m_.priority[p] = 20 - nice;
            model_.set_nice(id(p), nice);
            return "set_nice";
        }
        if (idle) return "idle";
        if (what < 13) {
            ++counts_.yields;
            if (policy_.policy->yield(m_, current)) m_.cpu(cpu).need_resched = true;
            model_.yield(id(cpu));
            return fmt::format("yield of {}", current);
        }
        if (what < 15) {
            const TaskId child = m_.allocate_task();
            if (child == kNoTask) return "full";
            m_.priority[child] = m_.priority[current];
            m_.sched_class[child] = m_.sched_class[current];
            m_.rt_priority[child] = m_.rt_priority[current];
            m_.task[child].mm = below(2) == 0 ? m_.task[current].mm : some_mm();
            policy_.policy->fork(m_, current, child);
            m_.task[child].state = TaskState::waiting;
            model_.fork(id(cpu), id(child), static_cast<int>(m_.task[child].mm));
            wake(child, cpu);
            return fmt::format("fork of {}", child);
        }
        --m_.globals().nr_running;
        if (what < 16) {
            ++counts_.reaped;
            m_.task[current].state = TaskState::exited;
            model_.exit(id(cpu));
            return fmt::format("exit of {}", current);
        }
        m_.task[current].state = TaskState::waiting;
        model_.block(id(cpu));
        return fmt::format("block of {}", current);
    }

    std::string schedule(CpuId cpu) {
        const TaskId prev = m_.cpu(cpu).current;
        m_.cpu(cpu).need_resched = false;
        log_.clear();
        log_.prev = prev;
        const Decision d = policy_.policy->pick_next(m_, cpu, prev, below(2) == 0 ? &log_ : nullptr);
        m_.cpu(cpu).current = d.next;
        if (m_.task[prev].state == TaskState::exited) {
            policy_.policy->reap(m_, prev);
            m_.free_task(prev);
        }
        const reference24::Decision expected = model_.schedule(id(cpu));
        ++counts_.decisions;
        counts_.recalculations += d.recalculations;
        if (d.recalculations > 0 && m_.task[d.next].state == TaskState::runnable) ++counts_.repeated;
        if (id(d.next) != expected.chosen)
            return fmt::format("cpu{} chose {} and not {}", cpu, d.next, expected.chosen);
        if (static_cast<int>(d.considered) != expected.considered) return "considered differs";
        if (static_cast<int>(d.recalculations) != expected.recalculations) return "recalcs differs";
        if (static_cast<int>(d.recalculated) != expected.recalculated) return "recalculated differs";
        return {};
    }

    std::string compare() const {
        TaskId p = m_.next_run[0];
        for (const int expected : model_.queue()) {
            if (id(p) != expected) return "the order of the run queue differs";
            p = m_.next_run[p];
        }
        if (p != 0) return "the run queue is longer";
        for (CpuId c = 0; c < m_.shape().cpus; ++c)
            if (id(m_.cpu(c).current) != model_.current(id(c))) return "another task runs";
        std::size_t live = 0;
        for (p = m_.first_task(); p < m_.globals().high_row; ++p) {
            if (!m_.is_live(p)) continue;
            ++live;
            const auto found = model_.tasks().find(id(p));
            if (found == model_.tasks().end()) return "a task is alive that has exited";
            const reference24::Task& t = found->second;
            if (m_.counter[p] != t.counter)
                return fmt::format("{} has the counter {} and not {}", p, m_.counter[p], t.counter);
            if ((m_.task[p].policy_byte != 0) != t.sched_yield)
                return fmt::format("the mark of {} differs", p);
            if ((m_.task[p].processor != Task::kNoProcessor) != t.has_cpu) return "has_cpu differs";
        }
        return live == model_.tasks().size() ? "" : "a task is missing";
    }

    NamedPolicy policy_;
    Machine m_;
    Linux24Model model_;
    std::mt19937_64 random_;
    Counts& counts_;
    DecisionLog log_;
    std::string what_;
    std::uint32_t ticks_, mms_;
    bool real_time_, kernel_threads_, nice_;
};

TEST(Linux24Lockstep, MatchesReferenceModel) {
    const std::uint64_t wanted = decisions(600'000u, 60'000u, 18'000u);  // in total, for six variants
    Counts all;
    for (const Variant& variant : kVariants) {
        for (const std::uint32_t cpus : {1u, 2u, 3u}) {
            Counts counts;
            for (std::uint64_t seed = 1; counts.decisions < wanted / (std::size(kVariants) * 3); ++seed) {
                Pair pair(variant, cpus, seed, counts);
                ASSERT_EQ(pair.run(400), "") << variant.spec << ", " << cpus << " CPUs, seed " << seed;
                ASSERT_LT(seed, 100'000u) << "the events hardly decide anything";
            }
            EXPECT_GT(counts.recalculations, counts.decisions / 500) << variant.spec;
            EXPECT_GT(counts.yields, counts.decisions / 50) << variant.spec;
            EXPECT_GT(counts.reaped, counts.decisions / 500) << variant.spec;
            all.decisions += counts.decisions;
            all.recalculations += counts.recalculations;
        }
    }
    EXPECT_GE(all.decisions, wanted);
    std::cout << all.decisions << " decisions compared, " << all.recalculations << " recalculations\n";
}

}  // namespace linux_2_4_lockstep_test
}  // namespace sim
