// Standard streams, terminals, and the start and end of a program.
#pragma once

#include <string_view>

namespace sim::os {

inline constexpr int kStandardInput = 0, kStandardOutput = 1, kStandardError = 2;

// Prepares this process; run_main() calls it first. A standard stream that was closed at the start is
// opened so that reading or writing it fails, and so that no file opened later gets its descriptor. Where
// writing to a broken pipe or beyond the file size limit would kill the program, the write fails instead. On
// Windows, the streams are binary and the console shows UTF-8; a program with a window writes to the console
// from which it was started.
void prepare_process_io();
// The counterpart of prepare_process_io(), called before the program ends. `failed`: the exit status is
// not 0.
void finish_process_io(bool failed) noexcept;

// Writes to standard error and ignores failures. Allocates nothing. If a program with a window has neither a
// console nor a standard error stream, finish_process_io() shows the text in a message box.
void write_error(std::string_view text) noexcept;

bool is_terminal(int stream);
// The keys that end the input from a terminal.
#ifdef _WIN32
inline constexpr const char* kEndOfInput = "Ctrl+Z and Enter";
#else
inline constexpr const char* kEndOfInput = "Ctrl+D";
#endif

// Ends the program without destructors. Allocates nothing.
[[noreturn]] void exit_immediately(int code) noexcept;
// Blocks until a signal arrives (POSIX) or for 10 ms (Windows). A thread calls this function in a loop until
// another thread has ended the program.
void block_while_program_ends() noexcept;

}  // namespace sim::os
