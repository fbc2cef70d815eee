// The program `switchyard`: everything except the window, as one program with several commands.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/base/join.h"
#include "sim/base/suggest.h"
#include "sim/cli/command.h"
#include "sim/cli/figure.h"
#include "sim/cli/file_arguments.h"
#include "sim/cli/lesson_page.h"
#include "sim/cli/output.h"
#include "sim/cli/program.h"
#include "sim/command_line/completion_and_manual.h"
#include "sim/command_line/policy_values.h"
#include "sim/command_line/renamed_options.h"
#include "sim/command_line/version.h"
#include "sim/core/policy.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "sim/tables/tables.h"

namespace sim::cli {
namespace {

// Rejects an unknown command, which the parser would report as an unexpected argument.
void check_command(const Command& program, const std::vector<std::string>& words) {
    if (words.size() < 2 || words[1].starts_with('-') || program.find_command(words[1]) != nullptr) return;
    std::vector<std::string> names;
    for (const Command& command : program.commands()) names.push_back(command.name());
    throw UsageError(fmt::format("unknown command '{}'{} (`switchyard --help` lists the commands)", words[1],
                                 sim::did_you_mean(words[1], names)));
}

// A message about the first unknown option; empty: none. An argument that the parser does not expect is
// nearly always a mistyped option.
std::string unknown_option_message(const Command& program, const std::vector<std::string>& words) {
    const Command* named = words.size() > 1 ? program.find_command(words[1]) : nullptr;
    const Command& command = named == nullptr ? program : *named;
    std::vector<std::string> known;
    for (const Option& option : command.options())
        for (const std::string& name : option.long_names()) known.push_back("--" + name);
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string word = words[i].substr(0, words[i].find('='));
        if (word.starts_with("--") && word != "--" &&
            std::find(known.begin(), known.end(), word) == known.end())
            return fmt::format("unknown option '{}'{} (`switchyard{} --help` lists the options)", word,
                               sim::did_you_mean(word, known), named == nullptr ? "" : " " + command.name());
    }
    return {};
}

// parse() with a better message about an unknown option.
ParsedCommandLine parse_line(Command& program, const std::vector<std::string>& words) {
    try {
        return parse(program, words);
    } catch (const ParseError&) {
        const std::string better = unknown_option_message(program, words);
        if (better.empty()) throw;
        throw UsageError(better);
    }
}

CandidatesByValueName named_values() {
    CandidatesByValueName named;
    for (const tables::Table& table : tables::all_tables())
        named["TABLE"].push_back({table.name, table.summary});
    for (const std::string& name : figure_names()) named["FIGURE"].push_back({name});
    for (const Lesson& lesson : lessons()) named["LESSON"].push_back({lesson.number, lesson.title});
    return named;
}

// The text of the manual that --help does not contain.
ManualText manual_text() {
    ManualText text;
    text.summary = "simulate textbook policies and the CPU schedulers of real kernels";
    text.more =
        "switchyard(1) lists all policies and scenarios; docs/reference/command_line.md shows the output of "
        "the commands.";
    text.exit_status = {
        {"0", "Done."},
        {"1",
         "An assertion, a comparison, a verification or a reproduction failed; for grade, a script "
         "did not get all points; for calibrate, the machine was too noisy."},
        {"2",
         "Bad usage, bad input, or a system error (disk, memory or standard output). "
         "Output files are written atomically; data already written by --results of sweep and "
         "--save-answers of quiz is kept."}};
    text.files = {{"PREFIX/share/switchyard/scenarios/",
                   "The scenarios that are built into the program, to read and to copy, and their JSON "
                   "Schema; PREFIX is "
                   "/usr for the Debian package."},
                  {"PREFIX/share/doc/switchyard/", "The documentation; start with docs/index.md."}};
    Entries policy_entries, scenario_entries;
    for (const sim::PolicyInfo& policy : sim::policies()) {
        std::string what = policy.summary;
        for (const sim::OptionInfo& o : policy.options)
            what += fmt::format("\n`{}={}`: {}", o.name, join(o.values, "|"), o.summary);
        policy_entries.emplace_back(policy.name, what);
    }
    for (const std::string& name : sim::builtin_file_names(""))
        scenario_entries.emplace_back(name, sim::load_scenario(name).title);
    text.lists = {{"POLICIES", policy_entries}, {"SCENARIOS", scenario_entries}};
    text.see_also = {"switchyard-ui(1)"};
    return text;
}

}  // namespace

int switchyard(int argc, char** argv) {
    Command program("switchyard",
                    "Switchyard simulates textbook policies and the CPU schedulers of real kernels.");
    program.set_version(fmt::format("switchyard {}", version()));
    program.set_examples({"switchyard reproduce yield-table",
                          "switchyard run yield-processes --set /tasks/0/count=40",
                          "switchyard compare two-hogs --policy linux-2.0 --policy round-robin"});
    add_run_command(program);
    add_compare_command(program);
    add_sweep_command(program);
    add_step_command(program);
    add_verify_command(program);
    add_reproduce_command(program);
    add_new_command(program);
    add_grade_command(program);
    add_figure_command(program);
    add_check_command(program);
    add_save_command(program);
    add_explain_command(program);
    add_export_command(program);
    add_import_command(program);
    add_record_command(program);
    add_reschedule_command(program);
    add_calibrate_command(program);
    add_link_command(program);
    add_quiz_command(program);
    add_lesson_command(program);
    add_list_command(program);
    add_tour_command(program);
    check_file_arguments(program);
    accept_common_policy_names(
        program, [](const std::string& notice) { print_diagnostic(fmt::format("switchyard: {}", notice)); });

    if (const auto done = run_hidden_command(program, argc, argv, named_values, manual_text)) return *done;
    const std::vector<std::string> words = with_current_option_names(program, argc, argv);
    check_command(program, words);
    const ParsedCommandLine line = parse_line(program, words);
    if (!line.text) return line.command->run();
    write_output_text(*line.text, {});
    return kDone;
}

}  // namespace sim::cli
