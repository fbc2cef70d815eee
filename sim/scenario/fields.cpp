#include "sim/scenario/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/base/join.h"
#include "sim/base/suggest.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/scenario/json_text.h"

namespace sim {
namespace {

constexpr std::size_t kLongestName = 64;  // in bytes

std::string longer_than_text(std::size_t max_bytes) {
    return fmt::format("this text is longer than {} bytes", max_bytes);
}

}  // namespace

std::string text_in_message(const JsonValue& value) {
    if (value.is_string()) return fmt::format("the string \"{}\"", shorten(value.text(), 40));
    const bool short_one = value.is_null() || value.is_boolean() || value.is_number();
    return short_one ? json_text(value.to_nlohmann_json()) : kind_of(value);
}

void Field::read(const JsonValue& object, Problems& problems) const {
    const JsonValue* const value = object.find(key_);
    if (kept_ != nullptr)
        *kept_ = value;
    else if (value != nullptr)
        read_(reader_, *value);
    else if (missing_ != nullptr)
        problems.add(object, missing_);
}

ValueReader::ObjectReadResult ValueReader::object(const JsonValue& value, std::span<const Field> fields) {
    if (!value.is_object()) {
        problems_.add(value, "expected an object ({...}), got " + text_in_message(value));
        return {};
    }
    const auto states = [&](std::string_view key) {
        return std::any_of(fields.begin(), fields.end(), [&](const Field& f) { return f.key() == key; });
    };
    std::vector<std::string> known;
    for (const JsonValue* member : value.children()) {
        if (states(member->key())) continue;
        if (known.empty())
            for (const Field& field : fields) known.emplace_back(field.key());
        report_unknown_key(*member, known);
    }
    const std::size_t before = problems_.count();
    for (const Field& field : fields) field.read(value, problems_);
    return {true, problems_.count() == before};
}

void ValueReader::report_unknown_key(const JsonValue& member, const std::vector<std::string>& known) {
    if (problems_.is_full()) return problems_.add(member, {}, true);
    std::string hint = did_you_mean(member.key(), known);
    if (hint.empty() && known.size() == 1) hint = fmt::format("; the only key here is {}", known.front());
    if (hint.empty()) hint = fmt::format("; the keys here are {}", join(known, ", "));
    problems_.add(member, fmt::format("unknown key '{}'{}", shorten(member.key()), hint), true);
}

void ValueReader::refuse_choice(const JsonValue& value, const std::vector<std::string>& words) {
    const std::string list = join(words, ", ");
    if (!value.is_string())
        return problems_.add(value, fmt::format("expected one of {}, got {}", list, text_in_message(value)));
    const std::string text = shorten(value.text()), hint = did_you_mean(value.text(), words);
    problems_.add(value, words.size() == 1 ? fmt::format("expected \"{}\", got '{}'{}", list, text, hint)
                                           : fmt::format("'{}' is not one of {}{}", text, list, hint));
}

std::string ValueReader::string(const JsonValue& value, std::size_t most) {
    if (!value.is_string()) {
        problems_.add(value, "expected a string in double quotes, got " + text_in_message(value));
        return {};
    }
    if (value.text().size() <= most) return std::string(value.text());
    problems_.add(value, longer_than_text(most));
    return {};
}

std::string ValueReader::single_line(const JsonValue& value, std::size_t most) {
    std::string text = string(value, most);
    if (text.find('\n') == std::string::npos) return text;
    problems_.add(value, "expected one line, without \\n");
    return {};
}

std::string ValueReader::check_name(const JsonValue& value, std::string text) {
    bool bad = false;
    for (std::size_t i = 0; i < text.size();) {
        const Character c = character_at(text, i);
        // JsonParser has reported all other characters that are not allowed here.
        bad = bad || is_unicode_space(c.code) || c.code == '\n';
        i += c.bytes;
    }
    if (text.empty())
        problems_.add(value, "a name must not be empty");
    else if (bad)
        problems_.add(value, "a name must not contain spaces or control characters");
    return bad ? std::string{} : text;
}

std::string ValueReader::name(const JsonValue& value) {
    const std::size_t before = problems_.count();
    std::string text = string(value, kLongestName);
    return problems_.count() > before ? std::string{} : check_name(value, std::move(text));
}

std::string ValueReader::name_from_key(const JsonValue& member) {
    if (member.key().size() <= kLongestName) return check_name(member, std::string(member.key()));
    problems_.add(member, longer_than_text(kLongestName));
    return {};
}

std::int64_t ValueReader::integer(const JsonValue& value, std::int64_t least, std::int64_t most) {
    // 2^53; doubles below this value represent integers exactly.
    constexpr double kExact = 9007199254740992.0;
    const nlohmann::json n = value.to_nlohmann_json();
    const auto refuse_range = [&] {
        problems_.add(value, fmt::format("{} is out of range: from {} to {}", json_text(n), least, most));
    };
    if (!value.is_number()) {
        problems_.add(value, "expected a whole number, got " + text_in_message(value));
    } else if (n.is_number_integer()) {
        const bool huge = n.is_number_unsigned() &&
                          n.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
        if (!huge && n.get<std::int64_t>() >= least && n.get<std::int64_t>() <= most)
            return n.get<std::int64_t>();
        refuse_range();
    } else if (std::abs(n.get<double>()) >= kExact) {
        refuse_range();
    } else if (n.get<double>() == std::trunc(n.get<double>())) {
        problems_.add(value, fmt::format("write a whole number without a decimal point or exponent: {}",
                                         static_cast<std::int64_t>(n.get<double>())));
    } else {
        problems_.add(value, fmt::format("expected a whole number, got {}", json_text(n)));
    }
    return least;
}

Nanos ValueReader::time(const JsonValue& value, Nanos least, Nanos most) {
    if (value.is_number()) {
        const std::string digits = json_text(value.to_nlohmann_json());
        std::string why;
        if (digits.starts_with('-') && !parse_time(digits, why))
            problems_.add(value, why);
        else if (digits.find('e') != std::string::npos)
            problems_.add(value, "a time needs a unit, like \"2ms\"");
        else
            problems_.add(value, fmt::format("a time needs a unit; did you mean \"{}ms\"?", digits));
        return least;
    }
    if (!value.is_string()) {
        problems_.add(value, fmt::format("expected a time, got {}{}", text_in_message(value), kTimeForms));
        return least;
    }
    std::string why;
    const std::optional<Nanos> time = parse_time(value.text(), why);
    if (!time) {
        problems_.add(value, why);
        return least;
    }
    if (*time > most) {
        problems_.add(value, fmt::format("'{}' is too long; the maximum is {}", shorten(value.text(), 40),
                                         most == kHorizon - 1ns ? kLongestTime : format_time(most)));
        return least;
    }
    if (*time < least) {
        problems_.add(value, "expected a time above 0");
        return least;
    }
    return *time;
}

std::uint32_t ValueReader::byte_size(const JsonValue& value, std::uint32_t least, std::uint32_t most) {
    if (value.is_number()) {
        const std::string digits = json_text(value.to_nlohmann_json());
        const bool whole = digits.find_first_not_of("0123456789") == std::string::npos;
        problems_.add(value, "a size needs a unit" +
                                 (whole ? suggest_size_with_unit(digits) : std::string(", like \"64KiB\"")));
        return least;
    }
    if (!value.is_string()) {
        problems_.add(value, fmt::format("expected a size, got {}{}", text_in_message(value), kSizeForms));
        return least;
    }
    std::string why;
    const std::optional<std::uint64_t> bytes = parse_size(value.text(), why);
    if (!bytes) {
        problems_.add(value, why);
        return least;
    }
    if (*bytes < least || *bytes > most) {
        problems_.add(value,
                      fmt::format("{} is out of range: from {} to {}", json_text(value.to_nlohmann_json()),
                                  format_size(least), format_size(most)));
        return least;
    }
    return static_cast<std::uint32_t>(*bytes);
}

bool ValueReader::boolean(const JsonValue& value) {
    if (!value.is_boolean()) problems_.add(value, "expected true or false, got " + text_in_message(value));
    return value.is_boolean() && value.to_nlohmann_json().get<bool>();
}

double ValueReader::number(const JsonValue& value) {
    if (value.is_number()) return value.to_nlohmann_json().get<double>();
    problems_.add(value, "expected a number, got " + text_in_message(value));
    return 0;
}

}  // namespace sim
