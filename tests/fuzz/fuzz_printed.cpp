// Fuzz target of the output of commands for untrusted input. No control character is printed, JSON and SVG
// are well-formed, and the exit code is 0, 1 or 2.
//
// The first byte selects the command, which reads the remaining bytes from standard input. Everything runs in
// this process, with the three standard streams in memory.
#include <fcntl.h>
#include <sanitizer/common_interface_defs.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/main_wrapper.h"
#include "sim/cli/program.h"
#include "sim/os/posix/spawn.h"
#include "sim/scenario/scenario_json.h"
#include "tests/fuzz/small.h"
#include "tests/support/hostile_text.h"
#include "tests/support/xml_tree.h"

namespace {

enum class Form : std::uint8_t { text, json, svg };
struct Command {
    std::vector<const char*> words;
    bool runs = true;  // runs a scenario, for a millisecond
    Form form = Form::text;
};

const std::vector<Command>& commands() {
    static const std::vector<Command> kCommands{
        {{"check", "-"}, false},
        {{"check", "-", "--format", "json"}, false, Form::json},
        {{"run", "-"}},
        {{"run", "-", "--format", "json"}, true, Form::json},
        {{"run", "-", "--view", "vmstat"}},
        {{"run", "-", "--view", "pidstat"}},
        {{"run", "-", "--view", "sar"}},
        {{"run", "-", "--view", "perf-sched"}},
        {{"run", "-", "--view", "proc-status"}},
        {{"compare", "-", "--policy", "linux-2.0", "--policy", "linux-2.4.22"}},
        {{"tour", "-"}},
        {{"tour", "-", "--format", "json"}, true, Form::json},
        {{"explain", "-"}},
        {{"figure", "timeline", "-", "--format", "svg"}, true, Form::svg},
        {{"figure", "histogram", "-", "--format", "svg"}, true, Form::svg},
        {{"figure", "costs", "-", "--format", "svg"}, true, Form::svg},
        {{"sweep", "-", "--vary", "/seed=1,2", "--jobs", "1"}},
        {{"save", "-", "--set", "/seed=7"}, false},
        {{"link", "-"}, false},
        {{"link", "-", "--embed"}, false},
        {{"verify", "-"}, false},
        {{"step"}, false},
        {{"quiz", "--grade", "-"}, false},
    };
    return kCommands;
}

// Redirects a standard stream to a file in memory during its lifetime.
class Stream {
  public:
    explicit Stream(int number)
        : number_(number),
          file_(memfd_create("stream", MFD_CLOEXEC)),
          before_(fcntl(number, F_DUPFD_CLOEXEC, 3)) {
        dup2(file_, number);
    }
    ~Stream() {
        dup2(before_, number_);
        close(before_);
        close(file_);
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    // Returns the original stream.
    int before() const { return before_; }

    void fill(const std::string& bytes) const {
        if (pwrite(file_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
    }
    std::string content() const {
        std::string bytes(static_cast<std::size_t>(lseek(file_, 0, SEEK_END)), '\0');
        if (pread(file_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
        return bytes;
    }

  private:
    int number_, file_, before_;
};

struct CommandResult {
    int exit_code;
    std::string out, err;
};

CommandResult run(const Command& command, const std::string& input) {
    std::vector<std::string> words{"switchyard"};
    words.insert(words.end(), command.words.begin(), command.words.end());
    if (command.runs) words.insert(words.end(), {"--until", "1ms"});
    std::vector<char*> arguments = sim::os::argv_of(words);

    const Stream in(STDIN_FILENO), out(STDOUT_FILENO), err(STDERR_FILENO);
    __sanitizer_set_report_fd(reinterpret_cast<void*>(static_cast<std::intptr_t>(err.before())));
    in.fill(input);
    const int exit_code =
        sim::run_main("switchyard", static_cast<int>(words.size()), arguments.data(), sim::cli::switchyard);
    __sanitizer_set_report_fd(reinterpret_cast<void*>(std::intptr_t{STDERR_FILENO}));
    return {exit_code, out.content(), err.content()};
}

[[noreturn]] void found(const Command& command, const CommandResult& result, const std::string& what) {
    std::string words;
    for (const char* word : command.words) words.append(" ").append(word);
    std::fprintf(stderr, "switchyard%s: exit code %d: %s\n%s\n%s\n", words.c_str(), result.exit_code,
                 what.c_str(), result.out.c_str(), result.err.c_str());
    std::abort();
}

// Returns true if the simulation of the scenario may take long. Invalid scenarios are rejected quickly.
bool is_long(const std::string& text) {
    try {
        return !is_small(sim::parse_scenario("-", text));
    } catch (const sim::ScenarioError&) {
        return false;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const Command& command = commands()[*data % commands().size()];
    const std::string input(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (command.runs && is_long(input)) return 0;
    const CommandResult result = run(command, input);
    for (const std::string* text : {&result.out, &result.err})
        if (const std::string what = find_unsafe_bytes(*text); !what.empty()) found(command, result, what);
    if (result.exit_code < 0 || result.exit_code > 2) found(command, result, "no exit code of ours");
    if (result.exit_code == 2 && result.err.empty()) found(command, result, "nothing is said");
    if (result.exit_code == 2 && !result.out.empty()) found(command, result, "and something was printed");
    if (result.out.empty()) return 0;
    if (command.form == Form::json && !nlohmann::json::accept(result.out)) found(command, result, "no JSON");
    try {
        if (command.form == Form::svg) read_xml(result.out);
    } catch (const std::runtime_error& error) {
        found(command, result, error.what());
    }
    return 0;
}
