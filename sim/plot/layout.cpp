#include "sim/plot/layout.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <tuple>

#include "sim/plot/palette.h"
#include "sim/plot/text_width.h"
#include "sim/plot/ticks.h"

namespace sim::plot {
namespace {

std::vector<Spot> rectangle(const Box& b) {
    return {{b.left, b.top}, {b.right, b.top}, {b.right, b.bottom}, {b.left, b.bottom}};
}

// The text, or as much of its beginning as fits, with an ellipsis.
std::string shortened(std::string_view text, int size, bool bold, int width) {
    if (text_width(text, size, bold) <= width) return std::string(text);
    const int room = width - text_width("\u2026", size, bold);
    std::size_t end = 0;
    for (std::size_t at = 0; at < text.size(); end = at) {
        next_character(text, at);
        if (text_width(text.substr(0, at), size, bold) > room) break;
    }
    while (end > 0 && text[end - 1] == ' ') --end;
    return end == 0 ? "" : std::string(text.substr(0, end)) + "\u2026";
}

// Lines of at most `width`, broken between words; what does not fit in `most` lines is cut.
std::vector<std::string> wrapped(std::string_view text, int size, bool bold, int width, std::size_t most) {
    std::vector<std::string> lines;
    while (!text.empty() && lines.size() < most) {
        const std::size_t newline = std::min(text.find('\n'), text.size());
        std::string_view paragraph = text.substr(0, newline);
        text = newline < text.size() ? text.substr(newline + 1) : std::string_view{};
        do {
            std::size_t end = paragraph.size();
            if (text_width(paragraph, size, bold) > width) {
                end = 0;
                for (std::size_t blank = paragraph.find(' '); blank != std::string_view::npos;
                     blank = paragraph.find(' ', blank + 1)) {
                    if (text_width(paragraph.substr(0, blank), size, bold) > width) break;
                    end = blank;
                }
                if (end == 0) end = std::min(paragraph.find(' '), paragraph.size());
            }
            const bool last = lines.size() + 1 == most;
            const std::string_view line = last ? paragraph : paragraph.substr(0, end);
            lines.push_back(shortened(line, size, bold, width));
            paragraph = end < paragraph.size() && !last ? paragraph.substr(end + 1) : std::string_view{};
        } while (!paragraph.empty());
    }
    return lines;
}

struct LegendEntry {
    enum class Sign { series, kind } sign;
    const Series* series;
    const Kind* kind;
    std::string name;
    std::size_t style;
};

class Layout {
  public:
    Layout(const Plot& plot, int width, int height, const Manner& manner)
        : plot_(plot),
          manner_(manner),
          colours_(manner.colours != nullptr ? *manner.colours : palette(manner.theme)),
          em_(std::max(4, manner.text_size)) {
        out_.width = width * kUnit;
        out_.height = height * kUnit;
        out_.background = colours_.background;
        out_.title = plot.title;
        out_.description = plot.subtitle;
    }

    Drawing run() {
        styles_of_series();
        const int pad = std::min({em_, out_.width / 20, out_.height / 20});
        Box inside{pad, pad, out_.width - pad, out_.height - pad};
        heads(inside);
        panels(inside);
        return std::move(out_);
    }

  private:
    struct Frame {  // of a panel
        const Panel* panel = nullptr;
        std::size_t index = 0;
        Box cell, area;  // all of it, and what the axes enclose
        int left = 0;    // what stands left of the area needs
        int pad = 0;     // between the ends of the x axis and its first and last value
        Range x, y;
        Ticks x_ticks, y_ticks;
        std::vector<std::string> title, label;
        std::vector<int> columns;  // of lanes: widths of the names and the cells
    };

    // --- shapes ---

    int scaled(int units_at_15_pixels) const { return std::max(1, units_at_15_pixels * em_ / (15 * kUnit)); }

    void stroke(std::vector<std::vector<Spot>> lines, int width, Colour colour, std::vector<int> dash = {}) {
        if (lines.empty()) return;
        for (int& length : dash) length = scaled(length);
        out_.shapes.emplace_back(Strokes{std::move(lines), scaled(width), std::move(dash), colour});
    }
    void fill(const std::vector<Spot>& spots, Colour colour) {
        out_.shapes.emplace_back(Area{spots, colour, 0});
    }
    void fill(const std::vector<Spot>& spots, Colour colour, std::size_t pattern, Colour ink,
              int spacing = 112) {
        std::vector<std::vector<Spot>> lines = pattern_lines(pattern, spots, scaled(spacing));
        out_.shapes.emplace_back(Area{spots, colour, pattern});
        stroke(std::move(lines), 16, ink);
    }

    Text text_at(std::string text, Spot at, int size, Anchor anchor, bool bold, Colour colour) const {
        const int width = text_width(text, size, bold);
        return {at, std::move(text), size, width, anchor, bold, colour};
    }
    bool is_free(const Box& box) const {
        if (!Box{0, 0, out_.width, out_.height}.holds(box)) return false;
        return std::none_of(taken_.begin(), taken_.end(), [&](const Box& b) { return b.meets(box); });
    }
    // Writes the text unless something is there already.
    bool write(Text text) {
        if (text.text.empty() || !is_free(text.box())) return false;
        taken_.push_back(text.box());
        out_.shapes.emplace_back(std::move(text));
        return true;
    }
    bool write(std::string text, Spot at, int size, Anchor anchor, bool bold, Colour colour) {
        return write(text_at(std::move(text), at, size, anchor, bold, colour));
    }

    static int line_height(int size) { return size * 130 / 100; }
    static int baseline(int top, int size) { return top + size; }

    // --- title, legend, source ---

    void heads(Box& inside) {
        const int width = inside.width();
        const int title_line = line_height(manner_.title_size), text_line = line_height(manner_.text_size),
                  small_line = line_height(manner_.small_size);
        std::vector<std::string> title = wrapped(plot_.title, manner_.title_size, true, width, 2),
                                 subtitle = wrapped(plot_.subtitle, manner_.text_size, false, width, 3),
                                 source;
        if (manner_.with_source) source = wrapped(plot_.source, manner_.small_size, false, width, 2);
        decide_on_labels();
        collect_legend();
        std::vector<std::vector<LegendEntry>> legend = legend_rows(width);
        const auto lines = [](const auto& list) { return static_cast<int>(list.size()); };
        const auto height = [&] {
            return lines(title) * title_line + lines(subtitle) * text_line + lines(legend) * text_line +
                   lines(source) * small_line;
        };
        const int most = inside.height() * 45 / 100;
        if (height() > most) source.clear();
        if (height() > most) subtitle.clear();
        if (height() > most && legend.size() > 1) legend.clear();
        if (height() > most && title.size() > 1)
            title = {shortened(plot_.title, manner_.title_size, true, width)};
        if (height() > most) legend.clear();
        if (height() > most) title.clear();

        int y = inside.top;
        for (const std::string& line : title) {
            write(line, {inside.left, baseline(y, manner_.title_size)}, manner_.title_size, Anchor::start,
                  true, colours_.text);
            y += title_line;
        }
        for (const std::string& line : subtitle) {
            write(line, {inside.left, baseline(y, manner_.text_size)}, manner_.text_size, Anchor::start,
                  false, colours_.dim);
            y += text_line;
        }
        if (!legend.empty()) y += em_ * 3 / 10;
        for (const auto& row : legend) {
            int x = inside.left;
            for (const LegendEntry& entry : row) x = draw_entry(entry, x, y) + em_ * 11 / 10;
            y += text_line;
        }
        if (y > inside.top) y += em_ / 2;
        inside.top = y;
        for (auto line = source.rbegin(); line != source.rend(); ++line) {
            write(*line, {inside.left, inside.bottom - manner_.small_size * 24 / 100}, manner_.small_size,
                  Anchor::start, false, colours_.dim);
            inside.bottom -= small_line;
        }
        if (!source.empty()) inside.bottom -= em_ / 3;
    }

