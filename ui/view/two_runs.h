// Two runs side by side: labels, results, and differing positions.
#pragma once

#include <string>

#include "ui/view/model.h"

namespace ui {

// The name of a run, as "Run A" and not as "A", because a task may be called "A".
const char* run_label(bool first);  // "Run A", "Run B"

// The costs of both runs (Outcome) and their ratio.
struct ComparedCosts {
    std::string a, b;  // "19.0 µs per yield", or "-" as in cost_text()
    // The ratio: "3.75 times as much in run A", "the same in both runs"; empty if the costs cannot be
    // compared.
    std::string factor;
};
// REQUIRES: there are two runs.
ComparedCosts compared_costs(const Model& model);

// True if the times of the two runs' positions differ by more than 1 ns. Usually B is right after all events
// at A's time, so the difference is at most 1 ns. It is larger if, for example, both runs are right after the
// same decision, and B reached it earlier or later than A.
bool has_runs_at_different_times(const Model& model);

// The position of a run, such as "at 15.18 µs", if has_runs_at_different_times(); otherwise empty.
std::string position_in_comparison(const Model& model, const Run& run);

}  // namespace ui
