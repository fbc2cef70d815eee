// Two runs side by side: labels, results, and differing positions.
#pragma once

#include <string>

#include "ui/view/model.h"

namespace ui {

// Not just "A": a task may have this name.
const char* run_label(bool first);  // "Run A", "Run B"

// The costs of both runs (Outcome) and their ratio.
struct Headlines {
    std::string a, b;    // "19.0 µs per yield", or "-" as in cost_text()
    std::string factor;  // "3.75 times as much in run A", "the same in both"; empty if not comparable
};
// REQUIRES: there are two runs.
Headlines headlines(const Model& model);

// Whether the second run is at another time than the first: after the same decision, which it reached earlier
// or later. Two runs on one clock are at most 1 ns apart, as B is right after the events of A's time.
bool stands_apart(const Model& model);

// "at 15.18 µs" if stands_apart(); otherwise empty.
std::string place_words(const Model& model, const Run& run);

}  // namespace ui