    // Which style each series has: its own, or one that no other has asked for.
    void styles_of_series() {
        std::size_t next = 0;
        for (const Panel& panel : plot_.panels) {
            std::vector<std::size_t> styles;
            for (const Series& s : panel.series) {
                if (!s.style) {
                    styles.push_back(next++ % kStyles);
                    continue;
                }
                styles.push_back(*s.style % kStyles);
                next = std::max(next, *s.style + 1);
            }
            styles_.push_back(std::move(styles));
        }
    }

    static bool is_named_line(const Series& s) {
        return !s.name.empty() && (s.look == Look::line || s.look == Look::line_with_marks) &&
               !s.points.empty();
    }

    // Lines of a single panel have their names at their right ends, if there is room for that; a legend has
    // to be looked up.
    void decide_on_labels() {
        if (plot_.panels.size() != 1) return;
        const Panel& panel = plot_.panels[0];
        int lines = 0, widest = 0;
        for (const Series& s : panel.series) {
            if (s.name.empty()) continue;
            if (!is_named_line(s)) return;
            ++lines;
            widest = std::max(widest, text_width(s.name, manner_.text_size, false));
        }
        if (lines < 2 || out_.width < 36 * em_ || out_.height / 2 < lines * line_height(manner_.text_size))
            return;
        label_width_ = std::min(widest, out_.width * 28 / 100);
    }

    void collect_legend() {
        if (label_width_ > 0) return;
        std::set<std::string> seen;
        for (std::size_t p = 0; p < plot_.panels.size(); ++p) {
            const Panel& panel = plot_.panels[p];
            for (std::size_t s = 0; s < panel.series.size(); ++s)
                if (!panel.series[s].name.empty() && seen.insert(panel.series[s].name).second)
                    entries_.push_back({LegendEntry::Sign::series, &panel.series[s], nullptr,
                                        panel.series[s].name, styles_[p][s]});
            for (std::size_t k = 0; k < panel.kinds.size(); ++k) {
                const Kind& kind = panel.kinds[k];
                const bool used = std::any_of(panel.lanes.begin(), panel.lanes.end(), [&](const Lane& lane) {
                    return std::any_of(lane.spans.begin(), lane.spans.end(),
                                       [&](const Span& span) { return span.kind == k; });
                });
                if (used && !kind.name.empty() && seen.insert(kind.name).second)
                    entries_.push_back(
                        {LegendEntry::Sign::kind, nullptr, &kind, kind.name, kind.style % kStyles});
            }
        }
        if (entries_.size() == 1 && entries_[0].sign == LegendEntry::Sign::series &&
            entries_[0].series->look != Look::points)
            entries_.clear();
    }

    // Points without a name belong to the line of their style.
    bool has_nameless_points(std::size_t style) const {
        for (std::size_t p = 0; p < plot_.panels.size(); ++p)
            for (std::size_t i = 0; i < plot_.panels[p].series.size(); ++i) {
                const Series& s = plot_.panels[p].series[i];
                if (s.name.empty() && s.look == Look::points && styles_[p][i] == style) return true;
            }
        return false;
    }

    int sign_width() const { return em_ * 2; }

    std::vector<std::vector<LegendEntry>> legend_rows(int width) const {
        std::vector<std::vector<LegendEntry>> rows;
        int x = 0;
        for (LegendEntry entry : entries_) {
            entry.name = shortened(entry.name, manner_.text_size, false, width - sign_width() - em_ / 2);
            if (entry.name.empty()) continue;
            const int needs = sign_width() + em_ / 2 + text_width(entry.name, manner_.text_size, false);
            if (rows.empty() || x + needs > width) {
                if (rows.size() == 5) break;
                rows.emplace_back();
                x = 0;
            }
            rows.back().push_back(entry);
            x += needs + em_ * 11 / 10;
        }
        return rows;
    }

    int draw_entry(const LegendEntry& entry, int x, int top) {
        const int middle = top + em_ * 65 / 100, right = x + sign_width();
        const Box box{x + em_ / 4, middle - em_ * 45 / 100, right - em_ / 4, middle + em_ * 45 / 100};
        const Colour hue = colours_.hues[entry.style];
        if (entry.sign == LegendEntry::Sign::kind) {
            draw_kind(*entry.kind, box);
        } else if (entry.series->look == Look::bars || entry.series->look == Look::stacked_bars ||
                   entry.series->look == Look::stacked_area) {
            fill(rectangle(box), hue, pattern_of(entry.style), ink_on(hue));
        } else {
            const Series& s = *entry.series;
            if (s.look != Look::points)
                stroke({{{x, middle}, {right, middle}}}, s.emphasis ? 56 : 36, hue, dash_of(entry.style));
            if (s.look == Look::points || s.look == Look::line_with_marks)
                draw_mark({(x + right) / 2, middle}, entry.style, s.hollow);
            else if (has_nameless_points(entry.style))
                draw_mark({(x + right) / 2, middle}, entry.style, true);
        }
        const Text text = text_at(entry.name, {right + em_ / 2, baseline(top, manner_.text_size)},
                                  manner_.text_size, Anchor::start, false, colours_.text);
        write(text);
        return text.box().right;
    }

    // --- marks, patterns ---

    static std::size_t pattern_of(std::size_t style) { return style; }
    Colour ink_on(Colour colour) const {
        return luminance(colour) > 180 ? mix(Colour{0, 0, 0}, colour, 42)
                                       : mix(Colour{255, 255, 255}, colour, 55);
    }

    void draw_mark(Spot at, std::size_t style, bool hollow) {
        std::vector<Spot> spots;
        for (const Spot& s : mark_of(style)) {
            const int size = hollow ? 84 : 82;
            spots.push_back({at.x + s.x * em_ / (15 * kUnit) * size / 100 / 2 * 2,
                             at.y + s.y * em_ / (15 * kUnit) * size / 100 / 2 * 2});
        }
        fill(spots, hollow ? colours_.background : colours_.hues[style]);
        spots.push_back(spots.front());
        spots.push_back(spots[1]);
        stroke({std::move(spots)}, hollow ? 32 : 16, hollow ? colours_.hues[style] : colours_.background);
    }

