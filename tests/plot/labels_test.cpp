// Labels do not cover points or curves, and leaders do not cross labels. Parses the SVG of all figures of the
// documentation and of a hundred random sweeps.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "sim/figures/curves_figure.h"
#include "sim/lab/crossover.h"
#include "sim/lab/values.h"
#include "sim/plot/layout.h"
#include "sim/plot/svg.h"
#include "tests/support/test_sizes.h"

namespace labels_test {

struct Spot {
    double x = 0, y = 0;
};
struct Rect {
    double left = 0, top = 0, right = 0, bottom = 0;

    bool holds(Spot p) const { return left < p.x && p.x < right && top < p.y && p.y < bottom; }
};
struct Segment {
    Spot from, to;
};
struct Label {
    Rect box;
    std::string text;
};

// The parts of a figure that the tests check, in pixels.
struct Picture {
    std::vector<Label> labels;
    std::vector<Rect> grounds;  // rectangles under labels, in the background colour
    std::vector<Segment> curves, leaders;
    // The centres of small polygons (drawn points), and the ends of segments.
    std::vector<Spot> marks;
};

std::string attribute(const std::string& line, const std::string& name) {
    const std::string key = " " + name + "=\"";
    const std::size_t at = line.find(key);
    if (at == std::string::npos) return {};
    const std::size_t begin = at + key.size();
    return line.substr(begin, line.find('"', begin) - begin);
}
double number(const std::string& line, const std::string& name) {
    const std::string text = attribute(line, name);
    return text.empty() ? 0 : std::stod(text);
}

// Parses "x,y x,y ...".
std::vector<Spot> spots(std::string text) {
    std::replace(text.begin(), text.end(), ',', ' ');
    std::istringstream in(text);
    std::vector<Spot> list;
    for (Spot p; in >> p.x >> p.y;) list.push_back(p);
    return list;
}

Label label_of(const std::string& line) {
    const double size = number(line, "font-size"), width = number(line, "textLength");
    const std::string anchor = attribute(line, "text-anchor");
    const double x = number(line, "x") - (anchor == "middle" ? width / 2 : anchor == "end" ? width : 0);
    const double y = number(line, "y");
    // The box of a text extends from the top of capital letters to the lower end of a comma.
    const std::size_t begin = line.find('>') + 1;
    return {{x, y - 0.73 * size, x + width, y + 0.12 * size},
            line.substr(begin, line.rfind("</text>") - begin)};
}

Rect bounds(const std::vector<Spot>& corners) {
    Rect box{corners[0].x, corners[0].y, corners[0].x, corners[0].y};
    for (const Spot& p : corners) {
        box.left = std::min(box.left, p.x), box.right = std::max(box.right, p.x);
        box.top = std::min(box.top, p.y), box.bottom = std::max(box.bottom, p.y);
    }
    return box;
}

// Parses the SVG. Recognises curves and leaders by their line widths in sim/plot/, for an em of 240 units:
// 36 and 56 for curves, 20 and 14 for leaders.
Picture picture_of(const std::string& svg) {
    Picture picture;
    std::vector<std::string> lines;
    std::istringstream in(svg);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    const int width = static_cast<int>(number(lines.at(0), "width")),
              height = static_cast<int>(number(lines.at(0), "height"));
    const int em = sim::plot::options_for_file(width, height).text_size;
    const auto is_width = [&](const std::string& line, int units) {
        return std::lround(number(line, "stroke-width") * sim::plot::kUnit) == units * em / 240;
    };
    std::string background, ink;
    for (const std::string& line : lines) {
        if (line.starts_with("<rect")) background = attribute(line, "fill");
        if (line.starts_with("<text")) {
            if (ink.empty()) ink = attribute(line, "fill");  // the first text is the title
            picture.labels.push_back(label_of(line));
        }
        if (line.starts_with("<polygon")) {
            const std::vector<Spot> corners = spots(attribute(line, "points"));
            const Rect box = bounds(corners);
            const double pixels = static_cast<double>(em) / sim::plot::kUnit;
            if (attribute(line, "fill") == background && corners.size() == 4)
                picture.grounds.push_back(box);
            else if (box.right - box.left < 1.2 * pixels && box.bottom - box.top < 1.2 * pixels &&
                     box.right - box.left > 0.5 * pixels)
                picture.marks.push_back({(box.left + box.right) / 2, (box.top + box.bottom) / 2});
        }
        if (!line.starts_with("<path")) continue;
        const bool is_curve = is_width(line, 36) || is_width(line, 56);
        const bool is_leader = (is_width(line, 20) && attribute(line, "stroke") == ink) || is_width(line, 14);
        if (!is_curve && !is_leader) continue;
        std::istringstream pieces(attribute(line, "d"));
        for (std::string piece; std::getline(pieces, piece, 'M');) {
            const std::vector<Spot> way = spots(piece);
            for (std::size_t i = 1; i < way.size(); ++i)
                (is_curve ? picture.curves : picture.leaders).push_back({way[i - 1], way[i]});
        }
    }
    std::erase_if(picture.grounds, [&](const Rect& g) {
        return std::none_of(picture.labels.begin(), picture.labels.end(), [&](const Label& l) {
            return g.holds({(l.box.left + l.box.right) / 2, (l.box.top + l.box.bottom) / 2});
        });
    });
    return picture;
}

double side(const Spot& a, const Spot& b, const Spot& p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}
bool cross(const Segment& s, const Segment& t) {
    return side(s.from, s.to, t.from) * side(s.from, s.to, t.to) < 0 &&
           side(t.from, t.to, s.from) * side(t.from, t.to, s.to) < 0;
}
bool meets(const Rect& r, const Segment& s) {
    const Spot corners[] = {{r.left, r.top}, {r.right, r.top}, {r.right, r.bottom}, {r.left, r.bottom}};
    if (r.holds(s.from) || r.holds(s.to)) return true;
    for (std::size_t i = 0; i < 4; ++i)
        if (cross({corners[i], corners[(i + 1) % 4]}, s)) return true;
    return false;
}

void expect_nothing_covered(const std::string& svg, const std::string& what) {
    const Picture p = picture_of(svg);
    const auto expect_free = [&](const Rect& box, const std::string& name) {
        for (const Spot& mark : p.marks)
            EXPECT_FALSE(box.holds(mark))
                << what << ": " << name << " covers the point at " << mark.x << ", " << mark.y;
        for (const Segment& s : p.curves)
            EXPECT_FALSE(meets(box, s))
                << what << ": " << name << " covers the curve from " << s.from.x << ", " << s.from.y;
    };
    for (const Label& label : p.labels) expect_free(label.box, "'" + label.text + "'");
    for (const Rect& ground : p.grounds)
        expect_free(ground, fmt::format("the ground at {}, {}", ground.left, ground.top));
    for (const Segment& leader : p.leaders)
        for (const Segment& s : p.curves)
            EXPECT_FALSE(cross(leader, s))
                << what << ": the leader from " << leader.from.x << ", " << leader.from.y
                << " crosses the curve from " << s.from.x << ", " << s.from.y;
}

std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(FigureLabels, CoverNothingInDocumentFigures) {
    std::size_t figures = 0, curves = 0, leaders = 0;
    for (const auto& entry : std::filesystem::directory_iterator(SWITCHYARD_SOURCE_DIR "/docs/figures")) {
        if (entry.path().extension() != ".svg") continue;
        const std::string svg = bytes_of(entry.path());
        expect_nothing_covered(svg, entry.path().filename().string());
        const Picture p = picture_of(svg);
        ++figures;
        curves += p.curves.size();
        leaders += p.leaders.size();
    }
    EXPECT_GE(figures, 20u);
    EXPECT_GE(curves, 100u);
    EXPECT_GE(leaders, 5u);
}

// --- random sweeps ---

class RandomSweep {
  public:
    explicit RandomSweep(unsigned seed) : random_(seed) {}

