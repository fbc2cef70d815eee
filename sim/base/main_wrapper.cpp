#include "sim/base/main_wrapper.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include "sim/base/atomic_file.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/os/descriptor.h"
#include "sim/os/streams.h"

namespace sim {
namespace {

// Names of the running program and command. They are stored for messages that are printed when no memory can
// be allocated.
std::string_view program_name, command_name;

std::atomic<bool> memory_was_short = false;

[[noreturn]] void handle_out_of_memory() {
    memory_was_short = true;
    throw std::bad_alloc();
}

constexpr std::string_view kNoMemory = "not enough memory; no incomplete files are left";

// The name of the command: "quiz" for `switchyard quiz ...`; empty if the first argument cannot be a command
// name.
std::string_view command_of(int argc, char** argv) {
    const std::string_view word = argc > 1 ? argv[1] : "";
    const bool is_name = std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    return is_name ? word : std::string_view{};
}

void print_program_error(std::string_view message) noexcept {
    print_error(program_name);
    if (!command_name.empty()) {
        print_error(" ");
        print_error(command_name);
    }
    print_error(": ");
    print_error(message);
    print_error("\n");
}

// The terminate handler. It is called if memory is lacking in a noexcept function, or if the exception itself
// cannot be allocated; any other cause is a bug. It exits immediately, because the stack cannot be unwound.
[[noreturn]] void handle_terminate() {
    try {
        if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
    } catch (...) {
        std::abort();
    }
    // If several threads call this handler, the first one reports the error and ends the process. The others
    // block.
    static std::atomic_flag is_ending = ATOMIC_FLAG_INIT;
    while (is_ending.test_and_set()) os::block_while_program_ends();
    remove_unfinished_files();
    print_program_error(kNoMemory);
    os::finish_process_io(/* failed */ true);
    os::exit_immediately(kExitFailure);
}

}  // namespace

void print(std::string_view text) {
    if (const int error = os::write_all(os::kStandardOutput, text); error != 0)
        throw OutputError(fmt::format("standard output cannot be written: {}", std::strerror(error)));
}

void throw_if_allocation_failed() {
    if (memory_was_short) throw std::bad_alloc();
}

void print_error(std::string_view text) noexcept { os::write_error(text); }

namespace {

// Returns body(argc, argv), or kExitFailure after reporting an exception.
int run_and_report_errors(int argc, char** argv, int (*body)(int argc, char** argv)) noexcept {
    try {
        try {
            return body(argc, argv);
        } catch (const ScenarioError& error) {
            for (const Problem& problem : error.problems()) print_error(problem.text() + "\n");
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& error) {
            print_error(fmt::format("{}: {}\n", program_name, printable(error.what())));
        }
    } catch (...) {  // also catches an exception that was thrown while a message was formatted
        print_program_error(kNoMemory);
    }
    return kExitFailure;
}

}  // namespace

int run_main(const char* name, int argc, char** argv, int (*body)(int argc, char** argv)) noexcept {
    memory_was_short = false;
    program_name = name;
    command_name = command_of(argc, argv);
    os::prepare_process_io();
    std::set_terminate(handle_terminate);
    std::set_new_handler(handle_out_of_memory);
    const int exit_code = run_and_report_errors(argc, argv, body);
    os::finish_process_io(exit_code != 0);
    return exit_code;
}

}  // namespace sim
