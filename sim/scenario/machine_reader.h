// Reads machine descriptions: files in machines/, which can extend each other, and changes that a scenario
// makes to a machine.
#pragma once

#include <string>

#include "sim/core/scenario.h"
#include "sim/scenario/fields.h"
#include "sim/scenario/json_tree.h"

namespace sim {

// Reads a scenario's machine: a name, or an object with changes to a machine. `folder` is searched for
// machine files before the built-in files; it may be empty. Problems are added to `problems`.
MachineSpec read_machine(const JsonValue& value, const std::string& folder, Problems& problems);
// Reads kDefaultMachine, the machine of a scenario that specifies no machine. Problems are reported at the
// value `scenario`.
MachineSpec read_default_machine(const JsonValue& scenario, const std::string& folder, Problems& problems);

}  // namespace sim
