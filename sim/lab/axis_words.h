// Display names of sweep axes: "spinner ×" is clearer than /tasks/0/count.
#pragma once

#include <string>
#include <string_view>

#include "sim/core/scenario.h"
#include "sim/lab/sweep_spec.h"

namespace sim::lab {

// The display name of a scenario value; empty if no name is better than the pointer. Tasks: group and
// property ("spinner ×" for the count, "poller priority", "httpd loop"). Machine: property ("HZ", "cost of
// the search").
std::string axis_words(std::string_view pointer, const Scenario& scenario);

// The display name of an axis; if it is empty, the axis's pointer.
std::string name_of(const Axis& axis);
// The text of an axis and one of its values: "spinner × 8", "HZ = 100".
std::string at_value(const Axis& axis, const std::string& value);

}  // namespace sim::lab
