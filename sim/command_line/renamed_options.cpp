#include "sim/command_line/renamed_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/base/main_wrapper.h"

namespace sim::cli {
namespace {

struct RenamedOption {
    std::string_view command;  // name of the command, or of the program if it has no commands
    std::string_view old_name, name;
};

constexpr RenamedOption kRenamedOptions[] = {
    {"calibrate", "--noisy", "--allow-noise"},
    {"compare", "--same", "--exit-code"},
    {"figure", "--along", "--x-axis"},
    {"figure", "--by", "--row-per"},
    {"figure", "--of", "--waits"},
    {"grade", "--scenario", "--show-scenario"},
    {"import", "--unfolded", "--no-loops"},
    {"link", "--bare", "--no-controls"},
    {"link", "--base", "--base-url"},
    {"link", "--panel", "--pane"},
    {"link", "--present", "--presenter"},
    {"link", "--read", "--decode"},
    {"link", "--show", "--range"},
    {"link", "--text", "--inline-scenario"},
    {"link", "--with", "--lab-policy"},
    {"new", "--like", "--template"},
    {"quiz", "--answers", "--show-answers"},
    {"quiz", "--from", "--first"},
    {"quiz", "--save", "--save-answers"},
    {"record", "--for", "--duration"},
    {"record", "--save", "--save-trace"},
    {"record", "--unfolded", "--no-loops"},
    {"reschedule", "--differences", "--explain-first-difference"},
    {"step", "--lines", "--trace-script"},
    {"sweep", "--along", "--x-axis"},
    {"sweep", "--from", "--results-from"},
    {"switchyard-ui", "--panel", "--pane"},
    {"switchyard-ui", "--present", "--presenter"},
    {"switchyard-ui", "--print", "--dump-text"},
};

std::string renaming_notice(const Command& program, std::string_view old_name, std::string_view name) {
    return fmt::format("{}: {} is now {}\n", program.name(), old_name, name);
}

// True if the word after this option is its value, even if it looks like an option.
bool takes_next_word_as_value(const Command& command, std::string_view word) {
    const bool is_long = word.starts_with("--");
    const std::size_t end = is_long ? std::min(word.find('='), word.size()) : 2;
    const Option* const option = command.find_option(word.substr(0, end));
    // A word longer than the option's name contains the value, as in "-oFILE" or "--output=FILE". The word
    // "--output=" contains no value, so the next word is the value.
    if (option == nullptr || word.size() > end + (is_long ? 1 : 0)) return false;
    return option->arity() == Option::Arity::one || option->arity() == Option::Arity::many;
}

}  // namespace

std::string_view current_option_name(const Command& command, std::string_view name) {
    for (const RenamedOption& renamed : kRenamedOptions)
        if (renamed.command == command.name() && renamed.old_name == name) return renamed.name;
    return name;
}

std::vector<std::string> with_current_option_names(const Command& program, int argc,
                                                   const char* const* argv) {
    std::vector<std::string> words(argv, argv + argc);
    std::set<std::string> noticed;
    const Command* command = &program;
    for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
        std::string& word = words[i];
        if (!word.starts_with('-') || word == "-") {
            const Command* const named = command == &program ? program.find_command(word) : nullptr;
            if (named != nullptr) command = named;
            continue;
        }
        const std::string old_name = word.substr(0, word.find('='));
        const std::string_view name = current_option_name(*command, old_name);
        if (name != old_name) {
            if (noticed.insert(old_name).second) print_error(renaming_notice(program, old_name, name));
            word.replace(0, old_name.size(), name);
        }
        if (takes_next_word_as_value(*command, word)) ++i;
    }
    return words;
}

}  // namespace sim::cli
