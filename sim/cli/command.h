// What the commands of `switchyard` share: common options, the choice of text or JSON, exit codes.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/core/engine.h"
#include "sim/core/policy.h"
#include "sim/core/scenario.h"

// CLI11, which only the commands themselves include: it takes seconds to parse.
namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace sim::cli {

enum ExitCode : int {
    kDone = 0,
    kFailed = 1,  // a comparison, verification or expectation did not hold
    kBadInput = 2,
};

// A problem with how a command was called, not with a file.
class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The options that most commands take.
struct CommonOptions {
    std::string scenario;
    std::vector<std::string> policies;
    std::vector<std::string> sets;
    std::optional<std::uint64_t> seed;
    std::string until;
    std::string format = "text";
    std::string output;
    bool quiet = false;

    bool json() const { return format == "json"; }

    // What --set, --seed and --until change, as POINTER=VALUE.
    std::vector<std::string> all_sets() const;
    // The scenario with all that. Throws ScenarioError.
    Scenario load() const;
};

void add_output_options(CLI::App& command, CommonOptions& options);  // --format, --output, --quiet
// Whether the argument may be a recording instead of a scenario.
enum class Recordings : bool { refused, read };
// The argument, --set, --seed, --until.
void add_scenario_options(CLI::App& command, CommonOptions& options,
                          Recordings recordings = Recordings::refused);

// An option that may be given several times, with one value each time; `type` stands for it in the help text.
void add_repeatable(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                    const std::string& type, const std::string& text);

// A check that an option's value is one of the words, with the nearest one in its message.
CLI::Validator one_of(const std::vector<std::string>& words);

// Ends the help text with "Examples:".
void set_examples(CLI::App& command, const std::vector<std::string>& examples);

// How far a run is, on standard error, when that is a terminal and the run takes long.
class Progress {
  public:
    // REQUIRES: the machine stands where the run begins.
    Progress(const Machine& m, const Limits& limits, bool quiet);
    ~Progress();  // wipes the line
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    bool is_on() const { return on_; }
    // Says how far the run is, unless it said so a moment ago.
    void show(const Machine& m);

  private:
    using Clock =
        std::chrono::steady_clock;  // wall clock: for the person who waits, never for the simulation

    bool on_, shown_ = false;
    Nanos from_, until_;
    Clock::time_point begin_, next_;
};

// Runs to the end, and shows progress.
StopReason run_with_progress(const Engine& engine, Machine& m, const Limits& limits, const Sinks& sinks,
                             bool quiet);

// The time that was given with this option. Throws UsageError when it is none.
Nanos time_option(const char* option, const std::string& text);

// The end of the run that the scenario asks for.
Limits limits_of(const Scenario& scenario);

// --- one for each command: adds it to the program; the exit code goes to `exit_code` when it has run ---
void add_run(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_sweep(CLI::App& app, int& exit_code);
void add_step(CLI::App& app, int& exit_code);
void add_verify(CLI::App& app, int& exit_code);
void add_reproduce(CLI::App& app, int& exit_code);
void add_new(CLI::App& app, int& exit_code);
void add_grade(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_calibrate(CLI::App& app, int& exit_code);
void add_save(CLI::App& app, int& exit_code);
void add_export(CLI::App& app, int& exit_code);
void add_import(CLI::App& app, int& exit_code);
void add_record(CLI::App& app, int& exit_code);
void add_reschedule(CLI::App& app, int& exit_code);
void add_link(CLI::App& app, int& exit_code);
void add_figure(CLI::App& app, int& exit_code);
void add_quiz(CLI::App& app, int& exit_code);
void add_lesson(CLI::App& app, int& exit_code);
void add_list(CLI::App& app, int& exit_code);
void add_tour(CLI::App& app, int& exit_code);

}  // namespace sim::cli
