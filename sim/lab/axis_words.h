// Display names of sweep axes: "spinner ×" is clearer than /tasks/0/count.
#pragma once

#include <string>
#include <string_view>

#include "sim/core/scenario.h"
#include "sim/lab/sweep_spec.h"

namespace sim::lab {

// The display name of the scenario value at a JSON pointer; empty if the pointer itself is the best name.
// For a value of a task group, the name consists of group and property ("poller priority", "httpd loop";
// "spinner ×" is the count). For a value of the machine, it is the property ("HZ", "cost of the search").
std::string axis_display_name(std::string_view pointer, const Scenario& scenario);

// The display name of an axis, or its pointer if it has no display name.
std::string axis_display_name(const Axis& axis);
// The text of an axis and one of its values: "spinner × 8", "HZ = 100".
std::string axis_value_text(const Axis& axis, const std::string& value);

}  // namespace sim::lab
