// The second run: which it is, where it stands beside the first, and where the two part.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/replay/intervention.h"
#include "ui/control/desk.h"

namespace ui {

class Comparison {
  public:
    explicit Comparison(Desk& desk) : desk_(desk) {}

    void compare_with(const std::string& policy);  // the same scenario under another policy
    void what_if(sim::Intervention intervention);  // the same run with this done at the position
    void end() { desk_.end_compare(); }
    // Ends it, or compares with the policy that is most telling: another way to yield, or else another
    // policy.
    void toggle();

    // B to where everything at A's instant has happened, as far as it is simulated; catch_up() does the rest
    // when it is. Both do nothing when there is no second run.
    void take_along();
    void catch_up();
    // The position is another one: the next search for a difference begins there.
    void moved();

    // The first decision after the position in which the two choose another task. Says why there is none;
    // asked again at the same position, looks further.
    std::optional<std::uint64_t> find_difference();
    // Stands B right after this decision, which is that of find_difference().
    void stand_after(std::uint64_t decision);

  private:
    Desk& desk_;
    bool is_late_ = false;         // B is not simulated as far as where A stands
    std::uint64_t look_from_ = 0;  // the decision that find_difference() has not compared yet
};

}  // namespace ui
