// The program `switchyard` as a function, for main() and for tests.
#pragma once

namespace sim::cli {

// Executes the command line and returns the exit code. Throws ScenarioError, UsageError, FileError and other
// exceptions before any result is printed; run_main() converts them into messages and exit codes.
int switchyard(int argc, char** argv);

}  // namespace sim::cli
