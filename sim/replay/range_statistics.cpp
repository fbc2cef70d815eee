#include "sim/replay/range_statistics.h"

#include <algorithm>

namespace sim {

RangeStatistics::RangeStatistics(const RunHistory& history, Nanos begin, Nanos end)
    : history_(history), begin_(begin), end_(end), moment_(history.beginning()) {
    history.state_at(begin, moment_);
    const Machine& m = moment_.machine;
    before_ = sample_of(history.scenario(), moment_.statistics, m);
    ready_since_.assign(m.shape().cpus + m.shape().tasks, begin);
    user.assign(ready_since_.size(), Nanos{});
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p)
        if (m.is_live(p)) ready_since_[p] = moment_.statistics.tasks[p].ready_since;
    for (CpuId c = 0; c < m.shape().cpus; ++c)
        running_since_.push_back(std::max(begin, m.cpu(c).kernel_until));
    stretch_.resize(m.shape().cpus);
}

bool RangeStatistics::advance(std::uint64_t events) {
    if (complete_) return false;
    const std::uint64_t last = history_.simulated_end().machine.globals().events;
    const std::uint64_t target = std::min(last, moment_.machine.globals().events + events);
    while (!complete_ && moment_.machine.globals().events < target) {
        const std::uint64_t piece = std::min(target, moment_.machine.globals().events + 4096);
        trace_.records.clear();
        history_.advance(moment_, {.until = end_, .events = piece}, &trace_);
        for (const TraceRecord& r : trace_.records) add_record(r);
        complete_ = moment_.machine.globals().events < piece;
    }
    complete_ = complete_ || moment_.machine.globals().events >= last;
    if (complete_) {
        const Nanos simulated_end = history_.simulated_end().machine.globals().now;
        if (end_ >= simulated_end)
            moment_ = history_.simulated_end();
        else
            history_.advance(moment_, {.until = end_});
        after_ = sample_of(history_.scenario(), moment_.statistics, moment_.machine);
    }
    return !complete_;
}

double RangeStatistics::progress() const {
    if (complete_ || end_ <= begin_) return 1;
    return std::clamp(static_cast<double>((moment_.machine.globals().now - begin_).count()) /
                          static_cast<double>((end_ - begin_).count()),
                      0.0, 1.0);
}

void RangeStatistics::add_record(const TraceRecord& r) {
    const auto leave_user_mode = [&](TaskId p) {
        const Nanos span = std::max(Nanos{}, r.time - running_since_[r.cpu]);
        stretch_[r.cpu] += span;
        user[p] += span;
        running_since_[r.cpu] = r.time + r.span;
    };
    const TaskId first_task = moment_.machine.first_task();
    switch (r.kind) {
        case TraceKind::wake_up:
            ready_since_[r.task] = r.time;
            break;
        case TraceKind::syscall:
            leave_user_mode(r.task);
            break;
        case TraceKind::schedule:
            schedule.add(r.span);
            if (r.other >= first_task)
                leave_user_mode(r.other);
            else
                running_since_[r.cpu] = r.time + r.span;
            if (r.task == r.other) break;
            if (r.other >= first_task) {
                stretch.add(stretch_[r.cpu]);
                if (!r.voluntary) ready_since_[r.other] = r.time;
            }
            stretch_[r.cpu] = Nanos{};
            if (r.task >= first_task) readiness.add(r.time - ready_since_[r.task]);
            break;
        case TraceKind::interrupt:
            // The interrupt occurs during kernel work and prolongs this work.
            if (running_since_[r.cpu] > r.time)
                running_since_[r.cpu] += r.span;
            else if (r.task >= first_task)
                leave_user_mode(r.task);
            else
                running_since_[r.cpu] = r.time + r.span;
            break;
        default:
            break;
    }
}

}  // namespace sim
