#include "sim/replay/range_samples.h"

#include <algorithm>

#include "sim/core/summary.h"

namespace sim {
namespace {

constexpr std::size_t kMostZoomCells = 1 << 19;  // 12 MiB

}  // namespace

RangeSamples::RangeSamples(const RunHistory& history, Nanos begin, Nanos end, std::uint32_t columns)
    : history_(history),
      begin_(begin),
      end_(end),
      width_(std::max(Nanos{1}, (end - begin) / static_cast<std::int64_t>(std::max(1U, columns)))),
      moment_(history.beginning()) {
    history.state_at(begin, moment_);
    lengths_ = moment_.statistics.queue_length;
    const std::size_t rows = moment_.machine.shape().cpus + moment_.machine.shape().tasks;
    task_every_ = std::max<std::size_t>(1, rows * columns / kMostZoomCells);
    take_sample();
}

void RangeSamples::take_sample() {
    const Statistics& s = moment_.statistics;
    Sample sample = sample_of(history_.scenario(), s, moment_.machine);
    sample.longest = 0;
    for (std::size_t length = 0; length < lengths_.size(); ++length)
        if (s.queue_length[length] != lengths_[length]) sample.longest = static_cast<std::uint32_t>(length);
    lengths_ = s.queue_length;
    samples_.push_back(sample);
    if ((samples_.size() - 1) % task_every_ == 0)
        task_samples_.push_back(task_table_sample_of(history_.scenario(), s, moment_.machine));
}

bool RangeSamples::advance(std::uint64_t events) {
    const std::uint64_t last = history_.simulated_end().machine.globals().events;
    const Nanos simulated_end = history_.simulated_end().machine.globals().now;
    const auto g = [this]() -> const Globals& { return moment_.machine.globals(); };
    const std::uint64_t target = std::min(last, g().events + events);
    while (!complete_) {
        const Nanos due = std::min({samples_.back().time + width_, end_, simulated_end});
        history_.advance(moment_, {.until = due, .events = target});
        if (g().now < due) {
            if (g().events < last) return true;  // `events` events have been simulated
            moment_ = history_.simulated_end();  // no further event until the end
        }
        complete_ = g().now >= end_ || g().now >= simulated_end;
        take_sample();
    }
    return false;
}

}  // namespace sim
