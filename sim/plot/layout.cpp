#include "sim/plot/layout.h"

#include <algorithm>
#include <string>
#include <vector>

#include "sim/plot/canvas.h"
#include "sim/plot/legend.h"
#include "sim/plot/marks.h"
#include "sim/plot/panel_frame.h"
#include "sim/plot/parts.h"

namespace sim::plot {
namespace {

constexpr int kMarginDivisor = 20;  // the margin is at most 1/20 of a figure's width and height
// Maximum total height of title, subtitle, legend and source, in percent of the figure's height inside the
// margins.
constexpr int kMostHeadings = 45;
constexpr std::size_t kMostTitle = 2, kMostSubtitle = 3, kMostSource = 2;  // maximum numbers of lines
constexpr EmLength kAboveLegend{3, 10}, kBelowHeadings{1, 2}, kAboveSource{1, 3};
constexpr int kBelowBaseline = 24;  // depth of letters below the baseline, in hundredths of the font's size

// The texts around the panels.
class FigureTexts {
  public:
    FigureTexts(const Plot& plot, const Canvas& canvas, const std::vector<LegendEntry>& legend,
                const Box& inside)
        : title_(wrapped(plot.title, canvas.title_font(), inside.width(), kMostTitle)),
          subtitle_(wrapped(plot.subtitle, canvas.text_font(), inside.width(), kMostSubtitle)),
          source_(wrapped(plot.source, canvas.small_font(), inside.width(), kMostSource)),
          legend_(legend_rows(canvas, legend, inside.width())) {
        drop_what_does_not_fit(plot, canvas, inside);
    }

    // Draws the texts, and reduces the box `inside` by the space of these texts.
    void draw(Canvas& canvas, Box& inside) const {
        const Palette& colours = canvas.colours();
        Point at{inside.left, inside.top};
        at.y = canvas.write_below(title_, at, Anchor::start, canvas.title_font(), colours.text);
        at.y = canvas.write_below(subtitle_, at, Anchor::start, canvas.text_font(), colours.dim);
        if (!legend_.empty()) at.y += canvas.length(kAboveLegend);
        at.y = draw_legend(canvas, legend_, at);
        if (at.y > inside.top) at.y += canvas.length(kBelowHeadings);
        inside.top = at.y;
        const Font font = canvas.small_font();
        for (auto line = source_.rbegin(); line != source_.rend(); ++line) {
            canvas.write(*line, {inside.left, inside.bottom - font.size * kBelowBaseline / 100},
                         Anchor::start, font, colours.dim);
            inside.bottom -= line_height(font);
        }
        if (!source_.empty()) inside.bottom -= canvas.length(kAboveSource);
    }

  private:
    // Removes or shortens texts around the panels if they do not fit, starting with the least important text.
    void drop_what_does_not_fit(const Plot& plot, const Canvas& canvas, const Box& inside) {
        const int most = inside.height() * kMostHeadings / 100;
        const auto too_high = [&] { return height(canvas) > most; };
        if (too_high()) source_.clear();
        if (too_high()) subtitle_.clear();
        if (too_high() && legend_.size() > 1) legend_.clear();
        if (too_high() && title_.size() > 1)
            title_ = {shortened(plot.title, canvas.title_font(), inside.width())};
        if (too_high()) legend_.clear();
        if (too_high()) title_.clear();
    }

    int height(const Canvas& canvas) const {
        const auto lines = [](const auto& list) { return static_cast<int>(list.size()); };
        return lines(title_) * line_height(canvas.title_font()) +
               (lines(subtitle_) + lines(legend_)) * line_height(canvas.text_font()) +
               lines(source_) * line_height(canvas.small_font());
    }

