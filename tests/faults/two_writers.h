// Two programs that write the same file at the same time.
#pragma once

#include <string>

#include "tests/faults/trial.h"

namespace faults {

// Returns a description of the first violation; empty if there is none.
std::string two_writers(Workspace& workspace);

}  // namespace faults