    // A plot like those of figures::sweep_plot(): curves of a few policies and their crossings.
    sim::plot::Plot plot() {
        const std::vector<double> xs = values_of_x();
        const bool whole = below(4) != 0;
        const double scale = below(3) == 0 ? 0.01 : 10;
        std::vector<sim::lab::Curve> curves;
        sim::figures::Curves input{.title = "random: us per yield",
                                   .subtitle = {},
                                   .source = "switchyard figure sweep random.jsonl",
                                   .x_label = "spinner \u00d7",
                                   .y_label = "us per yield",
                                   .x_detail = "/tasks/0/count",
                                   .curves = {}};
        static constexpr const char* kNames[] = {
            "linux-2.0", "linux-2.0:yield=one_tick", "sorted-queue", "nt4", "round-robin", "linux-2.4.22"};
        const std::size_t count = 1 + below(6);
        const bool errors = below(3) == 0;
        for (std::size_t policy = 0; policy < count; ++policy) {
            sim::lab::Curve curve{policy, {0}, {}};
            sim::figures::Curve drawn{.name = kNames[policy], .points = {}};
            const std::vector<double> ys = heights(xs.size());
            for (std::size_t i = 0; i < xs.size(); ++i) {
                const double y = ys[i] * scale, error = errors ? y * share() * 0.2 : 0;
                curve.points.push_back({xs[i], i, {.n = 1, .mean = y, .half = {}}, 0});
                drawn.points.push_back({.x = xs[i], .mean = y});
                if (errors)
                    drawn.points.back().interval = sim::plot::ConfidenceInterval{y - error, y + error};
            }
            curves.push_back(std::move(curve));
            input.curves.push_back(std::move(drawn));
        }
        const sim::lab::NumericValues numbers{xs, whole ? "" : "ms", whole};
        for (const sim::lab::Crossover& c : sim::lab::crossovers(curves))
            input.crossings.push_back(
                {c.left, c.right, c.below_left, c.above_left, c.below_right, c.above_right,
                 fmt::format("{} is cheaper\nthan {}\n{}", kNames[c.below], kNames[c.above],
                             sim::lab::crossover_position_text(c, numbers))});
        return sim::figures::curves_plot(input);
    }

