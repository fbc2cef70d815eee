#include "sim/policies/fair.h"

namespace sim::fair {
namespace {

// Each step of nice is a quarter more or less: prio_to_weight and, about 2^32 through it, prio_to_wmult.
constexpr std::uint32_t kWeights[40] = {88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
                                        9548,  7620,  6100,  4904,  3906,  3121,  2501,  1991,  1586,  1277,
                                        1024,  820,   655,   526,   423,   335,   272,   215,   172,   137,
                                        110,   87,    70,    56,    45,    36,    29,    23,    18,    15};
constexpr std::uint32_t kInverses[40] = {
    48388,    59856,    76040,    92818,    118348,   147320,    184698,    229616,    287308,    360437,
    449829,   563644,   704093,   875809,   1099582,  1376151,   1717300,   2157191,   2708050,   3363326,
    4194304,  5237765,  6557202,  8165337,  10153587, 12820798,  15790321,  19976592,  24970740,  31350126,
    39045157, 49367440, 61356676, 76695844, 95443717, 119304647, 148102320, 186737708, 238609294, 286331153};

}  // namespace

std::int32_t nice_of(std::int32_t priority) { return std::clamp(20 - priority, -20, 19); }

Weight weight_of_nice(std::int32_t nice) {
    const auto i = static_cast<std::size_t>(nice + 20);
    return {kWeights[i], kInverses[i]};
}

std::int32_t rr_slice(const Machine& m) {
    return std::max(static_cast<std::int32_t>(std::uint64_t{100} * m.shape().hz / 1000), 1);
}

void RealTime::insert(TaskId p, TaskId after) const {
    const std::uint32_t i = index(p);
    RunQueue(m_, cpu_).insert_before(m_.next_run[after], p);
    if (!has(i) || lists_.last[i] == after) lists_.last[i] = p;
    lists_.bits[i / 64] |= std::uint64_t{1} << (i % 64);
}

void RealTime::enqueue(TaskId p) const {
    const std::uint32_t i = index(p);
    insert(p, has(i) ? lists_.last[i] : last_better(i));
}

void RealTime::put_back(TaskId p) const {
    const TaskId behind = lists_.behind;
    insert(p, behind != kNoTask ? behind : last_better(index(p)));
}

// The tail of the last list before this one; the head of the machine's list if there is none.
TaskId RealTime::last_better(std::uint32_t i) const {
    for (std::uint32_t list = i; list-- > 0;)
        if (has(list)) return lists_.last[list];
    return cpu_;
}

void RealTime::dequeue(TaskId p) const {
    const std::uint32_t i = index(p);
    const TaskId before = m_.prev_run[p];
    const bool is_first = before == cpu_ || index(before) != i;
    if (lists_.behind == p) lists_.behind = is_first ? kNoTask : before;  // another CPU takes p over
    if (lists_.last[i] == p) {
        lists_.last[i] = is_first ? 0 : before;
        if (is_first) lists_.bits[i / 64] &= ~(std::uint64_t{1} << (i % 64));
    }
    RunQueue(m_, cpu_).remove(p);
}

bool RealTime::tick(TaskId p) const {
    if (m_.sched_class[p] != SchedClass::rr || --m_.counter[p] > 0) return false;
    m_.counter[p] = rr_slice(m_);
    if (!has(index(p))) return false;
    lists_.behind = lists_.last[index(p)];
    return true;
}

void RealTime::yield(TaskId p) const {
    if (has(index(p))) lists_.behind = lists_.last[index(p)];
}

}  // namespace sim::fair
