#include "sim/plot/svg.h"

#include <fmt/format.h>

#include "sim/base/text.h"

namespace sim::plot {
namespace {

// Converts units (1/16 pixel) to pixels. The text is exact, because 1/16 = 0.0625 has four decimals.
std::string pixels(int units) {
    const std::int64_t whole = std::abs(std::int64_t{units}) * 10'000 / kUnit;
    std::string text = fmt::format("{}{}", units < 0 ? "-" : "", whole / 10'000);
    if (whole % 10'000 == 0) return text;
    text += fmt::format(".{:04}", whole % 10'000);
    while (text.back() == '0') text.pop_back();
    return text;
}

std::string colour(Colour c) { return fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue); }

// Escapes a text for SVG and replaces line ends and tabs by spaces.
std::string escaped_text(std::string_view text) {
    std::string line = escape_for_markup(text);
    for (char& c : line)
        if (c == '\n' || c == '\t') c = ' ';
    return line;
}

std::string points(const std::vector<Point>& list) {
    std::string text;
    for (const Point& s : list)
        text += fmt::format("{}{},{}", text.empty() ? "" : " ", pixels(s.x), pixels(s.y));
    return text;
}

struct Painter {
    std::string& out;

    void operator()(const Strokes& s) const {
        std::string path;
        for (const auto& line : s.lines) path += "M" + points(line);
        std::string dash;
        for (const int length : s.dash) dash += (dash.empty() ? "" : " ") + pixels(length);
        out += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", path,
                           colour(s.colour), pixels(s.width),
                           dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash));
    }
    void operator()(const FilledPolygon& a) const {
        out += fmt::format("<polygon points=\"{}\" fill=\"{}\"/>\n", points(a.corners), colour(a.fill));
    }
    void operator()(const Text& t) const {
        const char* anchor = t.anchor == Anchor::start    ? ""
                             : t.anchor == Anchor::middle ? " text-anchor=\"middle\""
                                                          : " text-anchor=\"end\"";
        out += fmt::format(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" textLength=\"{}\" fill=\"{}\"{}{}>{}</text>\n",
            pixels(t.at.x), pixels(t.at.y), pixels(t.size), pixels(t.width), colour(t.colour), anchor,
            t.bold ? " font-weight=\"bold\"" : "", escaped_text(t.text));
    }
};

}  // namespace

std::string svg(const Drawing& d) {
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"DejaVu Sans, Verdana, sans-serif\" stroke-linejoin=\"round\" role=\"img\">\n",
        pixels(d.width), pixels(d.height));
    if (!d.title.empty()) out += fmt::format("<title>{}</title>\n", escaped_text(d.title));
    if (!d.description.empty()) out += fmt::format("<desc>{}</desc>\n", escaped_text(d.description));
    out += fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", pixels(d.width), pixels(d.height),
                       colour(d.background));
    for (const Shape& shape : d.shapes) std::visit(Painter{out}, shape);
    return out + "</svg>\n";
}

}  // namespace sim::plot
