// Computes the colours that colour-blind users see in the window. With each deficiency, kinds of cost and
// states must be distinguishable, and everything must differ from its background.
#if __has_include(<imgui.h>) && __has_include(<SDL.h>)

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "ui/panels/activity_fill.h"
#include "ui/platform/theme.h"

namespace ui {
namespace ui_colours_test {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

// A transformation of linear light: Machado, Oliveira and Fernandes, "A Physiologically-based Model for
// Simulation of Color Vision Deficiency", IEEE TVCG 15 (6), 2009, for a severity of 1.
struct ColourVision {
    const char* name;
    Matrix matrix;
};
constexpr ColourVision kSights[] = {
    {"normal", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protanopia",
     {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    {"deuteranopia",
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    {"tritanopia",
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}};

Vector times(const Matrix& m, const Vector& v) {
    Vector product{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) product[i] += m[i][k] * v[k];
    return product;
}

Vector linear_light(ImU32 colour) {
    const auto channel = [&](int shift) {
        const double c = static_cast<double>(colour >> shift & 0xff) / 255;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return {channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT)};
}

// Returns CIE 1976 L*a*b* of a colour as it is perceived with this colour vision, for sRGB's white point,
// D65.
Vector lab_of(ImU32 colour, const ColourVision& sight) {
    constexpr Matrix kToXyz{{{0.4124564, 0.3575761, 0.1804375},
                             {0.2126729, 0.7151522, 0.0721750},
                             {0.0193339, 0.1191920, 0.9503041}}};
    constexpr Vector kWhite{0.95047, 1, 1.08883};
    Vector light = times(sight.matrix, linear_light(colour));
    for (double& c : light) c = std::clamp(c, 0.0, 1.0);
    Vector f = times(kToXyz, light);
    for (std::size_t i = 0; i < 3; ++i) {
        const double t = f[i] / kWhite[i];
        f[i] = t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    }
    return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

// CIEDE2000 after Sharma, Wu and Dalal ("The CIEDE2000 Color-Difference Formula: Implementation Notes", Color
// Research and Application 30 (1), 2005).
double ciede2000(const Vector& one, const Vector& two) {
    const auto chroma = [](double a, double b) { return std::sqrt(a * a + b * b); };
    const auto seventh = [](double c) {
        return std::sqrt(std::pow(c, 7) / (std::pow(c, 7) + std::pow(25, 7)));
    };
    const double mean = (chroma(one[1], one[2]) + chroma(two[1], two[2])) / 2;
    const double g = 0.5 * (1 - seventh(mean));
    const double a1 = one[1] * (1 + g), a2 = two[1] * (1 + g);
    const double c1 = chroma(a1, one[2]), c2 = chroma(a2, two[2]);
    const auto hue = [](double a, double b) {
        const double degrees = a == 0 && b == 0 ? 0 : std::atan2(b, a) * 180 / std::numbers::pi;
        return degrees < 0 ? degrees + 360 : degrees;
    };
    const double h1 = hue(a1, one[2]), h2 = hue(a2, two[2]);
    double dh = 0, mean_hue = h1 + h2;
    if (c1 * c2 != 0) {
        dh = h2 - h1 > 180 ? h2 - h1 - 360 : h2 - h1 < -180 ? h2 - h1 + 360 : h2 - h1;
        mean_hue = std::abs(h1 - h2) <= 180 ? (h1 + h2) / 2 : (h1 + h2 + (h1 + h2 < 360 ? 360 : -360)) / 2;
    }
    const double dl = two[0] - one[0], dc = c2 - c1,
                 dhue = 2 * std::sqrt(c1 * c2) * std::sin(radians(dh / 2));
    const double l = (one[0] + two[0]) / 2 - 50, c = (c1 + c2) / 2;
    const double t = 1 - 0.17 * std::cos(radians(mean_hue - 30)) + 0.24 * std::cos(radians(2 * mean_hue)) +
                     0.32 * std::cos(radians(3 * mean_hue + 6)) - 0.20 * std::cos(radians(4 * mean_hue - 63));
    const double turn = 30 * std::exp(-std::pow((mean_hue - 275) / 25, 2));
    const double sl = 1 + 0.015 * l * l / std::sqrt(20 + l * l), sc = 1 + 0.045 * c, sh = 1 + 0.015 * c * t;
    const double rt = -std::sin(radians(2 * turn)) * 2 * seventh(c);
    return std::sqrt(std::pow(dl / sl, 2) + std::pow(dc / sc, 2) + std::pow(dhue / sh, 2) +
                     rt * (dc / sc) * (dhue / sh));
}

TEST(UiColours, ColourDifferenceMatchesCiede2000) {
    struct Pair {
        Vector one, two;
        double difference;
    };
    // From the test data published by Sharma, Wu and Dalal.
    constexpr Pair kPairs[] = {{{50, 2.6772, -79.7751}, {50, 0, -82.7485}, 2.0425},
                               {{50, 0, 0}, {50, -1, 2}, 2.3669},
                               {{50, 2.49, -0.001}, {50, -2.49, 0.0009}, 7.1792},
                               {{50, 2.5, 0}, {73, 25, -18}, 27.1492},
                               {{60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}, 1.2644},
                               {{2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}, 0.9082}};
    for (const Pair& p : kPairs) {
        EXPECT_NEAR(ciede2000(p.one, p.two), p.difference, 1e-4);
        EXPECT_NEAR(ciede2000(p.two, p.one), p.difference, 1e-4);
    }
    EXPECT_NEAR(ciede2000(lab_of(IM_COL32_BLACK, kSights[0]), lab_of(IM_COL32_WHITE, kSights[0])), 100, 0.01);
}

// A difference of 10 is visible at a glance; it is four times the threshold for adjacent colours. Each kind
// also has its own pattern.
TEST(UiColours, CostKindsDifferForColourBlindUsers) {
    constexpr double kAtAGlance = 10;
    using sim::CpuActivity;
    for (const Theme& theme : themes()) {
        std::vector<std::pair<const char*, ImU32>> kinds{{"ready", theme.ready}};
        for (const CpuActivity activity :
             {CpuActivity::system, CpuActivity::select, CpuActivity::recalculation,
              CpuActivity::context_switch, CpuActivity::address_space, CpuActivity::cache_refill,
              CpuActivity::interrupt})
            kinds.emplace_back(sim::to_string(activity), fill_of(theme, activity).colour);
        for (const ColourVision& sight : kSights)
            for (std::size_t i = 0; i < kinds.size(); ++i)
                for (std::size_t k = 0; k < i; ++k)
                    EXPECT_GE(ciede2000(lab_of(kinds[i].second, sight), lab_of(kinds[k].second, sight)),
                              kAtAGlance)
                        << theme.name << ", " << sight.name << ": " << kinds[i].first << " and "
                        << kinds[k].first;
    }
}

TEST(UiColours, FillsContrastWithBackground) {
    using sim::CpuActivity;
    for (const Theme& theme : themes()) {
        for (std::uint32_t task = 0; task < 200; ++task)
            EXPECT_GE(contrast(theme.task_colour(task), theme.background), 3)
                << theme.name << ", task " << task;
        for (const CpuActivity activity :
             {CpuActivity::user, CpuActivity::system, CpuActivity::select, CpuActivity::recalculation,
              CpuActivity::context_switch, CpuActivity::address_space, CpuActivity::cache_refill,
              CpuActivity::interrupt})
            EXPECT_GE(contrast(fill_of(theme, activity).colour, theme.background), 3)
                << theme.name << ": " << sim::to_string(activity);
        EXPECT_GE(contrast(theme.ready, theme.background), 3) << theme.name;
    }
}

TEST(UiColours, CostKindsHaveDifferentPatterns) {
    using sim::CpuActivity;
    constexpr CpuActivity kStacked[] = {CpuActivity::user,           CpuActivity::system,
                                        CpuActivity::select,         CpuActivity::recalculation,
                                        CpuActivity::context_switch, CpuActivity::address_space,
                                        CpuActivity::cache_refill,   CpuActivity::interrupt};
    for (std::size_t i = 0; i < std::size(kStacked); ++i)
        for (std::size_t k = 0; k < i; ++k)
            EXPECT_NE(fill_of(themes()[0], kStacked[i]).pattern, fill_of(themes()[0], kStacked[k]).pattern)
                << sim::to_string(kStacked[i]) << " and " << sim::to_string(kStacked[k]);
}

}  // namespace ui_colours_test
}  // namespace ui

#endif