    void draw_kind(const Kind& kind, const Box& box) {
        const Colour hue = kind.style == kNeutral ? colours_.text : colours_.hues[kind.style % kStyles];
        switch (kind.fill) {
            case Kind::Fill::full:
                fill(rectangle(box), hue, pattern_of(kind.style % kStyles), ink_on(hue));
                break;
            case Kind::Fill::plain:
                fill(rectangle(box), hue);
                break;
            case Kind::Fill::pale:
                fill(rectangle(box), mix(hue, colours_.background, 24));
                break;
            case Kind::Fill::hatched:
                fill(rectangle(box), mix(hue, colours_.background, 25), 1, hue, 80);
                break;
            case Kind::Fill::line: {
                const int middle = (box.top + box.bottom) / 2;
                stroke({{{box.left, middle}, {box.right, middle}}}, 24, hue);
                break;
            }
        }
    }

    // --- panels ---

    static bool is_stacked(Look look) { return look == Look::stacked_bars || look == Look::stacked_area; }
    static bool is_bar(Look look) { return look == Look::bars || look == Look::stacked_bars; }
    static bool is_usable(const Axis& axis, double value) {
        return std::isfinite(value) && (axis.scale == Scale::linear || value > 0);
    }

    void panels(const Box& inside) {
        if (plot_.panels.empty() || inside.width() < 2 * em_ || inside.height() < 2 * em_) return;
        const int gap = em_ * 14 / 10;
        const int most_columns = std::max(1, inside.width() / (14 * em_));
        const int columns = std::clamp(plot_.columns, 1, most_columns);
        const int count = static_cast<int>(plot_.panels.size());
        const int rows = (count + columns - 1) / columns;
        int weights = 0;
        for (int r = 0; r < rows; ++r)
            weights += std::max(1, plot_.panels[static_cast<std::size_t>(r * columns)].weight);
        const int room = inside.height() - gap / 2 * (rows - 1),
                  width = (inside.width() - gap * (columns - 1)) / columns;
        std::vector<Frame> frames;
        int y = inside.top;
        for (int r = 0, done = 0; r < rows; ++r) {
            const auto first = static_cast<std::size_t>(r * columns);
            done += std::max(1, plot_.panels[first].weight);
            const int bottom =
                inside.top + static_cast<int>(std::int64_t{room} * done / weights) + gap / 2 * r;
            for (int c = 0; c < columns && first + static_cast<std::size_t>(c) < plot_.panels.size(); ++c) {
                Frame f;
                f.index = first + static_cast<std::size_t>(c);
                f.panel = &plot_.panels[f.index];
                const int x = inside.left + c * (width + gap);
                f.cell = {x, y, x + width, bottom};
                measure_heights(f);
                frames.push_back(std::move(f));
            }
            y = bottom + gap / 2;
        }
        measure_y(frames);
        for (std::size_t i = 0; i < frames.size(); ++i) {
            int left = 0;
            for (std::size_t k = i % static_cast<std::size_t>(columns); k < frames.size();
                 k += static_cast<std::size_t>(columns))
                if (frames[k].panel->lanes.empty() == frames[i].panel->lanes.empty())
                    left = std::max(left, frames[k].left);
            measure_x(frames[i], left);
        }
        // Panels one above the other have their x axes one above the other.
        for (std::size_t i = 0; i < frames.size(); ++i) {
            for (std::size_t k = i; k < frames.size(); k += static_cast<std::size_t>(columns)) {
                if (frames[k].panel->lanes.empty() != frames[i].panel->lanes.empty()) continue;
                frames[i].area.right = frames[k].area.right =
                    std::min(frames[i].area.right, frames[k].area.right);
            }
        }
        for (std::size_t i = 0; i < frames.size(); ++i) {
            int pad = 0;
            for (std::size_t k = i % static_cast<std::size_t>(columns); k < frames.size();
                 k += static_cast<std::size_t>(columns))
                pad = std::max(pad, padding(frames[k]));
            frames[i].pad = pad;
        }
        for (Frame& f : frames)
            if (f.area.width() > em_ + 2 * f.pad && f.area.height() > em_) draw_panel(f);
    }

    // Where the area begins and ends from top to bottom.
    void measure_heights(Frame& f) {
        const Panel& p = *f.panel;
        f.area = f.cell;
        const int line = line_height(manner_.text_size), small = line_height(manner_.small_size);
        f.title = wrapped(p.title, manner_.text_size, true, f.cell.width(), 2);
        f.label = wrapped(p.y.label, manner_.small_size, false, f.cell.width(), 1);
        const auto head = [&] {
            return static_cast<int>(f.title.size()) * line + static_cast<int>(f.label.size()) * small;
        };
        if (head() > f.cell.height() / 3) f.label.clear();
        if (head() > f.cell.height() / 3) f.title.clear();
        f.area.top += head() + em_ * 8 / 10;
        const bool headings = !p.lanes.empty() && !p.lane_headings.empty();
        if (headings) f.area.top += small;
        f.area.bottom -= small * category_lines(f) + em_ / 3;
        if (!p.x.label.empty() && f.area.height() > 4 * em_) f.area.bottom -= line;
    }

    int category_lines(const Frame& f) const {
        if (f.panel->x.categories.empty()) return 1;
        const int slot = (f.cell.width() - 4 * em_) / static_cast<int>(f.panel->x.categories.size());
        std::size_t most = 1;
        for (const std::string& name : f.panel->x.categories)
            most = std::max(most, wrapped(name, manner_.small_size, false, slot - em_ / 3, 3).size());
        return static_cast<int>(most);
    }

    // All values of y that a panel shows, stacks summed up.
    static std::vector<double> values_of_y(const Panel& p) {
        std::vector<double> values;
        std::map<double, double> stack;
        for (const Series& s : p.series) {
            for (const Point& point : s.points) {
                if (!is_usable(p.x, point.x) || !std::isfinite(point.y)) continue;
                if (is_stacked(s.look)) {
                    values.push_back(stack[point.x] += point.y);
                } else {
                    values.push_back(point.y);
                    if (point.interval)
                        values.insert(values.end(), {point.interval->low, point.interval->high});
                }
            }
        }
        for (const Residual& r : p.residuals) values.insert(values.end(), {r.from, r.to});
        for (const Note& n : p.notes)
            if (n.y) values.push_back(*n.y);
        return values;
    }

