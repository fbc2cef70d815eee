// Runs trace-cmd and perf, if they are installed.
#pragma once

#include <fmt/format.h>

#include <string>

#include "tests/support/program.h"
#include "tests/support/scratch_folder.h"

namespace sim::installed_tool {

inline constexpr int kNotInstalled = 77;

// Runs a shell command in the directory. If the command `check` fails, the exit code is kNotInstalled.
inline Finished run_tool(const ScratchFolder& folder, const std::string& check, const std::string& command) {
    return run_program({"/bin/sh", "-c", fmt::format("{} || exit {}; {}", check, kNotInstalled, command)},
                       {folder.path(), "", {}});
}

}  // namespace sim::installed_tool
