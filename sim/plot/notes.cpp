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

// How far from what it is about a text may be.
constexpr int kMostRings = 30, kMostRingsOfLetters = 2, kSidesOfRing = 4;
// In percent of the panel's width: how long the lines of a text get when its own do not fit anywhere; what
// that costs, and what a letter does.
constexpr int kLongerLines[] = {60, 90}, kCostOfLongerLines = 50, kCostOfLetter = 500;
constexpr int kNowhere = 100'000;  // the cost when there is no room
// Beside an upright line: where to begin, and what it costs to be on its left.
constexpr Ems kBesideLine{1, 2}, kBelowTop{1, 4};
constexpr int kCostOfLeft = 2;

// A circle around the point, a quarter larger than its mark.
constexpr int kNoteRing = 28, kNoteLeader = 20, kRingSize = 5, kRingSizeOf = 4, kMarkRadius = 150;
// How far from the data the way from a point to its text keeps, but for what is so near to the point.
constexpr Ems kLeaderClearance{1, 5}, kAtThePoint{1, 3};

int ring_radius(const Canvas& canvas) {
    return canvas.em() * kMarkRadius * kRingSize / (kEmOfWidths * kRingSizeOf);
}

Line ring_around(Point at, int radius) {
    Line ring;
    for (const Point& p : mark_of(0))
        ring.push_back({at.x + p.x * radius / kMarkRadius, at.y + p.y * radius / kMarkRadius});
    return outline_of(std::move(ring));
}

// How a note's text may be broken into lines.
struct TextBlock {
    std::vector<std::string> lines;
    int width = 0, height = 0;
};

struct PlacedNote {
    const Note* note = nullptr;
    Point at;              // what it is about
    TextBlock block = {};  // as it is written
    Box box = {};          // where it goes
    int cost = kNowhere;   // the less the better
    std::string letter =
        {};                // stands at the ring and before the text where no line leads from one to the other
    Point letter_at = {};  // its baseline

    bool has_place() const { return cost != kNowhere; }
};

// What there is a place wanted for.
struct Wanted {
    Point at;      // what it is about
    bool upright;  // a line down from there
    int width, height;
    Point margin;      // around it, on each side
    int rings;         // how far away it may be
    bool with_leader;  // the way to it must be free
};

struct Found {
    Box box;
    int cost = kNowhere;
};

// Looks for the best place for a text: off the data, near what it is about.
class PlaceFinder {
  public:
    PlaceFinder(const Canvas& canvas, const PanelFrame& f, const Occupied& occupied, const Wanted& wanted)
        : canvas_(canvas), area_(f.area), occupied_(occupied), wanted_(wanted) {}

    Found run() {
        if (wanted_.upright)
            beside_the_line();
        else
            around_the_point();
        return found_;
    }

  private:
    void beside_the_line() {
        const int em = canvas_.em(), beside = canvas_.length(kBesideLine);
        const int first = area_.top + canvas_.length(kBelowTop);
        for (int top = first; top + wanted_.height < area_.bottom; top += em) {
            const int far = (top - area_.top) / em;
            consider(wanted_.at.x + beside, top, far);
            consider(wanted_.at.x - wanted_.width - beside, top, far + kCostOfLeft);
        }
    }

    // In squares, one em farther away each; of those, in steps from corner to corner.
    void around_the_point() {
        constexpr int n = kSidesOfRing;
        const auto begin = [](int from, int step, int size) {
            return from - (step < 0 ? size : step == 0 ? size / 2 : 0);
        };
        for (int ring = 1; ring <= wanted_.rings; ++ring) {
            const int far = canvas_.em() * ring;
            for (int dy = -n; dy <= n; ++dy)
                for (int dx = -n; dx <= n; ++dx)
                    if (std::max(std::abs(dx), std::abs(dy)) == n)
                        consider(begin(wanted_.at.x + far * dx / n, dx, wanted_.width),
                                 begin(wanted_.at.y + far * dy / n, dy, wanted_.height),
                                 ring * n + std::abs(dx));
        }
    }

