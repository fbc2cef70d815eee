// Standard streams, terminals, and the start and end of a program.
#pragma once

namespace sim::os {

inline constexpr int kStandardInput = 0, kStandardOutput = 1, kStandardError = 2;

// Prepares this process; run_program() calls it first. A standard stream that was closed at the start is
// opened so that using it fails; no file opened later takes its descriptor. Where a broken pipe or a file at
// its size limit would kill the program, it becomes an error of the write. On Windows, the streams are binary
// and the console shows UTF-8.
void prepare_program();

bool is_terminal(int stream);

// Ends the program without destructors. Allocates nothing.
[[noreturn]] void exit_immediately(int code) noexcept;
// Waits for a while, for a thread that has to wait until another one ends the program.
void wait_for_end() noexcept;

}  // namespace sim::os
