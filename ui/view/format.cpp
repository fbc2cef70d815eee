#include "ui/view/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "sim/base/text.h"
#include "sim/base/units.h"

namespace ui {
namespace {

struct TimeUnit {
    std::int64_t nanos;
    const char* name;
};
constexpr std::array<TimeUnit, 3> kTimeUnits{{{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "\u00b5s"}}};
constexpr std::int64_t kNanosOfASecond = 1'000'000'000, kNanosOfAnHour = 3600 * kNanosOfASecond;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The fraction of a number that was divided by `unit`, without trailing zeros: ".489 096". `remaining`: the
// remainder of the division.
std::string fraction_text(std::int64_t remaining, std::int64_t unit) {
    std::string digits;
    for (std::int64_t digit = unit / 10; remaining > 0; digit /= 10) {
        if (digits.size() % 4 == 3) digits += ' ';
        digits += static_cast<char>('0' + remaining / digit);
        remaining %= digit;
    }
    std::string text;
    for (const char c : digits) text += c == ' ' ? std::string(kThinSpace) : std::string(1, c);
    return text.empty() ? text : "." + text;
}

// Converts a time such as "2:23:29.489" to nanoseconds; -1 for a text of another form.
std::int64_t parse_clock_time(std::string_view text) {
    std::int64_t parts[3] = {0, 0, 0}, nanos = 0, place = kNanosOfASecond;
    std::size_t part = 0, digits = 0;
    bool in_fraction = false;
    for (const char c : text) {
        if (c == ':' && part < 2 && (part == 0 ? digits > 0 : digits == 2)) {
            ++part;
            digits = 0;
        } else if (c == '.' && part == 2 && digits == 2 && !in_fraction) {
            in_fraction = true;
        } else if (is_digit(c) && in_fraction && place > 1) {
            nanos += (c - '0') * (place /= 10);
        } else if (is_digit(c) && !in_fraction && ++digits <= (part == 0 ? 5 : 2)) {
            parts[part] = parts[part] * 10 + (c - '0');
        } else {
            return -1;
        }
    }
    if (part != 2 || digits != 2 || (in_fraction && place == kNanosOfASecond) || parts[1] > 59 ||
        parts[2] > 59)
        return -1;
    return parts[0] * kNanosOfAnHour + (parts[1] * 60 + parts[2]) * kNanosOfASecond + nanos;
}

}  // namespace

std::string group_digits(std::uint64_t n) { return sim::group_digits(n, kThinSpace); }

std::string pluralize(std::uint64_t n, std::string_view what, std::string_view plural) {
    return group_digits(n) + " " + std::string(what) + std::string(n == 1 ? "" : plural);
}

std::string instant_text(sim::Nanos t) {
    const std::int64_t n = t.count();
    if (n < 0) return "-" + instant_text(-t);
    if (n == 0) return "0 ms";
    if (n < 1'000) return fmt::format("{} ns", n);
    if (n >= kNanosOfAnHour)
        return fmt::format("{}:{:02}:{:02}{}", n / kNanosOfAnHour, n / (60 * kNanosOfASecond) % 60,
                           n / kNanosOfASecond % 60, fraction_text(n % kNanosOfASecond, kNanosOfASecond));
    const TimeUnit& unit = n >= kNanosOfASecond ? kTimeUnits[0]
                           : n >= 1'000'000     ? kTimeUnits[1]
                                                : kTimeUnits[2];
    return group_digits(static_cast<std::uint64_t>(n / unit.nanos)) +
           fraction_text(n % unit.nanos, unit.nanos) + " " + unit.name;
}

std::string instant_text(sim::Nanos t, sim::Nanos step) {
    std::int64_t power = 1;
    while (power <= step.count() / 10) power *= 10;
    const std::int64_t half = t.count() < 0 ? -power / 2 : power / 2;
    return instant_text(sim::Nanos{(t.count() + half) / power * power});
}

std::string to_seek_syntax(std::string_view typed_time) {
    std::string plain;
    const auto take = [&](std::string_view part) {
        const bool is_next = typed_time.starts_with(part);
        if (is_next) typed_time.remove_prefix(part.size());
        return is_next;
    };
    // Spaces between digits are ignored, because they only group the digits. Unicode has two characters for
    // the micro sign.
    while (!typed_time.empty()) {
        std::size_t blanks = 0;
        while (take(kThinSpace) || take(" ")) ++blanks;
        const bool groups =
            !plain.empty() && is_digit(plain.back()) && !typed_time.empty() && is_digit(typed_time.front());
        if (blanks > 0 && !groups && !plain.empty()) plain += ' ';
        if (take("\u00b5s") || take("\u03bcs")) {
            plain += "us";
        } else if (!typed_time.empty()) {
            plain += typed_time.front();
            typed_time.remove_prefix(1);
        }
    }
    while (plain.ends_with(' ')) plain.pop_back();
    if (const std::int64_t nanos = parse_clock_time(plain); nanos >= 0) return fmt::format("{}ns", nanos);
    return plain;
}

std::string range_text(sim::Nanos begin, sim::Nanos end) {
    return instant_text(begin) + " to " + instant_text(end) + ", " + span(end - begin);
}

std::string with_micro_sign(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_unit = text.substr(i, 2) == "us" && (i == 0 || !is_letter(text[i - 1])) &&
                             (i + 2 == text.size() || !is_letter(text[i + 2]));
        if (is_unit)
            result += "\u00b5s", ++i;
        else
            result += text[i];
    }
    return result;
}

namespace {

struct DurationUnit {
    double below, size;  // ns; `below`: limit of durations in this unit; `size`: length of the unit
    const char* name;
};

// The unit in which a duration is shown. The limits of µs and ms are the values that would be rounded to
// 1000.
const DurationUnit& unit_of(sim::Nanos t) {
    static constexpr std::array<DurationUnit, 6> kUnits{{{1000, 1, "ns"},
                                                         {999.5e3, 1e3, "\u00b5s"},
                                                         {999.5e6, 1e6, "ms"},
                                                         {120e9, 1e9, "s"},
                                                         {120 * 60e9, 60e9, "min"},
                                                         {1e300, 3600e9, "h"}}};
    const auto value = static_cast<double>(t.count());
    return *std::find_if(kUnits.begin(), kUnits.end(),
                         [&](const DurationUnit& u) { return value < u.below; });
}

}  // namespace

std::string span(sim::Nanos t) { return span(t, t); }

std::string span(sim::Nanos part, sim::Nanos whole) {
    if (part < sim::Nanos{}) return "-" + span(-part, whole < sim::Nanos{} ? -whole : whole);
    const DurationUnit& unit = unit_of(whole);
    if (unit.size <= 1) return fmt::format("{} {}", part.count(), unit.name);
    const double x = static_cast<double>(part.count()) / unit.size;
    if (x < 0.0005 && part > sim::Nanos{}) return span(part);
    const int digits = part == sim::Nanos{} ? 0 : x < 0.0995 ? 3 : x < 9.995 ? 2 : x < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f} {}", x, digits, unit.name);
}

std::string sanitize_for_text_box(std::string_view text, std::size_t most) {
    constexpr char32_t kLast = 0xffff;  // the largest character of ImGui, which uses 16 bits
    std::string typed;
    for (std::size_t at = 0; at < text.size();) {
        const sim::Character character = sim::character_at(text, at);
        const bool fits = character.code <= kLast && sim::why_unsafe_to_show(character.code) == nullptr;
        const std::string_view bytes = fits ? text.substr(at, character.bytes) : "_";
        if (typed.size() + bytes.size() > most) break;
        typed += bytes;
        at += character.bytes;
    }
    return typed;
}

std::string percent(double share) {
    const double p = std::max(share, 0.0) * 100;  // a difference of sums may be slightly negative
    return fmt::format("{:.{}f} %", p, p == 0 || p == 100 ? 0 : p < 1 ? 2 : 1);
}

}  // namespace ui