    void measure_y(std::vector<Frame>& frames) {
        std::vector<double> all;
        for (const Frame& f : frames) {
            const std::vector<double> values = values_of_y(*f.panel);
            all.insert(all.end(), values.begin(), values.end());
        }
        for (Frame& f : frames) {
            const Panel& p = *f.panel;
            if (!p.lanes.empty()) {
                measure_lane_names(f);
                continue;
            }
            const bool with_zero = std::any_of(p.series.begin(), p.series.end(), [](const Series& s) {
                return is_bar(s.look) || s.look == Look::stacked_area;
            });
            const int most = std::clamp(f.area.height() / (em_ * 26 / 10), 1, 12);
            f.y = range_of(p.y, plot_.same_y ? all : values_of_y(p), with_zero && p.y.scale == Scale::linear,
                           most, true);
            if (p.y.scale == Scale::logarithmic && !p.y.from && with_zero)
                f.y.low /= 2;  // the least bar shows
            f.y_ticks = ticks_of(p.y, f.y, most);
            for (const double value : f.y_ticks.values)
                f.left = std::max(f.left,
                                  text_width(number_text(value, f.y_ticks.step), manner_.text_size, false));
            f.left += em_ / 2;
        }
    }

    void measure_lane_names(Frame& f) {
        const Panel& p = *f.panel;
        f.area.bottom = std::min(f.area.bottom, f.area.top + static_cast<int>(p.lanes.size()) * em_ * 10);
        std::size_t cells = 0;
        for (const Lane& lane : p.lanes) cells = std::max(cells, lane.cells.size());
        f.columns.assign(cells + 1, 0);
        const auto count = [&](std::size_t column, const std::string& text) {
            f.columns[column] = std::max(f.columns[column], text_width(text, manner_.small_size, false));
        };
        for (std::size_t c = 0; c < std::min(p.lane_headings.size(), cells + 1); ++c)
            count(c, p.lane_headings[c]);
        for (const Lane& lane : p.lanes) {
            count(0, lane.name);
            for (std::size_t c = 0; c < lane.cells.size(); ++c) count(c + 1, lane.cells[c]);
        }
        f.columns[0] = std::min(f.columns[0], f.cell.width() * 40 / 100);
        for (std::size_t c = 1; c <= cells; ++c) f.columns[c] = std::min(f.columns[c], f.cell.width() / 8);
        for (const int width : f.columns) f.left += width + em_;
        f.left -= em_ / 2;
    }

    std::vector<double> values_of_x(const Panel& p) const {
        std::vector<double> values;
        for (const Series& s : p.series)
            for (const Point& point : s.points)
                if (std::isfinite(point.y)) values.push_back(point.x);
        for (const Residual& r : p.residuals) values.push_back(r.x);
        for (const Note& n : p.notes) values.push_back(n.x);
        for (const Lane& lane : p.lanes)
            for (const Span& span : lane.spans) values.insert(values.end(), {span.begin, span.end});
        return values;
    }

    void measure_x(Frame& f, int left) {
        const Panel& p = *f.panel;
        f.area.left = f.cell.left + std::min(left, f.cell.width() * 3 / 4);
        f.area.right = f.cell.right - (label_width_ > 0 ? label_width_ + em_ / 2 : 0);
        if (!p.x.categories.empty()) {
            f.x = {-0.5, static_cast<double>(p.x.categories.size()) - 0.5};
            return;
        }
        const int most = std::clamp(f.area.width() / (p.lanes.empty() ? 5 * em_ : 7 * em_ / 2), 1, 14);
        f.x = range_of(p.x, values_of_x(p), false, most, false);
        f.x_ticks = ticks_of(p.x, f.x, p.x.scale == Scale::logarithmic ? most * 3 / 2 : most);
        if (!f.x_ticks.values.empty()) {
            const int half =
                text_width(number_text(f.x_ticks.values.back(), f.x_ticks.step), manner_.text_size, false) /
                2;
            if (f.area.width() > 4 * half) f.area.right -= std::max(0, half - em_ / 2);
        }
    }

    // How far bars, or else marks, reach beyond the first and the last x.
    int padding(const Frame& f) const {
        const Panel& p = *f.panel;
        if (!p.x.categories.empty() || !p.lanes.empty()) return 0;
        std::set<double> xs;
        bool bars = false, marks = false;
        for (const Series& s : p.series) {
            bars = bars || is_bar(s.look);
            marks = marks || s.look == Look::points || s.look == Look::line_with_marks;
            for (const Point& point : s.points)
                if (is_usable(p.x, point.x)) xs.insert(point.x);
        }
        if (!bars) return marks ? em_ * 7 / 10 : 0;
        if (xs.size() < 2) return f.area.width() / 4;
        double least = INFINITY;
        const bool log = p.x.scale == Scale::logarithmic;
        for (auto x = xs.begin(), next = std::next(x); next != xs.end(); ++x, ++next)
            least = std::min(least, log ? log2_of(*next) - log2_of(*x) : *next - *x);
        const double span = log ? log2_of(f.x.high) - log2_of(f.x.low) : f.x.high - f.x.low;
        const double share = std::clamp(least / (span + least), 0.0, 0.5);
        return static_cast<int>(share * f.area.width() / 2) + kUnit;
    }

    void draw_panel(Frame& f) {
        const Panel& p = *f.panel;
        int y = f.cell.top;
        for (const std::string& line : f.title) {
            write(line, {f.cell.left, baseline(y, manner_.text_size)}, manner_.text_size, Anchor::start, true,
                  colours_.text);
            y += line_height(manner_.text_size);
        }
        for (const std::string& line : f.label)
            write(line, {f.cell.left, baseline(y, manner_.small_size)}, manner_.small_size, Anchor::start,
                  false, colours_.dim);
        const Mapping x(p.x.scale, f.x, f.area.left + f.pad, f.area.right - f.pad);
        const Mapping y_of(p.y.scale, p.lanes.empty() ? f.y : Range{0, 1}, f.area.bottom, f.area.top);
        obstacles_.clear();
        draw_x_axis(f, x);
        if (p.lanes.empty()) {
            draw_y_axis(f, y_of);
            draw_series(f, x, y_of);
        } else {
            draw_lanes(f, x);
        }
        stroke({{{f.area.left, f.area.bottom}, {f.area.right, f.area.bottom}}}, 20, colours_.dim);
        draw_notes(f, x, y_of);
    }

    void draw_x_axis(const Frame& f, const Mapping& x) {
        const Panel& p = *f.panel;
        const Box& a = f.area;
        const int top = a.bottom + em_ / 3;
        int lines = 1;
        if (!p.x.categories.empty()) {
            const int count = static_cast<int>(p.x.categories.size()), slot = a.width() / count;
            const int every = std::max(1, (em_ * 5 / 4 + slot - 1) / std::max(1, slot));
            lines = category_lines(f);
            for (int i = 0; i < count; i += every) {
                int line_top = top;
                for (const std::string& line :
                     wrapped(p.x.categories[static_cast<std::size_t>(i)], manner_.small_size, false,
                             slot * every - em_ / 3, static_cast<std::size_t>(lines))) {
                    write(line, {x(i), baseline(line_top, manner_.small_size)}, manner_.small_size,
                          Anchor::middle, false, colours_.text);
                    line_top += line_height(manner_.small_size);
                }
            }
        } else {
            std::vector<std::vector<Spot>> grid;
            int last = a.left - em_ * 100;
            for (const double value : f.x_ticks.values) {
                const Text text = text_at(number_text(value, f.x_ticks.step), {x(value), baseline(top, em_)},
                                          em_, Anchor::middle, false, colours_.text);
                grid.push_back({{x(value), a.top}, {x(value), a.bottom}});
                if (text.box().left < last + em_ / 2) continue;
                if (write(text)) last = text.box().right;
            }
            if (!p.lanes.empty()) {
                stroke(std::move(grid), 16, colours_.grid);
                if (f.x.low < 0 && f.x.high > 0)
                    stroke({{{x(0), a.top}, {x(0), a.bottom}}}, 24, colours_.dim);
            } else {
                for (auto& line : grid) line = {{line[0].x, a.bottom}, {line[0].x, a.bottom + em_ / 4}};
                stroke(std::move(grid), 20, colours_.dim);
            }
        }
        if (!p.x.label.empty())
            write(shortened(p.x.label, manner_.text_size, false, f.cell.width()),
                  {f.cell.right,
                   baseline(top + line_height(manner_.small_size) * lines + em_ / 5, manner_.text_size)},
                  manner_.text_size, Anchor::end, false, colours_.dim);
    }

