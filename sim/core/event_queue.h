// Wake-up times of sleeping tasks: a 4-ary tournament tree of keys, `time << 16 | task`.
//
// A task sleeps on one thing at a time, so it has at most one event, identified by its task id. Its leaf
// holds its key or kNever; an inner node holds the minimum of its four children; the root holds the next
// event. Simultaneous events are ordered by task id. The nodes are part of the Machine's block; this class is
// a view.
//
// This tree is faster than a heap. Its paths from leaf to root have the same length and known nodes, so no
// branch is mispredicted and no load depends on another. In a heap, each step depends on the keys.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "sim/base/types.h"

namespace sim {

class EventQueue {
  public:
    // Key of a task without an event. It is greater than all other keys; its time is kHorizon.
    static constexpr std::uint64_t kNever = ~std::uint64_t{0};

    // Index of the first leaf, after 1 + 4 + 16 + ... inner nodes.
    static constexpr std::uint32_t first_leaf(std::uint32_t tasks) {
        std::uint32_t inner = 1;
        for (std::uint32_t leaves = 4; leaves < tasks; leaves *= 4) inner += leaves;
        return kRoot + inner;
    }
    // Number of elements of the array of nodes. The number of leaves is rounded up to a multiple of four.
    static constexpr std::uint32_t node_count(std::uint32_t tasks) {
        return first_leaf(tasks) + (tasks + 3) / 4 * 4;
    }

    // REQUIRES: `nodes` has node_count(tasks) elements, initially kNever, and is aligned to a cache line;
    // `leaves` is first_leaf(tasks).
    EventQueue(std::uint64_t* nodes, std::uint32_t leaves) : nodes_(nodes), leaves_(leaves) {}

    static std::uint64_t key(Nanos time, TaskId task) {
        assert(time.count() >= 0 && time <= kHorizon && task < 0xffff);
        return static_cast<std::uint64_t>(time.count()) << 16 | task;
    }

    bool empty() const { return nodes_[kRoot] == kNever; }
    // Time of the earliest event; kHorizon if the queue is empty.
    Nanos next_time() const { return time_of(nodes_[kRoot]); }
    bool contains(TaskId task) const { return nodes_[leaves_ + task] != kNever; }
    // Time of the task's event; kHorizon if the task has none.
    Nanos time_of_task(TaskId task) const { return time_of(nodes_[leaves_ + task]); }

    // Adds the event with this key. REQUIRES: the task in the key has no event.
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

    // Removes the earliest event and returns its task. REQUIRES: !empty().
    TaskId pop() {
        const TaskId task = first();
        remove(task);
        return task;
    }

    // The first task with an event at `time` for which is_wanted(task) holds; kNoTask if none. REQUIRES: no
    // event is earlier than `time`.
    template <class Wanted>
    TaskId first_task_at(Nanos time, Wanted is_wanted) const {
        return next_time() == time ? first_task_below(kRoot, time, is_wanted) : kNoTask;
    }

    // Removes the task's event. REQUIRES: the task has an event.
    void remove(TaskId task) {
        assert(contains(task));
        std::uint32_t node = leaves_ + task;
        nodes_[node] = kNever;
        // The removed key may have been the minimum of any ancestor, so all ancestors are recomputed.
        for (std::uint64_t least = kNever; node != kRoot;) {
            const std::uint64_t others = std::min(nodes_[node ^ 1], nodes_[node ^ 2]);
            least = std::min(least, nodes_[node ^ 3]);
            least = std::min(least, others);
            node = parent(node);
            nodes_[node] = least;
        }
    }

    // Whether each inner node is the minimum of its children; for tests. REQUIRES: `tasks` is the argument
    // that node_count() received.
    bool is_consistent(std::uint32_t tasks) const {
        for (std::uint32_t node = kRoot; node < leaves_; ++node) {
            std::uint64_t least = kNever;
            for (std::uint32_t child = 4 * node - 8; child < 4 * node - 4 && child < node_count(tasks);
                 ++child)
                least = std::min(least, nodes_[child]);
            if (nodes_[node] != least) return false;
        }
        return true;
    }

  private:
    // The root has index 3 and its children have indices 4 to 7. So each group of four siblings is in one
    // cache line.
    static constexpr std::uint32_t kRoot = 3;
    static constexpr std::uint32_t parent(std::uint32_t node) { return node / 4 + 2; }

    // Like first_task_at(), but considers only the events below this inner node. REQUIRES: the earliest of
    // these events is at `time`.
    template <class Wanted>
    TaskId first_task_below(std::uint32_t node, Nanos time, Wanted is_wanted) const {
        const std::uint32_t first = 4 * node - 8;
        for (std::uint32_t child = first; child < first + 4; ++child) {
            if (time_of(nodes_[child]) != time) continue;
            const TaskId found = first < leaves_              ? first_task_below(child, time, is_wanted)
                                 : is_wanted(child - leaves_) ? child - leaves_
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
