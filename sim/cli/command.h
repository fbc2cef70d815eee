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

    bool json() const { return format == "json"; }

    // --set, --seed and --until, as POINTER=VALUE.
    std::vector<std::string> all_sets() const;
    // The scenario after the changes in all_sets(). Prints notices about it. Throws ScenarioError.
    Scenario load() const;
    // Prints the notices of parse_scenario() on standard error, one line each, unless `quiet`.
    void print_notices(std::vector<Problem> notices) const;
    // Prints notices about old names of keys in values of --vary.
    void print_axis_notices(const std::vector<std::string>& vary) const;
};

void add_output_options(Command& command, CommonOptions& options);  // --format, --output, --quiet
// Whether SCENARIO may also be a trace.
enum class TraceInput : bool { refused, read };
// SCENARIO, --set, --seed, --until.
void add_scenario_options(Command& command, CommonOptions& options,
                          TraceInput trace_input = TraceInput::refused);

// The measure that --measure specifies. Prints a notice if `text` is an old name. Throws lab::LabError.
lab::Measure measure_option(const std::string& text);

// The option's value as a time. Throws UsageError.
Nanos time_option(const char* option, const std::string& text);

// --- one function per command, which adds it to the program ---
void add_run(Command& program);
void add_compare(Command& program);
void add_sweep(Command& program);
void add_step(Command& program);
void add_verify(Command& program);
void add_reproduce(Command& program);
void add_new(Command& program);
void add_grade(Command& program);
void add_check(Command& program);
void add_calibrate(Command& program);
void add_save(Command& program);
void add_explain(Command& program);
void add_export(Command& program);
void add_import(Command& program);
void add_record(Command& program);
void add_reschedule(Command& program);
void add_link(Command& program);
void add_figure(Command& program);
void add_quiz(Command& program);
void add_lesson(Command& program);
void add_list(Command& program);
void add_tour(Command& program);

}  // namespace sim::cli
