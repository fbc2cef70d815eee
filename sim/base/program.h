// What stands around a program's main(): its standard streams, and an exit code whatever happens.
#pragma once

#include <stdexcept>
#include <string_view>

namespace sim {

// What a program returns when it could not do what was asked for.
inline constexpr int kCouldNot = 2;

// "standard output: why" it cannot be written.
class OutputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Writes to standard output. Throws OutputError.
void print(std::string_view text);

// Writes to standard error as much as can be written. Allocates nothing.
void print_error(std::string_view text) noexcept;

// Throws std::bad_alloc when an allocation has failed since run_program() began, though somebody has gone on
// without it: the standard library's streams do, and drop what they were to print. For what is about to be
// printed or written. Does nothing outside of run_program().
void check_memory();

// Calls body(argc, argv), and returns what it does. Whatever it throws instead is said on standard error, one
// sentence a problem, and kCouldNot is returned: a lack of memory is, too, which allocates nothing. `name` is
// the program's, for these sentences.
//
// A standard stream that is closed when the program starts is an error when it is used, and no file that is
// opened later takes its place. A pipe that nobody reads and a file that is as large as it may be are errors
// of those who write, and do not end the program.
int run_program(const char* name, int argc, char** argv, int (*body)(int argc, char** argv)) noexcept;

}  // namespace sim
