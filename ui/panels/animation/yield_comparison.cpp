// Compares the first calls of sched_yield() in two runs: one lane per run, on a common time axis.
#include <fmt/format.h>

#include <algorithm>

#include "ui/panels/animation/painters.h"
#include "ui/panels/drawing.h"
#include "ui/view/format.h"
#include "ui/view/two_runs.h"

namespace ui {
namespace {

struct CachedYieldComparison {
    std::uint64_t a = 0, b = 0;
    YieldComparison yields;
};

}  // namespace

const YieldComparison& yield_comparison_of(Frame& frame) {
    CachedYieldComparison& cached = frame.memory.of<CachedYieldComparison>();
    const Run &a = *frame.model.a, &b = *frame.model.b;
    if (cached.a != a.id() || cached.b != b.id()) cached = {a.id(), b.id(), yield_comparison(a, b)};
    return cached.yields;
}

bool has_all_yields(const YieldComparison& yields) {
    return !yields.lanes[0].yields.empty() && !yields.lanes[1].yields.empty();
}

std::string yield_comparison_text(const YieldComparison& yields, const Model& model) {
    const sim::Nanos a = yields.lanes[0].yields.back(), b = yields.lanes[1].yields.back();
    return fmt::format("{} yields take {} under {} and {} under {}. The difference is {}.",
                       YieldComparison::kYields, span(a), model.a->history().policy().spec(), span(b),
                       model.b->history().policy().spec(), span(a > b ? a - b : b - a));
}

void draw_yield_comparison(Frame& frame, const YieldComparison& comparison, double progress,
                           const SceneArea& area) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImFont* const sans = frame.fonts.sans;
    const float text = pixel_size(*sans), left = area.min.x + frame.px(8),
                right = area.max().x - frame.px(90);
    const auto end = static_cast<double>(std::max<std::int64_t>(1, comparison.end().count()));
    const double clock = progress * end;
    const auto x_of = [&](double t) { return left + (right - left) * static_cast<float>(t / end); };
    const float height = std::min(frame.px(70), (area.size.y - 2 * text) / 2 - text - frame.px(8));
    float ends[2] = {};
    for (std::size_t i = 0; i < 2; ++i) {
        const std::vector<sim::Nanos>& yields = comparison.lanes[i].yields;
        const float y = area.min.y + static_cast<float>(i) * (height + text + frame.px(14));
        const Run& run = i == 0 ? *frame.model.a : *frame.model.b;
        const auto made = std::count_if(yields.begin(), yields.end(), [&](sim::Nanos t) {
            return static_cast<double>(t.count()) <= clock;
        });
        draw_text(sans, {left, y}, frame.theme.text,
                  fmt::format("{}: {}   yield {} of {}", run_label(i == 0), run.history().policy().spec(),
                              made, YieldComparison::kYields));
        const float top = y + text + frame.px(4),
                    stop = x_of(std::min(clock, static_cast<double>(yields.back().count())));
        fill_rect(list, {left, top}, {right, top + height}, frame.theme.grid);
        fill_rect(list, {left, top}, {stop, top + height},
                  with_alpha(i == 0 ? frame.theme.cursor_a : frame.theme.cursor_b, 0.35F));
        for (std::ptrdiff_t k = 0; k < made; ++k) {
            const float x = x_of(static_cast<double>(yields[static_cast<std::size_t>(k)].count()));
            fill_rect(list, {x - 1, top}, {x + 1, top + height}, frame.theme.text);
        }
        ends[i] = stop;
        const double shown = std::min(clock, static_cast<double>(yields.back().count()));
        draw_text(sans, {stop + frame.px(6), top + (height - text) / 2}, frame.theme.text,
                  span(sim::Nanos{static_cast<std::int64_t>(shown)}));
    }
    if (progress < 1) return;
    const float y = area.min.y + 2 * (height + text + frame.px(14));
    fill_rect(list, {std::min(ends[0], ends[1]), y},
              {std::max(ends[0], ends[1]), y + std::max(2.0F, frame.px(3))}, frame.theme.warning);
}

}  // namespace ui
