// The commands that fault injection runs.
#pragma once

#include <vector>

#include "tests/faults/trial.h"

namespace faults {

// All commands, on the smallest useful inputs. Runs some of them to create the input files of others.
std::vector<Command> commands(Workspace& workspace);

}  // namespace faults
