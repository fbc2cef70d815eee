// Runs other programs if they are installed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

struct ChildProgramResult {
    // Exit code of the program. If a signal killed the program, 128 + the signal number, as in the shell.
    int exit_code = -1;
    std::string out, err;
};

// Runs a program from PATH with `input` as standard input and waits until it exits. Returns nullopt if the
// program is not installed. Throws FileError if the system cannot start the program, or if the temporary
// files for its input and output cannot be used. REQUIRES: words is not empty.
std::optional<ChildProgramResult> run_child_program(const std::vector<std::string>& words,
                                                    std::string_view input);

}  // namespace sim
