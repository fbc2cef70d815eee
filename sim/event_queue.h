// The times at which sleeping tasks wake: a 4-ary heap of 64-bit keys, `time << 16 | task`.
//
// A task sleeps on one thing at a time and so has at most one pending event: the task is the event, and the heap
// needs no objects, no removal and no tie-breaking beyond the key. Events of one instant come out in the order of
// their task ids. The rows live in the Machine's block; this is a view of them.
//
// Why 4-ary: a node's children share a cache line. bench_engine has the figures (docs/benchmarks.md).
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "sim/types.h"

namespace sim {

class EventQueue {
  public:
    // What an unused place holds: later than every event.
    static constexpr std::uint64_t kNever = ~std::uint64_t{0};
    // How many places there must be for so many events: a node's missing children are looked at, too.
    static constexpr std::uint32_t places(std::uint32_t events) { return events + 4; }

    // REQUIRES: `keys` has places(events), of which `size` are in use and the others hold kNever.
    EventQueue(std::uint64_t* keys, std::uint32_t* size) : keys_(keys), size_(size) {}

    static std::uint64_t key(Nanos time, TaskId task) {
        assert(time.count() >= 0 && time <= kHorizon && task <= 0xffff);
        return static_cast<std::uint64_t>(time.count()) << 16 | task;
    }

    bool empty() const { return *size_ == 0; }
    std::uint32_t size() const { return *size_; }
    Nanos next_time() const {
        return *size_ == 0 ? kHorizon : Nanos{static_cast<std::int64_t>(keys_[0] >> 16)};
    }
    std::uint64_t at(std::uint32_t index) const { return keys_[index]; }

    void push(std::uint64_t key) { rise((*size_)++, key); }

    // The task of the earliest event, which is removed. REQUIRES: !empty().
    //
    // The hole goes down to a leaf along the least children, and the last key rises from there. That is a step or
    // two more than stopping where the last key fits, and no step of it is a branch that a processor could guess
    // wrong: 14.6 M against 10.4 M switches a second in the web-server scenario.
    TaskId pop() {
        assert(!empty());
        const auto task = static_cast<TaskId>(keys_[0] & 0xffff);
        const std::uint32_t size = --*size_;
        const std::uint64_t last = keys_[size];
        keys_[size] = kNever;
        if (size == 0) return task;
        std::uint32_t hole = 0;
        for (std::uint32_t child = 1; child < size; child = 4 * hole + 1) {
            const std::uint64_t a = keys_[child], b = keys_[child + 1], c = keys_[child + 2], d = keys_[child + 3];
            const std::uint32_t in_left = child + (b < a ? 1 : 0), in_right = child + 2 + (d < c ? 1 : 0);
            const std::uint64_t left = b < a ? b : a, right = d < c ? d : c;
            const std::uint32_t least = right < left ? in_right : in_left;
            keys_[hole] = right < left ? right : left;
            hole = least;
        }
        rise(hole, last);
        return task;
    }

  private:
    // condition ? yes : no, without a branch whatever the compiler thinks of it.
    static std::uint64_t pick(bool condition, std::uint64_t yes, std::uint64_t no) {
        return no ^ ((no ^ yes) & -std::uint64_t{condition});
    }

    void rise(std::uint32_t hole, std::uint64_t key) {
        while (hole > 0) {
            const std::uint32_t parent = (hole - 1) / 4;
            if (keys_[parent] <= key) break;
            keys_[hole] = keys_[parent];
            hole = parent;
        }
        keys_[hole] = key;
    }

    std::uint64_t* keys_;
    std::uint32_t* size_;
};

}  // namespace sim
