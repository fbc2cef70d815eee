#include "sim/trace_io/switch_comparison.h"

#include <algorithm>
#include <utility>

namespace sim::trace_io {
namespace {

constexpr std::size_t kLookAhead = 32, kAlike = 4;

// The switches to a task on one CPU.
std::vector<SwitchIn> switches_on(const WaitAnalyzer& waits, std::size_t cpu) {
    std::vector<SwitchIn> list;
    if (cpu >= waits.switches_by_cpu().size()) return list;
    for (const SwitchIn& had : waits.switches_by_cpu()[cpu])
        if (had.task >= 0 && !had.by_exec) list.push_back(had);
    return list;
}

// The switch sequences of trace and run on one CPU.
class SwitchSequences {
  public:
    SwitchSequences(const std::vector<SwitchIn>& recorded, const std::vector<SwitchIn>& made,
                    const std::vector<int>& trace_index_by_task)
        : recorded_(recorded), made_(made), same_as_(trace_index_by_task) {}

    bool are_same_task(std::size_t recorded_index, std::size_t made_index) const {
        const auto task = static_cast<std::size_t>(made_[made_index].task);
        return task < same_as_.size() && same_as_[task] == recorded_[recorded_index].task;
    }
    // True if trace and run match from these positions on: for kAlike switches, or to the end of both.
    bool matches_from(std::size_t recorded_index, std::size_t made_index) const {
        const std::size_t left_r = recorded_.size() - recorded_index, left_m = made_.size() - made_index;
        if (std::min(left_r, left_m) < kAlike && left_r != left_m) return false;
        for (std::size_t i = 0; i < std::min(kAlike, left_r); ++i)
            if (!are_same_task(recorded_index + i, made_index + i)) return false;
        return true;
    }
    // Moves both positions to the nearest later pair of positions from which the sequences match again. Of
    // several pairs at the same distance, chooses the pair with the smallest difference between the two
    // moves. If no such pair exists, moves both positions by one switch.
    void resynchronize(std::size_t& recorded_index, std::size_t& made_index) const {
        const auto has_moved_by = [&](std::size_t of_r, std::size_t of_m) {
            if (of_r > kLookAhead || of_m > kLookAhead) return false;
            if (recorded_index + of_r >= recorded_.size() || made_index + of_m >= made_.size()) return false;
            if (!matches_from(recorded_index + of_r, made_index + of_m)) return false;
            recorded_index += of_r;
            made_index += of_m;
            return true;
        };
        for (std::size_t distance = 1; distance <= 2 * kLookAhead; ++distance)
            for (std::size_t less = distance / 2 + 1; less-- > 0;)
                if (has_moved_by(less, distance - less) || has_moved_by(distance - less, less)) return;
        ++recorded_index;
        ++made_index;
    }

  private:
    const std::vector<SwitchIn>& recorded_;
    const std::vector<SwitchIn>& made_;
    const std::vector<int>& same_as_;
};

Nanos time_of_mismatch(const SwitchMismatch& mismatch) {
    return mismatch.recorded ? mismatch.recorded->since : mismatch.made->since;
}

}  // namespace

double SwitchComparison::matched_share() const {
    return recorded == 0 ? 1 : static_cast<double>(same) / static_cast<double>(recorded);
}

SwitchComparison compare_switches(const WaitAnalyzer& trace, const WaitAnalyzer& run,
                                  const std::vector<int>& trace_index_by_task) {
    SwitchComparer both(trace, run, trace_index_by_task);
    while (both.advance(std::size_t{1} << 20)) {
    }
    return both.result();
}

SwitchComparer::SwitchComparer(const WaitAnalyzer& trace, const WaitAnalyzer& run,
                               std::vector<int> trace_index_by_task)
    : trace_(trace),
      run_(run),
      same_as_(std::move(trace_index_by_task)),
      cpus_(std::max(trace.switches_by_cpu().size(), run.switches_by_cpu().size())) {
    begin_next_cpu();
}

void SwitchComparer::begin_next_cpu() {
    recorded_ = switches_on(trace_, cpu_);
    made_ = switches_on(run_, cpu_);
    all_.recorded += recorded_.size();
    all_.made += made_.size();
    r_ = m_ = 0;
}

bool SwitchComparer::advance(std::size_t steps) {
    for (; cpu_ < cpus_ && steps > 0; --steps) {
        const SwitchSequences sequences(recorded_, made_, same_as_);
        if (r_ < recorded_.size() && m_ < made_.size()) {
            if (sequences.are_same_task(r_, m_)) {
                ++all_.same;
                ++r_;
                ++m_;
            } else {
                all_.mismatches.push_back({cpu_, recorded_[r_], made_[m_], m_});
                sequences.resynchronize(r_, m_);
            }
            continue;
        }
        if (r_ < recorded_.size())
            all_.mismatches.push_back({cpu_, recorded_[r_], std::nullopt, made_.size()});
        if (m_ < made_.size()) all_.mismatches.push_back({cpu_, std::nullopt, made_[m_], m_});
        if (++cpu_ < cpus_) {
            begin_next_cpu();
            continue;
        }
        std::stable_sort(all_.mismatches.begin(), all_.mismatches.end(),
                         [](const SwitchMismatch& a, const SwitchMismatch& b) {
                             return time_of_mismatch(a) < time_of_mismatch(b);
                         });
    }
    return cpu_ < cpus_;
}

}  // namespace sim::trace_io
