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

using Candidates = std::vector<CompletionCandidate>;

// The name of the option's or argument's value in --help.
std::string value_name(const Option& option) {
    return option.is_argument() ? option.argument_name() : option.type_with_checks();
}

bool is_scenario(const Option& option) {
    const std::string name = value_name(option);
    return name == "SCENARIO" || name == "SUBJECT" || name == "scenario";
}

bool takes_value(const Option& option) { return option.arity() != Option::Arity::none; }

bool takes_many_at_once(const Option& option) { return option.arity() == Option::Arity::many; }

// The complete words of a command line, assigned to the command and its options.
struct PartialLine {
    const Command* command = nullptr;  // the program itself if no command is named
    std::vector<const Option*> given;  // options on the line, in the order in which they occur
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
const Option* find_option_by_any_name(const Command& command, const std::string& name) {
    return command.find_option(current_option_name(command, name));
}

void record_value(PartialLine& line, const Option& option, const std::string& value) {
    if (is_scenario(option)) line.scenario = value;
    if (option.has_name("--vary")) line.axes.push_back(value.substr(0, value.find('=')));
}

PartialLine read_line(const Command& program, std::span<const std::string> words) {
    PartialLine line;
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
            const Option* option = find_option_by_any_name(*line.command, word.substr(0, equals));
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
Candidates words_in_braces(const std::string& type_with_checks) {
    Candidates found;
    const std::size_t begin = type_with_checks.find('{'), end = type_with_checks.find('}');
    if (begin == std::string::npos || end == std::string::npos) return found;
    for (std::size_t from = begin + 1; from <= end;) {
        const std::size_t to = type_with_checks.find_first_of("|,}", from);
        found.push_back({type_with_checks.substr(from, to - from)});
        from = to + 1;
    }
    return found;
}

// Files whose names end with `extension`, and all directories, which may contain such files.
Candidates file_candidates(const std::string& partial_word, std::string_view extension) {
    namespace fs = std::filesystem;
    Candidates found;
    const std::size_t slash = partial_word.find_last_of(os::kSeparators);
    const std::string folder = slash == std::string::npos ? "" : partial_word.substr(0, slash + 1);
    const std::string path = folder.empty() ? "." : os::expand_home(folder);
    std::error_code error;
    for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (name.starts_with('.') && partial_word.size() == folder.size()) continue;
        if (name.starts_with('-') && folder.empty()) continue;  // the command would read it as an option
        std::error_code unreadable;
        if (entry->is_directory(unreadable))
            found.push_back({folder + name + "/"});
        else if (name.ends_with(extension))
            found.push_back({folder + name});
    }
    std::sort(found.begin(), found.end(),
              [](const CompletionCandidate& a, const CompletionCandidate& b) { return a.text < b.text; });
    return found;
}

Candidates scenario_candidates(const std::string& partial_word) {
    Candidates found;
    for (const std::string& name : builtin_file_names("")) {
        const nlohmann::ordered_json scenario =
            parse_json_in_order(find_builtin_file(name + ".json")->text, /* allow_comments */ true);
        found.push_back({name, scenario.value("title", "")});
    }
    const Candidates own = file_candidates(partial_word, ".json");
    found.insert(found.end(), own.begin(), own.end());
    return found;
}

// Offers NAME, then NAME:option=, then NAME:option=value, then a comma for a further option.
Candidates policy_candidates(const std::string& partial_word) {
    Candidates found;
    const std::size_t colon = partial_word.find(':');
    for (const PolicyInfo& policy : policies()) {
        if (colon == std::string::npos) {
            found.push_back({policy.name, policy.summary});
            if (partial_word == policy.name && !policy.options.empty())
                found.push_back({policy.name + ":", "this policy with options"});
            continue;
        }
        if (policy.name != partial_word.substr(0, colon)) continue;
        const std::size_t last =
            std::max(colon, partial_word.rfind(',') == std::string::npos ? 0 : partial_word.rfind(','));
        const std::string before = partial_word.substr(0, last + 1), option = partial_word.substr(last + 1);
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
                if (whole == partial_word && left > 1) found.push_back({whole + ",", "add another option"});
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

Candidates prepend_prefix(const std::string& prefix, Candidates candidates) {
    for (CompletionCandidate& c : candidates) c.text = prefix + c.text;
    return candidates;
}

Candidates machine_candidates() {
    Candidates found;
    for (const std::string& name : builtin_file_names("machines/")) found.push_back({name});
    return found;
}

// Offers POINTER=VALUE for the scenario on the line.
Candidates assignment_candidates(const PartialLine& line, const std::string& partial_word) {
    if (partial_word.starts_with("/policy="))
        return prepend_prefix("/policy=", policy_candidates(partial_word.substr(8)));
    if (partial_word.starts_with("/machine=")) return prepend_prefix("/machine=", machine_candidates());
    std::string scenario = line.scenario;
    for (const Option* argument : arguments_of(*line.command))
        if (scenario.empty() && is_scenario(*argument)) scenario = argument->default_text();
    if (scenario.empty() || scenario == "-") return {};  // completion must not read standard input
    Candidates found =
        json_pointer_candidates(settable_scenario_json(find_scenario(scenario).text), partial_word);
    // "/machine=" replaces the whole machine. If the file is not a scenario, `found` is empty and this
    // candidate is not added.
    if (!found.empty() && partial_word.find('/', 1) == std::string::npos &&
        partial_word.find('=') == std::string::npos)
        found.push_back({"/machine=", "replace the machine"});
    return found;
}

Candidates value_candidates(const PartialLine& line, const Option& option, const std::string& partial_word,
                            const CandidatesByValueName& by_value_name) {
    const std::string name = value_name(option);
    if (const auto known = by_value_name.find(name); known != by_value_name.end()) return known->second;
    if (const Candidates words = words_in_braces(option.type_with_checks()); !words.empty()) return words;
    if (name == "SUBJECT" && line.first_argument == "sweep") return file_candidates(partial_word, ".jsonl");
    if (is_scenario(option)) return scenario_candidates(partial_word);
    if (name == "SCRIPTNAME") {
        Candidates found;
        for (const PolicyInfo& script : script_policies()) found.push_back({script.name, script.summary});
        return found;
    }
    if (name == "SCRIPT") return file_candidates(partial_word, ".lua");
    if (name == "TESTS") {
        Candidates found = file_candidates(partial_word, ".json");
        for (const std::string& built_in : builtin_file_names("grades/")) found.push_back({built_in});
        return found;
    }
    if (name.starts_with("FILE")) return file_candidates(partial_word, "");
    if (name == "POLICY") return policy_candidates(partial_word);
    if (name == "POLICY[@MACHINE]") {
        if (const std::size_t at = partial_word.find('@'); at != std::string::npos)
            return prepend_prefix(partial_word.substr(0, at + 1), machine_candidates());
        Candidates found = policy_candidates(partial_word);
        const bool is_whole = std::any_of(
            found.begin(), found.end(), [&](const CompletionCandidate& c) { return c.text == partial_word; });
        if (is_whole) found.push_back({partial_word + "@", "this policy on another machine"});
        return found;
    }
    if (name == "MEASURE") return measure_candidates();
    if (name.starts_with("POINTER=")) return assignment_candidates(line, partial_word);
    Candidates found;
    if (name == "POINTER")
        for (const std::string& axis : line.axes) found.push_back({axis});
    return found;
}

Candidates option_candidates(const PartialLine& line) {
    Candidates found;
    for (const Option& option : line.command->options()) {
        const bool is_given = std::find(line.given.begin(), line.given.end(), &option) != line.given.end();
        if (is_given && !option.is_repeatable()) continue;
        for (const std::string& name : option.long_names())
            found.push_back({"--" + name, option.description()});
    }
    return found;
}

Candidates word_candidates(const Command& program, const PartialLine& line, const std::string& partial_word,
                           const CandidatesByValueName& by_value_name) {
    if (line.open != nullptr && !(partial_word.starts_with("-") && takes_many_at_once(*line.open)))
        return value_candidates(line, *line.open, partial_word, by_value_name);
    if (partial_word.starts_with("-") && !line.options_are_over) {
        const std::size_t equals = partial_word.find('=');
        if (equals == std::string::npos) return option_candidates(line);
        const Option* option = find_option_by_any_name(*line.command, partial_word.substr(0, equals));
        if (option == nullptr || !takes_value(*option)) return {};
        return prepend_prefix(
            partial_word.substr(0, equals + 1),
            value_candidates(line, *option, partial_word.substr(equals + 1), by_value_name));
    }
    if (const Option* argument = argument_at(*line.command, line.arguments))
        return value_candidates(line, *argument, partial_word, by_value_name);
    Candidates found;
    if (line.command == &program && line.arguments == 0)  // no candidates after an unknown word
        for (const Command& command : program.commands())
            found.push_back({command.name(), command.description()});
    return found;
}

}  // namespace

std::vector<CompletionCandidate> complete_last_word(const Command& program,
                                                    std::span<const std::string> words,
                                                    const CandidatesByValueName& by_value_name) {
    const std::string& partial_word = words.back();
    Candidates found = word_candidates(program, read_line(program, words.first(words.size() - 1)),
                                       partial_word, by_value_name);
    std::erase_if(found, [&](const CompletionCandidate& c) { return !c.text.starts_with(partial_word); });
    return found;
}

}  // namespace sim::cli
