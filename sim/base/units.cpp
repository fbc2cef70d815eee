#include "sim/base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/problem.h"
#include "sim/base/rng.h"
#include "sim/base/suggest.h"

namespace sim {
namespace {

struct Unit {
    std::string_view name;
    std::int64_t nanos;
};
constexpr Unit kUnits[] = {{"ns", 1},
                           {"us", 1'000},
                           {"\xc2\xb5s", 1'000},  // micro sign
                           {"\xce\xbcs", 1'000},  // Greek mu
                           {"ms", 1'000'000},
                           {"s", 1'000'000'000},
                           {"min", 60'000'000'000},
                           {"h", 3'600'000'000'000}};

// Other spellings of the units, and the correct spellings.
constexpr std::pair<std::string_view, const char*> kOtherUnits[] = {
    {"m", "'min' or 'ms'"}, {"sec", "'s'"},      {"secs", "'s'"},      {"second", "'s'"}, {"seconds", "'s'"},
    {"msec", "'ms'"},       {"msecs", "'ms'"},   {"usec", "'us'"},     {"usecs", "'us'"}, {"nsec", "'ns'"},
    {"mins", "'min'"},      {"minute", "'min'"}, {"minutes", "'min'"}, {"hr", "'h'"},     {"hour", "'h'"},
    {"hours", "'h'"},       {"S", "'s'"},        {"H", "'h'"}};

constexpr std::pair<std::string_view, std::uint64_t> kSizeUnits[] = {
    {"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}};

// The hint in a message about an unknown unit: "; did you mean 'ms'?".
std::string hint_for_time_unit(std::string_view unit_name) {
    std::vector<std::string> names;
    for (const Unit& known : kUnits) names.emplace_back(known.name);
    std::string hint = did_you_mean(unit_name, names);
    for (const auto& [other, meant] : kOtherUnits)
        if (unit_name == other) hint = fmt::format("; did you mean {}?", meant);
    if (hint.empty()) hint = "; units are ns, us, ms, s, min, h";
    return hint;
}

}  // namespace

std::optional<Nanos> parse_time(std::string_view text, std::string& why) {
    const auto refuse = [&](std::string reason) -> std::optional<Nanos> {
        why = std::move(reason);
        return std::nullopt;
    };
    const std::string written = shorten(text, 40);
    const std::size_t end = text.find_first_not_of("0123456789.");
    const std::string_view digits = text.substr(0, end);
    std::string_view unit_name = end == std::string_view::npos ? std::string_view{} : text.substr(end);
    while (unit_name.starts_with(' ')) unit_name.remove_prefix(1);
    const auto no_time = [&] { return refuse(fmt::format("'{}' is not a time{}", written, kTimeForms)); };
    if (text.starts_with('-')) return refuse(fmt::format("'{}' is negative; a time is 0 or more", written));
    if (digits.find_first_not_of('.') == std::string_view::npos ||
        std::count(digits.begin(), digits.end(), '.') > 1)
        return no_time();
    if (unit_name.starts_with(','))
        return refuse(fmt::format("'{}' contains a comma; write fractions with a decimal point", written));
    if (unit_name.empty())
        return refuse(fmt::format("'{}' needs a unit; did you mean \"{}ms\"?", written, written));

    const auto unit = std::find_if(std::begin(kUnits), std::end(kUnits),
                                   [&](const Unit& candidate) { return candidate.name == unit_name; });
    if (unit == std::end(kUnits))
        return refuse(fmt::format("'{}' has the unknown unit '{}'{}", written, shorten(unit_name, 16),
                                  hint_for_time_unit(unit_name)));

    const std::size_t point = digits.find('.');
    const std::string_view whole = digits.substr(0, point);
    const std::string_view fraction =
        point == std::string_view::npos ? std::string_view{} : digits.substr(point + 1);
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const auto too_long = [&] {
        return refuse(fmt::format("'{}' is too long; the maximum is {}", written, kLongestTime));
    };
    std::int64_t nanos = 0;
    for (char c : whole) {
        const std::int64_t digit = (c - '0') * unit->nanos;
        if (nanos > (most - digit) / 10) return too_long();
        nanos = nanos * 10 + digit;
    }
    if (nanos > kHorizon.count()) return too_long();
    // unit * fraction / 10^digits must be a whole number. The longest unit, an hour, is 2^13 * 3^2 * 5^11 ns.
    // So the result is never whole if the fraction, without its trailing zeros, has more than 13 digits.
    std::string_view digits_left = fraction;
    while (digits_left.ends_with('0')) digits_left.remove_suffix(1);
    Wide parts = 0, scale = 1;
    for (char c : digits_left.substr(0, 16)) {
        parts = parts * 10 + static_cast<Wide>(c - '0');
        scale *= 10;
    }
    parts *= static_cast<Wide>(unit->nanos);
    if (digits_left.size() > 16 || parts % scale != 0)
        return refuse(fmt::format("'{}' is finer than a nanosecond, the smallest unit of time", written));
    nanos += static_cast<std::int64_t>(parts / scale);
    if (nanos > kHorizon.count()) return too_long();
    return Nanos{nanos};
}

std::string format_time(Nanos time) {
    const std::int64_t n = time.count();
    const auto in = [&](std::int64_t unit, const char* name) {
        std::string text = fmt::format("{}", n / unit);
        if (n % unit != 0) {
            std::string digits = fmt::format("{}", unit + n % unit).substr(1);
            digits.erase(digits.find_last_not_of('0') + 1);
            text += "." + digits;
        }
        return text + name;
    };
    if (n < 1'000) return in(1, "ns");
    if (n < 1'000'000) return in(1'000, "us");
    if (n < 1'000'000'000) return in(1'000'000, "ms");
    return in(1'000'000'000, "s");
}

std::string format_size(std::uint64_t bytes) {
    std::string text;
    for (const auto& [name, unit] : kSizeUnits)
        if (bytes % unit == 0 && (bytes > 0 || unit == 1)) text = fmt::format("{}{}", bytes / unit, name);
    return text;
}

std::string suggest_size_with_unit(std::string_view digits) {
    std::uint64_t bytes = 0;
    for (const char c : digits)
        bytes = std::min<std::uint64_t>(bytes * 10 + static_cast<std::uint64_t>(c - '0'), kLargestSize);
    const std::string plain = format_size(bytes);
    if (bytes == 0 || bytes >= 1024) return fmt::format("; did you mean \"{}\"?", plain);
    return fmt::format("; did you mean \"{}\" or \"{}KiB\"?", plain, bytes);
}

std::optional<std::uint64_t> parse_size(std::string_view text, std::string& why) {
    const std::string written = shorten(text, 40);
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    std::uint64_t number = 0;
    for (const char c : text.substr(0, end))
        number =
            std::min<std::uint64_t>(number * 10 + static_cast<std::uint64_t>(c - '0'), kLargestSize + 1ull);
    std::string_view unit = text.substr(end);
    while (unit.starts_with(' ')) unit.remove_prefix(1);
    if (end == 0) {
        why = fmt::format("'{}' is not a size{}", written, kSizeForms);
        return std::nullopt;
    }
    if (unit.empty()) {
        why = fmt::format("'{}' needs a unit{}", written, suggest_size_with_unit(text.substr(0, end)));
        return std::nullopt;
    }
    if (unit.starts_with('.') || unit.starts_with(',')) {
        why = fmt::format("'{}' is not a whole number; write it in a smaller unit, like \"1536B\"", written);
        return std::nullopt;
    }
    for (const auto& [name, factor] : kSizeUnits)
        if (name == unit) return number * factor;
    std::vector<std::string> names;
    for (const auto& [name, factor] : kSizeUnits) names.emplace_back(name);
    std::string hint = did_you_mean(unit, names);
    for (const auto& [other, meant] : {std::pair{"KB", "KiB"},
                                       {"kB", "KiB"},
                                       {"K", "KiB"},
                                       {"k", "KiB"},
                                       {"MB", "MiB"},
                                       {"M", "MiB"},
                                       {"GB", "GiB"},
                                       {"G", "GiB"}})
        if (unit == other) hint = fmt::format("; did you mean '{}'?", meant);
    if (hint.empty()) hint = "; units are B, KiB, MiB, GiB";
    why = fmt::format("'{}' has the unknown unit '{}'{}", written, shorten(unit, 16), hint);
    return std::nullopt;
}

std::string group_digits(std::uint64_t number, const char* separator) {
    std::string digits = std::to_string(number);
    for (std::size_t place = digits.size(); place > 3;) digits.insert(place -= 3, separator);
    return digits;
}

}  // namespace sim
