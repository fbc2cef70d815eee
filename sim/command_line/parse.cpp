// Only this file includes CLI11, which takes seconds to compile. CLI11 assigns words to options and
// arguments. This program itself prints the help, converts the values, and writes the error messages, because
// versions of CLI11 differ in these points. Only the message about an option without its value is from CLI11.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "sim/base/join.h"
#include "sim/command_line/arguments.h"

namespace sim::cli {
namespace {

// CLI11's option for each Option of this program.
using OptionMap = std::map<const Option*, CLI::Option*>;

CLI::Option* add_option(CLI::App& app, const Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.short_names()) names.push_back("-" + name);
    for (const std::string& name : option.long_names()) names.push_back("--" + name);
    if (option.is_argument()) names.push_back(option.argument_name());
    CLI::Option* const theirs = app.add_option(join(names, ","), CLI::callback_t{});
    theirs->type_name(option.type_with_checks())->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    theirs->required(option.is_required());
    switch (option.arity()) {
        case Option::Arity::none:
            theirs->expected(0);
            break;
        case Option::Arity::optional:
            theirs->expected(0, 1);
            break;
        case Option::Arity::one:
            break;
        case Option::Arity::many:
            theirs->expected(1, -1);
            break;
    }
    // An option that stores a list takes all words up to the next option: in `--policy a b`, both words are
    // values of --policy.
    theirs->allow_extra_args(option.stores_list());
    return theirs;
}

void add_options(CLI::App& app, const Command& command, OptionMap& cli11_options) {
    for (const Option& option : command.options()) {
        if (option.has_name("--help")) continue;  // CLI11 has added --help itself
        if (option.has_name("--version"))
            app.set_version_flag("--version", command.version());
        else
            cli11_options[&option] = add_option(app, option);
    }
    for (const Option& option : command.options()) {
        for (const Option* other : option.needed_options())
            cli11_options.at(&option)->needs(cli11_options.at(other));
        for (const Option* other : option.excluded_options())
            cli11_options.at(&option)->excludes(cli11_options.at(other));
    }
}

// Stores the values that CLI11 has found, in the order of declaration. Throws ParseError.
void store_values(Command& command, const OptionMap& cli11_options) {
    for (Option& option : command.options())
        if (const auto found = cli11_options.find(&option);
            found != cli11_options.end() && found->second->count() > 0)
            option.store(found->second->results());
}

// Throws ParseError for the first option that is missing or excluded.
void check_requirements(const Command& command) {
    for (const Option& option : command.options()) {
        if (option.is_required() && !option.is_given()) throw ParseError(option.name() + " is required");
        if (!option.is_given()) continue;
        for (const Option* other : option.needed_options())
            if (!other->is_given()) throw ParseError(option.name() + " requires " + other->name());
        for (const Option* other : option.excluded_options())
            if (other->is_given()) throw ParseError(option.name() + " excludes " + other->name());
    }
}

// A message that lists the words that do not belong to any option, in reverse order.
std::string unexpected_words(const CLI::App& program) {
    const CLI::App* app = &program;
    if (app->remaining_size() == 0)
        for (const CLI::App* command : program.get_subcommands())
            if (command->remaining_size() > 0) app = command;
    std::vector<std::string> words = app->remaining();
    std::reverse(words.begin(), words.end());
    return fmt::format("unexpected argument{}: {}", words.size() > 1 ? "s" : "", join(words, " "));
}

}  // namespace

ParsedCommandLine parse(Command& program, const std::vector<std::string>& words) {
    CLI::App app(program.description(), program.name());
    // On Windows, CLI11 would otherwise read /tasks/0/count as an option. Subcommands inherit this setting.
    app.allow_windows_style_options(false);
    OptionMap cli11_options;
    std::map<const CLI::App*, Command*> commands;
    add_options(app, program, cli11_options);
    if (!program.commands().empty()) app.require_subcommand(1);
    for (Command& command : program.commands()) {
        CLI::App* const added = app.add_subcommand(command.name(), command.description());
        commands[added] = &command;
        add_options(*added, command, cli11_options);
        added->parse_complete_callback([&] {
            store_values(command, cli11_options);
            command.run_check();
        });
    }
    const auto named_command = [&]() -> Command& {
        const std::vector<CLI::App*> named = app.get_subcommands();
        return named.empty() ? program : *commands.at(named.front());
    };
    // If a line contains several mistakes, the reported mistake must not depend on the version of CLI11. The
    // order: an option without its value (handled below, because CLI11 finds this mistake before values can
    // be stored), wrong values, missing or forbidden options, and the mistake in `message`.
    const auto refuse = [&](const std::string& message) {
        store_values(named_command(), cli11_options);
        check_requirements(named_command());
        throw ParseError(message);
    };
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    try {
        app.parse(static_cast<int>(argv.size()), argv.data());
    } catch (const CLI::CallForHelp&) {
        store_values(named_command(), cli11_options);
        return {&named_command(), help_text(program, named_command())};
    } catch (const CLI::CallForVersion&) {
        return {&named_command(), program.version() + "\n"};
    } catch (const CLI::ExtrasError&) {
        refuse(unexpected_words(app));
    } catch (const CLI::RequiredError&) {
        refuse("a command is required (`switchyard --help` lists the commands)");
    } catch (const CLI::RequiresError& error) {
        refuse(error.what());
    } catch (const CLI::ExcludesError& error) {
        refuse(error.what());
    } catch (const CLI::ParseError& error) {
        throw ParseError(error.what());  // an option at the end of the line lacks its value
    }
    if (program.commands().empty()) store_values(program, cli11_options);
    return {&named_command(), {}};
}

}  // namespace sim::cli