    void draw_y_axis(const Frame& f, const Mapping& y) {
        std::vector<std::vector<Spot>> grid;
        for (const double value : f.y_ticks.values) {
            if (y(value) > f.area.bottom + kUnit || y(value) < f.area.top - kUnit) continue;
            if (y(value) < f.area.bottom - kUnit)
                grid.push_back({{f.area.left, y(value)}, {f.area.right, y(value)}});
            write(number_text(value, f.y_ticks.step), {f.area.left - em_ / 2, y(value) + em_ * 36 / 100}, em_,
                  Anchor::end, false, colours_.text);
        }
        stroke(std::move(grid), 16, colours_.grid);
        if (f.y.low < 0 && f.y.high > 0)
            stroke({{{f.area.left, y(0)}, {f.area.right, y(0)}}}, 20, colours_.dim);
    }

    // --- series ---

    static bool clip(Spot& a, Spot& b, const Box& box) {
        // Liang and Barsky's, in whole numbers; the ends move along the line.
        double t0 = 0, t1 = 1;
        const double dx = b.x - a.x, dy = b.y - a.y;
        const auto side = [&](double p, double q) {
            if (p == 0) return q >= 0;
            const double t = q / p;
            if (p < 0)
                t0 = std::max(t0, t);
            else
                t1 = std::min(t1, t);
            return t0 <= t1;
        };
        if (!side(-dx, a.x - box.left) || !side(dx, box.right - a.x) || !side(-dy, a.y - box.top) ||
            !side(dy, box.bottom - a.y))
            return false;
        const Spot from = a;
        if (t1 < 1)
            b = {from.x + static_cast<int>(std::lround(dx * t1)),
                 from.y + static_cast<int>(std::lround(dy * t1))};
        if (t0 > 0)
            a = {from.x + static_cast<int>(std::lround(dx * t0)),
                 from.y + static_cast<int>(std::lround(dy * t0))};
        return true;
    }

    // The parts of a line that lie in the box.
    static std::vector<std::vector<Spot>> clipped(const std::vector<Spot>& line, const Box& box) {
        std::vector<std::vector<Spot>> parts;
        for (std::size_t i = 1; i < line.size(); ++i) {
            Spot a = line[i - 1], b = line[i];
            if (!clip(a, b, box)) continue;
            if (parts.empty() || !(parts.back().back() == a)) parts.push_back({a});
            if (!(a == b)) parts.back().push_back(b);
        }
        std::erase_if(parts, [](const auto& part) { return part.size() < 2; });
        return parts;
    }

