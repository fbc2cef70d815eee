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
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace sim::lab {

// Calls work(i) for each i from 0 to count - 1 on `jobs` threads, and take(i, result) on the calling thread
// in the order of i. Numbers are handed out in order, one at a time, so that no thread sits on work that
// another could do; how far one may run ahead of the first result that is missing is bounded, and with it the
// memory. idle() is called on the calling thread a few times a second. With 0 jobs the calling thread does it
// all. What the first failing piece throws, or take() does, comes out after the threads have ended.
template <class Work, class Take, class Idle>
void in_order(unsigned jobs, std::uint64_t count, Work work, Take take, Idle idle) {
    using Result = decltype(work(std::uint64_t{}));
    if (jobs == 0) {
        for (std::uint64_t i = 0; i < count; ++i) {
            take(i, work(i));
            idle();
        }
        return;
    }
    constexpr std::uint64_t kAhead = 4096;
    struct Outcome {
        std::optional<Result> result;
        std::exception_ptr failure;
    };
    std::mutex mutex;
    std::condition_variable finished, room;
    std::map<std::uint64_t, Outcome> waiting;  // done, but one before it is not
    std::uint64_t next = 0, taken = 0;
    bool stop = false;

    const auto worker = [&] {
        for (;;) {
            std::unique_lock lock(mutex);
            room.wait(lock, [&] { return stop || next >= count || next < taken + kAhead; });
            if (stop || next >= count) return;
            const std::uint64_t i = next++;
            lock.unlock();
            Outcome outcome;
            try {
                outcome.result.emplace(work(i));
            } catch (...) {
                outcome.failure = std::current_exception();
            }
            lock.lock();
            waiting.emplace(i, std::move(outcome));
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
    for (std::uint64_t k = 0; k < std::min<std::uint64_t>(jobs, count); ++k) {
        try {
            threads.emplace_back(worker);
        } catch (const std::system_error&) {  // no more threads to be had: fewer do it, too
            if (threads.empty()) throw;
            break;
        }
    }

    std::unique_lock lock(mutex);
    while (taken < count) {
        finished.wait_for(lock, std::chrono::milliseconds(100), [&] { return waiting.contains(taken); });
        while (!waiting.empty() && waiting.begin()->first == taken) {
            Outcome outcome = std::move(waiting.begin()->second);
            waiting.erase(waiting.begin());
            lock.unlock();
            if (outcome.failure) std::rethrow_exception(outcome.failure);
            take(taken, std::move(*outcome.result));
            lock.lock();
            ++taken;
            room.notify_one();
        }
        lock.unlock();
        idle();
        lock.lock();
    }
}

}  // namespace sim::lab
