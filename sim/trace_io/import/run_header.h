// Reads the header of an exported trace back into a RunInfo: the inverse of to_json(RunInfo).
#pragma once

#include <optional>
#include <string_view>

#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {

// std::nullopt if the text is not a JSON object.
std::optional<RunInfo> run_info_of(std::string_view json);

}  // namespace sim::trace_io
