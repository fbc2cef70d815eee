// Wrapper around main(): standard streams, error reporting, exit codes.
#pragma once

#include <stdexcept>
#include <string_view>

namespace sim {

inline constexpr int kExitFailure = 2;

// Standard output cannot be written. The message is "standard output cannot be written: reason".
class OutputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Writes to standard output. Throws OutputError.
void print(std::string_view text);

// Writes to standard error and ignores failures. Allocates nothing.
void print_error(std::string_view text) noexcept;

// Throws std::bad_alloc if any allocation failed since run_main() started. iostreams swallow such failures
// and truncate output, so call this before printing or writing results. No-op outside run_main().
void throw_if_allocation_failed();

// Returns body(argc, argv). An exception is reported on standard error, one line per problem, and
// kExitFailure is returned. Lack of memory is reported without allocating. `name` is the program's name, for
// messages.
//
// If a standard stream was closed at the start, reading or writing it fails. A file opened later does not get
// the descriptor of this stream. Writing to a broken pipe or beyond the file size limit fails, but does not
// kill the program.
int run_main(const char* name, int argc, char** argv, int (*body)(int argc, char** argv)) noexcept;

}  // namespace sim
