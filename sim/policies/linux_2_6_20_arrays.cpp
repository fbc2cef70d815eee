// Functions on the priority arrays of linux-2.6.20 for load balancing and for the consistency check.
#include "sim/policies/linux_2_6_20_arrays.h"

namespace sim::o1 {

std::vector<TaskId> balancing_order(const Machine& m, CpuId c) {
    const std::uint32_t active = m.of_cpu<RunQueueFields>(c).active;
    std::vector<TaskId> order[2];  // [0]: tasks of the expired array, [1]: tasks of the active array
    for (TaskId first = m.next_run[c]; first != c;) {
        const TaskFields& t = m.of_task<TaskFields>(first);
        TaskId after = first;
        const auto in_list = [&](TaskId p) {
            return p != c && m.of_task<TaskFields>(p).array == t.array &&
                   m.of_task<TaskFields>(p).prio == t.prio;
        };
        while (in_list(after)) after = m.next_run[after];
        std::vector<TaskId>& of_array = order[t.array == active ? 1 : 0];
        for (TaskId p = m.prev_run[after]; in_list(p); p = m.prev_run[p]) of_array.push_back(p);
        first = after;
    }
    order[0].insert(order[0].end(), order[1].begin(), order[1].end());
    return order[0];
}

std::string find_array_violation(const Machine& m, CpuId c) {
    const RunQueueFields& q = m.of_cpu<RunQueueFields>(c);
    RunQueueFields counted{};
    std::uint32_t array = q.active;
    std::int32_t prio = 0;
    for (TaskId p = m.next_run[c]; p != c; p = m.next_run[p]) {
        const TaskFields& t = m.of_task<TaskFields>(p);
        if (t.array == kNoArray || m.task[p].policy_byte != c)
            return "a queued task is recorded in no array or on another CPU";
        if (t.array != array) prio = 0;
        if ((t.array != array && t.array == q.active) || t.prio < prio || t.prio >= kMaxPrio)
            return "the lists of the arrays are out of order";
        array = t.array;
        prio = t.prio;
        ++counted.count[array];
        if (m.shape().cpus > 1) counted.load += weight_of(m, p);
        counted.bits[array][prio / 64] |= std::uint64_t{1} << (prio % 64);
        counted.last[array][prio] = p;
    }
    if (counted.load != q.load) return "the load of a queue is not the sum of its tasks' weights";
    for (std::uint32_t a = 0; a < 2; ++a) {
        if (counted.count[a] != q.count[a]) return "the task count of an array is wrong";
        for (std::int32_t i = 0; i < kMaxPrio; ++i) {
            if (counted.last[a][i] != q.last[a][i])
                return "the recorded last task of a priority list is wrong";
            if (((counted.bits[a][i / 64] ^ q.bits[a][i / 64]) >> (i % 64) & 1) != 0)
                return "the bitmap does not match the lists";
        }
    }
    return {};
}

}  // namespace sim::o1
