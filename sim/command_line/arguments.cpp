#include "sim/command_line/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "sim/base/human_text.h"
#include "sim/base/join.h"
#include "sim/base/suggest.h"

namespace sim::cli {
namespace {

// The number may be decimal, octal (010) or hexadecimal (0x10). The text for an unsigned number may be
// negative: -1 is read as the largest 64-bit number. A text that does not fit into 64 bits is read as the
// largest or the least 64-bit number.
template <std::integral T>
bool parse_number(const std::string& text, T& number) {
    if (text.empty()) return false;
    char* end = nullptr;
    if constexpr (std::is_signed_v<T>) {
        const std::int64_t value = std::strtoll(text.c_str(), &end, 0);
        number = static_cast<T>(value);
        return end == text.c_str() + text.size() && number == value;
    } else {
        const std::uint64_t value = std::strtoull(text.c_str(), &end, 0);
        number = static_cast<T>(value);
        return end == text.c_str() + text.size() && number == value;
    }
}

// Converts the value of a flag, such as "no" in --quiet=no. Returns false if it is not a value of a flag.
bool convert_flag(const std::string& typed, bool& flag) {
    const std::string text = lower_case(typed);
    const auto is_in = [&](std::initializer_list<std::string_view> words) {
        return std::find(words.begin(), words.end(), text) != words.end();
    };
    flag = is_in({"true", "on", "yes", "enable", "t", "y", "+"});
    if (flag || is_in({"false", "off", "no", "disable", "f", "n", "-"})) return true;
    if (text.empty()) return false;
    char* end = nullptr;
    flag = std::strtoll(text.c_str(), &end, 10) > 0;
    return end != text.c_str();
}

ValueCheck range_check(const char* type, auto least, auto most) {
    return {[least, most](const std::string& value) {
                auto number = least;
                if (parse_number(value, number) && least <= number && number <= most) return std::string{};
                return fmt::format("expected a value from {} to {}, got {}", least, most, value);
            },
            fmt::format("{} in [{} - {}]", type, least, most)};
}

bool assign_to(std::string& variable, const std::vector<std::string>& values) {
    variable = values.front();
    return true;
}

bool assign_to(std::vector<std::string>& variable, const std::vector<std::string>& values) {
    variable = values;
    return true;
}

// An empty value is converted to 0.
template <std::integral T>
bool assign_to(T& variable, const std::vector<std::string>& values) {
    variable = 0;
    return values.front().empty() || parse_number(values.front(), variable);
}

// An empty value is converted to std::nullopt.
template <std::integral T>
bool assign_to(std::optional<T>& variable, const std::vector<std::string>& values) {
    variable.reset();
    return values.front().empty() || parse_number(values.front(), variable.emplace());
}

const char* type_of(const std::string&) { return "TEXT"; }
const char* type_of(const std::vector<std::string>&) { return "TEXT"; }
template <std::integral T>
const char* type_of(T) {
    return std::is_signed_v<T> ? "INT" : "UINT";
}
template <std::integral T>
const char* type_of(const std::optional<T>&) {
    return type_of(T{});
}

std::string text_of(const std::string& variable) { return variable; }
std::string text_of(const std::vector<std::string>&) { return {}; }
template <std::integral T>
std::string text_of(T variable) {
    return std::to_string(variable);
}
template <std::integral T>
std::string text_of(const std::optional<T>& variable) {
    return variable ? std::to_string(*variable) : std::string{};
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool contains_option(const std::vector<Option*>& options, const Option& option) {
    return std::find(options.begin(), options.end(), &option) != options.end();
}

}  // namespace

// --- checks ---

ValueCheck one_of(const std::vector<std::string>& words) {
    return {[words](const std::string& word) {
                if (contains(words, word)) return std::string{};
                return fmt::format("'{}' is not one of {}{}", word, join(words, ", "),
                                   did_you_mean(word, words));
            },
            fmt::format("{{{}}}", join(words, "|"))};
}

ValueCheck one_of_short_list(const std::vector<std::string>& words) {
    const std::string list = fmt::format("{{{}}}", join(words, ","));
    return {[words, list](const std::string& word) {
                return contains(words, word) ? std::string{}
                                             : fmt::format("expected one of {}, got {}", list, word);
            },
            list};
}

ValueCheck in_signed_range(std::int64_t least, std::int64_t most) { return range_check("INT", least, most); }
ValueCheck in_unsigned_range(std::uint64_t least, std::uint64_t most) {
    return range_check("UINT", least, most);
}

ValueCheck positive_integer() {
    return {[](const std::string& value) {
        std::uint64_t number = 0;
        errno = 0;
        // parse_number() reads -1 and numbers of more than 64 bits as the largest number.
        if (value.find('-') == std::string::npos && parse_number(value, number) && number > 0 &&
            errno != ERANGE)
            return std::string{};
        return fmt::format("expected a whole number from 1, got {}", value);
    }};
}

// --- targets ---

bool OptionTarget::is_list() const { return std::holds_alternative<std::vector<std::string>*>(variable_); }

std::string OptionTarget::type_name() const {
    return std::visit([](const auto* variable) { return type_of(*variable); }, variable_);
}

std::string OptionTarget::text() const {
    return std::visit([](const auto* variable) { return text_of(*variable); }, variable_);
}

bool OptionTarget::assign(const std::vector<std::string>& values) const {
    return std::visit([&](auto* variable) { return assign_to(*variable, values); }, variable_);
}

// --- options ---

Option::Option(std::string_view names, std::optional<OptionTarget> target, std::string description)
    : target_(target), description_(std::move(description)), arity_(target ? Arity::one : Arity::none) {
    while (!names.empty()) {
        const std::size_t end = std::min(names.find(','), names.size());
        const std::string name(names.substr(0, end));
        names.remove_prefix(std::min(end + 1, names.size()));
        if (name.starts_with("--"))
            long_names_.push_back(name.substr(2));
        else if (name.starts_with('-'))
            short_names_.push_back(name.substr(1));
        else
            argument_name_ = name;
    }
    if (!target_) return;
    type_name_ = target_->type_name();
    if (target_->is_list()) arity_ = Arity::many;
}

Option::Option(std::string_view names, bool& flag, std::string description)
    : Option(names, std::nullopt, std::move(description)) {
    flag_ = &flag;
}

Option& Option::type_name(std::string name) {
    type_name_ = std::move(name);
    return *this;
}

Option& Option::required(bool is_required) {
    is_required_ = is_required;
    return *this;
}

Option& Option::repeatable() {
    is_repeatable_ = true;
    arity_ = Arity::one;
    return *this;
}

Option& Option::optional_value() {
    arity_ = Arity::optional;
    return *this;
}

Option& Option::check(ValueCheck check) {
    checks_.push_back(std::move(check));
    return *this;
}

Option& Option::show_default() { return show_default(target_->text()); }

Option& Option::show_default(std::string text) {
    default_text_ = std::move(text);
    return *this;
}

Option& Option::needs(Option& other) {
    if (!contains_option(needed_, other)) needed_.push_back(&other);
    return *this;
}

Option& Option::excludes(Option& other) {
    if (contains_option(excluded_, other)) return *this;
    excluded_.push_back(&other);
    other.excluded_.push_back(this);
    return *this;
}

Option& Option::translate(std::function<std::string(const std::string& value)> function) {
    translate_ = std::move(function);
    return *this;
}

std::string Option::name() const {
    if (!long_names_.empty()) return "--" + long_names_.front();
    return short_names_.empty() ? argument_name_ : "-" + short_names_.front();
}

bool Option::has_name(std::string_view name) const {
    if (name.starts_with("--")) return contains(long_names_, std::string(name.substr(2)));
    if (name.starts_with('-')) return contains(short_names_, std::string(name.substr(1)));
    return !name.empty() && name == argument_name_;
}

std::string Option::type_with_checks() const {
    std::string text = type_name_;
    for (const ValueCheck& check : checks_)
        if (!check.description.empty()) text += ":" + check.description;
    return text;
}

void Option::store(std::vector<std::string> values) {
    values_ = std::move(values);
    if (translate_)
        for (std::string& value : values_) value = translate_(value);
    const bool is_checked = arity_ != Arity::none;
    for (const std::string& value : values_) {
        if (!is_checked || (value.empty() && arity_ == Arity::optional)) continue;
        for (const ValueCheck& check : checks_)
            if (const std::string problem = check.find_problem(value); !problem.empty())
                throw ParseError(fmt::format("{}: {}", name(), problem));
    }
    if (target_ && !target_->is_list() && values_.size() > 1)
        throw ParseError(fmt::format("{}: expected one value, got {}", name(), values_.size()));
    bool is_converted = true;
    if (flag_ != nullptr)
        is_converted = convert_flag(values_.back(), *flag_);
    else if (target_)
        is_converted = target_->assign(values_);
    if (!is_converted) throw ParseError(fmt::format("{}: invalid value '{}'", name(), join(values_, ",")));
}

// --- commands ---

Command::Command(std::string name, std::string description)
    : name_(std::move(name)), description_(std::move(description)) {
    options_.emplace_back("-h,--help", std::nullopt, "print this help and exit");
}

Option& Command::add_option(std::string_view names, OptionTarget target, std::string description) {
    return options_.emplace_back(names, target, std::move(description));
}

Option& Command::add_flag(std::string_view names, bool& flag, std::string description) {
    return options_.emplace_back(names, flag, std::move(description));
}

Option& Command::add_repeatable(std::string_view name, std::vector<std::string>& values, std::string type,
                                std::string description) {
    return add_option(name, values, std::move(description)).type_name(std::move(type)).repeatable();
}

Command& Command::add_command(std::string name, std::string description) {
    return commands_.emplace_back(std::move(name), std::move(description));
}

void Command::set_version(std::string text) {
    version_ = std::move(text);
    options_.emplace_back("--version", std::nullopt, "print the version and exit");
}

void Command::set_examples(std::vector<std::string> lines) { examples_ = std::move(lines); }

const Option* Command::find_option(std::string_view name) const {
    const auto found = std::find_if(options_.begin(), options_.end(),
                                    [&](const Option& option) { return option.has_name(name); });
    return found == options_.end() ? nullptr : &*found;
}

Option* Command::find_option(std::string_view name) {
    return const_cast<Option*>(std::as_const(*this).find_option(name));
}

const Command* Command::find_command(std::string_view name) const {
    const auto found = std::find_if(commands_.begin(), commands_.end(),
                                    [&](const Command& command) { return command.name() == name; });
    return found == commands_.end() ? nullptr : &*found;
}

}  // namespace sim::cli