    void obstruct(const std::vector<Spot>& line) {
        for (std::size_t i = 1; i < line.size(); ++i) {
            const Spot a = line[i - 1], b = line[i];
            const std::int64_t dx = std::int64_t{b.x} - a.x, dy = std::int64_t{b.y} - a.y;
            const std::int64_t steps =
                std::min<std::int64_t>(std::max(std::abs(dx), std::abs(dy)) / (em_ / 6 + 1) + 1, 20'000);
            for (std::int64_t k = 0; k <= steps; ++k)
                obstacles_.push_back(
                    {static_cast<int>(a.x + dx * k / steps), static_cast<int>(a.y + dy * k / steps)});
        }
    }

    void draw_series(const Frame& f, const Mapping& x, const Mapping& y) {
        const Panel& p = *f.panel;
        const std::vector<std::size_t>& styles = styles_[f.index];
        draw_bars_and_areas(f, x, y);
        std::vector<std::vector<Spot>> residuals;
        for (const Residual& r : p.residuals) {
            if (!is_usable(p.x, r.x) || !is_usable(p.y, r.from) || !is_usable(p.y, r.to)) continue;
            residuals.push_back({{x(r.x), y(r.from)}, {x(r.x), y(r.to)}});
        }
        std::vector<std::vector<Spot>> kept;
        for (const auto& line : residuals)
            for (auto& part : clipped(line, f.area)) kept.push_back(part);
        stroke(kept, 80, colours_.accent);
        for (std::size_t s = 0; s < p.series.size(); ++s) {
            const Series& series = p.series[s];
            if (is_bar(series.look) || series.look == Look::stacked_area) continue;
            if (series.look == Look::labels) continue;
            const Colour hue = colours_.hues[styles[s]];
            std::vector<std::vector<Spot>> whiskers;
            std::vector<Spot> line, marks;
            for (std::size_t i = 0; i < series.points.size(); ++i) {
                const Point& point = series.points[i];
                if (!is_usable(p.x, point.x) || !is_usable(p.y, point.y)) continue;
                const Spot at{x(point.x), y(point.y)};
                if (series.look == Look::steps && !line.empty()) line.push_back({at.x, line.back().y});
                line.push_back(at);
                if (f.area.holds({at.x, at.y, at.x, at.y})) {
                    marks.push_back(at);
                    out_.places.push_back({at, f.index, s, i});
                    obstacles_.push_back(at);
                }
                if (point.interval && is_usable(p.y, point.interval->low) &&
                    is_usable(p.y, point.interval->high)) {
                    const int low = y(point.interval->low), high = y(point.interval->high), cap = scaled(64);
                    for (const auto& piece : {std::vector<Spot>{{at.x, low}, {at.x, high}},
                                              std::vector<Spot>{{at.x - cap, low}, {at.x + cap, low}},
                                              std::vector<Spot>{{at.x - cap, high}, {at.x + cap, high}}})
                        for (auto& part : clipped(piece, f.area)) whiskers.push_back(part);
                }
            }
            stroke(whiskers, 22, hue);
            if (series.look != Look::points) {
                obstruct(line);
                stroke(clipped(line, f.area), series.emphasis ? 56 : 36, hue, dash_of(styles[s]));
            }
            if (series.look == Look::points || series.look == Look::line_with_marks) {
                const std::size_t every =
                    series.look == Look::points ? 1 : std::max<std::size_t>(1, marks.size() / 40);
                for (std::size_t i = 0; i < marks.size(); i += every)
                    draw_mark(marks[i], styles[s], series.hollow);
            }
        }
        if (label_width_ > 0) label_lines(f, x, y);
        for (std::size_t s = 0; s < p.series.size(); ++s) label_points(f, x, y, p.series[s]);
    }

    // The names of lines beside their ends, moved apart where the ends are close to each other.
    void label_lines(const Frame& f, const Mapping& x, const Mapping& y) {
        const Panel& p = *f.panel;
        struct Label {
            Spot end;
            int middle;
            std::size_t series;
        };
        std::vector<Label> labels;
        for (std::size_t s = 0; s < p.series.size(); ++s) {
            if (!is_named_line(p.series[s])) continue;
            Label label{{f.area.right, f.area.top}, f.area.top, s};
            for (const Point& point : p.series[s].points) {
                if (!is_usable(p.x, point.x) || !is_usable(p.y, point.y)) continue;
                label.end = {std::clamp(x(point.x), f.area.left, f.area.right),
                             std::clamp(y(point.y), f.area.top, f.area.bottom)};
            }
            label.middle = label.end.y;
            labels.push_back(label);
        }
        std::stable_sort(labels.begin(), labels.end(),
                         [](const Label& a, const Label& b) { return a.middle < b.middle; });
        const int line = line_height(manner_.text_size);
        int bottom = f.area.top - line / 2;
        for (Label& label : labels) bottom = label.middle = std::max(label.middle, bottom + line);
        int top = f.area.bottom + line / 2;
        for (auto label = labels.rbegin(); label != labels.rend(); ++label)
            top = label->middle = std::min(label->middle, top - line);
        for (const Label& label : labels) {
            const Series& s = p.series[label.series];
            const std::size_t style = styles_[f.index][label.series];
            const int left = f.area.right + em_ / 2;
            if (std::abs(label.middle - label.end.y) > line / 3 || f.area.right - label.end.x > 2 * em_)
                stroke({{{label.end.x + em_ / 2, label.end.y}, {left - em_ / 6, label.middle}}}, 14,
                       colours_.dim);
            write(shortened(s.name, manner_.text_size, s.emphasis, label_width_),
                  {left, label.middle + em_ * 36 / 100}, manner_.text_size, Anchor::start, false,
                  readable(colours_.hues[style]));
        }
    }

    // The colour as it can be read on the background.
    Colour readable(Colour colour) const {
        const bool dark = luminance(colours_.background) < 180;
        for (int share = 100; share > 0; share -= 10) {
            const Colour mixed = mix(colour, colours_.text, share);
            const int a = luminance(mixed) + 50, b = luminance(colours_.background) + 50;
            if ((dark ? a * 10 / b : b * 10 / a) >= 45) return mixed;
        }
        return colours_.text;
    }

    void label_points(const Frame& f, const Mapping& x, const Mapping& y, const Series& series) {
        const Panel& p = *f.panel;
        for (const Point& point : series.points) {
            if (point.label.empty() || !is_usable(p.x, point.x) || !is_usable(p.y, point.y)) continue;
            const Spot at{x(point.x), y(point.y)};
            // At the end of a bar; or where it begins, on the other side.
            const bool below = is_bar(series.look) && point.y < 0;
            const int base = is_bar(series.look) && f.y.low <= 0 && f.y.high >= 0 ? y(0) - at.y : 0;
            const int above = -em_ * 45 / 100, under = em_ * 11 / 10;
            for (const int dy : {below ? under : above, base + (below ? above : under)}) {
                const Text text = text_at(point.label, {at.x, at.y + dy}, manner_.small_size, Anchor::middle,
                                          false, colours_.text);
                const bool on_bars = is_bar(series.look) || series.look == Look::labels;
                if (text.box().bottom > f.area.bottom) continue;
                if ((on_bars || crossings(text.box()) == 0) && write(text)) break;
            }
        }
    }

    void draw_bars_and_areas(const Frame& f, const Mapping& x, const Mapping& y) {
        const Panel& p = *f.panel;
        const std::vector<std::size_t>& styles = styles_[f.index];
        int slots = 0;
        bool stacked = false;
        std::set<int> places;
        for (const Series& s : p.series) {
            if (!is_bar(s.look)) continue;
            slots += s.look == Look::bars;
            stacked = stacked || s.look == Look::stacked_bars;
            for (const Point& point : s.points)
                if (is_usable(p.x, point.x)) places.insert(x(point.x));
        }
        slots += stacked;
        int gap = p.x.categories.empty() ? f.area.width() / 3
                                         : f.area.width() / static_cast<int>(p.x.categories.size());
        for (auto at = places.begin(); at != places.end() && std::next(at) != places.end(); ++at)
            gap = std::min(gap, *std::next(at) - *at);
        const int wide = std::min(gap, em_ * 6) * (gap > 5 * kUnit ? 78 : 100) / 100;
        const int base = p.y.scale == Scale::linear && f.y.low <= 0 && f.y.high >= 0 ? y(0) : f.area.bottom;
        std::map<double, double> stack;
        std::vector<std::tuple<const Series*, std::vector<Spot>, std::vector<Spot>>> insides;
        int slot = stacked ? 1 : 0;
        for (std::size_t s = 0; s < p.series.size(); ++s) {
            const Series& series = p.series[s];
            const Colour hue = colours_.hues[styles[s]];
            if (series.look == Look::stacked_area) {
                std::vector<Spot> upper, lower;
                for (std::size_t i = 0; i < series.points.size(); ++i) {
                    const Point& point = series.points[i];
                    if (!is_usable(p.x, point.x) || !std::isfinite(point.y)) continue;
                    double& sum = stack[point.x];
                    lower.push_back({x(point.x), std::clamp(y(sum), f.area.top, f.area.bottom)});
                    sum += point.y;
                    upper.push_back({x(point.x), std::clamp(y(sum), f.area.top, f.area.bottom)});
                    out_.places.push_back({upper.back(), f.index, s, i});
                }
                if (upper.size() < 2) continue;
                std::vector<Spot> polygon = upper;
                polygon.insert(polygon.end(), lower.rbegin(), lower.rend());
                fill(polygon, hue, pattern_of(styles[s]), ink_on(hue), 144);
                stroke({upper}, 16, colours_.background);
                insides.emplace_back(&series, std::move(upper), std::move(lower));
                continue;
            }
            if (!is_bar(series.look)) continue;
            const int mine = series.look == Look::stacked_bars ? 0 : slot++;
            for (std::size_t i = 0; i < series.points.size(); ++i) {
                const Point& point = series.points[i];
                if (!is_usable(p.x, point.x) || !std::isfinite(point.y)) continue;
                int from = base, to = p.y.scale == Scale::logarithmic && point.y <= 0 ? base : y(point.y);
                if (series.look == Look::stacked_bars) {
                    double& sum = stack[point.x];
                    from = y(sum);
                    to = y(sum += point.y);
                }
                from = std::clamp(from, f.area.top, f.area.bottom);
                to = std::clamp(to, f.area.top, f.area.bottom);
                const int each = wide / std::max(1, slots), left = x(point.x) - wide / 2 + mine * each;
                const Box box{left, std::min(from, to), left + std::max(kUnit, each), std::max(from, to)};
                out_.places.push_back({{(box.left + box.right) / 2, to}, f.index, s, i});
                if (box.height() == 0) continue;
                fill(rectangle(box), hue, pattern_of(styles[s]), ink_on(hue));
                if (each > 8 * kUnit) {
                    std::vector<Spot> edge = rectangle(box);
                    edge.push_back(edge[0]);
                    stroke({edge}, 12, colours_.background);
                }
                obstruct({{box.left, box.top}, {box.right, box.top}});
            }
        }
        for (const auto& [series, upper, lower] : insides) write_inside(f, series->inside, upper, lower);
    }

    // The height of a line at x. REQUIRES: two spots or more, from left to right.
    static int height_at(const std::vector<Spot>& line, int x) {
        std::size_t i = 1;
        while (i + 1 < line.size() && line[i].x < x) ++i;
        const Spot &a = line[i - 1], &b = line[i];
        if (b.x <= a.x) return b.y;
        const std::int64_t dx = std::clamp(x, a.x, b.x) - a.x;
        return static_cast<int>(a.y + dx * (b.y - a.y) / (b.x - a.x));
    }

    // Writes a text between two lines, where there is most room for it.
    void write_inside(const Frame& f, const std::string& text, const std::vector<Spot>& upper,
                      const std::vector<Spot>& lower) {
        if (text.empty()) return;
        const int line = line_height(manner_.text_size), margin = em_ / 3;
        std::vector<std::string> best;
        Box where;
        int most = -1;
        for (const int part : {70, 45, 30, 22}) {
            const std::vector<std::string> lines =
                wrapped(text, manner_.text_size, false, f.area.width() * part / 100, 3);
            int width = 0;
            for (const std::string& l : lines)
                width = std::max(width, text_width(l, manner_.text_size, false));
            const int height = line * static_cast<int>(lines.size());
            for (int left = f.area.left + em_ / 2; left + width + 2 * margin < f.area.right;
                 left += em_ / 2) {
                int top = f.area.top, bottom = f.area.bottom;
                for (int k = 0; k <= 12; ++k) {
                    const int x = left + (width + 2 * margin) * k / 12;
                    if (x < upper.front().x || x > upper.back().x) top = f.area.bottom;
                    top = std::max(top, height_at(upper, x));
                    bottom = std::min(bottom, height_at(lower, x));
                }
                const int room = bottom - top - height - margin;
                if (room <= most) continue;
                const int at = (top + bottom - height) / 2;
                const Box box{left, at, left + width + 2 * margin, at + height};
                if (!is_free(box)) continue;
                most = room;
                best = lines;
                where = box;
            }
            if (most >= 0) break;
        }
        if (most < 0) return;
        fill(rectangle(where), colours_.background);
        int top = where.top;
        for (const std::string& l : best) {
            write(l, {where.left + margin, baseline(top, manner_.text_size)}, manner_.text_size,
                  Anchor::start, false, colours_.text);
            top += line;
        }
        for (int y = where.top; y <= where.bottom; y += em_ / 2)
            obstruct({{where.left, y}, {where.right, y}});
    }

    // --- lanes ---

    void draw_lanes(const Frame& f, const Mapping& x) {
        const Panel& p = *f.panel;
        const int count = static_cast<int>(p.lanes.size());
        int left = f.cell.left;
        std::vector<int> columns;  // right edges; the left one of the names
        for (std::size_t c = 0; c < f.columns.size(); ++c) {
            columns.push_back(c == 0 ? left : left + f.columns[c]);
            left += f.columns[c] + em_;
        }
        const auto put = [&](std::size_t column, const std::string& text, int base, bool bold) {
            if (column >= columns.size()) return;
            write(shortened(text, manner_.small_size, bold, f.columns[column]), {columns[column], base},
                  manner_.small_size, column == 0 ? Anchor::start : Anchor::end, bold,
                  bold ? colours_.dim : colours_.text);
        };
        for (std::size_t c = 0; c < p.lane_headings.size(); ++c)
            put(c, p.lane_headings[c], f.area.top - manner_.small_size / 2, false);
        for (int i = 0; i < count; ++i) {
            const Lane& lane = p.lanes[static_cast<std::size_t>(i)];
            const int top = f.area.top + f.area.height() * i / count,
                      bottom = f.area.top + f.area.height() * (i + 1) / count, middle = (top + bottom) / 2;
            const int base = middle + manner_.small_size * 36 / 100;
            put(0, lane.name, base, false);
            for (std::size_t c = 0; c < lane.cells.size(); ++c) put(c + 1, lane.cells[c], base, false);
            const int full = std::min((bottom - top) * 76 / 100, em_ * 36 / 10);
            std::vector<std::pair<Box, const Span*>> labelled;
            for (std::size_t s = 0; s < lane.spans.size(); ++s) {
                const Span& span = lane.spans[s];
                if (!is_usable(p.x, span.begin) || !is_usable(p.x, span.end) || span.kind >= p.kinds.size())
                    continue;
                const int half = static_cast<int>(full * std::clamp(span.height, 0.0, 1.0)) / 2;
                Box box{
                    std::clamp(x(std::min(span.begin, span.end)), f.area.left, f.area.right), middle - half,
                    std::clamp(x(std::max(span.begin, span.end)), f.area.left, f.area.right), middle + half};
                if (box.width() < kUnit / 2) box.right = box.left + kUnit / 2;
                if (box.left >= f.area.right) continue;
                draw_kind(p.kinds[span.kind], box);
                out_.places.push_back(
                    {{(box.left + box.right) / 2, middle}, f.index, static_cast<std::size_t>(i), s});
                if (!span.label.empty()) labelled.emplace_back(box, &span);
            }
            for (const auto& [box, span] : labelled) {
                const Kind& kind = p.kinds[span->kind];
                const Colour on = kind.fill != Kind::Fill::plain ? colours_.text
                                  : luminance(colours_.hues[kind.style % kStyles]) > 180
                                      ? Colour{0, 0, 0}
                                      : Colour{255, 255, 255};
                const Text text = text_at(span->label, {(box.left + box.right) / 2, base}, manner_.small_size,
                                          Anchor::middle, false, on);
                if (text.width + em_ / 2 > box.width() || text.box().height() > box.height() ||
                    !is_free(text.box()))
                    continue;
                const Box behind{text.box().left - em_ / 5, text.box().top, text.box().right + em_ / 5,
                                 text.box().bottom};
                if (kind.fill == Kind::Fill::full || kind.fill == Kind::Fill::hatched)
                    fill(rectangle(behind), colours_.background);
                write(text);
            }
        }
    }

    // --- notes ---

    int crossings(const Box& box) const {
        return static_cast<int>(std::count_if(obstacles_.begin(), obstacles_.end(), [&](const Spot& s) {
            return s.x >= box.left && s.x <= box.right && s.y >= box.top && s.y <= box.bottom;
        }));
    }

    // Whether the line from a spot to a box would run through a text.
    bool crosses_text(Spot from, const Box& to) const {
        const Spot end{std::clamp(from.x, to.left, to.right), std::clamp(from.y, to.top, to.bottom)};
        return std::any_of(taken_.begin(), taken_.end(), [&](const Box& b) {
            Spot p = from, q = end;
            return clip(p, q, b);
        });
    }

    struct Placed {
        const Note* note = nullptr;
        Spot at;
        std::vector<std::string> lines;
        int width = 0, height = 0;  // of the text
        Box box;                    // where it goes
        int cost = 0;               // the less the better; kNowhere when there is no room
    };
    static constexpr int kNowhere = 100'000;

    // Finds the best place for a note's text: off the curves, near what it is about.
    void place(const Frame& f, Placed& n) const {
        n.cost = kNowhere;
        const auto consider = [&](int left, int top, int cost) {
            const Box box{left - em_ / 3, top - em_ / 6, left + n.width + em_ / 3, top + n.height + em_ / 6};
            if (cost >= n.cost || !f.area.holds(box) || !is_free(box)) return;
            if (n.note->y && crosses_text(n.at, box)) return;
            cost += 200 * crossings(box);
            if (cost >= n.cost) return;
            n.cost = cost;
            n.box = box;
        };
        if (!n.note->y) {
            for (int top = f.area.top + em_ / 4; top + n.height < f.area.bottom; top += em_) {
                const int far = (top - f.area.top) / em_;
                consider(n.at.x + em_ / 2, top, far);
                consider(n.at.x - n.width - em_ / 2, top, far + 2);
            }
            return;
        }
        const auto begin = [](int from, int step, int size) {
            return from - (step < 0 ? size : step == 0 ? size / 2 : 0);
        };
        for (int ring = 1; ring <= 30; ++ring)
            for (int dy = -4; dy <= 4; ++dy)
                for (int dx = -4; dx <= 4; ++dx)
                    if (std::max(std::abs(dx), std::abs(dy)) == 4)
                        consider(begin(n.at.x + em_ * ring * dx / 4, dx, n.width),
                                 begin(n.at.y + em_ * ring * dy / 4, dy, n.height), ring * 4 + std::abs(dx));
    }

    // What is written and drawn of a note stands in the way of the others.
    void reserve(const Placed& n) {
        if (n.cost == kNowhere) return;
        taken_.push_back(n.box);
        if (n.note->y) obstruct({n.at, nearest_spot(n.box, n.at)});
    }

    static Spot nearest_spot(const Box& box, Spot to) {
        return {std::clamp(to.x, box.left, box.right), std::clamp(to.y, box.top, box.bottom)};
    }

    void draw_notes(const Frame& f, const Mapping& x, const Mapping& y) {
        const Panel& p = *f.panel;
        std::vector<Placed> notes;
        for (const Note& note : p.notes) {
            if (!is_usable(p.x, note.x) || (note.y && !is_usable(p.y, *note.y))) continue;
            Placed n{
                .note = &note, .at = {x(note.x), note.y ? y(*note.y) : f.area.top}, .lines = {}, .box = {}};
            if (!f.area.holds({n.at.x, n.at.y, n.at.x, n.at.y})) continue;
            n.lines = wrapped(note.text, manner_.text_size, false,
                              std::min(f.area.width() * 45 / 100, 22 * em_), 4);
            for (const std::string& line : n.lines)
                n.width = std::max(n.width, text_width(line, manner_.text_size, false));
            n.height = line_height(manner_.text_size) * static_cast<int>(n.lines.size());
            notes.push_back(std::move(n));
        }
        // Whoever is placed first may take the place that another one needs: with few notes, all orders are
        // tried.
        std::vector<std::size_t> order(notes.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::vector<Placed> best = notes;
        std::int64_t least = -1;
        const std::vector<Box> taken = taken_;
        const std::vector<Spot> obstacles = obstacles_;
        do {
            taken_ = taken;
            obstacles_ = obstacles;
            std::int64_t cost = 0;
            for (const std::size_t i : order) {
                place(f, notes[i]);
                reserve(notes[i]);
                cost += notes[i].cost;
            }
            if (least < 0 || cost < least) {
                least = cost;
                best = notes;
            }
        } while (order.size() <= 3 && std::next_permutation(order.begin(), order.end()));
        taken_ = taken;
        obstacles_ = obstacles;
        for (const Placed& n : best) draw_note(f, n);
    }

    void draw_note(const Frame& f, const Placed& n) {
        const int radius = em_ * 150 * 5 / (15 * kUnit * 4);
        if (!n.note->y) {
            stroke({{{n.at.x, f.area.top}, {n.at.x, f.area.bottom}}}, 24, colours_.accent, {80, 64});
        } else {
            const Spot end = nearest_spot(n.box, n.at);
            const std::int64_t dx = end.x - n.at.x, dy = end.y - n.at.y, far = square_root(dx * dx + dy * dy);
            if (n.cost != kNowhere && far > radius)
                stroke({{{static_cast<int>(n.at.x + dx * radius / far),
                          static_cast<int>(n.at.y + dy * radius / far)},
                         end}},
                       20, colours_.text);
            std::vector<Spot> ring;
            for (const Spot& s : mark_of(0))
                ring.push_back({n.at.x + s.x * radius / 150, n.at.y + s.y * radius / 150});
            ring.push_back(ring.front());
            ring.push_back(ring[1]);
            stroke({ring}, 28, colours_.accent);
        }
        if (n.cost == kNowhere || n.lines.empty()) return;
        fill(rectangle(n.box), colours_.background);
        int top = n.box.top + em_ / 6;
        for (const std::string& line : n.lines) {
            write(line, {n.box.left + em_ / 3, baseline(top, manner_.text_size)}, manner_.text_size,
                  Anchor::start, false, colours_.text);
            top += line_height(manner_.text_size);
        }
        for (int at = n.box.top; at <= n.box.bottom; at += em_ / 2)
            obstruct({{n.box.left, at}, {n.box.right, at}});
    }

    const Plot& plot_;
    const Manner& manner_;
    const Palette& colours_;
    int em_;
    Drawing out_;
    std::vector<Box> taken_;                        // by texts
    std::vector<Spot> obstacles_;                   // where the panel's data are
    std::vector<std::vector<std::size_t>> styles_;  // by panel and series
    std::vector<LegendEntry> entries_;
    int label_width_ = 0;  // of names at the ends of lines; 0 when they are in the legend
};

}  // namespace

Manner file_manner(int width, int height, Theme theme) {
    const int em = std::clamp(std::min(width * kUnit / 60, height * kUnit / 37), 9 * kUnit, 200 * kUnit);
    return {.theme = theme, .title_size = em * 4 / 3, .text_size = em, .small_size = em * 13 / 15};
}

Drawing layout(const Plot& plot, int width, int height, const Manner& manner) {
    return Layout(plot, width, height, manner).run();
}

}  // namespace sim::plot
