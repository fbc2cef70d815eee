#include "sim/core/ready_index.h"

namespace sim {

void ReadyIndex::build(const Dimensions& dimensions) {
    const std::uint32_t words = (2 * dimensions.tasks + 63) / 64 + 1;
    places_ = 64 * words;
    summaries_ = (words + 63) / 64;
    stride_ = summaries_ + words;
    grows_at_both_ends_ = false;
    grant_ = dimensions.grant;
    rows_.assign(std::size_t{kLevels} * stride_, 0);
    place_.assign(dimensions.tasks, kNowhere);
    task_at_.assign(places_, 0);
    level_.assign(dimensions.tasks, kNoLevel);
    recalculations_seen_.assign(dimensions.tasks, 0);
    with_mm_.assign(dimensions.mms, 0);
    last_on_.assign(dimensions.cpus > 1 ? dimensions.cpus : 0, 0);
    selectable_counts_.assign(kLevels, 0);
    occupied_.fill(0);
    recalculations_ = 0;
    queued_ = 0;
    head_ = tail_ = 0;
    state_ = State::live;
}

TaskId ReadyIndex::first(std::int32_t level, std::uint32_t from) const {
    if (from >= places_) return kNoTask;
    const std::uint64_t* const row = row_of(level);
    std::uint32_t word = from / 64;
    if (const std::uint64_t rest = row[summaries_ + word] & ~(bit(from) - 1); rest != 0)
        return task_at_[64 * word + lowest_bit(rest)];
    if (++word % 64 != 0) {
        if (const std::uint64_t rest = row[word / 64] & ~(bit(word) - 1); rest != 0) {
            word = word / 64 * 64 + lowest_bit(rest);
            return task_at_[64 * word + lowest_bit(row[summaries_ + word])];
        }
        word = word / 64 * 64 + 64;
    }
    return first_from_word(row, word / 64);
}

std::uint32_t ReadyIndex::count_from_place(std::int32_t level, std::uint32_t place) const {
    const std::uint64_t* const words = row_of(level) + summaries_;
    int count = std::popcount(words[place / 64] & ~(bit(place) - 1));
    for (std::uint32_t word = place / 64 + 1; 64 * word < tail_; ++word) count += std::popcount(words[word]);
    return static_cast<std::uint32_t>(count);
}

void ReadyIndex::clear_rows() {
    for (std::int32_t level = highest_level(); level != kNoLevel; level = highest_level(level)) {
        std::uint64_t* const row = row_of(level);
        std::fill(row, row + summaries_, 0);
        std::fill(row + summaries_ + head_ / 64, row + summaries_ + (tail_ + 63) / 64, 0);
        selectable_counts_[static_cast<std::size_t>(level)] = 0;
    }
    occupied_.fill(0);
}

// Moves all tasks to the middle of the range of places, so that both ends have free places.
void ReadyIndex::center_queue_places() {
    std::uint32_t packed = 0;
    for (std::uint32_t place = head_; place < tail_; ++place) {
        const std::uint16_t p = task_at_[place];
        if (place_[p] != place) continue;
        task_at_[packed] = p;
        place_[p] = packed++;
    }
    assert(packed == queued_);
    head_ = (places_ - packed) / 2;
    tail_ = head_ + packed;
    for (std::uint32_t place = packed; place-- > 0;) {
        const std::uint16_t p = task_at_[place];
        task_at_[head_ + place] = p;
        place_[p] = head_ + place;
    }
}

void ReadyIndex::renumber() {
    assign_levels([this](TaskId p) { return std::int32_t{level_[p]}; });
}

std::size_t ReadyIndex::bytes() const {
    return rows_.size() * 8 + selectable_counts_.size() * 4 + place_.size() * 4 + task_at_.size() * 2 +
           level_.size() + recalculations_seen_.size() * 8 + (last_on_.size() + with_mm_.size()) * 4;
}

}  // namespace sim
