// Work on several cores, results in order.
//
// The only threads of the laboratory. Each piece of work is a whole simulation, which shares nothing with the
// others, so the threads meet only to take a number and to hand in a result.
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

// Calls work(i) for each i from 0 to count - 1 on `jobs` threads, and take(i, result) on the calling thread
// in the order of i. Numbers are handed out in order, one at a time, so that no thread sits on work that
// another could do; how far one may run ahead of the first result that is missing is bounded, and with it the
// memory. idle() is called on the calling thread a few times a second. Where fewer threads can be had than
// jobs, fewer do it, and without any, or with 0 jobs, the calling thread does it all. What the first failing
// piece throws, or take() does, comes out after the threads have ended.
template <class Work, class Take, class Idle>
void in_order(unsigned jobs, std::uint64_t count, Work work, Take take, Idle idle) {
    using Result = decltype(work(std::uint64_t{}));
    constexpr std::uint64_t kAhead = 4096;
    // Of a piece from the moment at which a thread takes its number. A thread that is done allocates nothing,
    // so that it can always say so.
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
    // Declared after the threads: told to stop before they are waited for.
    const Stop at_end{mutex, room, stop};
    const std::uint64_t wanted = std::min<std::uint64_t>(jobs, count);
    threads.reserve(wanted);
    try {
        while (threads.size() < wanted) threads.emplace_back(worker);
    } catch (const std::system_error&) {  // no more threads to be had
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
