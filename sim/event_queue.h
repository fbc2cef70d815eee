// The times at which sleeping tasks wake: a 4-ary heap of 64-bit keys, `time << 16 | task`.
//
// A task sleeps on one thing at a time and so has at most one pending event: the task is the event, and the heap
// needs no objects, no removal and no tie-breaking beyond the key. Events of one instant come out in the order of
// their task ids. The rows live in the Machine's block; this is a view of them.
//
// Why 4-ary: a node's children share a cache line. bench_engine has the figures (docs/benchmarks.md).
#pragma once

#include <cassert>
#include <cstdint>

#include "sim/types.h"

namespace sim {

class EventQueue {
  public:
    // REQUIRES: `keys` has room for one event of each task; `size` counts those in use.
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

    void push(std::uint64_t key) {
        std::uint32_t hole = (*size_)++;
        while (hole > 0) {
            const std::uint32_t parent = (hole - 1) / 4;
            if (keys_[parent] <= key) break;
            keys_[hole] = keys_[parent];
            hole = parent;
        }
        keys_[hole] = key;
    }

    // The task of the earliest event, which is removed. REQUIRES: !empty().
    TaskId pop() {
        assert(!empty());
        const auto task = static_cast<TaskId>(keys_[0] & 0xffff);
        const std::uint64_t last = keys_[--*size_];
        const std::uint32_t size = *size_;
        std::uint32_t hole = 0;
        for (std::uint32_t child = 1; child < size; child = 4 * hole + 1) {
            std::uint32_t least = child;
            const std::uint32_t end = child + 4 < size ? child + 4 : size;
            for (std::uint32_t i = child + 1; i < end; ++i)
                if (keys_[i] < keys_[least]) least = i;
            if (last <= keys_[least]) break;
            keys_[hole] = keys_[least];
            hole = least;
        }
        if (size > 0) keys_[hole] = last;
        return task;
    }

  private:
    std::uint64_t* keys_;
    std::uint32_t* size_;
};

}  // namespace sim