    void consider(int left, int top, int cost) {
        const Point m = wanted_.margin;
        const Box box{left - m.x, top - m.y, left + wanted_.width + m.x, top + wanted_.height + m.y};
        if (cost >= found_.cost || !area_.holds(box) || !occupied_.is_free(box) || occupied_.hides_data(box))
            return;
        if (!wanted_.upright && own_ring().meets(box)) return;
        if (wanted_.with_leader && (occupied_.text_between(wanted_.at, box) || leads_over_data(box))) return;
        found_ = {box, cost};
    }

    Box own_ring() const {
        const int radius = ring_radius(canvas_);
        return {wanted_.at.x - radius, wanted_.at.y - radius, wanted_.at.x + radius, wanted_.at.y + radius};
    }

    bool leads_over_data(const Box& box) const {
        return occupied_.leads_over_data(wanted_.at, nearest_in(box, wanted_.at), canvas_.length(kAtThePoint),
                                         canvas_.length(kLeaderClearance));
    }

    const Canvas& canvas_;
    const Box& area_;
    const Occupied& occupied_;
    const Wanted& wanted_;
    Found found_;
};

// The text in its own lines, then in fewer and longer ones; always all of it. Empty when that takes too many
// lines.
std::vector<TextBlock> blocks_of(const Canvas& canvas, const PanelFrame& f, std::string text) {
    const Font font = canvas.text_font();
    std::vector<TextBlock> blocks;
    const auto add = [&](int most) {
        TextBlock b{wrapped(text, font, most, kMostNoteLines + 1), 0, 0};
        if (b.lines.size() > kMostNoteLines) return;
        if (!blocks.empty() && b.lines.size() >= blocks.back().lines.size()) return;
        b.width = text_width(b.lines, font);
        b.height = line_height(font) * static_cast<int>(b.lines.size());
        blocks.push_back(std::move(b));
    };
    add(std::min(f.area.width() * kMostNoteShare / 100, canvas.length(kMostNoteWidth)));
    std::replace(text.begin(), text.end(), '\n', ' ');
    for (const int share : kLongerLines) add(f.area.width() * share / 100);
    return blocks;
}

std::vector<PlacedNote> notes_of(const PanelFrame& f) {
    const Panel& p = *f.panel;
    const Mapping x = f.x_mapping(), y = f.y_mapping();
    std::vector<PlacedNote> notes;
    for (const Note& note : p.notes) {
        if (!is_usable(p.x, note.x) || (note.y && !is_usable(p.y, *note.y))) continue;
        const PlacedNote n{.note = &note, .at = {x(note.x), note.y ? y(*note.y) : f.area.top}};
        if (f.area.holds(n.at)) notes.push_back(n);
    }
    return notes;
}

// The places of a panel's notes. `with_letters`: where no line can lead from a point to its text, letters do.
class NotePlaces {
  public:
    NotePlaces(const Canvas& canvas, const PanelFrame& f, bool with_letters)
        : canvas_(canvas),
          f_(f),
          with_letters_(with_letters),
          reach_(canvas.length(kLineReach)),
          notes_(notes_of(f)) {}

