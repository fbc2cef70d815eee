#include "sim/plot/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "sim/plot/layout.h"

namespace sim::plot {
namespace {

constexpr double kMost = 1e300;

// The largest power of ten that is not above the value. REQUIRES: value above 0.
double next_decade_down(double value) {
    double power = 1;
    while (power > value) power /= 10;
    while (power * 10 <= value) power *= 10;
    return power;
}

// The smallest 1, 2 or 5 times a power of ten that is not below `value`.
double round_up_to_1_2_5(double value) {
    const double power = next_decade_down(value);
    for (const double factor : {1.0, 2.0, 5.0})
        if (power * factor >= value) return power * factor;
    return power * 10;
}

bool is_power_of_two(double value) {
    int exponent = 0;
    return value > 0 && std::frexp(value, &exponent) == 0.5;
}

}  // namespace

double log2_of(double value) {
    int exponent = 0;
    double m = std::frexp(value, &exponent);
    if (m < 0.70710678118654757) {
        m *= 2;
        --exponent;
    }
    const double y = (m - 1) / (m + 1), square = y * y;
    double sum = 0;
    for (int n = 27; n >= 1; n -= 2) sum = sum * square + 1.0 / n;
    return exponent + 2 * y * sum / 0.69314718055994531;
}

bool is_plottable(const Axis& axis, double value) {
    return std::isfinite(value) && (axis.scale == Scale::linear || value > 0);
}

AxisMapping::AxisMapping(Scale scale, AxisRange range, int from, int to)
    : scale_(scale),
      low_(scale == Scale::linear ? range.low : log2_of(range.low)),
      span_((scale == Scale::linear ? range.high : log2_of(range.high)) - low_),
      from_(from),
      to_(to) {}

int AxisMapping::operator()(double value) const {
    double v = std::clamp(value, -kMost, kMost);
    if (scale_ == Scale::logarithmic) v = log2_of(std::max(v, 1e-300));
    const double share = std::clamp((v - low_) / span_, -1000.0, 1000.0);
    return from_ + static_cast<int>(std::lround(share * (to_ - from_)));
}

AxisRange range_of(const Axis& axis, const std::vector<double>& values, bool with_zero, int max_ticks,
                   bool rounded) {
    const bool log = axis.scale == Scale::logarithmic;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    AxisRange r{kInfinity, -kInfinity};
    for (const double value : values) {
        if (!std::isfinite(value) || std::abs(value) > kMost || (log && value < 1e-290)) continue;
        r.low = std::min(r.low, value);
        r.high = std::max(r.high, value);
    }
    if (r.low > r.high) r = log ? AxisRange{1, 10} : AxisRange{0, 1};
    if (!log && (with_zero || (r.low > 0 && r.low < 0.6 * r.high && rounded))) {
        r.low = std::min(r.low, 0.0);
        r.high = std::max(r.high, 0.0);
    }
    const bool from = axis.from && std::isfinite(*axis.from) && (!log || *axis.from > 0),
               to = axis.to && std::isfinite(*axis.to) && (!log || *axis.to > 0);
    if (from) r.low = *axis.from;
    if (to) r.high = *axis.to;
    if (log) {
        if (!(r.high > r.low * 1.000001)) {
            if (!to) r.high = std::max(r.high, r.low) * 2;
            if (!from || !(r.high > r.low)) r.low = r.high / 4;
        }
        return r;
    }
    const double size = std::max(std::abs(r.low), std::abs(r.high));
    if (!(r.high - r.low > size * 1e-9)) {
        const double half = size == 0 ? 0.5 : size / 2;
        r = {std::min(r.low, r.high) - half, std::max(r.low, r.high) + half};
    }
    if (rounded) {
        const double step = round_up_to_1_2_5((r.high - r.low) / std::max(1, max_ticks));
        if (!from) r.low = std::floor(r.low / step + 1e-9) * step;
        if (!to) r.high = std::ceil(r.high / step - 1e-9) * step;
    }
    return r;
}

Ticks ticks_of(const Axis& axis, AxisRange range, int max_ticks) {
    Ticks t;
    max_ticks = std::max(1, max_ticks);
    const double slack = (range.high - range.low) * 1e-9;
    if (!axis.ticks.empty()) {
        for (const double value : axis.ticks)
            if (value >= range.low - slack && value <= range.high + slack) t.values.push_back(value);
        std::sort(t.values.begin(), t.values.end());
        t.step = 0;
        return t;
    }
    if (axis.scale == Scale::linear) {
        t.step = round_up_to_1_2_5((range.high - range.low) / max_ticks);
        const double first = std::ceil((range.low - slack) / t.step);
        for (int k = 0; k <= max_ticks + 1; ++k) {
            const double value = (first + k) * t.step;
            if (value > range.high + slack) break;
            t.values.push_back(value);
        }
        return t;
    }
    // Uses powers of two as ticks if both ends of the range are powers of two, which is common for lengths
    // of queues and rings.
    const double octaves = log2_of(range.high) - log2_of(range.low);
    if (is_power_of_two(range.low) && is_power_of_two(range.high) && octaves >= 1) {
        double factor = 2;
        for (int every = 1; octaves / every > max_ticks && every < 64; ++every) factor *= 2;
        for (double value = range.low; value <= range.high * 1.000001; value *= factor)
            t.values.push_back(value);
        t.step = 0;
        return t;
    }
    const double decades = octaves / 3.3219280948873626;
    static constexpr double kMany[] = {1, 2, 3, 5, 7}, kThree[] = {1, 2, 5};
    const double decade = next_decade_down(range.low);
    t.step = 0;
    const auto fill = [&](std::span<const double> of) {
        t.values.clear();
        for (double power = decade; power <= range.high * 1.000001; power *= 10)
            for (const double factor : of)
                if (power * factor >= range.low * 0.999999 && power * factor <= range.high * 1.000001)
                    t.values.push_back(power * factor);
    };
    if (decades * 5 < max_ticks) {
        fill(kMany);
    } else if (decades * 3 < max_ticks) {
        fill(kThree);
    } else {
        double factor = 10;
        for (int every = 1; decades / every > max_ticks && every < 600; ++every) factor *= 10;
        double begin = decade < range.low * 0.999999 ? decade * 10 : decade;
        for (; begin <= range.high * 1.000001; begin *= factor) t.values.push_back(begin);
    }
    if (t.values.size() < 2) t.values = {range.low, range.high};
    return t;
}

std::string number_text(double value, double tick_distance) {
    const double size = std::abs(value);
    if (size < tick_distance * 1e-6 || size == 0) return "0";
    const std::string sign = value < 0 ? "\u2212" : "";
    if (size >= 1e12 || size < 1e-6) return sign + fmt::format("{:.3g}", size);
    int decimals = 0;
    for (double s = tick_distance == 0 ? size : tick_distance;
         decimals < 9 && std::abs(s - std::round(s)) > 1e-6 * s; s *= 10)
        ++decimals;
    std::string text = fmt::format("{:.{}f}", size, decimals);
    const std::size_t point = std::min(text.find('.'), text.size());
    for (std::size_t place = point; place > 3;) text.insert(place -= 3, ",");
    return sign + text;
}

}  // namespace sim::plot
