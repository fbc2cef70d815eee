// What an export says of its run in its header: to_json(RunInfo), read back.
#pragma once

#include <optional>
#include <string_view>

#include "sim/exchange/sched_event.h"

namespace sim::exchange {

// None where the text is no such thing.
std::optional<RunInfo> run_info_of(std::string_view json);

}  // namespace sim::exchange
