#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "sim/plot/parts.h"

namespace sim::plot {
namespace {

constexpr int kMostNoteShare = 45;  // in percent of the panel's width
constexpr Ems kMostNoteWidth{22}, kNoteMarginX{1, 3}, kNoteMarginY{1, 6};
constexpr std::size_t kMostNoteLines = 4;
// With more notes than that, they are placed in their own order alone.
constexpr std::size_t kMostNotesInAllOrders = 3;

// How far from what it is about a text may be; what it costs to hide a bit of the data.
constexpr int kMostRings = 30, kSidesOfRing = 4, kCostOfData = 200;
constexpr int kNowhere = 100'000;  // the cost when there is no room
// Beside an upright line: where to begin, and what it costs to be on its left.
constexpr Ems kBesideLine{1, 2}, kBelowTop{1, 4};
constexpr int kCostOfLeft = 2;

// A circle around the point, a quarter larger than its mark.
constexpr int kNoteRing = 28, kNoteLeader = 20, kRingSize = 5, kRingSizeOf = 4, kMarkRadius = 150;

struct PlacedNote {
    const Note* note = nullptr;
    Point at;  // what it is about
    std::vector<std::string> lines = {};
    int width = 0, height = 0;  // of the text
    Box box = {};               // where it goes
    int cost = 0;               // the less the better

    bool has_place() const { return cost != kNowhere; }
};

// Looks for the best place for a note's text: off the data, near what it is about.
class PlaceFinder {
  public:
    PlaceFinder(const Canvas& canvas, const PanelFrame& f, const Occupied& occupied, PlacedNote& note)
        : canvas_(canvas), area_(f.area), occupied_(occupied), note_(note) {}

    void run() {
        note_.cost = kNowhere;
        if (note_.note->y)
            around_the_point();
        else
            beside_the_line();
    }

  private:
    void beside_the_line() {
        const int em = canvas_.em(), beside = canvas_.length(kBesideLine);
        const int first = area_.top + canvas_.length(kBelowTop);
        for (int top = first; top + note_.height < area_.bottom; top += em) {
            const int far = (top - area_.top) / em;
            consider(note_.at.x + beside, top, far);
            consider(note_.at.x - note_.width - beside, top, far + kCostOfLeft);
        }
    }

    // In squares, one em farther away each; of those, in steps from corner to corner.
    void around_the_point() {
        constexpr int n = kSidesOfRing;
        const auto begin = [](int from, int step, int size) {
            return from - (step < 0 ? size : step == 0 ? size / 2 : 0);
        };
        for (int ring = 1; ring <= kMostRings; ++ring) {
            const int far = canvas_.em() * ring;
            for (int dy = -n; dy <= n; ++dy)
                for (int dx = -n; dx <= n; ++dx)
                    if (std::max(std::abs(dx), std::abs(dy)) == n)
                        consider(begin(note_.at.x + far * dx / n, dx, note_.width),
                                 begin(note_.at.y + far * dy / n, dy, note_.height), ring * n + std::abs(dx));
        }
    }

    void consider(int left, int top, int cost) {
        const int x = canvas_.length(kNoteMarginX), y = canvas_.length(kNoteMarginY);
        const Box box{left - x, top - y, left + note_.width + x, top + note_.height + y};
        if (cost >= note_.cost || !area_.holds(box) || !occupied_.is_free(box)) return;
        if (note_.note->y && occupied_.text_between(note_.at, box)) return;
        cost += kCostOfData * occupied_.data_in(box);
        if (cost >= note_.cost) return;
        note_.cost = cost;
        note_.box = box;
    }

    const Canvas& canvas_;
    const Box& area_;
    const Occupied& occupied_;
    PlacedNote& note_;
};

std::vector<PlacedNote> notes_of(const Canvas& canvas, const PanelFrame& f) {
    const Panel& p = *f.panel;
    const Mapping x = f.x_mapping(), y = f.y_mapping();
    const Font font = canvas.text_font();
    const int most = std::min(f.area.width() * kMostNoteShare / 100, canvas.length(kMostNoteWidth));
    std::vector<PlacedNote> notes;
    for (const Note& note : p.notes) {
        if (!is_usable(p.x, note.x) || (note.y && !is_usable(p.y, *note.y))) continue;
        PlacedNote n{.note = &note, .at = {x(note.x), note.y ? y(*note.y) : f.area.top}};
        if (!f.area.holds(n.at)) continue;
        n.lines = wrapped(note.text, font, most, kMostNoteLines);
        n.width = text_width(n.lines, font);
        n.height = line_height(font) * static_cast<int>(n.lines.size());
        notes.push_back(std::move(n));
    }
    return notes;
}

// Finds places for all. Whoever is first may take the place that another one needs: few notes are tried in
// all orders.
void find_places(const Canvas& canvas, const PanelFrame& f, std::vector<PlacedNote>& notes) {
    std::vector<std::size_t> order(notes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<PlacedNote> best = notes;
    std::int64_t least = -1;
    do {
        Occupied occupied = canvas.occupied();
        std::int64_t cost = 0;
        for (const std::size_t i : order) {
            PlacedNote& note = notes[i];
            PlaceFinder(canvas, f, occupied, note).run();
            cost += note.cost;
            if (!note.has_place()) continue;
            // What is written and drawn of it stands in the way of the others.
            occupied.add_text(note.box);
            if (note.note->y) occupied.add_data(Line{note.at, nearest_in(note.box, note.at)});
        }
        if (least < 0 || cost < least) {
            least = cost;
            best = notes;
        }
    } while (order.size() <= kMostNotesInAllOrders && std::next_permutation(order.begin(), order.end()));
    notes = std::move(best);
}

// A ring around the point, and a line from there to the text.
void point_at(Canvas& canvas, const PlacedNote& n) {
    const Palette& colours = canvas.colours();
    const int radius = canvas.em() * kMarkRadius * kRingSize / (kEmOfWidths * kRingSizeOf);
    const Point end = nearest_in(n.box, n.at);
    const std::int64_t dx = end.x - n.at.x, dy = end.y - n.at.y, far = square_root(dx * dx + dy * dy);
    if (n.has_place() && far > radius)
        canvas.stroke(
            {{{static_cast<int>(n.at.x + dx * radius / far), static_cast<int>(n.at.y + dy * radius / far)},
              end}},
            kNoteLeader, colours.text);
    Line ring;
    for (const Point& p : mark_of(0))
        ring.push_back({n.at.x + p.x * radius / kMarkRadius, n.at.y + p.y * radius / kMarkRadius});
    canvas.stroke({outline_of(std::move(ring))}, kNoteRing, colours.accent);
}

}  // namespace

void draw_notes(Canvas& canvas, const PanelFrame& f) {
    std::vector<PlacedNote> notes = notes_of(canvas, f);
    find_places(canvas, f, notes);
    for (const PlacedNote& n : notes) {
        if (n.note->y)
            point_at(canvas, n);
        else
            canvas.stroke({{{n.at.x, f.area.top}, {n.at.x, f.area.bottom}}}, kNoteLine,
                          canvas.colours().accent, {80, 64});
        if (!n.has_place() || n.lines.empty()) continue;
        canvas.write_on_ground(n.lines, n.box, {canvas.length(kNoteMarginX), canvas.length(kNoteMarginY)});
    }
}

}  // namespace sim::plot
