// An index that finds the best ready task without walking the queue. Among equally good tasks, it finds the
// first in the queue.
//
// Each queued task has a place, a number that grows towards the tail. Each level (a counter, or counter and
// priority) has a row of bits, one per place. The best task has the lowest bit of the highest nonempty row.
// Summary bits state which rows, and which words of a row, are not empty. Linux 2.6's O(1) scheduler searched
// in this way. The kernels that are simulated with this index walked the queue, so the simulation charges the
// cost of the walk (docs/explanation/ready_index.md).
//
// The index also counts recalculations of the counters, so that the counters of sleeping tasks need not be
// updated at once. A task that is queued again receives the recalculations that it has missed.
//
// Engine::run() permits the use of the index (open()) at its start. A policy's queue fills in the rows
// (build()) after several long walks, because the index then saves time. At its end, Engine::run() adds the
// missed recalculations to the counters (missed_recalculations.h) and closes the index. The rows can be
// rebuilt from the Machine, so the index is not part of snapshots or hashes. With a decision log, the queue
// is always walked.
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
    // The row of the fifo and rr tasks, which are not ordered by a counter.
    static constexpr std::int32_t kRealTime = kLevels - 1;
    static constexpr std::int32_t kNoLevel = -1;

    ReadyIndex() = default;
    // A copy of a machine has no index. Assignment closes the index of the target but keeps its memory.
    ReadyIndex(const ReadyIndex&) noexcept {}
    ReadyIndex& operator=(const ReadyIndex&) noexcept {
        close();
        return *this;
    }

    // --- lifetime ---

    // Permits a queue to build and use the index until close(). `task_rows`: number of rows of the task
    // table.
    void open(std::uint32_t task_rows) {
        state_ = State::open;
        score_ = 0;
        build_threshold_ = 4 * static_cast<std::int32_t>(task_rows);
    }
    // REQUIRES for close() and drop(): no task has missed recalculations (missed_recalculations.h).
    void close() { state_ = State::closed; }
    void drop() { state_ = State::open; }  // decisions walk the queue until the index is built again
    bool is_live() const { return state_ == State::live; }

    // Estimated cost of a decision made by walking the queue; the unit is the cost of examining one task. A
    // recalculation costs 1/16 per task, because it accesses memory sequentially.
    static std::uint32_t cost_of_walk(const Decision& d) {
        return d.considered + d.queue_steps + d.recalculated / 16;
    }

    // Short walks are faster than the index, and building the index takes time. At each decision, the queue
    // calls one of the next two functions. should_build_index() receives the cost of the walk that the queue
    // made, and returns whether to build the index. should_drop_index() receives the cost of the walk that
    // the index avoided, and returns whether to drop the index.
    bool should_build_index(std::uint32_t cost) {
        if (state_ != State::open) return false;
        score_ = std::max(score_ + static_cast<std::int32_t>(cost) - kShort, 0);
        return score_ > build_threshold_;
    }
    bool should_drop_index(std::uint32_t cost) {
        score_ = std::min(score_ + static_cast<std::int32_t>(cost) - kShort, build_threshold_);
        return score_ <= 0;
    }

    // A function that returns the term `grant` of a recalculation: counter = counter / 2 + grant (in ticks).
    using Grant = std::int32_t (*)(std::int32_t priority);

    // Dimensions of an index.
    struct Dimensions {
        std::uint32_t tasks;  // rows of the task table
        // Number of CPUs. Selectable tasks are counted by their last CPU; with 1 CPU they are not counted.
        std::uint32_t cpus;
        // Number of address spaces. Selectable tasks are counted by address space; 0: they are not counted.
        std::uint32_t mms;
        Grant grant;  // used to apply missed recalculations to sleeping tasks
    };
    // Builds the index of an empty queue.
    void build(const Dimensions& dimensions);

    // --- the queue ---

    // Number of queued tasks, running or ready.
    std::uint32_t queued_count() const { return queued_; }
    bool is_queued(TaskId p) const { return place_[p] != kNowhere; }

    // The place of a queued task. A task with a lower place comes earlier in the queue.
    std::uint32_t place(TaskId p) const { return assert(is_queued(p)), place_[p]; }

    // Appends p to the queue. p cannot be chosen until make_selectable() is called.
    void add_last(TaskId p) {
        assert(!is_queued(p));
        put_last(p);
        ++queued_;
    }
    void add_first(TaskId p) {
        assert(!is_queued(p));
        if (head_ == 0) [[unlikely]] {
            grows_at_both_ends_ = true;
            renumber();
        }
        place_[p] = --head_;
        task_at_[head_] = static_cast<std::uint16_t>(p);
        ++queued_;
    }
    // Moves p to the tail of the queue. REQUIRES: p is queued and not selectable.
    void move_last(TaskId p) {
        assert(is_queued(p) && level_[p] == kNoLevel);
        put_last(p);
    }
    // Removes p from the queue. REQUIRES: p is not selectable.
    void remove(TaskId p) {
        assert(is_queued(p) && level_[p] == kNoLevel);
        place_[p] = kNowhere;
        recalculations_seen_[p] = recalculations_;
        --queued_;
    }

    // --- tasks that can be chosen ("selectable") ---

    bool is_selectable(TaskId p) const { return level_[p] != kNoLevel; }
    std::int32_t level(TaskId p) const { return level_[p]; }
    std::uint32_t selectable_count(std::int32_t level) const {
        return selectable_counts_[static_cast<std::size_t>(level)];
    }

    // Adds the queued task p to the row of this level, so that it can be chosen.
    void make_selectable(TaskId p, std::int32_t level) {
        assert(is_queued(p) && level_[p] == kNoLevel && level >= 0 && level < kLevels);
        level_[p] = static_cast<std::int8_t>(level);
        set_bits(place_[p] / 64, bit(place_[p]), 1, level);
    }
    void make_unselectable(TaskId p) {
        assert(level_[p] != kNoLevel);
        const std::int32_t level = level_[p];
        const std::uint32_t place = place_[p], word = place / 64;
        level_[p] = kNoLevel;
        std::uint64_t* const row = row_of(level);
        // Computed without a branch, because it is unpredictable whether the cleared bit was the last bit of
        // its word or row.
        const std::uint64_t left = row[summaries_ + word] &= ~bit(place);
        row[word / 64] &= ~(std::uint64_t{left == 0} << (word % 64));
        const std::uint32_t others = --selectable_counts_[static_cast<std::size_t>(level)];
        occupied_[static_cast<std::size_t>(level / 64)] &= ~(std::uint64_t{others == 0} << (level % 64));
    }

    // The level of the highest nonempty row whose level is less than `limit`; kNoLevel: none.
    std::int32_t highest_level(std::int32_t limit = kLevels) const {
        std::uint64_t high = occupied_[1], low = occupied_[0];
        if (limit < kLevels) {
            high &= limit > 64 ? bit(static_cast<std::uint32_t>(limit)) - 1 : 0;
            if (limit < 64) low &= bit(static_cast<std::uint32_t>(limit)) - 1;
        }
        if (high != 0) return 127 - std::countl_zero(high);
        return low != 0 ? 63 - std::countl_zero(low) : kNoLevel;
    }

    // First task of a row, or first task at place `from` or higher if `from` is specified. kNoTask: none.
    TaskId first(std::int32_t level) const { return first_from_word(row_of(level), 0); }
    TaskId first(std::int32_t level, std::uint32_t from) const;

    // Number of tasks of a row whose place is `place` or higher.
    std::uint32_t count_from_place(std::int32_t level, std::uint32_t place) const;

    // --- numbers of selectable tasks by last CPU and by address space ---
    //
    // The bonuses that selectable tasks can get depend on these numbers. A queue maintains the numbers only
    // if its kernel has a bonus for the last CPU or the address space. `change`: 1 if a task becomes
    // selectable, -1 if a task becomes unselectable.

    std::uint32_t count_with_last_cpu(CpuId cpu) const { return last_on_[cpu]; }
    std::uint32_t count_with_mm(MmId mm) const { return with_mm_[mm]; }
    void change_count_with_last_cpu(std::uint32_t cpu, std::int32_t change) {
        if (cpu < last_on_.size()) last_on_[cpu] += static_cast<std::uint32_t>(change);
    }
    void change_count_with_mm(MmId mm, std::int32_t change) {
        with_mm_[mm] += static_cast<std::uint32_t>(change);
    }

    // --- recalculations ---

    // Counts a recalculation in which only queued tasks have been updated.
    void count_recalculation_of_queued() { ++recalculations_; }
    // Records that p, which is new, has missed no recalculation.
    void reset_missed_recalculations(TaskId p) { recalculations_seen_[p] = recalculations_; }
    std::int32_t granted_ticks(std::int32_t priority) const { return grant_(priority); }
    // Returns and resets the number of recalculations missed by p. REQUIRES: p is not queued.
    std::uint64_t take_missed_recalculations(TaskId p) {
        assert(!is_queued(p));
        const std::uint64_t missed = recalculations_ - recalculations_seen_[p];
        recalculations_seen_[p] = recalculations_;
        return missed;
    }

    // Rebuilds all rows and resets the counts by CPU and address space. level_of(p) is called in queue order.
    // It returns p's level, or kNoLevel if p must not be selectable.
    template <class LevelOf>
    void rebuild_levels(LevelOf level_of) {
        std::fill(last_on_.begin(), last_on_.end(), 0);
        std::fill(with_mm_.begin(), with_mm_.end(), 0);
        assign_levels(level_of);
    }

    // Memory used, for tests.
    std::size_t bytes() const;

  private:
    enum class State : std::uint8_t { closed, open, live };
    static constexpr std::int32_t kShort = 8;
    static constexpr std::uint32_t kNowhere = 0xffff'ffff;

    static constexpr std::uint64_t bit(std::uint32_t i) { return std::uint64_t{1} << (i % 64); }
    static std::uint32_t lowest_bit(std::uint64_t bits) {
        return static_cast<std::uint32_t>(std::countr_zero(bits));
    }

    std::uint64_t* row_of(std::int32_t level) {
        return rows_.data() + static_cast<std::size_t>(level) * stride_;
    }
    const std::uint64_t* row_of(std::int32_t level) const {
        return rows_.data() + static_cast<std::size_t>(level) * stride_;
    }
    // Sets `count` bits of one word of a level's row. REQUIRES: none of these bits is set.
    void set_bits(std::uint32_t word, std::uint64_t bits, std::uint32_t count, std::int32_t level) {
        std::uint64_t* const row = row_of(level);
        row[summaries_ + word] |= bits;
        row[word / 64] |= bit(word);
        selectable_counts_[static_cast<std::size_t>(level)] += count;
        occupied_[static_cast<std::size_t>(level / 64)] |= bit(static_cast<std::uint32_t>(level));
    }
    // First task of a row, searched from word `i` of the row's summary on; kNoTask: none.
    TaskId first_from_word(const std::uint64_t* row, std::uint32_t i) const {
        for (; i < summaries_; ++i) {
            if (row[i] == 0) continue;
            const std::uint32_t word = 64 * i + lowest_bit(row[i]);
            return task_at_[64 * word + lowest_bit(row[summaries_ + word])];
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
    void assign_levels(LevelOf level_of) {
        clear_rows();
        if (grows_at_both_ends_) center_queue_places();
        // Neighbours in the queue usually have the same level, so their bits are collected and written
        // together.
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
    void center_queue_places();
    [[gnu::noinline]] void renumber();

    State state_ = State::closed;
    // Tasks are added at the tail and at the head, so renumber() leaves free places at both ends.
    bool grows_at_both_ends_ = false;
    Grant grant_ = nullptr;
    // score_: sum of (cost of a walk - kShort) over the decisions. The index is built if the sum exceeds
    // build_threshold_, and dropped if the sum falls to 0.
    std::int32_t score_ = 0, build_threshold_ = 0;
    std::uint32_t queued_ = 0;
    std::uint32_t places_ = 0, head_ = 0, tail_ = 0;  // places [head_, tail_) are in use
    // Number of words of a row's summary; number of words of a whole row.
    std::uint32_t summaries_ = 0, stride_ = 0;
    std::uint64_t recalculations_ = 0;
    std::array<std::uint64_t, 2> occupied_{};       // one bit per row: the row is not empty
    std::vector<std::uint32_t> selectable_counts_;  // number of selectable tasks in each row
    std::vector<std::uint64_t> rows_;               // the bits of all kLevels rows
    std::vector<std::uint32_t> place_;              // place of each task, by TaskId
    std::vector<std::uint16_t> task_at_;            // task at each place; outdated if place_[task] != place
    std::vector<std::int8_t> level_;                // level of each task, by TaskId
    // By TaskId: value of recalculations_ when the counter of the task was last up to date. Valid only if the
    // task is not queued.
    std::vector<std::uint64_t> recalculations_seen_;
    std::vector<std::uint32_t> last_on_;  // number of selectable tasks by last CPU; empty if there is one CPU
    std::vector<std::uint32_t> with_mm_;  // number of selectable tasks by MmId
};
static_assert(ReadyIndex::kRealTime <= 127);  // a level fits into 8 bits

}  // namespace sim