    // Whoever is first may take the place that another one needs: few notes are tried in all orders.
    std::vector<PlacedNote> find() {
        Occupied drawn = canvas_.occupied();
        for (const PlacedNote& n : notes_)
            if (!n.note->y) drawn.add_data(Line{n.at, {n.at.x, f_.area.bottom}}, reach_);
        std::vector<std::size_t> order(notes_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::vector<PlacedNote> best = notes_;
        std::int64_t least = -1;
        do {
            Occupied occupied = drawn;
            std::int64_t cost = 0;
            letters_ = 0;
            for (const std::size_t i : order) {
                place(i, occupied);
                cost += notes_[i].cost;
            }
            if (least < 0 || cost < least) {
                least = cost;
                best = notes_;
            }
        } while (order.size() <= kMostNotesInAllOrders && std::next_permutation(order.begin(), order.end()));
        return best;
    }

  private:
    // What is written and drawn of a note stands in the way of the others.
    void place(std::size_t i, Occupied& occupied) {
        PlacedNote& n = notes_[i];
        n.cost = kNowhere;
        n.letter.clear();
        Occupied with_rings = occupied;
        for (std::size_t other = 0; other < notes_.size(); ++other)
            if (other != i && notes_[other].note->y)
                with_rings.add_data(ring_around(notes_[other].at, ring_radius(canvas_)), reach_);
        place_text(n, with_rings, n.note->y.has_value());
        if (!n.has_place() && n.note->y && with_letters_) place_with_letter(n, with_rings);
        if (!n.has_place()) return;
        occupied.add_text(n.box);
        if (n.note->y && n.letter.empty())
            occupied.add_data(Line{n.at, nearest_in(n.box, n.at)}, reach_);
        else if (n.note->y)
            occupied.add_text(letter_of(n).box());
    }

    void place_text(PlacedNote& n, const Occupied& occupied, bool with_leader) {
        const std::string prefix = n.letter.empty() ? "" : n.letter + ": ";
        const std::vector<TextBlock> blocks = blocks_of(canvas_, f_, prefix + n.note->text);
        for (std::size_t b = 0; b < blocks.size() && !n.has_place(); ++b) {
            const Wanted wanted{n.at,
                                !n.note->y,
                                blocks[b].width,
                                blocks[b].height,
                                {canvas_.length(kNoteMarginX), canvas_.length(kNoteMarginY)},
                                kMostRings,
                                with_leader};
            const Found found = PlaceFinder(canvas_, f_, occupied, wanted).run();
            if (found.cost == kNowhere) continue;
            n.block = blocks[b];
            n.box = found.box;
            n.cost = found.cost + static_cast<int>(b) * kCostOfLongerLines;
        }
    }

    void place_with_letter(PlacedNote& n, Occupied& occupied) {
        n.letter = std::string(1, static_cast<char>('A' + letters_));
        const Font font = canvas_.text_font();
        const Wanted wanted{
            n.at, false, text_width(n.letter, font), line_height(font), {0, 0}, kMostRingsOfLetters, false};
        const Found found = PlaceFinder(canvas_, f_, occupied, wanted).run();
        if (found.cost == kNowhere) return;
        n.letter_at = {found.box.left, baseline_below(found.box.top, font)};
        occupied.add_text(letter_of(n).box());
        place_text(n, occupied, false);
        if (!n.has_place()) return;
        n.cost += kCostOfLetter;
        ++letters_;
    }

    Text letter_of(const PlacedNote& n) const {
        return Canvas::text(n.letter, n.letter_at, Anchor::start, canvas_.text_font(),
                            canvas_.colours().text);
    }

    const Canvas& canvas_;
    const PanelFrame& f_;
    bool with_letters_;
    int reach_, letters_ = 0;
    std::vector<PlacedNote> notes_;
};

// A ring around the point, and a line from there to the text.
void point_at(Canvas& canvas, const PlacedNote& n) {
    const Palette& colours = canvas.colours();
    const int radius = ring_radius(canvas);
    const Point end = nearest_in(n.box, n.at);
    const std::int64_t dx = end.x - n.at.x, dy = end.y - n.at.y, far = square_root(dx * dx + dy * dy);
    if (n.has_place() && n.letter.empty() && far > radius)
        canvas.stroke(
            {{{static_cast<int>(n.at.x + dx * radius / far), static_cast<int>(n.at.y + dy * radius / far)},
              end}},
            kNoteLeader, colours.text);
    canvas.stroke({ring_around(n.at, radius)}, kNoteRing, colours.accent);
}

}  // namespace

std::size_t draw_notes(Canvas& canvas, const PanelFrame& f, bool with_letters) {
    std::size_t missing = 0;
    for (const PlacedNote& n : NotePlaces(canvas, f, with_letters).find()) {
        if (n.note->y)
            point_at(canvas, n);
        else
            canvas.stroke({{{n.at.x, f.area.top}, {n.at.x, f.area.bottom}}}, kNoteLine,
                          canvas.colours().accent, {80, 64});
        if (n.note->text.empty()) continue;
        if (!n.has_place()) {
            ++missing;
            continue;
        }
        canvas.write(n.letter, n.letter_at, Anchor::start, canvas.text_font(), canvas.colours().text);
        canvas.write_on_ground(n.block.lines, n.box,
                               {canvas.length(kNoteMarginX), canvas.length(kNoteMarginY)});
    }
    return missing;
}

}  // namespace sim::plot