    std::vector<std::string> title_, subtitle_, source_;
    std::vector<LegendRow> legend_;
};

// Changes to the layout for another attempt, if notes do not fit. The y axes are extended at the top by
// `headroom` percent, and letters can replace the leader lines between points and texts.
struct LayoutRelaxation {
    int headroom = 0;
    bool allow_note_letters = false;
};
// A figure with more notes than this is laid out only once; notes that do not fit are dropped.
constexpr std::size_t kMostNotesWithLeeway = 6;
constexpr LayoutRelaxation kLeeways[] = {{15, false}, {30, false}, {0, true},
                                         {15, true},  {30, true},  {60, true}};

// Returns the number of note texts that did not fit.
std::size_t draw_panel(Canvas& canvas, const PanelFrame& f, bool allow_note_letters) {
    const Palette& colours = canvas.colours();
    Point at{f.cell.left, f.cell.top};
    at.y = canvas.write_below(f.title, at, Anchor::start, canvas.heading_font(), colours.text);
    canvas.write_below(f.label, at, Anchor::start, canvas.small_font(), colours.dim);
    canvas.occupied().clear_data();
    draw_x_axis(canvas, f);
    if (f.panel->lanes.empty()) {
        draw_y_axis(canvas, f);
        draw_bars_and_areas(canvas, f);
        draw_curves(canvas, f);
        draw_curve_names(canvas, f);
        label_points(canvas, f);
    } else {
        draw_lanes(canvas, f);
    }
    canvas.stroke({{{f.area.left, f.area.bottom}, {f.area.right, f.area.bottom}}}, kAxisLine, colours.dim);
    return draw_notes(canvas, f, allow_note_letters);
}

struct LayoutAttempt {
    Drawing drawing;
    std::size_t missing = 0;  // number of note texts that did not fit
};

LayoutAttempt try_layout(const Plot& plot, int width, int height, const LayoutOptions& options,
                         const LayoutRelaxation& relaxation) {
    Canvas canvas(width, height, options);
    const SeriesStyles styles = styles_of_series(plot);
    const int curve_names_width = width_of_curve_names(plot, canvas);
    Box inside = canvas.bounds();
    const int margin =
        std::min({canvas.em(), inside.width() / kMarginDivisor, inside.height() / kMarginDivisor});
    inside = {margin, margin, inside.right - margin, inside.bottom - margin};
    const std::vector<LegendEntry> legend =
        curve_names_width > 0 ? std::vector<LegendEntry>{} : legend_of(plot, styles);
    FigureTexts(plot, canvas, legend, inside).draw(canvas, inside);
    std::size_t missing = 0;
    for (const PanelFrame& f :
         frames_of(plot, styles, canvas, inside, curve_names_width, relaxation.headroom))
        missing += draw_panel(canvas, f, relaxation.allow_note_letters);
    return {canvas.finish(), missing};
}

}  // namespace

LayoutOptions options_for_file(int width, int height, Theme theme) {
    // Minimum width and height of the picture in ems, and the range of the em. If they conflict, the range
    // of the em takes precedence.
    constexpr int kAcross = 60, kDown = 37, kLeast = 9 * kUnit, kMost = 200 * kUnit;
    const int em = std::clamp(std::min(width * kUnit / kAcross, height * kUnit / kDown), kLeast, kMost);
    return {.theme = theme, .title_size = em * 4 / 3, .text_size = em, .small_size = em * 13 / 15};
}

Drawing layout(const Plot& plot, int width, int height, const LayoutOptions& options) {
    std::size_t notes = 0;
    for (const Panel& panel : plot.panels) notes += panel.notes.size();
    LayoutAttempt best = try_layout(plot, width, height, options, {});
    for (const LayoutRelaxation& relaxation : kLeeways) {
        if (best.missing == 0 || notes > kMostNotesWithLeeway) break;
        LayoutAttempt next = try_layout(plot, width, height, options, relaxation);
        if (next.missing < best.missing) best = std::move(next);
    }
    best.drawing.title = plot.title;
    best.drawing.description = plot.subtitle;
    return std::move(best.drawing);
}

}  // namespace sim::plot
