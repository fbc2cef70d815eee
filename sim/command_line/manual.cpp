#include "sim/command_line/manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "sim/base/human_text.h"
#include "sim/base/join.h"
#include "sim/command_line/version.h"

namespace sim::cli {
namespace {

// Escapes text for roff and keeps its lines; commands in backquotes become bold.
std::string text_as_roff(std::string_view text) {
    std::string out;
    bool bold = false, line_begins = true;
    for (const char c : text) {
        if (line_begins && (c == '.' || c == '\'')) out += "\\&";
        line_begins = c == '\n';
        switch (c) {
            case '\\':
                out += "\\e";
                break;
            case '-':
                out += "\\-";
                break;
            case '\'':
                out += "\\(aq";
                break;
            case '\n':
                out += "\n.br\n";
                break;
            case '^':
                out += "\\(ha";
                break;
            case '~':
                out += "\\(ti";
                break;
            case '|':  // allows a line break in a long list of words
                out += "|\\:";
                break;
            case '`':
                bold = !bold;
                out += bold ? "\\fB" : "\\fR";
                break;
            default:
                out += c;
        }
    }
    return out;
}

std::string bold(std::string_view text) { return "\\fB" + text_as_roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + text_as_roff(text) + "\\fR"; }

// "switchyard-run(1)", with the name in bold and unbreakable.
std::string page_reference(std::string_view page) {
    const std::size_t bracket = page.find('(');
    return "\\fB\\%" + text_as_roff(page.substr(0, bracket)) + "\\fR" + std::string(page.substr(bracket));
}

std::string format_entries(const Entries& list) {
    std::string text;
    for (const auto& [term, meaning] : list)
        text += fmt::format(".TP\n{}\n{}\n", bold(term), meaning.empty() ? "\\&" : text_as_roff(meaning));
    return text;
}

std::string section(std::string_view title, const std::string& body) {
    return body.empty() ? body : fmt::format(".SH {}\n{}", title, body);
}

bool takes_many_values(const Option& option) { return option.arity() == Option::Arity::many; }

// SCENARIO, [TABLE], FILE...
std::string usage_of(const Option& positional) {
    const std::string name =
        italic(positional.argument_name()) + (takes_many_values(positional) ? "..." : "");
    return positional.is_required() ? name : "[" + name + "]";
}

// Splits "N:INT in [1 - 64]" into the value's name and the rest.
std::pair<std::string, std::string> value_name_and_constraint(const Option& option) {
    const std::string type = option.type_with_checks();
    const std::size_t colon = type.find(':');
    return {type.substr(0, colon), colon == std::string::npos ? "" : type.substr(colon + 1)};
}

// The allowed words, as "{text|json}"; empty if the value is not one of a few words.
std::string allowed_words(const Option& option) {
    const std::string type = option.type_with_checks();
    const std::size_t begin = type.find('{');
    return begin == std::string::npos ? "" : type.substr(begin);
}

// "--policy POLICY"
std::string option_usage(const Option& option) {
    std::string names;
    for (const std::string& name : option.short_names())
        names += (names.empty() ? "" : ", ") + bold("-" + name);
    for (const std::string& name : option.long_names())
        names += (names.empty() ? "" : ", ") + bold("--" + name);
    if (option.arity() == Option::Arity::none) return names;
    const std::string value =
        allowed_words(option).empty() ? value_name_and_constraint(option).first : allowed_words(option);
    return names + (value.empty() ? "" : " " + italic(value)) + (takes_many_values(option) ? "..." : "");
}

std::string names_of(const std::vector<Option*>& options) {
    std::vector<std::string> names;
    for (const Option* option : options) names.push_back(bold(option->name()));
    std::sort(names.begin(), names.end());
    return join(names, ", ");
}

std::string entry_of(const Option& option, const std::string& term) {
    std::string text = fmt::format(".TP\n{}\n{}", term, text_as_roff(option.description()));
    if (allowed_words(option).empty() && !value_name_and_constraint(option).second.empty())
        text += "; " + text_as_roff(value_name_and_constraint(option).second);
    if (!option.default_text().empty()) text += fmt::format("; default {}", bold(option.default_text()));
    if (!option.needed_options().empty()) text += "; only with " + names_of(option.needed_options());
    if (!option.excluded_options().empty()) text += "; not with " + names_of(option.excluded_options());
    return text + "\n";
}

std::string examples_of(const Command& command) {
    std::string text;
    for (const std::string& example : command.examples())
        text += fmt::format("{}.EX\n{}\n.EE\n", text.empty() ? "" : ".PP\n", text_as_roff(example));
    return text;
}

std::string see_also(std::vector<std::string> pages) {
    for (std::string& page : pages) page = page_reference(page);
    return pages.empty() ? "" : fmt::format("{}\n", join(pages, ",\n"));
}

// Converts a text such as "simulate a scenario" to a sentence.
std::string as_sentence(std::string text) {
    text = capitalized(text);
    return text.ends_with('.') ? text : text + ".";
}

// `command`: null for the program's page.
ManualPage page_of(const Command& program, const Command* command, const ManualText& text) {
    const Command& app = command == nullptr ? program : *command;
    const std::string called = program.name() + (command == nullptr ? "" : " " + command->name());
    std::string name = called;
    std::replace(name.begin(), name.end(), ' ', '-');
    const std::string title = upper_case(name);
    const std::string build = version();
    const std::string release = build.substr(0, build.find(' '));

    std::string synopsis = bold(called) + " [" + italic("OPTIONS") + "]";
    std::string arguments, options;
    for (const Option& option : app.options()) {
        if (option.is_argument()) {
            synopsis += " " + usage_of(option);
            arguments += entry_of(option, italic(option.argument_name()));
        }
        if (option.is_option()) options += entry_of(option, option_usage(option));
    }

    Entries commands;
    std::vector<std::string> others = text.see_also;
    if (command != nullptr) others.insert(others.begin(), program.name() + "(1)");
    for (const Command& other : app.commands()) {
        commands.emplace_back(other.name(), other.description());
        others.push_back(fmt::format("{}-{}(1)", name, other.name()));
    }
    if (!commands.empty()) synopsis += " " + italic("COMMAND") + " ...";

    std::string page = fmt::format(".TH {} 1 \"{}\" \"{} {}\" \"Switchyard\"\n.ad l\n", text_as_roff(title),
                                   commit_date(), program.name(), release);
    page += section("NAME", fmt::format("{} \\- {}\n", text_as_roff(name),
                                        text_as_roff(command == nullptr ? text.summary : app.description())));
    page += section("SYNOPSIS", synopsis + "\n");
    page += section("DESCRIPTION", fmt::format("{}\n.PP\n{}\n", text_as_roff(as_sentence(app.description())),
                                               text_as_roff(text.more)));
    page += section("COMMANDS", format_entries(commands));
    page += section("ARGUMENTS", arguments);
    page += section("OPTIONS", options);
    if (command == nullptr)
        for (const auto& [heading, list] : text.lists) page += section(heading, format_entries(list));
    page += section("EXIT STATUS", format_entries(text.exit_status));
    page += section("FILES", format_entries(text.files));
    page += section("EXAMPLES", examples_of(app));
    page += section("SEE ALSO", see_also(others));
    return {name + ".1", page};
}

}  // namespace

std::vector<ManualPage> manual_pages(const Command& program, const ManualText& text) {
    std::vector<ManualPage> pages{page_of(program, nullptr, text)};
    for (const Command& command : program.commands()) pages.push_back(page_of(program, &command, text));
    return pages;
}

}  // namespace sim::cli
