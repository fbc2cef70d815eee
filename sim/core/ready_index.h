// Which ready task stands highest, and first in the queue among its equals, without a walk over the queue.
//
// The run queue (run_queue.h) says who comes before whom; this says it again in numbers: each task of the
// queue has a place, places grow towards the tail, and each level (a counter, or counter and priority) has a
// row of bits, one for each place. The best is the lowest bit of the highest row that is not empty. Above
// each row stands a bit for each of its words, and above the rows a bit for each row. Linux 2.6's O(1)
// scheduler chose in this way; the kernels simulated here walked, and are charged for it:
// docs/faster_than_the_scan.md.
//
// It also spares sleepers the refill. A refill counts itself here, and a task that was off the queue
// meanwhile gets those that it has missed when it comes back.
//
// All of it follows from the Machine's block, but for the refills that sleepers are owed. Engine::run() opens
// it, pays these back (missed_refills.h) and closes it; so between two runs every counter is up to date, and
// the index is no part of a snapshot and of no hash. A policy's queue that uses it builds it after a few long
// walks, when it begins to pay; who wants to see each step of a search gets the walk.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/core/decision.h"

namespace sim {

class ReadyIndex {
  public:
    static constexpr std::int32_t kLevels = 128;
    // The row for tasks whose order is not a matter of a counter: fifo and rr.
    static constexpr std::int32_t kRealTime = kLevels - 1;
    static constexpr std::int32_t kNoLevel = -1;

    ReadyIndex() = default;
    // A copy of a machine knows nothing yet, and keeps the memory that it had.
    ReadyIndex(const ReadyIndex&) noexcept {}
    ReadyIndex& operator=(const ReadyIndex&) noexcept {
        close();
        return *this;
    }

    // --- its life ---

    // From now on, and until close(), a policy's queue may build and use it. There are so many tasks.
    void open(std::uint32_t tasks) {
        state_ = State::open;
        score_ = 0;
        enough_ = 4 * static_cast<std::int32_t>(tasks);
    }
    // REQUIRES, of both: nobody is owed a refill any more (missed_refills.h).
    void close() { state_ = State::closed; }
    void drop() { state_ = State::open; }  // the queue is walked again, for now
    bool is_live() const { return state_ == State::live; }

    // What a decision costs who walks, in tasks that a search looks at. A refill streams over its counters.
    static std::uint32_t price_of_walk(const Decision& d) {
        return d.considered + d.queue_steps + d.recalculated / 16;
    }

    // A walk that is short is faster than the index, and to build it takes a while. So a queue says at each
    // decision the price of the walk that it has made, or would have made, and is told when to build the
    // index, and when to drop it.
    bool is_due(std::uint32_t price) {
        if (state_ != State::open) return false;
        score_ = std::max(score_ + static_cast<std::int32_t>(price) - kShort, 0);
        return score_ > enough_;
    }
    bool is_idle(std::uint32_t price) {
        score_ = std::min(score_ + static_cast<std::int32_t>(price) - kShort, enough_);
        return score_ <= 0;
    }

    // What a refill adds to half of what is left of a counter, by priority.
    using Grant = std::int32_t (*)(std::int32_t priority);

    // What a queue needs it for.
    struct Use {
        std::uint32_t tasks;  // they have the numbers below
        std::uint32_t cpus;   // tasks are counted by the CPU that they last ran on, if there are several
        std::uint32_t mms;    // tasks are counted by their address space, if it is below
        Grant grant;          // of the refills that sleepers are owed
    };
    // Begins with nobody on the queue.
    void build(const Use& use);

    // --- the queue ---

    // Tasks on it, whether they run or are ready.
    std::uint32_t queued() const { return queued_; }
    bool is_queued(TaskId p) const { return place_[p] != kNowhere; }

    // Which of two tasks on the queue comes first: the one with the lower place.
    std::uint32_t place(TaskId p) const { return assert(is_queued(p)), place_[p]; }

    // p joins the queue; nobody can choose it yet.
    void add_last(TaskId p) {
        assert(!is_queued(p));
        put_last(p);
        ++queued_;
    }
    void add_first(TaskId p) {
        assert(!is_queued(p));
        if (head_ == 0) [[unlikely]] {
            at_both_ends_ = true;
            renumber();
        }
        place_[p] = --head_;
        task_at_[head_] = static_cast<std::uint16_t>(p);
        ++queued_;
    }
    // REQUIRES: p is queued and not shown.
    void move_last(TaskId p) {
        assert(is_queued(p) && level_[p] == kNoLevel);
        put_last(p);
    }
    // p leaves the queue. REQUIRES: it is not shown.
    void remove(TaskId p) {
        assert(is_queued(p) && level_[p] == kNoLevel);
        place_[p] = kNowhere;
        refills_seen_[p] = refills_;
        --queued_;
    }

