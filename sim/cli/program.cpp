// switchyard: everything without a window, as one program of several commands.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "sim/base/suggest.h"
#include "sim/cli/command.h"
#include "sim/cli/figure.h"
#include "sim/cli/given_files.h"
#include "sim/cli/hidden.h"
#include "sim/cli/lesson_page.h"
#include "sim/cli/output.h"
#include "sim/cli/program.h"
#include "sim/cli/tables.h"
#include "sim/cli/version.h"
#include "sim/core/policy.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"

namespace sim::cli {
namespace {

// CLI11 calls an unknown command an unexpected argument; people mistype commands, and deserve the right word.
void check_command(const CLI::App& app, int argc, char** argv) {
    if (argc < 2 || argv[1][0] == '-') return;
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    for (const std::string& name : names)
        if (name == argv[1]) return;
    throw UsageError(fmt::format("unknown command '{}'{} (`switchyard --help` lists the commands)", argv[1],
                                 sim::did_you_mean(argv[1], names)));
}

// What CLI11 calls unexpected arguments is nearly always a mistyped option.
std::string unexpected(const CLI::App& app, int argc, char** argv) {
    const CLI::App* command = &app;
    for (const CLI::App* candidate : app.get_subcommands({}))
        if (argc > 1 && candidate->get_name() == argv[1]) command = candidate;
    std::vector<std::string> known;
    for (const CLI::Option* option : command->get_options())
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    for (int i = 1; i < argc; ++i) {
        const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
        if (word.starts_with("--") && word != "--" &&
            std::find(known.begin(), known.end(), word) == known.end())
            return fmt::format("unknown option '{}'{} (`switchyard{} --help` lists the options)", word,
                               sim::did_you_mean(word, known),
                               command == &app ? "" : " " + command->get_name());
    }
    return {};
}

NamedValues named_values() {
    NamedValues named;
    for (const Table& table : tables()) named["TABLE"].push_back({table.name, table.summary});
    for (const std::string& name : figure_names()) named["FIGURE"].push_back({name});
    for (const Lesson& lesson : lessons()) named["LESSON"].push_back({lesson.number, lesson.title});
    return named;
}

// What the manual pages say besides --help.
ManualText manual_text() {
    ManualText text;
    text.summary = "CPU schedulers simulated as real kernels did, decision for decision";
    text.more =
        "The page of the program, switchyard(1), names all policies and scenarios; what the commands print "
        "is shown in "
        "docs/command_line.md of the documentation.";
    text.exit_status = {
        {"0", "Done."},
        {"1",
         "A claim, a comparison, a verification or a reproduction did not hold; of grade, not "
         "all points were given; of calibrate, the machine was too noisy."},
        {"2",
         "Bad usage, bad input, or a machine that fails: a disk, memory, standard output. A file to write is "
         "as it was, or whole; what --results of sweep and --save of quiz have kept until then stays."}};
    text.files = {{"PREFIX/share/switchyard/scenarios/",
                   "The scenarios that are built into the program, to read and to copy, and their JSON "
                   "Schema; PREFIX is "
                   "/usr for the Debian package."},
                  {"PREFIX/share/doc/switchyard/", "The documentation: begin with docs/index.md."}};
    Entries policy_entries, scenario_entries;
    for (const sim::PolicyInfo& policy : sim::policies()) {
        std::string what = policy.summary;
        for (const sim::OptionInfo& o : policy.options)
            what += fmt::format("\n`{}={}`: {}", o.name, fmt::join(o.values, "|"), o.summary);
        policy_entries.emplace_back(policy.name, what);
    }
    for (const std::string& name : sim::builtin_names(""))
        scenario_entries.emplace_back(name, sim::load_scenario(name).title);
    text.lists = {{"POLICIES", policy_entries}, {"SCENARIOS", scenario_entries}};
    text.see_also = {"switchyard-ui(1)"};
    return text;
}

// Prints --help or --version, of whichever command.
int print_asked(const CLI::App& app, const CLI::ParseError& asked) {
    std::ostringstream out;
    out.exceptions(std::ios::badbit);
    app.exit(asked, out, out);
    deliver(out.str(), {});
    return kDone;
}

}  // namespace

int switchyard(int argc, char** argv) {
    CLI::App app("Switchyard simulates CPU schedulers as real kernels did, decision for decision.",
                 "switchyard");
    app.set_version_flag("--version", fmt::format("switchyard {}", version()));
    app.require_subcommand(1);
    set_examples(
        app, {"switchyard reproduce yield-table", "switchyard run yield-processes --set /tasks/0/count=40",
              "switchyard compare two-hogs --policy linux-2.0 --policy round-robin"});
    int exit_code = kDone;
    add_run(app, exit_code);
    add_compare(app, exit_code);
    add_sweep(app, exit_code);
    add_step(app, exit_code);
    add_verify(app, exit_code);
    add_reproduce(app, exit_code);
    add_new(app, exit_code);
    add_grade(app, exit_code);
    add_figure(app, exit_code);
    add_check(app, exit_code);
    add_save(app, exit_code);
    add_export(app, exit_code);
    add_import(app, exit_code);
    add_record(app, exit_code);
    add_reschedule(app, exit_code);
    add_calibrate(app, exit_code);
    add_link(app, exit_code);
    add_quiz(app, exit_code);
    add_lesson(app, exit_code);
    add_list(app, exit_code);
    add_tour(app, exit_code);
    check_given_files(app);

    try {
        if (const auto done = run_hidden(app, argc, argv, named_values, manual_text)) return *done;
        check_command(app, argc, argv);
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return print_asked(app, error);
        const std::string better = unexpected(app, argc, argv);
        throw UsageError(better.empty() ? error.what() : better);
    }
    return exit_code;
}

}  // namespace sim::cli
