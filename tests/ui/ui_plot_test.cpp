// Tests that figures in the window have the same shapes at the same positions as in files.
#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <variant>

#include "sim/plot/png.h"
#include "ui/panels/plot_painter.h"
#include "ui/platform/backend.h"
#include "ui/platform/png.h"
#include "ui/platform/theme.h"

namespace ui {
namespace ui_plot_test {

sim::plot::Plot example() {
    using namespace sim::plot;
    sim::plot::Panel panel{.title = {}, .x = {.label = "contexts"}, .y = {.label = "us per yield"}};
    panel.series = {
        {.name = "parts",
         .type = ChartType::stacked_area,
         .points = {{2, 5}, {4, 5}, {8, 6}, {16, 20}},
         .style = 1},
        {.name = "total",
         .type = ChartType::line_with_marks,
         .points = {{2, 19}, {4, 13}, {8, 13}, {16, 27}},
         .style = 0},
    };
    panel.notes = {{.x = 4, .y = 13, .text = "least"}};
    return {.title = "What a yield costs", .subtitle = {}, .source = {}, .panels = {panel}};
}

TEST(PlotPainter, DrawsSymbolsAndAreasAsLaidOut) {
    if (!sim::plot::supports_png()) GTEST_SKIP() << "built without " << sim::plot::why_no_png();
    Backend backend = Backend::headless({640, 400});
    const Theme& theme = *find_theme("light");
    backend.begin_frame(0);
    const sim::plot::Drawing drawing = lay_out_figure(example(), {640, 400}, theme, backend.fonts());
    draw_figure(*ImGui::GetBackgroundDrawList(), drawing, {0, 0}, backend.fonts());
    backend.end_frame(IM_COL32_BLACK);
    const Image window = backend.screenshot();
    ASSERT_EQ(window.width, 640);
    ASSERT_EQ(drawing.places.size(), 8u);
    // Checks the colour of the symbols at their centres.
    const auto rgb = [&](int x, int y) {
        const std::uint8_t* p = &window.rgba[static_cast<std::size_t>(y * window.width + x) * 4];
        return p[0] << 16 | p[1] << 8 | p[2];
    };
    for (const sim::plot::PlottedPoint& place : drawing.places) {
        const int x = place.at.x / sim::plot::kUnit, y = place.at.y / sim::plot::kUnit;
        if (place.series == 1) {
            EXPECT_EQ(rgb(x, y), 0x0072b2) << place.point;
        }
        const sim::plot::PlottedPoint* found = nearest_point(
            drawing, {100, 50}, {100.0f + static_cast<float>(x) + 2, 50.0f + static_cast<float>(y)}, 8);
        ASSERT_NE(found, nullptr);
        EXPECT_EQ(found->at, place.at);
    }
    EXPECT_EQ(nearest_point(drawing, {0, 0}, {1e9f, -1e9f}, 8), nullptr);
    // Checks the colour of the area under the curve, at positions where neither the pattern nor a line is
    // drawn.
    std::size_t curves = 0;
    for (const sim::plot::Shape& shape : drawing.shapes) {
        const auto* area = std::get_if<sim::plot::FilledPolygon>(&shape);
        if (area == nullptr || area->corners.size() <= 4) continue;  // the legend has squares
        double twice = 0;
        for (std::size_t i = 0; i < area->corners.size(); ++i) {
            const sim::plot::Point a = area->corners[i], b = area->corners[(i + 1) % area->corners.size()];
            twice += static_cast<double>(a.x) * b.y - static_cast<double>(b.x) * a.y;
        }
        const double pixels = std::abs(twice) / 2 / (sim::plot::kUnit * sim::plot::kUnit);
        if (pixels < 1000) continue;  // a symbol
        ++curves;
        int filled = 0;
        for (int y = 0; y < window.height; ++y)
            for (int x = 0; x < window.width; ++x)
                filled += rgb(x, y) == (area->fill.red << 16 | area->fill.green << 8 | area->fill.blue);
        EXPECT_GT(filled, 0.4 * pixels);
        EXPECT_LT(filled, 1.1 * pixels);
    }
    EXPECT_EQ(curves, 1u);
    EXPECT_EQ(rgb(639, 0), static_cast<int>(theme.background >> IM_COL32_R_SHIFT & 0xff) * 0x010101);
}

TEST(PlotPainter, DrawsInEveryThemeAndSize) {
    Backend backend = Backend::headless({640, 400});
    for (const Theme& theme : themes()) {
        for (const ImVec2 size : {ImVec2(0, 0), ImVec2(1, 1), ImVec2(50, 300), ImVec2(640, 400)}) {
            backend.begin_frame(0);
            ImDrawList& list = *ImGui::GetBackgroundDrawList();
            const int before = list.VtxBuffer.Size;
            draw_figure(list, lay_out_figure(example(), size, theme, backend.fonts()), {10, 10},
                        backend.fonts());
            EXPECT_GT(list.VtxBuffer.Size, before) << size.x;
            backend.end_frame(IM_COL32_BLACK);
        }
    }
}

}  // namespace ui_plot_test
}  // namespace ui
