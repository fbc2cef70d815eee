// Common parts of the commands of `switchyard`: options, text or JSON output, exit codes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/command_line/arguments.h"
#include "sim/core/engine.h"
#include "sim/core/policy.h"
#include "sim/core/scenario.h"
#include "sim/lab/measure.h"

namespace sim::cli {

enum ExitCode : int {
    kDone = 0,
    kFailed = 1,  // a comparison, verification or assertion failed
    kBadInput = 2,
};

struct CommonOptions {
    std::string scenario;
    std::vector<std::string> policies;
    std::vector<std::string> sets;
    std::optional<std::uint64_t> seed;
    std::string until;
    std::string format = "text";
    std::string output;
    bool quiet = false;

    bool is_json() const { return format == "json"; }

    // Returns the options --set, --seed and --until as a list of settings of the form POINTER=VALUE.
    std::vector<std::string> scenario_settings() const;
    // Loads the scenario and applies the changes in scenario_settings(). Prints notices about the scenario.
    // Throws ScenarioError.
    Scenario load_scenario_with_settings() const;
    // Prints the notices of parse_scenario() on standard error, one line each, unless `quiet`.
    void print_notices(std::vector<Problem> notices) const;
    // Prints a notice for each key that is named by its old name in a value of --vary.
    void print_vary_notices(const std::vector<std::string>& vary) const;
};

// Adds the options --format, --output and --quiet.
void add_output_options(Command& command, CommonOptions& options);
// Whether SCENARIO may also be a trace.
enum class TraceInput : bool { refused, read };
// Adds the argument SCENARIO and the options --set, --seed and --until.
void add_scenario_options(Command& command, CommonOptions& options,
                          TraceInput trace_input = TraceInput::refused);

// The measure that --measure specifies. Prints a notice if `text` is an old name. Throws lab::LabError.
lab::Measure parse_measure_option(const std::string& text);

// The option's value as a time. Throws UsageError.
Nanos parse_time_option(const char* option, const std::string& text);

// --- one function per command, which adds it to the program ---
void add_run_command(Command& program);
void add_compare_command(Command& program);
void add_sweep_command(Command& program);
void add_step_command(Command& program);
void add_verify_command(Command& program);
void add_reproduce_command(Command& program);
void add_new_command(Command& program);
void add_grade_command(Command& program);
void add_check_command(Command& program);
void add_calibrate_command(Command& program);
void add_save_command(Command& program);
void add_explain_command(Command& program);
void add_export_command(Command& program);
void add_import_command(Command& program);
void add_record_command(Command& program);
void add_reschedule_command(Command& program);
void add_link_command(Command& program);
void add_figure_command(Command& program);
void add_quiz_command(Command& program);
void add_lesson_command(Command& program);
void add_list_command(Command& program);
void add_tour_command(Command& program);

}  // namespace sim::cli
