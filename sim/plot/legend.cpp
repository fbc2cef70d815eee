#include "sim/plot/legend.h"

#include <algorithm>
#include <set>

namespace sim::plot {
namespace {

constexpr std::size_t kMostLegendRows = 5;
constexpr EmLength kSignWidth{2}, kAfterSign{1, 2}, kAfterEntry{11, 10};
// kSignMiddle: distance from the top of a legend row to the middle of its sample. kSwatchInset: free space at
// each end of a colour swatch. kSwatchHalfHeight: half the height of a colour swatch.
constexpr EmLength kSignMiddle{65, 100}, kSwatchInset{1, 4}, kSwatchHalfHeight{45, 100};

bool is_kind_used(const Panel& panel, std::size_t kind) {
    return std::any_of(panel.lanes.begin(), panel.lanes.end(), [&](const Lane& lane) {
        return std::any_of(lane.spans.begin(), lane.spans.end(),
                           [&](const Span& span) { return span.kind == kind; });
    });
}

// Whether the plot has points without a name in this style. Such points belong to the line with the same
// style.
bool has_nameless_points(const Plot& plot, const SeriesStyles& styles, std::size_t style) {
    for (std::size_t p = 0; p < plot.panels.size(); ++p)
        for (std::size_t i = 0; i < plot.panels[p].series.size(); ++i) {
            const Series& s = plot.panels[p].series[i];
            if (s.name.empty() && s.type == ChartType::points && styles[p][i] == style) return true;
        }
    return false;
}

void draw_series_sample(Canvas& canvas, const LegendEntry& entry, const Box& sign, const Box& swatch) {
    const Series& s = *entry.series;
    if (is_bars(s.type) || s.type == ChartType::stacked_area)
        return fill_in_style(canvas, corners_of(swatch), entry.style);
    const int middle = (sign.top + sign.bottom) / 2;
    const Point centre{(sign.left + sign.right) / 2, middle};
    if (s.type != ChartType::points)
        canvas.stroke({{{sign.left, middle}, {sign.right, middle}}}, curve_width(s),
                      canvas.colours().hues[entry.style], dash_of(entry.style));
    if (s.type == ChartType::points || s.type == ChartType::line_with_marks)
        draw_mark(canvas, centre, entry.style, s.hollow);
    else if (entry.with_points)
        draw_mark(canvas, centre, entry.style, true);
}

// Draws an entry and returns the x coordinate of its right end.
int draw_entry(Canvas& canvas, const LegendEntry& entry, Point top) {
    const int middle = top.y + canvas.length(kSignMiddle), half = canvas.length(kSwatchHalfHeight),
              inset = canvas.length(kSwatchInset);
    const Box sign{top.x, middle, top.x + canvas.length(kSignWidth), middle};
    const Box swatch{sign.left + inset, middle - half, sign.right - inset, middle + half};
    if (entry.kind != nullptr)
        draw_span_sample(canvas, *entry.kind, swatch);
    else
        draw_series_sample(canvas, entry, sign, swatch);
    const Font font = canvas.text_font();
    const Text text =
        Canvas::text(entry.name, {sign.right + canvas.length(kAfterSign), baseline_below(top.y, font)},
                     Anchor::start, font, canvas.colours().text);
    canvas.write(text);
    return text.box().right;
}

}  // namespace

std::vector<LegendEntry> legend_of(const Plot& plot, const SeriesStyles& styles) {
    std::vector<LegendEntry> entries;
    std::set<std::string> seen;
    for (std::size_t p = 0; p < plot.panels.size(); ++p) {
        const Panel& panel = plot.panels[p];
        for (std::size_t s = 0; s < panel.series.size(); ++s) {
            const Series& series = panel.series[s];
            if (series.name.empty() || !seen.insert(series.name).second) continue;
            entries.push_back({.name = series.name,
                               .series = &series,
                               .style = styles[p][s],
                               .with_points = has_nameless_points(plot, styles, styles[p][s])});
        }
        for (std::size_t k = 0; k < panel.kinds.size(); ++k) {
            const SpanKind& kind = panel.kinds[k];
            if (is_kind_used(panel, k) && !kind.name.empty() && seen.insert(kind.name).second)
                entries.push_back({.name = kind.name, .kind = &kind});
        }
    }
    if (entries.size() == 1 && entries[0].series != nullptr && entries[0].series->type != ChartType::points)
        entries.clear();
    return entries;
}

std::vector<LegendRow> legend_rows(const Canvas& canvas, const std::vector<LegendEntry>& entries, int width) {
    const Font font = canvas.text_font();
    const int before_name = canvas.length(kSignWidth) + canvas.length(kAfterSign);
    std::vector<LegendRow> rows;
    int x = 0;
    for (LegendEntry entry : entries) {
        entry.name = shortened(entry.name, font, width - before_name);
        if (entry.name.empty()) continue;
        const int needs = before_name + text_width(entry.name, font);
        if (rows.empty() || x + needs > width) {
            if (rows.size() == kMostLegendRows) break;
            rows.emplace_back();
            x = 0;
        }
        rows.back().push_back(entry);
        x += needs + canvas.length(kAfterEntry);
    }
    return rows;
}

int draw_legend(Canvas& canvas, const std::vector<LegendRow>& rows, Point top) {
    for (const LegendRow& row : rows) {
        int x = top.x;
        for (const LegendEntry& entry : row)
            x = draw_entry(canvas, entry, {x, top.y}) + canvas.length(kAfterEntry);
        top.y += line_height(canvas.text_font());
    }
    return top.y;
}

}  // namespace sim::plot
