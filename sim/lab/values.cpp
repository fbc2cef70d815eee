#include "sim/lab/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>

#include "sim/base/problem.h"

namespace sim::lab {
namespace {

__extension__ typedef __int128 Wide;

constexpr int kMostDigits = 15;
constexpr std::int64_t kLargestMantissa = 1'000'000'000'000'000;

struct Unit {
    const char* name;
    char kind;  // t for times, s for sizes
    std::int64_t factor;
};
constexpr Unit kUnits[] = {{"", 'n', 1},
                           {"ns", 't', 1},
                           {"us", 't', 1'000},
                           {"ms", 't', 1'000'000},
                           {"s", 't', 1'000'000'000},
                           {"min", 't', 60'000'000'000},
                           {"h", 't', 3'600'000'000'000},
                           {"B", 's', 1},
                           {"KiB", 's', 1 << 10},
                           {"MiB", 's', 1 << 20},
                           {"GiB", 's', 1 << 30}};

// The value mantissa * 10^-scale, in `unit`.
struct Quantity {
    std::int64_t mantissa = 0;
    int scale = 0;
    const Unit* unit = &kUnits[0];
};

std::int64_t power_of_ten(int exponent) {
    std::int64_t power = 1;
    while (exponent-- > 0) power *= 10;
    return power;
}

Quantity trimmed(Quantity q) {
    while (q.scale > 0 && q.mantissa % 10 == 0) {
        q.mantissa /= 10;
        --q.scale;
    }
    return q;
}

std::optional<Quantity> parse_quantity(std::string_view text) {
    Quantity q;
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    int digits = 0;
    bool point = false;
    std::size_t i = 0;
    for (; i < text.size(); ++i) {
        if (text[i] == '.') {
            if (point || i == 0) return std::nullopt;
            point = true;
            continue;
        }
        if (text[i] < '0' || text[i] > '9') break;
        if (++digits > kMostDigits) return std::nullopt;
        q.mantissa = q.mantissa * 10 + (text[i] - '0');
        q.scale += point ? 1 : 0;
    }
    if (digits == 0 || text[i - 1] == '.') return std::nullopt;
    const std::string_view name = text.substr(i);
    const auto* const unit =
        std::find_if(std::begin(kUnits), std::end(kUnits), [&](const Unit& u) { return name == u.name; });
    if (unit == std::end(kUnits)) return std::nullopt;
    q.unit = unit;
    if (negative) q.mantissa = -q.mantissa;
    return trimmed(q);
}

std::string text_of(const Quantity& q) {
    const std::int64_t magnitude = q.mantissa < 0 ? -q.mantissa : q.mantissa;
    const std::int64_t power = power_of_ten(q.scale);
    std::string text = fmt::format("{}{}", q.mantissa < 0 ? "-" : "", magnitude / power);
    if (q.scale > 0) text += fmt::format(".{:0{}}", magnitude % power, q.scale);
    return text + q.unit->name;
}

[[noreturn]] void too_fine(std::string_view range) {
    throw LabError(fmt::format("'{}' has values of more than {} digits; list the values instead",
                               shorten(range), kMostDigits));
}

// The mantissa of q in this unit with `scale` decimals. Throws LabError if it has too many digits.
std::int64_t scaled(const Quantity& q, const Unit& unit, int scale, std::string_view range) {
    const Wide value = Wide{q.mantissa} * (q.unit->factor / unit.factor) * power_of_ten(scale - q.scale);
    if (value > kLargestMantissa || value < -kLargestMantissa) too_fine(range);
    return static_cast<std::int64_t>(value);
}

// a <= b. REQUIRES: both are of the same kind.
bool at_most(const Quantity& a, const Quantity& b, std::string_view range) {
    const Unit& unit = a.unit->factor < b.unit->factor ? *a.unit : *b.unit;
    Wide x = 0, y = 0;
    if (__builtin_mul_overflow(Wide{a.mantissa} * (a.unit->factor / unit.factor), Wide{power_of_ten(b.scale)},
                               &x) ||
        __builtin_mul_overflow(Wide{b.mantissa} * (b.unit->factor / unit.factor), Wide{power_of_ten(a.scale)},
                               &y))
        too_fine(range);
    return x <= y;
}

// Adds the values of FROM..TO, FROM..TO*FACTOR, FROM..TO/STEP or FROM..TO+STEP. `dots`: position of the dots.
void add_range(std::string_view range, std::size_t dots, std::vector<std::string>& values) {
    const auto refuse = [&](std::string why) {
        throw LabError(fmt::format("'{}': {}", shorten(range), why));
    };
    const std::string_view from_text = range.substr(0, dots);
    std::string_view to_text = range.substr(dots + 2), step_text;
    char how = 0;
    if (const std::size_t mark = to_text.find_first_of("*/+"); mark != std::string_view::npos) {
        how = to_text[mark];
        step_text = to_text.substr(mark + 1);
        to_text = to_text.substr(0, mark);
    }
    const auto quantity = [&](std::string_view part, const char* what) {
        if (part.empty())
            refuse(fmt::format("the {} is missing; write a range like 2..4096*2 or 0..1/0.1", what));
        const std::optional<Quantity> q = parse_quantity(part);
        if (!q)
            refuse(
                fmt::format("'{}' is not a number, time or size of at most {} digits (put a word with two "
                            "dots in double quotes)",
                            shorten(part, 40), kMostDigits));
        return *q;
    };
    Quantity from = quantity(from_text, "start");
    const Quantity to = quantity(to_text, "end");
    Quantity step{1, 0, &kUnits[0]};
    if (how != 0) step = quantity(step_text, how == '*' ? "factor" : "step");
    if (from.unit->kind != to.unit->kind)
        refuse("the start and the end are of different kinds; write a unit for both");
    if (!at_most(from, to, range))
        refuse(fmt::format("the end is less than the start; did you mean {}..{}{}?", to_text, from_text,
                           how == 0 ? "" : range.substr(dots + 2 + to_text.size())));
    if (how == '*') {
        if (step.unit->kind != 'n') refuse("a factor has no unit");
        if (from.mantissa <= 0) refuse("a range with a factor must start above 0");
        if (at_most(step, Quantity{1, 0, &kUnits[0]}, range))
            refuse("the factor must be above 1, or the range never ends");
    } else {
        if (how == 0 && from.unit->kind != 'n')
            refuse(fmt::format("a range of times or sizes needs a step; did you mean {}{}?", range,
                               from.mantissa > 0 ? std::string("*2") : fmt::format("/1{}", to.unit->name)));
        if (step.unit->kind != from.unit->kind)
            refuse(fmt::format("the step needs a unit like the ends; did you mean {}..{}/{}{}?", from_text,
                               to_text, step_text, from.unit->name));
        if (step.mantissa <= 0) refuse("the step must be above 0, or the range never ends");
        // Use the smaller of both units and the larger number of decimals.
        const Unit& unit = from.unit->factor < step.unit->factor ? *from.unit : *step.unit;
        const int scale = std::max(from.scale, step.scale);
        from = {scaled(from, unit, scale, range), scale, &unit};
        step = {scaled(step, unit, scale, range), scale, &unit};
    }
    for (Quantity q = from; at_most(trimmed(q), to, range);) {
        if (values.size() == kMaxValues) refuse(fmt::format("more than {} values", kMaxValues));
        values.push_back(text_of(trimmed(q)));
        if (how == '*') {
            const Wide product = Wide{q.mantissa} * step.mantissa;
            if (product > kLargestMantissa || q.scale + step.scale > kMostDigits) too_fine(range);
            q.mantissa = static_cast<std::int64_t>(product);
            q.scale += step.scale;
            q = trimmed(q);
        } else {
            q.mantissa += step.mantissa;
        }
    }
}

}  // namespace

std::vector<std::string> parse_values(std::string_view text) {
    std::vector<std::string> values;
    std::size_t begin = 0, dots = std::string_view::npos;
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : ',';
        if (i < text.size() && quoted) {
            if (c != '\\')
                quoted = c != '"';
            else if (i + 1 < text.size())
                ++i;
            continue;
        }
        if (c == '"' && i < text.size()) quoted = true;
        if (c == '[' || c == '{') ++depth;
        if (c == ']' || c == '}') --depth;
        if (c == '.' && text.substr(i).starts_with("..") && depth == 0 && dots == std::string_view::npos)
            dots = i;
        if (i < text.size() && (c != ',' || depth > 0)) continue;
        const std::string_view element = text.substr(begin, i - begin);
        if (element.empty())
            throw LabError(text.empty() ? "the values are missing" : "a value is missing next to a comma");
        if (element.size() > kLongestValue)
            throw LabError(fmt::format("'{}' is longer than {} bytes", shorten(element), kLongestValue));
        if (dots != std::string_view::npos) {
            add_range(element, dots - begin, values);
        } else {
            if (values.size() == kMaxValues) throw LabError(fmt::format("more than {} values", kMaxValues));
            values.emplace_back(element);
        }
        begin = i + 1;
        dots = std::string_view::npos;
    }
    std::set<std::string_view> seen;
    for (const std::string& value : values)
        if (!seen.insert(value).second) throw LabError(fmt::format("'{}' is listed twice", shorten(value)));
    return values;
}

std::optional<Numbers> numbers_of(std::span<const std::string> values) {
    Numbers numbers;
    const Unit* first = nullptr;
    for (const std::string& value : values) {
        const std::optional<Quantity> q = parse_quantity(value);
        if (!q || (first != nullptr && q->unit->kind != first->kind)) return std::nullopt;
        if (first == nullptr) first = q->unit;
        numbers.integers = numbers.integers && q->scale == 0 && first->kind == 'n';
        // Mantissas and factors are below 2^53, so each operation is exact or rounded once.
        const double bare = static_cast<double>(q->mantissa) / static_cast<double>(power_of_ten(q->scale));
        numbers.values.push_back(bare * static_cast<double>(q->unit->factor) /
                                 static_cast<double>(first->factor));
    }
    numbers.unit = first == nullptr ? "" : first->name;
    return numbers;
}

}  // namespace sim::lab
