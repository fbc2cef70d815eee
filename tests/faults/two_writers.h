// Two programs that write the same file at the same time.
#pragma once

#include <string>

#include "tests/faults/trial.h"

namespace faults {

// Returns what is wrong afterwards; nothing when all is as it has to be.
std::string two_writers(Workspace& workspace);

}  // namespace faults
