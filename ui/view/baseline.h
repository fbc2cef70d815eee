// What the scenario was before it was changed: ranges that do not run away under the hand, and the result to
// compare with.
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
    // Takes down what there is to remember of it, if it has not been changed; to be called for each frame.
    // Does nothing when no scenario is open.
    void look_at(const Model& model);

    // Whether a value or the policy is another one now. REQUIRES: look_at(model), here and below.
    bool is_changed(const Model& model) const;

    const std::string& policy() const { return policy_; }
    const std::vector<Knob>& knobs() const { return knobs_; }
    // What each of the knobs stood at.
    const std::vector<std::int64_t>& values() const { return values_; }
    // What came of it; none when it was changed from the beginning.
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
