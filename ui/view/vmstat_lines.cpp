#include "ui/view/vmstat_lines.h"

#include <algorithm>

namespace ui {
namespace {

using sim::Nanos;

constexpr std::size_t kMostSamples = 4'096;

// The number of events in a chunk. A chunk takes a few tenths of a millisecond; it has fewer events if an
// event may visit many tasks.
std::uint64_t events_per_chunk(const sim::RunHistory& history) {
    constexpr std::uint64_t kFewTasks = 1000, kEvents = 4'000;
    const std::uint64_t tasks = history.simulated_end().machine.globals().high_row;
    return std::max<std::uint64_t>(16, kEvents * kFewTasks / std::max(kFewTasks, tasks));
}

}  // namespace

Nanos vmstat_interval(Nanos length) {
    Nanos interval = std::chrono::seconds(1);
    while (interval > Nanos{1'000} && length / interval < 20) interval /= 10;
    return interval;
}

Nanos vmstat_interval(const Run& run) {
    const sim::RunHistory& history = run.history();
    const bool known = !history.is_complete() && history.latest_end() != sim::kHorizon;
    return vmstat_interval(known ? history.latest_end() : run.end());
}

void VmstatLines::reset_if_changed(const Run& run, Nanos interval) {
    if (run_ == run.id() && interval_ == interval) return;
    run_ = run.id();
    interval_ = interval;
    samples_.clear();
    moment_.reset();
}

bool VmstatLines::compute_lines(const Run& run, std::int64_t first, std::int64_t last, std::size_t most) {
    const sim::RunHistory& history = run.history();
    const std::uint64_t events = events_per_chunk(history);
    const Nanos end = run.end();
    if (samples_.size() > kMostSamples) samples_.clear();
    for (std::int64_t i = std::max<std::int64_t>(first, 0); i <= last; ++i) {
        const Nanos boundary = interval_ * i;
        // Stops at the first interval that is not completely simulated. The last interval of a complete run
        // may be shorter: it ends at the end of the run.
        if (boundary > end && (!history.is_complete() || boundary - interval_ >= end)) return false;
        if (samples_.contains(i)) continue;
        if (history.is_complete() && interval_ * i >= end) {
            const sim::Moment& simulated_end = history.simulated_end();
            samples_[i] = sim::sample_of(run.scenario(), simulated_end.statistics, simulated_end.machine);
            return false;
        }
        const bool near = moment_ && moment_->machine.globals().now <= boundary &&
                          boundary - moment_->machine.globals().now <= 2 * interval_;
        if (!near) {
            if (!moment_) moment_.emplace(history.beginning());
            history.state_at(boundary, *moment_);
        }
        while (moment_->machine.globals().now < boundary && !moment_->machine.globals().is_stopped) {
            const sim::Limits limits{.until = boundary, .events = moment_->machine.globals().events + events};
            history.advance(*moment_, limits);
            if (--most == 0) return true;
        }
        samples_[i] = sim::sample_of(run.scenario(), moment_->statistics, moment_->machine);
    }
    return false;
}

const sim::Sample* VmstatLines::sample_at(std::int64_t boundary) const {
    const auto place = samples_.find(boundary);
    return place == samples_.end() ? nullptr : &place->second;
}

std::optional<sim::TimeParts> VmstatLines::parts(std::int64_t i) const {
    const sim::Sample *before = sample_at(i), *after = sample_at(i + 1);
    if (before == nullptr || after == nullptr) return std::nullopt;
    return after->parts - before->parts;
}

std::optional<sim::VmstatLine> VmstatLines::line(std::int64_t i) const {
    const sim::Sample *before = sample_at(i), *after = sample_at(i + 1);
    if (before == nullptr || after == nullptr || after->time <= before->time) return std::nullopt;
    return sim::vmstat_line(*before, *after);
}

}  // namespace ui
