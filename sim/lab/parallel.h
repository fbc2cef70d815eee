// Executes work items on several threads and passes their results on in the order of the items.
//
// Only this file of the lab module starts threads. A work item is a whole simulation and shares nothing with
// other work items, so threads synchronize only to take an index and to return a result.
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
#include <utility>
#include <vector>

namespace sim::lab {

// Executes numbered work items on threads. The calling thread processes the results in the order of the item
// numbers, while the threads execute later items.
template <class Work>
class OrderedWork {
  public:
    OrderedWork(unsigned thread_count, std::uint64_t item_count, Work& work)
        : work_(work), count_(item_count), slots_(thread_count == 0 ? 0 : std::min(item_count, kAhead)) {}
    ~OrderedWork() {
        const std::lock_guard lock(mutex_);
        stop_ = true;
        room_.notify_all();
    }
    OrderedWork(const OrderedWork&) = delete;
    OrderedWork& operator=(const OrderedWork&) = delete;

    // Returns false if no thread was started, because none was requested or the system provides none.
    bool start_threads(unsigned thread_count) {
        const std::uint64_t wanted = std::min<std::uint64_t>(thread_count, count_);
        threads_.reserve(wanted);
        try {
            while (threads_.size() < wanted) threads_.emplace_back([this] { execute_items(); });
        } catch (const std::system_error&) {  // the system provides no more threads
        }
        return !threads_.empty();
    }

    // REQUIRES: start_threads() returned true.
    template <class OnResult, class OnIdle>
    void process_results(OnResult& on_result, OnIdle& on_idle) {
        std::unique_lock lock(mutex_);
        while (taken_ < count_) {
            ItemState& slot = slots_[taken_ % slots_.size()];
            if (finished_.wait_for(lock, std::chrono::milliseconds(100), [&] { return slot.done; })) {
                lock.unlock();
                if (slot.failure) std::rethrow_exception(slot.failure);
                on_result(taken_, std::move(*slot.result));
                lock.lock();
                slot = {};
                ++taken_;
                room_.notify_one();
            }
            lock.unlock();
            on_idle();
            lock.lock();
        }
    }

  private:
    using Result = decltype(std::declval<Work&>()(std::uint64_t{}));
    static constexpr std::uint64_t kAhead = 4096;
    // The state of a work item that a thread executes or has executed. If the item throws an exception,
    // `failure` holds the exception, and `done` is set, too. Setting a flag cannot throw.
    struct ItemState {
        std::optional<Result> result;
        std::exception_ptr failure;
        bool done = false;
    };

    // Executes work items until no item is left or the calling thread has set `stop_`.
    void execute_items() {
        for (;;) {
            std::unique_lock lock(mutex_);
            room_.wait(lock, [&] { return stop_ || next_ >= count_ || next_ < taken_ + slots_.size(); });
            if (stop_ || next_ >= count_) return;
            const std::uint64_t i = next_++;
            lock.unlock();
            ItemState& slot = slots_[i % slots_.size()];
            try {
                slot.result.emplace(work_(i));
            } catch (...) {
                slot.failure = std::current_exception();
            }
            lock.lock();
            slot.done = true;
            if (i == taken_) finished_.notify_one();
        }
    }

    Work& work_;
    const std::uint64_t count_;
    std::vector<ItemState> slots_;
    std::mutex mutex_;
    std::condition_variable finished_, room_;
    std::uint64_t next_ = 0, taken_ = 0;
    bool stop_ = false;
    // This must be the last member, so that the threads end before the other members are destroyed.
    std::vector<std::jthread> threads_;
};

// Calls work(i) for i from 0 to item_count - 1 on `thread_count` threads, and on_result(i, result) on the
// calling thread in order of i. Each thread executes one call of work() at a time. To limit memory, work(i)
// is called only after on_result() has been called for i - kAhead. on_idle() is called on the calling thread
// several times per second. If the system provides fewer threads than `thread_count`, fewer threads are used.
// If the system provides none or `thread_count` is 0, the calling thread does all work. If several calls
// throw, the exception with the lowest i is rethrown after the threads have ended.
template <class Work, class OnResult, class OnIdle>
void process_in_order(unsigned thread_count, std::uint64_t item_count, Work work, OnResult on_result,
                      OnIdle on_idle) {
    OrderedWork<Work> ordered(thread_count, item_count, work);
    if (ordered.start_threads(thread_count)) {
        ordered.process_results(on_result, on_idle);
        return;
    }
    for (std::uint64_t i = 0; i < item_count; ++i) {
        on_result(i, work(i));
        on_idle();
    }
}

}  // namespace sim::lab
