// Machines: files of machines/ that build on each other, and what a scenario changes in one.
#pragma once

#include <string>

#include "sim/core/scenario.h"
#include "sim/scenario/fields.h"
#include "sim/scenario/json_tree.h"

namespace sim {

// What a scenario says about its machine: a name, or an object of changes to one. `folder` is where machine
// files are looked for before the built-in ones; it may be empty. Problems go to `problems`.
MachineModel read_machine(const JsonValue& value, const std::string& folder, Problems& problems);

}  // namespace sim
