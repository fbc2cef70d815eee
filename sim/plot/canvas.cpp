#include "sim/plot/canvas.h"

#include <algorithm>
#include <utility>

namespace sim::plot {
namespace {

// In units; smaller text is illegible, and some lengths would be rounded to 0.
constexpr int kLeastTextSize = 4;
constexpr int kPatternLine = 16;

}  // namespace

Canvas::Canvas(int width, int height, const LayoutOptions& options)
    : options_(options),
      colours_(options.colours != nullptr ? *options.colours : palette(options.theme)),
      em_(std::max(kLeastTextSize, options.text_size)),
      occupied_({0, 0, width * kUnit, height * kUnit}, em_) {
    drawing_.width = width * kUnit;
    drawing_.height = height * kUnit;
    drawing_.background = colours_.background;
}

int Canvas::scaled_to_em(int units) const { return std::max(1, units * em_ / kEmOfWidths); }

void Canvas::stroke(std::vector<Line> lines, int width, Colour colour, std::vector<int> dash) {
    if (lines.empty()) return;
    for (int& part : dash) part = scaled_to_em(part);
    drawing_.shapes.emplace_back(Strokes{std::move(lines), scaled_to_em(width), std::move(dash), colour});
}

void Canvas::fill(const Line& polygon, Colour colour) {
    drawing_.shapes.emplace_back(FilledPolygon{polygon, colour, 0});
}

void Canvas::fill(const Line& polygon, Colour colour, std::size_t pattern, Colour ink, int spacing) {
    std::vector<Line> lines = pattern_lines(pattern, polygon, scaled_to_em(spacing));
    drawing_.shapes.emplace_back(FilledPolygon{polygon, colour, pattern});
    stroke(std::move(lines), kPatternLine, ink);
}

Text Canvas::text(std::string words, Point at, Anchor anchor, Font font, Colour colour) {
    const int width = text_width(words, font);
    return {at, std::move(words), font.size, width, anchor, font.bold, colour};
}

bool Canvas::write(Text text) {
    if (text.text.empty() || !occupied_.is_free(text.box())) return false;
    occupied_.add_text(text.box());
    drawing_.shapes.emplace_back(std::move(text));
    return true;
}

bool Canvas::write(std::string words, Point at, Anchor anchor, Font font, Colour colour) {
    return write(text(std::move(words), at, anchor, font, colour));
}

int Canvas::write_below(const std::vector<std::string>& lines, Point top, Anchor anchor, Font font,
                        Colour colour) {
    for (const std::string& line : lines) {
        write(line, {top.x, baseline_below(top.y, font)}, anchor, font, colour);
        top.y += line_height(font);
    }
    return top.y;
}

void Canvas::write_in_filled_box(const std::vector<std::string>& lines, const Box& box, Point margin) {
    fill(corners_of(box), colours_.background);
    write_below(lines, {box.left + margin.x, box.top + margin.y}, Anchor::start, text_font(), colours_.text);
    for (int y = box.top; y <= box.bottom; y += length({1, 2}))
        occupied_.add_data(Line{{box.left, y}, {box.right, y}}, 0);
}

}  // namespace sim::plot
