// The commands and options of a program as a tree, for parsing, --help, manual pages and shell completion.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace sim::cli {

// Thrown if a command is used wrongly, as opposed to an error in a file.
class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Thrown for a command line that the tree of commands and options does not allow: an unknown option, a
// missing argument, a wrong value.
class ParseError : public UsageError {
  public:
    using UsageError::UsageError;
};

// A check of each value of an option.
struct ValueCheck {
    // Returns the problem with the value; empty: none.
    std::function<std::string(const std::string& value)> find_problem;
    std::string description = {};  // in --help, after the value's name: "INT in [1 - 60]"; may be empty
};

// Returns a check that the value is one of the words. The description of the check is a list such as
// "{text|json}". The message suggests the word that is most similar to the value.
ValueCheck one_of(const std::vector<std::string>& words);
// Like one_of(), for a few words: the description has the form "{text,json}", and the message lists all words
// and suggests none.
ValueCheck one_of_short_list(const std::vector<std::string>& words);
// Returns a check that the value is a whole number in this range.
ValueCheck in_signed_range(std::int64_t least, std::int64_t most);
ValueCheck in_unsigned_range(std::uint64_t least, std::uint64_t most);
template <std::integral T>
ValueCheck in_range(T least, T most) {
    if constexpr (std::is_signed_v<T>)
        return in_signed_range(least, most);
    else
        return in_unsigned_range(least, most);
}

// Returns a check that the value is a whole number from 1 to the largest 64-bit number. It has no
// description.
ValueCheck positive_integer();

// The variable that receives the values of an option. It has to outlive the parsing.
class OptionTarget {
  public:
    OptionTarget(std::string& text) : variable_(&text) {}
    OptionTarget(std::vector<std::string>& list) : variable_(&list) {}
    OptionTarget(int& number) : variable_(&number) {}
    OptionTarget(std::uint32_t& number) : variable_(&number) {}
    OptionTarget(std::int64_t& number) : variable_(&number) {}
    OptionTarget(std::uint64_t& number) : variable_(&number) {}
    OptionTarget(std::optional<int>& number) : variable_(&number) {}
    OptionTarget(std::optional<std::uint32_t>& number) : variable_(&number) {}
    OptionTarget(std::optional<std::uint64_t>& number) : variable_(&number) {}

    bool is_list() const;
    std::string type_name() const;  // "TEXT", "INT" or "UINT"
    std::string text() const;       // the variable's value as text; empty for a list
    // Converts and stores the values. Returns false if a value cannot be converted; the variable may have
    // changed then. REQUIRES: at least one value, and exactly one unless is_list().
    bool assign(const std::vector<std::string>& values) const;

  private:
    std::variant<std::string*, std::vector<std::string>*, int*, std::uint32_t*, std::int64_t*, std::uint64_t*,
                 std::optional<int>*, std::optional<std::uint32_t>*, std::optional<std::uint64_t>*>
        variable_;
};

// An option or an argument of a command.
class Option {
  public:
    // Number of values after the name. An option that stores a list takes all words up to the next option:
    // `--policy a b` is two values.
    enum class Arity : std::uint8_t { none, optional, one, many };

    // `names`: "-o,--output"; without dashes: an argument. Without a target: a flag that only is_given()
    // reports.
    Option(std::string_view names, std::optional<OptionTarget> target, std::string description);
    Option(std::string_view names, bool& flag, std::string description);
    Option(const Option&) = delete;
    Option& operator=(const Option&) = delete;

    // --- declaration; each function returns *this. By default, an option with a list as target takes many
    // values, any other option with a target takes one ---
    Option& type_name(std::string name);        // name of the value, as --help prints it; may be empty
    Option& required(bool is_required = true);  // --help prints "REQUIRED"
    Option& repeatable();                       // the option may occur several times
    Option& optional_value();                   // the value may be missing; then it is empty
    Option& check(ValueCheck check);            // checks run in the order in which they were added
    Option& show_default();                     // --help prints the value that the target has now
    Option& show_default(std::string text);     // --help prints this text
    // Before all checks, each value is replaced by the result of the function.
    Option& translate(std::function<std::string(const std::string& value)> function);
    Option& needs(Option& other);     // this option is rejected if the other option is missing
    Option& excludes(Option& other);  // the two options cannot be used together

