// What people call the axis of a sweep: "spinner ×" says more than /tasks/0/count.
#pragma once

#include <string>
#include <string_view>

#include "sim/core/scenario.h"
#include "sim/lab/sweep_spec.h"

namespace sim::lab {

// A place in the scenario in words: the name of the task group and what of it is varied ("spinner ×" for how
// many there are, "poller priority", "httpd loop"), or what of the machine ("HZ", "price of the search").
// Empty when there is no better name than the pointer.
std::string axis_words(std::string_view pointer, const Scenario& scenario);

// The words, or the pointer of an axis without any.
std::string name_of(const Axis& axis);
// The axis at one of its values: "spinner × 8", "HZ = 100".
std::string at_value(const Axis& axis, const std::string& value);

}  // namespace sim::lab
