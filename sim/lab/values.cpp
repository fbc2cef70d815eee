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
    char kind;  // t: time, s: size, n: bare number
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

// A value in `unit`: mantissa * 10^-scale.
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

Quantity without_trailing_zeros(Quantity q) {
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
    return without_trailing_zeros(q);
}

std::string text_of(const Quantity& q) {
    const std::int64_t magnitude = q.mantissa < 0 ? -q.mantissa : q.mantissa;
    const std::int64_t power = power_of_ten(q.scale);
    std::string text = fmt::format("{}{}", q.mantissa < 0 ? "-" : "", magnitude / power);
    if (q.scale > 0) text += fmt::format(".{:0{}}", magnitude % power, q.scale);
    return text + q.unit->name;
}

[[noreturn]] void refuse_too_many_digits(std::string_view range) {
    throw LabError(fmt::format("'{}' has values of more than {} digits; list the values instead",
                               shorten(range), kMostDigits));
}

// The mantissa of q after conversion to this unit with `scale` decimals. Throws LabError if it has too many
// digits.
std::int64_t scaled(const Quantity& q, const Unit& unit, int scale, std::string_view range) {
    const Wide value = Wide{q.mantissa} * (q.unit->factor / unit.factor) * power_of_ten(scale - q.scale);
    if (value > kLargestMantissa || value < -kLargestMantissa) refuse_too_many_digits(range);
    return static_cast<std::int64_t>(value);
}

// Returns true if a <= b. REQUIRES: both are bare numbers, both are times, or both are sizes.
bool is_at_most(const Quantity& a, const Quantity& b, std::string_view range) {
    const Unit& unit = a.unit->factor < b.unit->factor ? *a.unit : *b.unit;
    Wide x = 0, y = 0;
    if (__builtin_mul_overflow(Wide{a.mantissa} * (a.unit->factor / unit.factor), Wide{power_of_ten(b.scale)},
                               &x) ||
        __builtin_mul_overflow(Wide{b.mantissa} * (b.unit->factor / unit.factor), Wide{power_of_ten(a.scale)},
                               &y))
        refuse_too_many_digits(range);
    return x <= y;
}

[[noreturn]] void refuse_range(std::string_view range, std::string_view reason) {
    throw LabError(fmt::format("'{}': {}", shorten(range), reason));
}

// The parts of the text FROM..TO, FROM..TO*FACTOR, FROM..TO/STEP or FROM..TO+STEP.
struct RangeParts {
    std::string_view whole, from, to, step;
    char how = 0;  // '*', '/' or '+', before FACTOR or STEP; 0: neither
};

// `dots_offset`: offset of ".." in the range.
RangeParts split_range(std::string_view range, std::size_t dots_offset) {
    RangeParts text{.whole = range,
                    .from = range.substr(0, dots_offset),
                    .to = range.substr(dots_offset + 2),
                    .step = {}};
    if (const std::size_t mark = text.to.find_first_of("*/+"); mark != std::string_view::npos) {
        text.how = text.to[mark];
        text.step = text.to.substr(mark + 1);
        text.to = text.to.substr(0, mark);
    }
    return text;
}

// Reads a part of the range: a number, time or size. `part_name` names the part in messages.
Quantity parse_range_part(std::string_view range, std::string_view part, const char* part_name) {
    if (part.empty())
        refuse_range(range,
                     fmt::format("the {} is missing; write a range like 2..4096*2 or 0..1/0.1", part_name));
    const std::optional<Quantity> q = parse_quantity(part);
    if (!q)
        refuse_range(range,
                     fmt::format("'{}' is not a number, time or size of at most {} digits (put a word that "
                                 "contains '..' in double quotes)",
                                 shorten(part, 40), kMostDigits));
    return *q;
}

struct QuantityRange {
    Quantity from, to, step{1, 0, &kUnits[0]};
};

void check_factor(const QuantityRange& r, const RangeParts& text) {
    if (r.step.unit->kind != 'n') refuse_range(text.whole, "a factor must not have a unit");
    if (r.from.mantissa <= 0) refuse_range(text.whole, "a range with a factor must start above 0");
    if (is_at_most(r.step, Quantity{1, 0, &kUnits[0]}, text.whole))
        refuse_range(text.whole, "the factor must be above 1, or the range never ends");
}

