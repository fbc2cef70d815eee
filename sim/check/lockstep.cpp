#include "sim/check/lockstep.h"

#include <algorithm>
#include <vector>

namespace sim {
namespace {

// One of the two runs, executed in chunks. Stores the tasks chosen in the latest chunk, and a copy of the
// machine at the start of this chunk. From this copy, the decision that differs can be repeated with logging.
class ChunkedRun {
  public:
    ChunkedRun(const LockstepSide& side, const Limits& limits)
        : engine_(side.scenario, side.policy), limits_(limits), m_(engine_.initial_state()), begin_(m_) {}

    const std::vector<TaskId>& run_next_chunk(std::uint64_t until_decision) {
        begin_ = m_;
        trace_.records.clear();
        Limits piece = limits_;
        piece.decisions = std::min(limits_.decisions, until_decision);
        engine_.run(m_, piece, {.trace = &trace_});
        engine_.throw_if_policy_failed(m_);
        chosen_.clear();
        for (const TraceRecord& r : trace_.records)
            if (r.kind == TraceKind::schedule) chosen_.push_back(r.task);
        return chosen_;
    }

    DecisionView replay_decision(std::uint64_t decision) const {
        return compute_decision_view(engine_, begin_, limits_, decision);
    }

  private:
    Engine engine_;
    Limits limits_;
    Machine m_, begin_;
    Trace trace_;
    std::vector<TaskId> chosen_;
};

}  // namespace

LockstepResult find_first_divergence(const LockstepSide& side_a, const LockstepSide& side_b,
                                     const Limits& limits,
                                     const std::function<void(std::uint64_t)>& progress) {
    constexpr std::uint64_t kPiece = 1 << 14;
    LockstepResult result;
    ChunkedRun a(side_a, limits), b(side_b, limits);
    for (;;) {
        const std::uint64_t target = result.decisions + kPiece;
        const std::vector<TaskId>& chosen_a = a.run_next_chunk(target);
        const std::vector<TaskId>& chosen_b = b.run_next_chunk(target);
        const std::size_t both = std::min(chosen_a.size(), chosen_b.size());
        const auto differs = std::mismatch(
            chosen_a.begin(), chosen_a.begin() + static_cast<std::ptrdiff_t>(both), chosen_b.begin());
        const auto same = static_cast<std::uint64_t>(differs.first - chosen_a.begin());
        if (same < both) {
            result.decisions += same + 1;
            result.divergence.emplace(Divergence{result.decisions, a.replay_decision(result.decisions),
                                                 b.replay_decision(result.decisions)});
            return result;
        }
        result.decisions += both;
        if (both < kPiece) {
            result.a_goes_on = chosen_a.size() > both;
            result.b_goes_on = chosen_b.size() > both;
            return result;
        }
        if (progress) progress(result.decisions);
    }
}

}  // namespace sim
