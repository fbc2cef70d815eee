// switchyard as a function: main() is one caller, and a test may be another.
#pragma once

namespace sim::cli {

// Does what the words say, and returns the exit code. Throws ScenarioError, UsageError, FileError and others
// for what cannot be done, of which nothing has been printed then; run_program() makes sentences and an exit
// code of them.
int switchyard(int argc, char** argv);

}  // namespace sim::cli
