#include "ui/view/two_runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "ui/view/format.h"
#include "ui/view/knobs.h"

namespace ui {

const char* run_label(bool first) { return first ? "Run A" : "Run B"; }

ComparedCosts compared_costs(const Model& model) {
    const Outcome a = outcome_of(*model.a), b = outcome_of(*model.b);
    ComparedCosts lines{cost_text(a), cost_text(b), {}};
    const double less = std::min(a.cost, b.cost), more = std::max(a.cost, b.cost);
    if (a.per_yield != b.per_yield || less <= 0) return lines;
    const double factor = more / less;
    if (factor < 1.005)
        lines.factor = "the same in both runs";
    else
        lines.factor = fmt::format("{:.{}f} times as much in run {}", factor,
                                   factor < 10    ? 2
                                   : factor < 100 ? 1
                                                  : 0,
                                   a.cost > b.cost ? "A" : "B");
    return lines;
}

bool has_runs_at_different_times(const Model& model) {
    if (model.a == nullptr || model.b == nullptr) return false;
    const sim::Nanos apart = model.b->now() - model.a->now();
    return apart < sim::Nanos{} || apart > sim::Nanos{1};
}

std::string position_in_comparison(const Model& model, const Run& run) {
    return has_runs_at_different_times(model) ? "at " + instant_text(run.now()) : std::string{};
}

}  // namespace ui
