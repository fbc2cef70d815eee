#include "sim/base/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include "sim/base/descriptor.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/base/whole_file.h"

namespace sim {
namespace {

// Of the program that runs, for what is said where nothing can be allocated.
std::string_view program_name, command_name;

std::atomic<bool> memory_was_short = false;

[[noreturn]] void note_and_throw() {
    memory_was_short = true;
    throw std::bad_alloc();
}

constexpr std::string_view kNoMemory = "there was not enough memory for this; nothing half-written is left";

// One that is closed becomes /dev/null, opened for what nobody wants of it: reading from standard input fails
// then, and so does writing to the other two.
void keep_standard_streams() {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
            static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

// "quiz" of `switchyard quiz ...`; empty when the first word is no command's name.
std::string_view command_of(int argc, char** argv) {
    const std::string_view word = argc > 1 ? argv[1] : "";
    const bool is_name = std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    return is_name ? word : std::string_view{};
}

void print_as_program(std::string_view what) noexcept {
    print_error(program_name);
    if (!command_name.empty()) {
        print_error(" ");
        print_error(command_name);
    }
    print_error(": ");
    print_error(what);
    print_error("\n");
}

// A lack of memory where nothing may be thrown, or where not even an exception could be made. Everything else
// that comes here is a mistake in the program. _exit(), because nothing else is in a state to end in order.
[[noreturn]] void end_at_once() {
    try {
        if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
    } catch (...) {
        std::abort();
    }
    // Of several threads that come here the first one speaks, and ends the others, too.
    static std::atomic_flag is_ending = ATOMIC_FLAG_INIT;
    while (is_ending.test_and_set()) pause();
    remove_unfinished_files();
    print_as_program(kNoMemory);
    _exit(kCouldNot);
}

}  // namespace

void print(std::string_view text) {
    if (const int error = write_all(STDOUT_FILENO, text); error != 0)
        throw OutputError(fmt::format("standard output: {}", std::strerror(error)));
}

void check_memory() {
    if (memory_was_short) throw std::bad_alloc();
}

void print_error(std::string_view text) noexcept { static_cast<void>(write_all(STDERR_FILENO, text)); }

int run_program(const char* name, int argc, char** argv, int (*body)(int argc, char** argv)) noexcept {
    memory_was_short = false;
    program_name = name;
    command_name = command_of(argc, argv);
    keep_standard_streams();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    std::set_terminate(end_at_once);
    std::set_new_handler(note_and_throw);
    try {
        try {
            return body(argc, argv);
        } catch (const ScenarioError& error) {
            for (const Problem& problem : error.problems()) print_error(problem.text() + "\n");
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& error) {
            print_error(fmt::format("{}: {}\n", name, printable(error.what())));
        }
    } catch (...) {  // also while a sentence was made
        print_as_program(kNoMemory);
    }
    return kCouldNot;
}

}  // namespace sim
