// The priority arrays of linux-2.6.20. Each CPU has an active and an expired array; each array has a list
// per priority.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/machine.h"
#include "sim/core/run_queue.h"
#include "sim/policies/linux_2_6_20.h"
#include "sim/policies/linux_2_6_20_slices.h"

namespace sim::o1 {

// The priority arrays of one CPU.
class PriorityArrays {
  public:
    PriorityArrays(Machine& m, CpuId c) : m_(m), cpu_(c), q_(m.of_cpu<RunQueueFields>(c)) {}

    std::uint32_t active_index() const { return q_.active; }
    std::uint32_t expired_index() const { return q_.active ^ 1; }
    std::uint32_t nr_running() const { return q_.count[0] + q_.count[1]; }

    // Adds p at the tail of the list of its priority. REQUIRES: p is in no array.
    void enqueue(TaskId p, std::uint32_t array) {
        const std::int32_t prio = state_of(p).prio;
        const TaskId after =
            has_tasks(array, prio) ? q_.last[array][prio] : last_of_better_lists(array, prio);
        RunQueue(m_, cpu_).insert_before(m_.next_run[after], p);
        q_.last[array][prio] = p;
        record_in_array(p, array);
    }

    // Adds p as __activate_task() does: a task of class batch goes to the expired array. REQUIRES: p is in no
    // array.
    void enqueue_activated(TaskId p) {
        enqueue(p, m_.sched_class[p] == SchedClass::batch ? expired_index() : active_index());
    }

    // Inserts p into the list of `other`, right before `other`. REQUIRES: p and `other` have the same
    // priority.
    void enqueue_before(TaskId p, TaskId other) {
        assert(state_of(p).prio == state_of(other).prio);
        RunQueue(m_, cpu_).insert_before(other, p);
        record_in_array(p, state_of(other).array);
    }

    // Removes p from its list. REQUIRES: p is in an array.
    void dequeue(TaskId p) {
        TaskFields& t = state_of(p);
        assert(t.array != kNoArray);
        TaskId& last = q_.last[t.array][t.prio];
        if (last == p) {
            const TaskId before = m_.prev_run[p];
            const bool alone =
                before == cpu_ || state_of(before).array != t.array || state_of(before).prio != t.prio;
            last = alone ? 0 : before;
            if (alone) word(t.array, t.prio) &= ~bit(t.prio);
        }
        RunQueue(m_, cpu_).remove(p);
        if (m_.shape().cpus > 1) [[unlikely]]
            q_.load -= weight_of(m_, p);
        --q_.count[t.array];
        t.array = kNoArray;
    }

    void requeue(TaskId p) {
        const std::uint32_t array = state_of(p).array;
        dequeue(p);
        enqueue(p, array);
    }

    // Number of words of the active array's bitmap that sched_find_first_bit() examines. REQUIRES: the
    // active array has a task.
    std::uint32_t words_to_first_bit() const {
        const std::uint64_t* words = q_.bits[q_.active];
        return words[0] != 0 ? 1 : words[1] != 0 ? 2 : 3;
    }

    // Returns the first task of the non-empty list with the best priority in the active array. Swaps the
    // arrays beforehand if the active array is empty. REQUIRES: nr_running() > 0.
    TaskId first() {
        if (q_.count[q_.active] == 0) {
            q_.active ^= 1;
            q_.expired_timestamp = 0;
            q_.best_expired_prio = kMaxPrio;
        }
        return RunQueue(m_, cpu_).first();
    }

  private:
    TaskFields& state_of(TaskId p) const { return m_.of_task<TaskFields>(p); }
    static std::uint64_t bit(std::int32_t prio) { return std::uint64_t{1} << (prio % 64); }
    std::uint64_t& word(std::uint32_t array, std::int32_t prio) const { return q_.bits[array][prio / 64]; }
    bool has_tasks(std::uint32_t array, std::int32_t prio) const {
        return (word(array, prio) & bit(prio)) != 0;
    }

    void record_in_array(TaskId p, std::uint32_t array) {
        TaskFields& t = state_of(p);
        word(array, t.prio) |= bit(t.prio);
        ++q_.count[array];
        t.array = static_cast<std::uint8_t>(array);
        if (m_.shape().cpus > 1) [[unlikely]]
            q_.load += weight_of(m_, p);
    }

    // Both arrays of a CPU are parts of one list. Returns the tail of the last non-empty priority list before
    // the list of `prio` in `array`, or the list head if there is no such priority list.
    TaskId last_of_better_lists(std::uint32_t array, std::int32_t prio) const {
        const auto in = [&](std::uint32_t a, std::int32_t below) {
            for (std::int32_t w = (below - 1) / 64; below > 0 && w >= 0; --w) {
                std::uint64_t bits = q_.bits[a][w];
                if (w == (below - 1) / 64) bits &= ~std::uint64_t{0} >> (63 - (below - 1) % 64);
                if (bits != 0) return q_.last[a][64 * w + 63 - std::countl_zero(bits)];
            }
            return kNoTask;
        };
        if (const TaskId p = in(array, prio); p != kNoTask) return p;
        if (array == q_.active) return cpu_;
        const TaskId p = in(q_.active, kMaxPrio);
        return p != kNoTask ? p : cpu_;
    }

    Machine& m_;
    CpuId cpu_;
    RunQueueFields& q_;
};

// Tasks of a CPU in the order in which balancing examines them: the expired array, then the active array. In
// each array, the list of the best priority comes first, and each list is read from its tail.
std::vector<TaskId> balancing_order(const Machine& m, CpuId c);

// Describes the first inconsistency of a CPU's arrays; empty: none.
std::string find_array_violation(const Machine& m, CpuId c);

}  // namespace sim::o1
