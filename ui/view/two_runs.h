// Two runs side by side: what they are called, what each has come to, and where each stands.
#pragma once

#include <string>

#include "ui/view/model.h"

namespace ui {

// What a run is called where tasks are named, too: a task may well be called A.
const char* run_label(bool first);  // "Run A", "Run B"

// What both have come to, as policies are judged, and how many times the one is the other.
struct Headlines {
    std::string a, b;    // "19.0 us per yield", or "-" as cost_text()
    std::string factor;  // "3.75 times as much in run A", "the same in both"; empty where nothing compares
};
// REQUIRES: there are two runs.
Headlines headlines(const Model& model);

// Whether the second run stands at another instant than the first: after the same decision, which it came to
// earlier or later. Of two runs on one clock, B stands right behind what happened at A's instant.
bool stands_apart(const Model& model);

// "at 15.180 us" for a run of two that stand apart; empty otherwise.
std::string place_words(const Model& model, const Run& run);

}  // namespace ui
