#include "sim/replay/difference.h"

#include <algorithm>
#include <vector>

namespace sim {
namespace {

// Re-executes a run in chunks and reads its decisions.
class DecisionReplayer {
  public:
    DecisionReplayer(const RunHistory& history, std::uint64_t first)
        : history_(history), moment_(history.beginning()) {
        there_ = history.find_step(StepEventKind::decision, first - 1, moment_);
    }

    // The tasks that the next decisions choose, up to decision number `last`. The list is shorter if the
    // run has no more decisions.
    const std::vector<TaskId>& until(std::uint64_t last) {
        chosen_.clear();
        if (!there_) return chosen_;
        trace_.records.clear();
        last = std::min(last, history_.simulated_end().machine.globals().decisions);
        history_.advance(moment_, {.decisions = last}, &trace_);
        for (const TraceRecord& r : trace_.records)
            if (r.kind == TraceKind::schedule) chosen_.push_back(r.task);
        return chosen_;
    }

  private:
    const RunHistory& history_;
    Moment moment_;
    Trace trace_;
    std::vector<TaskId> chosen_;
    bool there_;
};

}  // namespace

DifferenceSearchResult find_difference(const RunHistory& a, const RunHistory& b, std::uint64_t first_decision,
                                       std::uint64_t most) {
    constexpr std::uint64_t kPiece = 4096;
    DifferenceSearchResult result{.decision = {}, .next = first_decision, .over = false};
    DecisionReplayer of_a(a, first_decision), of_b(b, first_decision);
    const std::uint64_t end = first_decision + most;
    while (result.next < end) {
        const std::uint64_t piece = std::min(kPiece, end - result.next);
        const std::vector<TaskId>& chosen_a = of_a.until(result.next + piece - 1);
        const std::vector<TaskId>& chosen_b = of_b.until(result.next + piece - 1);
        const std::size_t both = std::min(chosen_a.size(), chosen_b.size());
        for (std::size_t i = 0; i < both; ++i) {
            if (chosen_a[i] == chosen_b[i]) continue;
            result.decision = result.next + i;
            result.next += i + 1;
            return result;
        }
        result.next += both;
        if (both < piece) {
            result.over = true;
            return result;
        }
    }
    return result;
}

}  // namespace sim