    std::pair<int, int> size() {
        static constexpr std::pair<int, int> kSizes[] = {
            {960, 600}, {960, 480}, {640, 400}, {1280, 720}, {720, 720}};
        return kSizes[below(5)];
    }

  private:
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
    double share() { return static_cast<double>(below(10'000)) / 10'000; }

    std::vector<double> values_of_x() {
        std::vector<double> xs;
        const std::size_t n = 3 + below(8);
        const bool doubles = below(2) == 0;
        double x = 1 + below(10);
        for (std::size_t i = 0; i < n; ++i) {
            xs.push_back(x);
            x = doubles ? 2 * x : x + 5;
        }
        return xs;
    }

    // Returns the heights of the n points of a curve: rising, falling, U-shaped, noisy or constant.
    std::vector<double> heights(std::size_t n) {
        const std::uint32_t shape = below(5);
        const double low = 0.2 + share(), size = 0.5 + 3 * share() * (below(4) == 0 ? 40 : 1);
        std::vector<double> ys;
        for (std::size_t i = 0; i < n; ++i) {
            const double t = static_cast<double>(i) / static_cast<double>(n - 1);
            const double y = shape == 0   ? t * t
                             : shape == 1 ? 1 - t
                             : shape == 2 ? 4 * (t - 0.4) * (t - 0.4)
                             : shape == 3 ? share()
                                          : 0.5;
            ys.push_back(low + size * y);
        }
        return ys;
    }

    std::mt19937 random_;
};

TEST(FigureLabels, CoverNothingInRandomSweeps) {
    std::size_t crossings = 0, written = 0;
    for (unsigned seed = 0; seed < (kOptimised ? 100 : 50); ++seed) {
        RandomSweep random(seed);
        const sim::plot::Plot plot = random.plot();
        const auto [width, height] = random.size();
        const std::string svg = sim::plot::svg(
            sim::plot::layout(plot, width, height, sim::plot::options_for_file(width, height)));
        expect_nothing_covered(svg, fmt::format("sweep {}, {}x{}", seed, width, height));
        if (plot.panels[0].notes.size() > 4) continue;
        crossings += plot.panels[0].notes.size();
        for (std::size_t at = 0; (at = svg.find(" is cheaper", at)) != std::string::npos; ++at) ++written;
    }
    // A free position exists for nearly all notes.
    EXPECT_GE(crossings, kOptimised ? 50u : 25u);
    EXPECT_GE(written * 100, crossings * 95) << written << " of " << crossings;
}

}  // namespace labels_test
