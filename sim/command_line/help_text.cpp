#include <fmt/format.h>

#include <algorithm>

#include "sim/base/join.h"
#include "sim/command_line/arguments.h"

namespace sim::cli {
namespace {

constexpr std::size_t kColumn = 30;  // column in which the descriptions start

// A line of the help: a term, and its description in a second column.
std::string help_entry(const std::string& term, const std::string& description) {
    const std::string indent(kColumn, ' ');
    std::string line = fmt::format("{:<{}}", "  " + term, kColumn);
    if (description.empty()) return line + "\n";
    if (term.size() + 2 >= kColumn) line += "\n" + indent;
    for (const char c : description) {
        line += c;
        if (c == '\n') line += indent;
    }
    return line + "\n";
}

// The heading and the names of `options`, in the order in which the command declares them.
std::string option_names_with_heading(const char* heading, const Command& command,
                                      const std::vector<Option*>& options) {
    if (options.empty()) return {};
    std::string text = fmt::format(" {}:", heading);
    for (const Option& option : command.options())
        if (std::find(options.begin(), options.end(), &option) != options.end()) text += " " + option.name();
    return text;
}

// The text after an option's name: "TEXT:{text|json}=text".
std::string text_after_option_name(const Command& command, const Option& option) {
    std::string text;
    if (const std::string type = option.type_with_checks(); !type.empty()) text += " " + type;
    if (!option.default_text().empty()) text += "=" + option.default_text();
    if (option.arity() == Option::Arity::many) text += " ...";
    if (option.is_required()) text += " REQUIRED";
    return text + option_names_with_heading("Needs", command, option.needed_options()) +
           option_names_with_heading("Excludes", command, option.excluded_options());
}

// "-o,--output"
std::string option_names(const Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.short_names()) names.push_back("-" + name);
    for (const std::string& name : option.long_names()) names.push_back("--" + name);
    return join(names, ",");
}

// "SCENARIO", "[TABLE]", "FILE..."
std::string argument_usage(const Option& argument) {
    const std::string name =
        argument.argument_name() + (argument.arity() == Option::Arity::many ? "..." : "");
    return argument.is_required() ? name : "[" + name + "]";
}

std::string help_section(const char* title, const std::string& entries) {
    return entries.empty() ? entries : fmt::format("\n{}:\n{}", title, entries);
}

}  // namespace

std::string help_text(const Command& program, const Command& command) {
    std::string usage = program.name();
    if (&command != &program) usage += " " + command.name();
    usage += " [OPTIONS]";
    std::string arguments, options, commands;
    for (const Option& option : command.options()) {
        if (option.is_argument()) {
            usage += " " + argument_usage(option);
            arguments += help_entry(option.argument_name() + text_after_option_name(command, option),
                                    option.description());
        }
        if (option.is_option())
            options += help_entry(option_names(option) + text_after_option_name(command, option),
                                  option.description());
    }
    if (!command.commands().empty()) usage += " SUBCOMMAND";
    for (const Command& other : command.commands()) commands += help_entry(other.name(), other.description());
    std::string text = fmt::format("{}\nUsage: {}\n", command.description(), usage);
    text += help_section("Positionals", arguments) + help_section("Options", options) +
            help_section("Subcommands", commands);
    text += "\n";
    if (!command.examples().empty())
        text += fmt::format("Examples:\n  {}\n", join(command.examples(), "\n  "));
    return text;
}

}  // namespace sim::cli