    // --- who can be chosen ---

    bool shows(TaskId p) const { return level_[p] != kNoLevel; }
    std::int32_t level(TaskId p) const { return level_[p]; }
    std::uint32_t shown_at(std::int32_t level) const { return shown_[static_cast<std::size_t>(level)]; }

    // From now on p, which is queued, can be chosen from this row.
    void show(TaskId p, std::int32_t level) {
        assert(is_queued(p) && level_[p] == kNoLevel && level >= 0 && level < kLevels);
        level_[p] = static_cast<std::int8_t>(level);
        set_bits(place_[p] / 64, bit(place_[p]), 1, level);
    }
    void hide(TaskId p) {
        assert(level_[p] != kNoLevel);
        const std::int32_t level = level_[p];
        const std::uint32_t place = place_[p], word = place / 64;
        level_[p] = kNoLevel;
        std::uint64_t* const row = row_of(level);
        // Whether it was the last of its word or row is hard to guess, so there is no branch.
        const std::uint64_t left = row[summaries_ + word] &= ~bit(place);
        row[word / 64] &= ~(std::uint64_t{left == 0} << (word % 64));
        const std::uint32_t others = --shown_[static_cast<std::size_t>(level)];
        occupied_[static_cast<std::size_t>(level / 64)] &= ~(std::uint64_t{others == 0} << (level % 64));
    }

    // The highest row that is not empty and is below `above`; kNoLevel if there is none.
    std::int32_t highest(std::int32_t above = kLevels) const {
        std::uint64_t high = occupied_[1], low = occupied_[0];
        if (above < kLevels) {
            high &= above > 64 ? bit(static_cast<std::uint32_t>(above)) - 1 : 0;
            if (above < 64) low &= bit(static_cast<std::uint32_t>(above)) - 1;
        }
        if (high != 0) return 127 - std::countl_zero(high);
        return low != 0 ? 63 - std::countl_zero(low) : kNoLevel;
    }

    // The first task of a row, or the first whose place is `from` or higher; kNoTask if there is none.
    TaskId first(std::int32_t level) const { return first_behind(row_of(level), 0); }
    TaskId first(std::int32_t level, std::uint32_t from) const;

    // How many tasks of a row stand at `place` or behind it.
    std::uint32_t count_from(std::int32_t level, std::uint32_t place) const;

    // --- who could have a bonus: of the tasks shown, those that last ran on this CPU, and those with this
    // address space. Counted by the queue whose kernel has such a bonus; `change` is 1 when one is shown, -1
    // when one is hidden. ---

    std::uint32_t last_on(CpuId cpu) const { return last_on_[cpu]; }
    std::uint32_t with_mm(MmId mm) const { return with_mm_[mm]; }
    void count_last_on(std::uint32_t cpu, std::int32_t change) {
        if (cpu < last_on_.size()) last_on_[cpu] += static_cast<std::uint32_t>(change);
    }
    void count_with_mm(MmId mm, std::int32_t change) { with_mm_[mm] += static_cast<std::uint32_t>(change); }

    // --- refills ---

    // Every counter has been refilled once more, but only those of tasks on the queue have been changed.
    void count_refill() { ++refills_; }
    // p, which is new, has missed none.
    void has_all_refills(TaskId p) { refills_seen_[p] = refills_; }
    std::int32_t grant(std::int32_t priority) const { return grant_(priority); }
    // How many refills p, which is not on the queue, has not had yet. It has them all now.
    std::uint64_t take_missed_refills(TaskId p) {
        assert(!is_queued(p));
        const std::uint64_t missed = refills_ - refills_seen_[p];
        refills_seen_[p] = refills_;
        return missed;
    }

    // Shows everybody anew: level_of(p) says where, for each task of the queue in its order; kNoLevel to hide
    // it. Who could have a bonus is to be counted anew, too.
    template <class LevelOf>
    void show_all(LevelOf level_of) {
        std::fill(last_on_.begin(), last_on_.end(), 0);
        std::fill(with_mm_.begin(), with_mm_.end(), 0);
        show_where(level_of);
    }

