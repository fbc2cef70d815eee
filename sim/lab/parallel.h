// Parallel work with results in order.
//
// The only threads of the lab module. A work item is a whole simulation and shares nothing with others, so
// threads synchronize only to take an index and to return a result.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace sim::lab {

// Calls work(i) for i from 0 to count - 1 on `jobs` threads, and take(i, result) on the calling thread in
// order of i. Threads take one index at a time and run at most kAhead items ahead of the first missing
// result, which bounds memory. idle() is called on the calling thread several times per second. If fewer
// threads can be created, fewer are used; with none, or if `jobs` is 0, the calling thread does all work. The
// first exception in order of i is rethrown after the threads have ended.
template <class Work, class Take, class Idle>
void in_order(unsigned jobs, std::uint64_t count, Work work, Take take, Idle idle) {
    using Result = decltype(work(std::uint64_t{}));
    constexpr std::uint64_t kAhead = 4096;
    // State of a work item from the time a thread takes it. Marking it done allocates nothing, so it cannot
    // fail.
    struct Slot {
        std::optional<Result> result;
        std::exception_ptr failure;
        bool done = false;
    };
    std::vector<Slot> slots(jobs == 0 ? 0 : std::min(count, kAhead));
    std::mutex mutex;
    std::condition_variable finished, room;
    std::uint64_t next = 0, taken = 0;
    bool stop = false;

    const auto worker = [&] {
        for (;;) {
            std::unique_lock lock(mutex);
            room.wait(lock, [&] { return stop || next >= count || next < taken + slots.size(); });
            if (stop || next >= count) return;
            const std::uint64_t i = next++;
            lock.unlock();
            Slot& slot = slots[i % slots.size()];
            try {
                slot.result.emplace(work(i));
            } catch (...) {
                slot.failure = std::current_exception();
            }
            lock.lock();
            slot.done = true;
            if (i == taken) finished.notify_one();
        }
    };
    std::vector<std::jthread> threads;
    struct Stop {
        std::mutex& mutex;
        std::condition_variable& room;
        bool& stop;
        ~Stop() {
            const std::lock_guard lock(mutex);
            stop = true;
            room.notify_all();
        }
    };
    // Declared after the threads, so that `stop` is set before they are joined.
    const Stop at_end{mutex, room, stop};
    const std::uint64_t wanted = std::min<std::uint64_t>(jobs, count);
    threads.reserve(wanted);
    try {
        while (threads.size() < wanted) threads.emplace_back(worker);
    } catch (const std::system_error&) {  // the system provides no more threads
    }
    if (threads.empty()) {
        for (; taken < count; ++taken) {
            take(taken, work(taken));
            idle();
        }
        return;
    }

    std::unique_lock lock(mutex);
    while (taken < count) {
        Slot& slot = slots[taken % slots.size()];
        if (finished.wait_for(lock, std::chrono::milliseconds(100), [&] { return slot.done; })) {
            lock.unlock();
            if (slot.failure) std::rethrow_exception(slot.failure);
            take(taken, std::move(*slot.result));
            lock.lock();
            slot = {};
            ++taken;
            room.notify_one();
        }
        lock.unlock();
        idle();
        lock.lock();
    }
}

}  // namespace sim::lab