    // --- inspection ---
    const std::string& argument_name() const { return argument_name_; }           // empty: none
    const std::vector<std::string>& short_names() const { return short_names_; }  // without "-"
    const std::vector<std::string>& long_names() const { return long_names_; }    // without "--"
    std::string name() const;                    // "--output": the first long name, if there is one
    bool has_name(std::string_view name) const;  // "--output", "-o", "SCENARIO"
    bool is_argument() const { return !argument_name_.empty(); }
    // is_argument() and is_option() are both true if the option has names of both kinds ("FILE,--file").
    bool is_option() const { return !short_names_.empty() || !long_names_.empty(); }
    const std::string& description() const { return description_; }
    // The value's name, and the descriptions of its checks: "TEXT:{text|json}".
    std::string type_with_checks() const;
    const std::string& default_text() const { return default_text_; }  // empty: none is shown
    Arity arity() const { return arity_; }
    bool is_required() const { return is_required_; }
    bool is_repeatable() const { return is_repeatable_; }
    bool stores_list() const { return target_ && target_->is_list(); }
    const std::vector<Option*>& needed_options() const { return needed_; }
    const std::vector<Option*>& excluded_options() const { return excluded_; }

    // --- result of the parsing ---
    bool is_given() const { return !values_.empty(); }
    const std::vector<std::string>& values() const { return values_; }
    // Checks, converts and stores the values. Throws ParseError.
    void store(std::vector<std::string> values);

  private:
    std::string argument_name_;
    std::vector<std::string> short_names_, long_names_;
    std::optional<OptionTarget> target_;
    bool* flag_ = nullptr;
    std::string description_, type_name_, default_text_;
    Arity arity_ = Arity::one;
    bool is_required_ = false, is_repeatable_ = false;
    std::vector<ValueCheck> checks_;
    std::function<std::string(const std::string&)> translate_;
    std::vector<Option*> needed_, excluded_;
    std::vector<std::string> values_;
};

// A program or one of its commands. Each has the option --help.
class Command {
  public:
    Command(std::string name, std::string description);
    Command(const Command&) = delete;
    Command& operator=(const Command&) = delete;

    // --- declaration ---
    Option& add_option(std::string_view names, OptionTarget target, std::string description);
    Option& add_flag(std::string_view names, bool& flag, std::string description);
    // Adds an option that may occur several times. `type`: name of the value in --help.
    Option& add_repeatable(std::string_view name, std::vector<std::string>& values, std::string type,
                           std::string description);
    // Adds a command. A command line of a program with commands must name one of them.
    Command& add_command(std::string name, std::string description);
    void set_version(std::string text);  // adds --version, which prints the text
    void set_examples(std::vector<std::string> lines);
    // The check runs after the options are stored and before run(). It may throw UsageError.
    void set_check(std::function<void()> check) { check_ = std::move(check); }
    void set_action(std::function<int()> action) { action_ = std::move(action); }

    // --- inspection; all lists are in the order of declaration ---
    const std::string& name() const { return name_; }
    const std::string& description() const { return description_; }
    const std::string& version() const { return version_; }  // empty: there is no --version
    const std::vector<std::string>& examples() const { return examples_; }
    const std::list<Option>& options() const { return options_; }
    std::list<Option>& options() { return options_; }
    const std::list<Command>& commands() const { return commands_; }
    std::list<Command>& commands() { return commands_; }
    // Finds an option by any of its names: "--output", "-o", "SCENARIO"; nullptr: none.
    const Option* find_option(std::string_view name) const;
    Option* find_option(std::string_view name);
    // REQUIRES: the option exists.
    const Option& option(std::string_view name) const { return *find_option(name); }
    Option& option(std::string_view name) { return *find_option(name); }
    const Command* find_command(std::string_view name) const;  // nullptr: none

    void run_check() const {
        if (check_) check_();
    }
    // Executes the action and returns the exit code. REQUIRES: set_action() has been called.
    int run() const { return action_(); }

  private:
    std::string name_, description_, version_;
    std::vector<std::string> examples_;
    std::list<Option> options_;
    std::list<Command> commands_;
    std::function<void()> check_;
    std::function<int()> action_;
};

struct ParsedCommandLine {
    const Command* command = nullptr;  // command named by the line; the program itself if it has no commands
    std::optional<std::string> text;   // text for --help or --version; the command must not run then
};

// Parses the line and stores the values of its options. `words` starts with the program's name. Throws
// ParseError, and the exceptions of the function passed to set_check().
ParsedCommandLine parse(Command& program, const std::vector<std::string>& words);

// The text that --help prints for `command`, which is the program itself or one of its commands.
std::string help_text(const Command& program, const Command& command);

}  // namespace sim::cli
