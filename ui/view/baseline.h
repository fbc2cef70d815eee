// The scenario without the user's changes. Its values determine the ranges of the sliders for scenario
// values, so dragging a slider does not change its range. Its result is compared with the result after the
// changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ui/view/knobs.h"
#include "ui/view/model.h"

namespace ui {

class Baseline {
  public:
    // Records the policy and the knobs (the values that sliders can change). Also records the result of the
    // run while the user has changed nothing. Call it in every frame. Does nothing if no scenario is open.
    void record(const Model& model);

    // True if the user has changed a value or the policy. REQUIRES, for this function and all functions
    // below: record(model) has been called.
    bool is_changed(const Model& model) const;

    const std::string& policy() const { return policy_; }
    const std::vector<Knob>& knobs() const { return knobs_; }
    // The unchanged value of each knob, in the order of knobs().
    const std::vector<std::int64_t>& values() const { return values_; }
    // The result of the unchanged scenario; nullopt if it has not been run.
    const std::optional<Outcome>& outcome() const { return outcome_; }

  private:
    std::string scenario_;
    std::string policy_;
    std::uint64_t run_ = 0;
    std::size_t groups_ = 0;
    std::vector<Knob> knobs_;
    std::vector<std::int64_t> values_;
    std::optional<Outcome> outcome_;
};

}  // namespace ui
