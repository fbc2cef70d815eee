// The times at which sleeping tasks wake: a tournament of 64-bit keys, `time << 16 | task`, four to a match.
//
// A task sleeps on one thing at a time and so has at most one pending event: the task is the event. Each task
// has a leaf of its own, which holds its key or kNever; each inner node holds the least of its four children,
// the root the event that comes next. Events of one instant come out in the order of their task ids. The
// nodes live in the Machine's block; this is a view of them.
//
// Why a tournament and not a heap: the way from a leaf to the root is of the same length for every task and
// touches nodes that are known beforehand, so no branch can be guessed wrong and no load waits for the one
// before it. What a heap does depends on its keys at every step (docs/benchmarks.md has both).
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "sim/base/types.h"

namespace sim {

class EventQueue {
  public:
    // The key of a task without an event: later than every event, and its time is kHorizon.
    static constexpr std::uint64_t kNever = ~std::uint64_t{0};

    // Where the leaves begin when there must be one for each of so many tasks: behind 1 + 4 + 16 + ... inner
    // nodes.
    static constexpr std::uint32_t first_leaf(std::uint32_t tasks) {
        std::uint32_t inner = 1;
        for (std::uint32_t leaves = 4; leaves < tasks; leaves *= 4) inner += leaves;
        return kRoot + inner;
    }
    // How many nodes that makes; leaves come in fours.
    static constexpr std::uint32_t nodes(std::uint32_t tasks) {
        return first_leaf(tasks) + (tasks + 3) / 4 * 4;
    }

    // REQUIRES: `nodes` has nodes(tasks) places, all kNever at first, and is aligned like a cache line;
    // `leaves` is first_leaf(tasks).
    EventQueue(std::uint64_t* nodes, std::uint32_t leaves) : nodes_(nodes), leaves_(leaves) {}

    static std::uint64_t key(Nanos time, TaskId task) {
        assert(time.count() >= 0 && time <= kHorizon && task < 0xffff);
        return static_cast<std::uint64_t>(time.count()) << 16 | task;
    }

    bool empty() const { return nodes_[kRoot] == kNever; }
    // kHorizon when there is none.
    Nanos next_time() const { return time_of(nodes_[kRoot]); }
    bool contains(TaskId task) const { return nodes_[leaves_ + task] != kNever; }
    // When the event of this task comes; kHorizon when it has none.
    Nanos time_of_task(TaskId task) const { return time_of(nodes_[leaves_ + task]); }

    // REQUIRES: the task has no event.
    void push(std::uint64_t key) {
        std::uint32_t node = leaves_ + static_cast<std::uint32_t>(key & 0xffff);
        assert(nodes_[node] == kNever);
        for (nodes_[node] = key; node != kRoot;) {
            node = parent(node);
            nodes_[node] = std::min(nodes_[node], key);
        }
    }

    // The task of the earliest event. REQUIRES: !empty().
    TaskId first() const {
        assert(!empty());
        return static_cast<TaskId>(nodes_[kRoot] & 0xffff);
    }

    // The same, and its event is removed.
    TaskId pop() {
        const TaskId task = first();
        remove(task);
        return task;
    }

    // Of the tasks whose event comes at `time`, the first one that is wanted(); kNoTask when there is none.
    // REQUIRES: no event comes before.
    template <class Wanted>
    TaskId first_at(Nanos time, Wanted wanted) const {
        return next_time() == time ? first_below(kRoot, time, wanted) : kNoTask;
    }

    // REQUIRES: the task has an event.
    void remove(TaskId task) {
        assert(contains(task));
        std::uint32_t node = leaves_ + task;
        nodes_[node] = kNever;
        // The event may have been the least of every match on its way: each is played again.
        for (std::uint64_t least = kNever; node != kRoot;) {
            const std::uint64_t others = std::min(nodes_[node ^ 1], nodes_[node ^ 2]);
            least = std::min(least, nodes_[node ^ 3]);
            least = std::min(least, others);
            node = parent(node);
            nodes_[node] = least;
        }
    }

    // Whether every inner node holds the least of its children, for the tests. REQUIRES: `tasks` as for
    // nodes().
    bool consistent(std::uint32_t tasks) const {
        for (std::uint32_t node = kRoot; node < leaves_; ++node) {
            std::uint64_t least = kNever;
            for (std::uint32_t child = 4 * node - 8; child < 4 * node - 4 && child < nodes(tasks); ++child)
                least = std::min(least, nodes_[child]);
            if (nodes_[node] != least) return false;
        }
        return true;
    }

  private:
    // The root is in place 3, so that its children are in places 4..7 and all fours are aligned: they share a
    // cache line.
    static constexpr std::uint32_t kRoot = 3;
    static constexpr std::uint32_t parent(std::uint32_t node) { return node / 4 + 2; }

    // REQUIRES: the least event below this inner node comes at `time`.
    template <class Wanted>
    TaskId first_below(std::uint32_t node, Nanos time, Wanted wanted) const {
        const std::uint32_t first = 4 * node - 8;
        for (std::uint32_t child = first; child < first + 4; ++child) {
            if (time_of(nodes_[child]) != time) continue;
            const TaskId found = first < leaves_           ? first_below(child, time, wanted)
                                 : wanted(child - leaves_) ? child - leaves_
                                                           : kNoTask;
            if (found != kNoTask) return found;
        }
        return kNoTask;
    }

    static Nanos time_of(std::uint64_t key) { return Nanos{static_cast<std::int64_t>(key >> 16)}; }

    std::uint64_t* nodes_;
    std::uint32_t leaves_;
};

}  // namespace sim
