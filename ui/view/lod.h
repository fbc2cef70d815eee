// Level of detail: fits a run into the pixels of the timeline. Converts times to x coordinates and back,
// chooses the steps of the axis, and folds slices.
//
// Folding divides the time into cells of a fixed width, and combines the slices of a cell that are too narrow
// to be visible. So the number of drawn pieces is limited by the number of pixels. Cells are on a grid of
// absolute time, so that panning moves the pieces but does not change them. The next cell is found by
// bisection, and the sums of its slices by SlicePrefixSums. The time for drawing is proportional to
// the number of pixels times the logarithm of the number of slices.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/base/types.h"
#include "ui/view/view_state.h"

namespace ui {

// Maps a range of time to the x coordinates from `left` to left + width.
struct TimeScale {
    TimeRange range;  // not empty
    float left = 0;
    float width = 1;  // at least 1

    double ns_per_pixel() const {
        return static_cast<double>(range.length().count()) / static_cast<double>(width);
    }
    // The x coordinate of a time, clamped to a few widths outside the range, where floats are still exact.
    float x(sim::Nanos t) const;
    // x() rounded to a whole pixel.
    float rounded_x(sim::Nanos t) const;
    sim::Nanos time(float x) const;
    // The time that `pixels` cover, at least 1 ns.
    sim::Nanos duration_of(float pixels) const;
};

// The smallest round number of nanoseconds (1, 2 or 5 times a power of ten) that is at least `least`.
sim::Nanos smallest_round_step(sim::Nanos least);

// The distance of the ticks on an axis up to `axis_end`: smallest_round_step(); for an axis of one hour or
// more, a round number of seconds, minutes, hours or days.
sim::Nanos axis_step(sim::Nanos least_step, sim::Nanos axis_end);

// The label of time t on an axis that ends at `axis_end` and has ticks `step` apart: "12.345 6 ms", with the
// digits that `step` requires. All labels of an axis have the unit that `axis_end` requires; from one hour
// on they have the form "2:23:29.5".
std::string tick_label(sim::Nanos t, sim::Nanos step, sim::Nanos axis_end);

// The slices from `first` to `last` of a sequence, both included: one wide slice, or neighbours that are
// combined.
struct SliceGroup {
    std::size_t first = 0, last = 0;
    bool folded = false;
};

// The index of the first slice that ends after t. REQUIRES: the slices are in order and do not overlap.
template <class Slice>
std::size_t first_ending_after(std::span<const Slice> slices, sim::Nanos t) {
    return static_cast<std::size_t>(
        std::partition_point(slices.begin(), slices.end(), [t](const Slice& s) { return s.end <= t; }) -
        slices.begin());
}

// Calls emit(SliceGroup) for the slices in `range`, in order. A slice of at least `visible_width` is a group
// of its own. The narrower slices of a cell are combined into one group, which is shorter than 3 *
// `visible_width` including gaps. REQUIRES: the slices are in order and do not overlap; visible_width > 0.
template <class Slice, class Emit>
void fold_slices(std::span<const Slice> slices, const TimeRange& range, sim::Nanos visible_width, Emit emit) {
    for (std::size_t i = first_ending_after(slices, range.begin);
         i < slices.size() && slices[i].begin < range.end;) {
        const auto wide = [&](std::size_t s) { return slices[s].end - slices[s].begin >= visible_width; };
        if (wide(i)) {
            emit(SliceGroup{i, i, false});
            ++i;
            continue;
        }
        const sim::Nanos cell_end = (slices[i].begin / visible_width + 1) * visible_width;
        // Most cells contain few slices, so the search doubles its range before it bisects.
        std::size_t step = 1;
        std::size_t low = i + 1;
        while (low + step < slices.size() && slices[low + step].begin < cell_end) {
            low += step;
            step *= 2;
        }
        const std::size_t high = std::min(low + step, slices.size());
        const auto next =
            std::partition_point(slices.begin() + static_cast<std::ptrdiff_t>(std::min(low, slices.size())),
                                 slices.begin() + static_cast<std::ptrdiff_t>(high),
                                 [cell_end](const Slice& s) { return s.begin < cell_end; });
        auto last = static_cast<std::size_t>(next - slices.begin()) - 1;
        if (last > i && wide(last)) --last;  // the last slice starts in this cell, but is a group of its own
        emit(SliceGroup{i, last, last > i});
        i = last + 1;
    }
}

// The total time and the number of slices of each kind.
struct SliceKindSums {
    static constexpr std::size_t kKinds = 10;
    std::array<sim::Nanos, kKinds> time{};
    std::array<std::uint32_t, kKinds> count{};

    sim::Nanos total() const {
        sim::Nanos sum{};
        for (const sim::Nanos t : time) sum += t;
        return sum;
    }
};

// The total time of the slices of each owner. The owner of a slice is a task. Efficient if only a few of many
// tasks are owners. clear() keeps the memory for further use.
class TimesByTask {
  public:
    struct Owner {
        sim::TaskId task;
        sim::Nanos time;
    };