void check_step(const QuantityRange& r, const RangeParts& text) {
    if (text.how == 0 && r.from.unit->kind != 'n')
        refuse_range(
            text.whole,
            fmt::format("a range of times or sizes needs a step; did you mean {}{}?", text.whole,
                        r.from.mantissa > 0 ? std::string("*2") : fmt::format("/1{}", r.to.unit->name)));
    if (r.step.unit->kind != r.from.unit->kind)
        refuse_range(
            text.whole,
            fmt::format("the step needs a unit like the start and the end; did you mean {}..{}/{}{}?",
                        text.from, text.to, text.step, r.from.unit->name));
    if (r.step.mantissa <= 0) refuse_range(text.whole, "the step must be above 0, or the range never ends");
}

// Reads a range. In the result, the start and a step have the same unit and number of decimals. Throws
// LabError if the range is invalid.
QuantityRange parse_range(const RangeParts& text) {
    QuantityRange r;
    r.from = parse_range_part(text.whole, text.from, "start");
    r.to = parse_range_part(text.whole, text.to, "end");
    if (text.how != 0) r.step = parse_range_part(text.whole, text.step, text.how == '*' ? "factor" : "step");
    if (r.from.unit->kind != r.to.unit->kind)
        refuse_range(text.whole, "the start and the end are of different kinds; write a unit for both");
    if (!is_at_most(r.from, r.to, text.whole))
        refuse_range(
            text.whole,
            fmt::format("the end is less than the start; did you mean {}..{}{}?", text.to, text.from,
                        text.how == 0 ? "" : text.whole.substr(text.from.size() + 2 + text.to.size())));
    if (text.how == '*') {
        check_factor(r, text);
    } else {
        check_step(r, text);
        // Start and step are converted to the smaller of their two units, with the larger of their two
        // numbers of decimals.
        const Unit& unit = r.from.unit->factor < r.step.unit->factor ? *r.from.unit : *r.step.unit;
        const int scale = std::max(r.from.scale, r.step.scale);
        r.from = {scaled(r.from, unit, scale, text.whole), scale, &unit};
        r.step = {scaled(r.step, unit, scale, text.whole), scale, &unit};
    }
    return r;
}

// Adds the values of a range. `dots_offset`: offset of ".." in the range.
void append_range_values(std::string_view range, std::size_t dots_offset, std::vector<std::string>& values) {
    const RangeParts text = split_range(range, dots_offset);
    const QuantityRange r = parse_range(text);
    for (Quantity q = r.from; is_at_most(without_trailing_zeros(q), r.to, range);) {
        if (values.size() == kMaxValues)
            refuse_range(range, fmt::format("expected at most {} values", kMaxValues));
        values.push_back(text_of(without_trailing_zeros(q)));
        if (text.how == '*') {
            const Wide product = Wide{q.mantissa} * r.step.mantissa;
            if (product > kLargestMantissa || q.scale + r.step.scale > kMostDigits)
                refuse_too_many_digits(range);
            q.mantissa = static_cast<std::int64_t>(product);
            q.scale += r.step.scale;
            q = without_trailing_zeros(q);
        } else {
            q.mantissa += r.step.mantissa;
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
            append_range_values(element, dots - begin, values);
        } else {
            if (values.size() == kMaxValues)
                throw LabError(fmt::format("expected at most {} values", kMaxValues));
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

std::optional<NumericValues> numbers_of(std::span<const std::string> values) {
    NumericValues numbers;
    const Unit* first = nullptr;
    for (const std::string& value : values) {
        const std::optional<Quantity> q = parse_quantity(value);
        if (!q || (first != nullptr && q->unit->kind != first->kind)) return std::nullopt;
        if (first == nullptr) first = q->unit;
        numbers.integers = numbers.integers && q->scale == 0 && first->kind == 'n';
        // Mantissas and factors are below 2^53, so each operation is exact or rounds once.
        const double bare = static_cast<double>(q->mantissa) / static_cast<double>(power_of_ten(q->scale));
        numbers.values.push_back(bare * static_cast<double>(q->unit->factor) /
                                 static_cast<double>(first->factor));
    }
    numbers.unit = first == nullptr ? "" : first->name;
    return numbers;
}

}  // namespace sim::lab
