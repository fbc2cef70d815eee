// The commands in which everything is made to fail.
#pragma once

#include <vector>

#include "tests/faults/trial.h"

namespace faults {

// All of them, on inputs as small as may be. Runs some, to have the files that others read.
std::vector<Command> commands(Workspace& workspace);

}  // namespace faults