    // Bytes that it takes, for the tests.
    std::size_t bytes() const;

  private:
    enum class State : std::uint8_t { closed, open, live };
    static constexpr std::int32_t kShort = 8;
    static constexpr std::uint32_t kNowhere = 0xffff'ffff;

    static constexpr std::uint64_t bit(std::uint32_t i) { return std::uint64_t{1} << (i % 64); }
    static std::uint32_t lowest(std::uint64_t bits) {
        return static_cast<std::uint32_t>(std::countr_zero(bits));
    }

    std::uint64_t* row_of(std::int32_t level) {
        return rows_.data() + static_cast<std::size_t>(level) * stride_;
    }
    const std::uint64_t* row_of(std::int32_t level) const {
        return rows_.data() + static_cast<std::size_t>(level) * stride_;
    }
    // `count` is how many bits there are, none of them set before.
    void set_bits(std::uint32_t word, std::uint64_t bits, std::uint32_t count, std::int32_t level) {
        std::uint64_t* const row = row_of(level);
        row[summaries_ + word] |= bits;
        row[word / 64] |= bit(word);
        shown_[static_cast<std::size_t>(level)] += count;
        occupied_[static_cast<std::size_t>(level / 64)] |= bit(static_cast<std::uint32_t>(level));
    }
    // The first task of a row whose word's bit is in the summary's word `i` or a later one.
    TaskId first_behind(const std::uint64_t* row, std::uint32_t i) const {
        for (; i < summaries_; ++i) {
            if (row[i] == 0) continue;
            const std::uint32_t word = 64 * i + lowest(row[i]);
            return task_at_[64 * word + lowest(row[summaries_ + word])];
        }
        return kNoTask;
    }
    void put_last(TaskId p) {
        if (tail_ == places_) [[unlikely]]
            renumber();
        place_[p] = tail_;
        task_at_[tail_++] = static_cast<std::uint16_t>(p);
    }
    template <class LevelOf>
    void show_where(LevelOf level_of) {
        clear_rows();
        if (at_both_ends_) make_room();
        // Neighbours mostly have one level: their bits go to the row together.
        std::int32_t level = kNoLevel;
        std::uint32_t to = head_;
        std::uint64_t bits = 0;
        const auto write = [&] {
            if (level != kNoLevel)
                set_bits((to - 1) / 64, bits, static_cast<std::uint32_t>(std::popcount(bits)), level);
            bits = 0;
        };
        for (std::uint32_t from = head_; from < tail_; ++from) {
            const TaskId p = task_at_[from];
            if (place_[p] != from) continue;
            const std::int32_t its = level_of(p);
            if (bits != 0 && (its != level || to % 64 == 0)) write();
            level = its;
            bits |= bit(to);
            level_[p] = static_cast<std::int8_t>(its);
            task_at_[to] = static_cast<std::uint16_t>(p);
            place_[p] = to++;
        }
        if (bits != 0) write();
        tail_ = to;
    }
    void clear_rows();
    void make_room();
    [[gnu::noinline]] void renumber();

    State state_ = State::closed;
    bool at_both_ends_ = false;  // tasks have joined at the head, so that room is kept there, too
    Grant grant_ = nullptr;
    std::int32_t score_ = 0, enough_ = 0;  // what walks cost beyond a short one, added up
    std::uint32_t queued_ = 0;
    std::uint32_t places_ = 0, head_ = 0, tail_ = 0;  // the places [head_, tail_) have been given out
    std::uint32_t summaries_ = 0, stride_ = 0;        // words of a row: its summary's, and all
    std::uint64_t refills_ = 0;
    std::array<std::uint64_t, 2> occupied_{};  // a bit for each row
    std::vector<std::uint32_t> shown_;         // tasks in each row
    std::vector<std::uint64_t> rows_;          // kLevels of them
    std::vector<std::uint32_t> place_;         // by TaskId
    std::vector<std::uint16_t> task_at_;       // by place; whoever has another place by now has left this one
    std::vector<std::int8_t> level_;           // by TaskId
    std::vector<std::uint64_t> refills_seen_;  // by TaskId, of those that are not on the queue
    std::vector<std::uint32_t> last_on_;       // by CpuId; empty if there is one CPU
    std::vector<std::uint32_t> with_mm_;       // by MmId
};
static_assert(ReadyIndex::kRealTime <= 127);  // a level fits into 8 bits

}  // namespace sim
