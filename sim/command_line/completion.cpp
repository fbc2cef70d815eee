#include "sim/command_line/completion.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "sim/command_line/renamed_options.h"
#include "sim/core/policy.h"
#include "sim/lab/measure.h"
#include "sim/os/directories.h"
#include "sim/os/files.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/json_in_order.h"
#include "sim/scenario/scenario_json.h"

namespace sim::cli {
namespace {

using Candidates = std::vector<Candidate>;

// The name of the option's or argument's value in --help.
std::string value_name(const Option& option) {
    return option.is_argument() ? option.argument_name() : option.type_text();
}

bool is_scenario(const Option& option) {
    const std::string name = value_name(option);
    return name == "SCENARIO" || name == "SUBJECT" || name == "scenario";
}

bool takes_value(const Option& option) { return option.arity() != Option::Arity::none; }

bool takes_many_at_once(const Option& option) { return option.arity() == Option::Arity::many; }

// The complete words of a command line, assigned to the command and its options.
struct Line {
    const Command* command = nullptr;  // the program itself if no command is named
    std::vector<const Option*> given;  // options, in the order of the line
    std::size_t arguments = 0;         // number of complete arguments
    std::string scenario, first_argument;
    std::vector<std::string> axes;  // the POINTERs of --vary
    const Option* open = nullptr;   // option that takes the incomplete word as its value
    bool options_are_over = false;  // the line contains the word "--"
};

std::vector<const Option*> arguments_of(const Command& command) {
    std::vector<const Option*> arguments;
    for (const Option& option : command.options())
        if (option.is_argument()) arguments.push_back(&option);
    return arguments;
}

// The argument at this index; nullptr: none. The last argument may take all words that follow.
const Option* argument_at(const Command& command, std::size_t index) {
    const std::vector<const Option*> all = arguments_of(command);
    if (index < all.size()) return all[index];
    return !all.empty() && takes_many_at_once(*all.back()) ? all.back() : nullptr;
}

// Finds an option, also by an old name; nullptr: none.
const Option* find_current_option(const Command& command, const std::string& name) {
    return command.find_option(current_name(command, name));
}

void record_value(Line& line, const Option& option, const std::string& value) {
    if (is_scenario(option)) line.scenario = value;
    if (option.has_name("--vary")) line.axes.push_back(value.substr(0, value.find('=')));
}

Line read_line(const Command& program, std::span<const std::string> words) {
    Line line;
    line.command = &program;
    for (const std::string& word : words) {
        const bool is_option = !line.options_are_over && word.size() > 1 && word.front() == '-';
        if (line.open != nullptr && !(is_option && takes_many_at_once(*line.open))) {
            record_value(line, *line.open, word);
            if (!takes_many_at_once(*line.open)) line.open = nullptr;
            continue;
        }
        line.open = nullptr;
        if (is_option) {
            const std::size_t equals = word.find('=');
            line.options_are_over = word == "--";
            const Option* option = find_current_option(*line.command, word.substr(0, equals));
            if (option == nullptr) continue;
            line.given.push_back(option);
            if (equals != std::string::npos)
                record_value(line, *option, word.substr(equals + 1));
            else if (takes_value(*option))
                line.open = option;
            continue;
        }
        if (line.command == &program) {
            if (const Command* named = program.find_command(word)) {
                line.command = named;
                continue;
            }
        }
        if (const Option* argument = argument_at(*line.command, line.arguments))
            record_value(line, *argument, word);
        if (line.arguments++ == 0) line.first_argument = word;
    }
    return line;
}

// --- values ---

// The words in braces in "TEXT:{text|json}".
Candidates words_in_braces(const std::string& name) {
    Candidates found;
    const std::size_t begin = name.find('{'), end = name.find('}');
    if (begin == std::string::npos || end == std::string::npos) return found;
    for (std::size_t from = begin + 1; from <= end;) {
        const std::size_t to = name.find_first_of("|,}", from);
        found.push_back({name.substr(from, to - from)});
        from = to + 1;
    }
    return found;
}

// Files whose names end with `ending`, and all directories, which may contain such files.
Candidates file_candidates(const std::string& begun, std::string_view ending) {
    namespace fs = std::filesystem;
    Candidates found;
    const std::size_t slash = begun.find_last_of(os::kSeparators);
    const std::string folder = slash == std::string::npos ? "" : begun.substr(0, slash + 1);
    const std::string path = folder.empty() ? "." : os::expand_home(folder);
    std::error_code error;
    for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (name.starts_with('.') && begun.size() == folder.size()) continue;
        if (name.starts_with('-') && folder.empty()) continue;  // the command would read it as an option
        std::error_code unreadable;
        if (entry->is_directory(unreadable))
            found.push_back({folder + name + "/"});
        else if (name.ends_with(ending))
            found.push_back({folder + name});
    }
    std::sort(found.begin(), found.end(),
              [](const Candidate& a, const Candidate& b) { return a.text < b.text; });
    return found;
}

Candidates scenario_candidates(const std::string& begun) {
    Candidates found;
    for (const std::string& name : builtin_names("")) {
        const nlohmann::ordered_json scenario =
            parse_in_order(find_builtin(name + ".json")->text, /* with_comments */ true);
        found.push_back({name, scenario.value("title", "")});
    }
    const Candidates own = file_candidates(begun, ".json");
    found.insert(found.end(), own.begin(), own.end());
    return found;
}

// Offers NAME, then NAME:option=, then NAME:option=value, then a comma for a further option.
Candidates policy_candidates(const std::string& begun) {
    Candidates found;
    const std::size_t colon = begun.find(':');
    for (const PolicyInfo& policy : policies()) {
        if (colon == std::string::npos) {
            found.push_back({policy.name, policy.summary});
            if (begun == policy.name && !policy.options.empty())
                found.push_back({policy.name + ":", "with options"});
            continue;
        }
        if (policy.name != begun.substr(0, colon)) continue;
        const std::size_t last =
            std::max(colon, begun.rfind(',') == std::string::npos ? 0 : begun.rfind(','));
        const std::string before = begun.substr(0, last + 1), option = begun.substr(last + 1);
        const auto is_given = [&](const OptionInfo& o) {
            return before.find(":" + o.name + "=") != std::string::npos ||
                   before.find("," + o.name + "=") != std::string::npos;
        };
        const auto left = std::count_if(policy.options.begin(), policy.options.end(),
                                        [&](const OptionInfo& o) { return !is_given(o); });
        for (const OptionInfo& o : policy.options) {
            if (is_given(o)) continue;
            if (!option.starts_with(o.name + "=")) {
                found.push_back({before + o.name + "=", o.summary});
                continue;
            }
            for (const std::string& value : o.values) {
                if (value == "N") continue;  // placeholder for a number
                const std::string whole = before + o.name + "=" + value;
                found.push_back({whole});
                if (whole == begun && left > 1) found.push_back({whole + ",", "add another option"});
            }
        }
    }
    return found;
}

Candidates measure_candidates() {
    Candidates found;
    for (const lab::Measure& m : lab::measures()) found.push_back({m.name, m.label});
    return found;
}

Candidates with_prefix(const std::string& prefix, Candidates candidates) {
    for (Candidate& c : candidates) c.text = prefix + c.text;
    return candidates;
}

Candidates machine_candidates() {
    Candidates found;
    for (const std::string& name : builtin_names("machines/")) found.push_back({name});
    return found;
}

// Offers POINTER=VALUE for the scenario on the line.
Candidates change_candidates(const Line& line, const std::string& begun) {
    if (begun.starts_with("/policy=")) return with_prefix("/policy=", policy_candidates(begun.substr(8)));
    if (begun.starts_with("/machine=")) return with_prefix("/machine=", machine_candidates());
    std::string scenario = line.scenario;
    for (const Option* argument : arguments_of(*line.command))
        if (scenario.empty() && is_scenario(*argument)) scenario = argument->default_text();
    if (scenario.empty() || scenario == "-") return {};  // completion must not read standard input
    Candidates found = pointer_candidates(changeable_scenario(find_scenario(scenario).text), begun);
    // If there are no pointers, the file is not a scenario, so no machine is offered.
    if (!found.empty() && begun.find('/', 1) == std::string::npos && begun.find('=') == std::string::npos)
        found.push_back({"/machine=", "another machine"});
    return found;
}

Candidates value_candidates(const Line& line, const Option& option, const std::string& begun,
                            const NamedValues& named) {
    const std::string name = value_name(option);
    if (const auto known = named.find(name); known != named.end()) return known->second;
    if (const Candidates words = words_in_braces(option.type_text()); !words.empty()) return words;
    if (name == "SUBJECT" && line.first_argument == "sweep") return file_candidates(begun, ".jsonl");
    if (is_scenario(option)) return scenario_candidates(begun);
    if (name == "SCRIPTNAME") {
        Candidates found;
        for (const PolicyInfo& script : script_policies()) found.push_back({script.name, script.summary});
        return found;
    }
    if (name == "SCRIPT") return file_candidates(begun, ".lua");
    if (name == "TESTS") {
        Candidates found = file_candidates(begun, ".json");
        for (const std::string& built_in : builtin_names("grades/")) found.push_back({built_in});
        return found;
    }
    if (name.starts_with("FILE")) return file_candidates(begun, "");
    if (name == "POLICY") return policy_candidates(begun);
    if (name == "POLICY[@MACHINE]") {
        if (const std::size_t at = begun.find('@'); at != std::string::npos)
            return with_prefix(begun.substr(0, at + 1), machine_candidates());
        Candidates found = policy_candidates(begun);
        const bool is_whole =
            std::any_of(found.begin(), found.end(), [&](const Candidate& c) { return c.text == begun; });
        if (is_whole) found.push_back({begun + "@", "on another machine"});
        return found;
    }
    if (name == "MEASURE") return measure_candidates();
    if (name.starts_with("POINTER=")) return change_candidates(line, begun);
    Candidates found;
    if (name == "POINTER")
        for (const std::string& axis : line.axes) found.push_back({axis});
    return found;
}

Candidates option_candidates(const Line& line) {
    Candidates found;
    for (const Option& option : line.command->options()) {
        const bool is_given = std::find(line.given.begin(), line.given.end(), &option) != line.given.end();
        if (is_given && !option.is_repeatable()) continue;
        for (const std::string& name : option.long_names())
            found.push_back({"--" + name, option.description()});
    }
    return found;
}

Candidates word_candidates(const Command& program, const Line& line, const std::string& begun,
                           const NamedValues& named) {
    if (line.open != nullptr && !(begun.starts_with("-") && takes_many_at_once(*line.open)))
        return value_candidates(line, *line.open, begun, named);
    if (begun.starts_with("-") && !line.options_are_over) {
        const std::size_t equals = begun.find('=');
        if (equals == std::string::npos) return option_candidates(line);
        const Option* option = find_current_option(*line.command, begun.substr(0, equals));
        if (option == nullptr || !takes_value(*option)) return {};
        return with_prefix(begun.substr(0, equals + 1),
                           value_candidates(line, *option, begun.substr(equals + 1), named));
    }
    if (const Option* argument = argument_at(*line.command, line.arguments))
        return value_candidates(line, *argument, begun, named);
    Candidates found;
    if (line.command == &program && line.arguments == 0)  // no candidates after an unknown word
        for (const Command& command : program.commands())
            found.push_back({command.name(), command.description()});
    return found;
}

}  // namespace

std::vector<Candidate> complete(const Command& program, std::span<const std::string> words,
                                const NamedValues& named) {
    const std::string& begun = words.back();
    Candidates found =
        word_candidates(program, read_line(program, words.first(words.size() - 1)), begun, named);
    std::erase_if(found, [&](const Candidate& c) { return !c.text.starts_with(begun); });
    return found;
}

}  // namespace sim::cli
