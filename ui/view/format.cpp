#include "ui/view/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace ui {
namespace {

// Groups the digits of a whole number by threes, from the right.
std::string group(std::string digits) {
    for (std::size_t i = digits.size(); i > 3;) {
        i -= 3;
        digits.insert(i, kThinSpace);
    }
    return digits;
}

struct TimeUnit {
    std::int64_t nanos;
    int digits;  // behind the point, down to a nanosecond
    const char* name;
};
constexpr std::array<TimeUnit, 4> kTimeUnits{
    {{1'000'000'000, 9, "s"}, {1'000'000, 6, "ms"}, {1'000, 3, "us"}, {1, 0, "ns"}}};

}  // namespace

std::string lowered(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

std::string grouped(std::uint64_t n) { return group(std::to_string(n)); }

std::string instant(sim::Nanos t) {
    const std::int64_t n = t.count();
    if (n < 0) return "-" + instant(-t);
    const TimeUnit& unit = n >= 1'000'000'000         ? kTimeUnits[0]
                           : n >= 1'000'000 || n == 0 ? kTimeUnits[1]
                                                      : kTimeUnits[2];
    std::string text = grouped(static_cast<std::uint64_t>(n / unit.nanos));
    const std::string rest = fmt::format("{:0{}}", n % unit.nanos, unit.digits);
    for (std::size_t i = 0; i < rest.size(); i += 3) text += (i == 0 ? "." : kThinSpace) + rest.substr(i, 3);
    return text + " " + unit.name;
}

std::string span(sim::Nanos t) {
    const std::int64_t n = t.count();
    if (n < 0) return "-" + span(-t);
    if (n < 1000) return fmt::format("{} ns", n);
    const auto value = static_cast<double>(n);
    struct Step {
        double below, unit;
        const char* name;
    };
    // Below what rounds up to the next unit.
    constexpr std::array<Step, 5> kSteps{{{999.5e3, 1e3, "us"},
                                          {999.5e6, 1e6, "ms"},
                                          {120e9, 1e9, "s"},
                                          {120 * 60e9, 60e9, "min"},
                                          {1e300, 3600e9, "h"}}};
    for (const Step& step : kSteps) {
        if (value >= step.below) continue;
        const double x = value / step.unit;
        return fmt::format("{:.{}f} {}", x, x < 9.995 ? 2 : x < 99.95 ? 1 : 0, step.name);
    }
    return {};
}

std::string percent(double share) {
    const double p = std::max(share, 0.0) * 100;  // differences of sums can fall below 0 by rounding
    return fmt::format("{:.{}f} %", p, p == 0 || p == 100 ? 0 : p < 1 ? 2 : 1);
}

}  // namespace ui
