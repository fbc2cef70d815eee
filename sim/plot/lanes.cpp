#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/plot/parts.h"

namespace sim::plot {
namespace {

constexpr EmLength kBetweenColumns{1}, kMostSpanHeight{36, 10};
constexpr int kSpanShare = 76;              // maximum height of a span, in percent of the lane's height
constexpr int kLeastSpanWidth = kUnit / 2;  // keeps short spans visible
// kAroundSpanLabel: sum of the spaces to the left and right of a label. kBehindSpanLabel: the background of a
// label extends beyond the label by this length on each side.
constexpr EmLength kAroundSpanLabel{1, 2}, kBehindSpanLabel{1, 5};

class LaneColumns {
  public:
    LaneColumns(Canvas& canvas, const PanelFrame& f) : canvas_(canvas), widths_(f.columns) {
        int left = f.cell.left;
        for (std::size_t c = 0; c < widths_.size(); ++c) {
            anchors_.push_back(c == 0 ? left : left + widths_[c]);
            left += widths_[c] + canvas.length(kBetweenColumns);
        }
    }

    void write(std::size_t column, const std::string& text, int baseline) const {
        if (column >= anchors_.size()) return;
        const Font font = canvas_.small_font();
        canvas_.write(shortened(text, font, widths_[column]), {anchors_[column], baseline},
                      column == 0 ? Anchor::start : Anchor::end, font, canvas_.colours().text);
    }

  private:
    Canvas& canvas_;
    const std::vector<int>& widths_;
    std::vector<int> anchors_;  // x coordinates: left edge of the names, right edges of the cells
};

void label_span(Canvas& canvas, const SpanKind& kind, const Span& span, const Box& box, int baseline) {
    const Palette& colours = canvas.colours();
    const Colour ink = kind.fill != SpanKind::Fill::plain              ? colours.text
                       : is_bright(colours.hues[kind.style % kStyles]) ? Colour{0, 0, 0}
                                                                       : Colour{255, 255, 255};
    const Text label = Canvas::text(span.label, {(box.left + box.right) / 2, baseline}, Anchor::middle,
                                    canvas.small_font(), ink);
    if (label.width + canvas.length(kAroundSpanLabel) > box.width() || label.box().height() > box.height() ||
        !canvas.occupied().is_free(label.box()))
        return;
    if (kind.fill == SpanKind::Fill::full || kind.fill == SpanKind::Fill::hatched) {
        Box behind = label.box();
        behind.left -= canvas.length(kBehindSpanLabel);
        behind.right += canvas.length(kBehindSpanLabel);
        canvas.fill(corners_of(behind), colours.background);
    }
    canvas.write(label);
}

// Draws the spans of a lane, then their labels. `room`: box of the lane; `baseline`: y coordinate of the
// baseline of the labels.
void draw_spans(Canvas& canvas, const PanelFrame& f, std::size_t lane, const Box& room, int baseline) {
    const Panel& p = *f.panel;
    const AxisMapping x = f.x_mapping();
    const int middle = (room.top + room.bottom) / 2;
    const int full = std::min(room.height() * kSpanShare / 100, canvas.length(kMostSpanHeight));
    const auto place = [&](double value) { return std::clamp(x(value), f.area.left, f.area.right); };
    std::vector<std::pair<Box, const Span*>> labelled;
    const std::vector<Span>& spans = p.lanes[lane].spans;
    for (std::size_t s = 0; s < spans.size(); ++s) {
        const Span& span = spans[s];
        if (!is_plottable(p.x, span.begin) || !is_plottable(p.x, span.end) || span.kind >= p.kinds.size())
            continue;
        const int half = static_cast<int>(full * std::clamp(span.height, 0.0, 1.0)) / 2;
        Box box{place(std::min(span.begin, span.end)), middle - half, place(std::max(span.begin, span.end)),
                middle + half};
        box.right = std::max(box.right, box.left + kLeastSpanWidth);
        if (box.left >= f.area.right) continue;
        draw_span_sample(canvas, p.kinds[span.kind], box);
        canvas.add_plotted_point({{(box.left + box.right) / 2, middle}, f.index, lane, s});
        if (!span.label.empty()) labelled.emplace_back(box, &span);
    }
    for (const auto& [box, span] : labelled) label_span(canvas, p.kinds[span->kind], *span, box, baseline);
}

}  // namespace

void draw_lanes(Canvas& canvas, const PanelFrame& f) {
    const Panel& p = *f.panel;
    const LaneColumns columns(canvas, f);
    const Font font = canvas.small_font();
    for (std::size_t c = 0; c < p.lane_headings.size(); ++c)
        columns.write(c, p.lane_headings[c], f.area.top - font.size / 2);
    const int count = static_cast<int>(p.lanes.size());
    // If the height of a lane is less than that of a line of text, only every n-th lane shows its name and
    // cells.
    const int needed = font.size * 115 / 100 * count;
    const int every = f.area.height() > 0 ? std::max(1, (needed + f.area.height() - 1) / f.area.height()) : 1;
    for (int i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Lane& lane = p.lanes[at];
        const Box room{f.area.left, f.area.top + f.area.height() * i / count, f.area.right,
                       f.area.top + f.area.height() * (i + 1) / count};
        const int baseline = baseline_around((room.top + room.bottom) / 2, font);
        if (i % every == 0) {
            columns.write(0, lane.name, baseline);
            for (std::size_t c = 0; c < lane.cells.size(); ++c) columns.write(c + 1, lane.cells[c], baseline);
        }
        draw_spans(canvas, f, at, room, baseline);
    }
}

}  // namespace sim::plot