    void clear();
    void add(sim::TaskId p, sim::Nanos time);
    // The owners with the most time (up to `most` of them), sorted by id.
    std::vector<Owner> top_owners(std::size_t most) const;
    std::size_t size() const { return touched_.size(); }

  private:
    std::vector<sim::Nanos> times_;  // by TaskId
    std::vector<sim::TaskId> touched_;
};

// Prefix sums over a sequence of slices. With them, the sums of any part of the sequence are computed without
// visiting each slice of the part.
class SlicePrefixSums {
  public:
    // REQUIRES: kind_of(slice) < SliceKindSums::kKinds. owner_of(slice) is kNoTask for a slice without an
    // owner.
    template <class Slice, class KindOf, class OwnerOf>
    SlicePrefixSums(std::span<const Slice> slices, KindOf kind_of, OwnerOf owner_of) {
        sums_.reserve(slices.size() / kBlock + 1);
        first_owner_.reserve(slices.size() / kBlock + 2);
        SliceKindSums sum;
        for (std::size_t i = 0; i < slices.size(); ++i) {
            if (i % kBlock == 0) {
                sums_.push_back(sum);
                first_owner_.push_back(owners_.size());
            }
            const sim::Nanos time = slices[i].end - slices[i].begin;
            sum.time[kind_of(slices[i])] += time;
            ++sum.count[kind_of(slices[i])];
            if (const sim::TaskId p = owner_of(slices[i]); p != sim::kNoTask) {
                const auto begin = owners_.begin() + static_cast<std::ptrdiff_t>(first_owner_.back());
                const auto known =
                    std::find_if(begin, owners_.end(), [p](const auto& o) { return o.task == p; });
                if (known == owners_.end())
                    owners_.push_back({p, time});
                else
                    known->time += time;
            }
        }
        first_owner_.push_back(owners_.size());
    }
    SlicePrefixSums() = default;

    // The sums of the slices from `first` to `last`, both included. Adds the times to `owners` unless it is
    // null. REQUIRES: slices and functions are those of the constructor.
    template <class Slice, class KindOf, class OwnerOf>
    SliceKindSums sums_of(std::span<const Slice> slices, std::size_t first, std::size_t last, KindOf kind_of,
                          OwnerOf owner_of, TimesByTask* owners = nullptr) const {
        SliceKindSums sum;
        const auto walk = [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                const sim::Nanos time = slices[i].end - slices[i].begin;
                sum.time[kind_of(slices[i])] += time;
                ++sum.count[kind_of(slices[i])];
                if (owners == nullptr) continue;
                if (const sim::TaskId p = owner_of(slices[i]); p != sim::kNoTask) owners->add(p, time);
            }
        };
        const std::size_t from_block = (first + kBlock - 1) / kBlock;
        const std::size_t to_block = (last + 1) / kBlock;
        if (from_block >= to_block || to_block >= sums_.size() + 1 || sums_.empty()) {
            walk(first, last + 1);
            return sum;
        }
        walk(first, from_block * kBlock);
        // The sums of the blocks from `from_block` to `end_block` (exclusive) require one subtraction: the
        // sums before block `end_block`, minus the sums before block `from_block`.
        std::size_t end_block = to_block;
        if (end_block == sums_.size()) --end_block;
        for (std::size_t k = 0; k < SliceKindSums::kKinds; ++k) {
            sum.time[k] += sums_[end_block].time[k] - sums_[from_block].time[k];
            sum.count[k] += sums_[end_block].count[k] - sums_[from_block].count[k];
        }
        if (owners != nullptr)
            for (std::size_t o = first_owner_[from_block]; o < first_owner_[end_block]; ++o)
                owners->add(owners_[o].task, owners_[o].time);
        walk(end_block * kBlock, last + 1);
        return sum;
    }

  private:
    static constexpr std::size_t kBlock = 64;

    std::vector<SliceKindSums> sums_;  // sums of all slices before each block
    // By block: index of its first owner in owners_; last element: owners_.size().
    std::vector<std::size_t> first_owner_;
    // The owners of the slices of each block, each owner once per block.
    std::vector<TimesByTask::Owner> owners_;
};

// The times of the timeline's markers by kind, in order, for counting them per pixel.
class MarkerTimes {
  public:
    static constexpr std::size_t kKinds = 8;

    void add(sim::Nanos time, std::size_t kind, std::uint32_t record) {
        by_kind_[kind].push_back({time, record});
    }
    void clear() {
        for (auto& marks : by_kind_) marks.clear();
    }

    struct Mark {
        sim::Nanos time;
        std::uint32_t record;
    };
    // The marks of a kind, in order of time.
    std::span<const Mark> marks(std::size_t kind) const { return by_kind_[kind]; }
    // The index of the first mark at or after t.
    std::size_t first_mark_from(std::size_t kind, sim::Nanos t) const {
        const auto& marks = by_kind_[kind];
        return static_cast<std::size_t>(
            std::partition_point(marks.begin(), marks.end(), [t](const Mark& m) { return m.time < t; }) -
            marks.begin());
    }

  private:
    std::array<std::vector<Mark>, kKinds> by_kind_;
};

}  // namespace ui
