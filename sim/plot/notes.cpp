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

constexpr int kMostNoteShare = 45;  // maximum width of a note, in percent of the panel's width
constexpr EmLength kMostNoteWidth{22}, kNoteMarginX{1, 3}, kNoteMarginY{1, 6};
constexpr std::size_t kMostNoteLines = 4;
// All orders of placing the notes of a panel are tried if there are at most this many notes. Otherwise, only
// the order of the plot is used.
constexpr std::size_t kMostNotesToReorder = 3;

// Positions are tried on square rings around the point, one em apart. kMostRings: maximum number of rings for
// a text; kMostRingsOfLetters: for a letter. kStepsPerHalfSide: number of steps along half a side of a ring.
constexpr int kMostRings = 30, kMostRingsOfLetters = 2, kStepsPerHalfSide = 4;
// If a text does not fit with its own line breaks, versions with longer lines are tried. kLongerLines: line
// lengths of these versions, in percent of the panel's width. kCostOfLongerLines: cost of the first such
// version; the second costs twice as much. kCostOfLetter: additional cost if a letter replaces the leader
// line.
constexpr int kLongerLines[] = {60, 90}, kCostOfLongerLines = 50, kCostOfLetter = 500;
constexpr int kNowhere = 100'000;  // cost of a text that does not fit
// A text next to a vertical line. kBesideLine: distance of the text from the line; kBelowTop: distance of the
// first position from the top of the area; kCostOfLeft: additional cost of a position left of the line.
constexpr EmLength kBesideLine{1, 2}, kBelowTop{1, 4};
constexpr int kCostOfLeft = 2;

// Lengths in units (kUnit units are 1 pixel) for an em of kEmOfWidths; Canvas scales them to its own em.
// kNoteRing: line width of the ring around an annotated point; kNoteLeader: line width of the leader line
// from the ring to the text. The radius of the ring is 5/4 of kMarkRadius, the radius of a mark.
constexpr int kNoteRing = 28, kNoteLeader = 20, kRingSize = 5, kRingSizeOf = 4, kMarkRadius = 150;
// The minimum distance between a leader line and data. Data closer than kAtThePoint to the annotated point is
// ignored.
constexpr EmLength kLeaderClearance{1, 5}, kAtThePoint{1, 3};

int ring_radius(const Canvas& canvas) {
    return canvas.em() * kMarkRadius * kRingSize / (kEmOfWidths * kRingSizeOf);
}

Line ring_around(Point at, int radius) {
    Line ring;
    for (const Point& p : mark_outline(0))
        ring.push_back({at.x + p.x * radius / kMarkRadius, at.y + p.y * radius / kMarkRadius});
    return closed_outline(std::move(ring));
}

// A note's text broken into lines.
struct TextBlock {
    std::vector<std::string> lines;
    int width = 0, height = 0;
};

struct PlacedNote {
    const Note* note = nullptr;
    Point at;  // the annotated point
    TextBlock block = {};
    Box box = {};
    int cost = kNowhere;  // lower is better
    // The letter at the annotated point and before the text. Empty if a leader line connects the two.
    std::string letter = {};
    Point letter_at = {};  // position of the letter's baseline

    bool has_place() const { return cost != kNowhere; }
};

// A text for which a position is sought.
struct NoteRequest {
    Point at;      // the annotated point
    bool upright;  // the note has a vertical line down from `at`
    int width, height;
    Point margin;      // space around the text, on each side
    int rings;         // maximum distance, in rings
    bool with_leader;  // a free path for the leader is required
};

struct NotePlacement {
    Box box;
    int cost = kNowhere;
};

// Searches for the best position for a text: away from data, near its point.
class NotePlaceFinder {
  public:
    NotePlaceFinder(const Canvas& canvas, const PanelFrame& f, const CollisionMap& occupied,
                    const NoteRequest& wanted)
        : canvas_(canvas), area_(f.area), occupied_(occupied), wanted_(wanted) {}

    NotePlacement run() {
        if (wanted_.upright)
            try_beside_line();
        else
            try_around_point();
        return found_;
    }

  private:
    void try_beside_line() {
        const int em = canvas_.em(), beside = canvas_.length(kBesideLine);
        const int first = area_.top + canvas_.length(kBelowTop);
        for (int top = first; top + wanted_.height < area_.bottom; top += em) {
            const int far = (top - area_.top) / em;
            consider_position(wanted_.at.x + beside, top, far);
            consider_position(wanted_.at.x - wanted_.width - beside, top, far + kCostOfLeft);
        }
    }

    // Tries positions along the edges of squares around the point, whose half side is 1, 2, ... em.
    void try_around_point() {
        constexpr int n = kStepsPerHalfSide;
        const auto begin = [](int from, int step, int size) {
            return from - (step < 0 ? size : step == 0 ? size / 2 : 0);
        };
        for (int ring = 1; ring <= wanted_.rings; ++ring) {
            const int far = canvas_.em() * ring;
            for (int dy = -n; dy <= n; ++dy)
                for (int dx = -n; dx <= n; ++dx)
                    if (std::max(std::abs(dx), std::abs(dy)) == n)
                        consider_position(begin(wanted_.at.x + far * dx / n, dx, wanted_.width),
                                          begin(wanted_.at.y + far * dy / n, dy, wanted_.height),
                                          ring * n + std::abs(dx));
        }
    }

    void consider_position(int left, int top, int cost) {
        const Point m = wanted_.margin;
        const Box box{left - m.x, top - m.y, left + wanted_.width + m.x, top + wanted_.height + m.y};
        if (cost >= found_.cost || !area_.contains(box) || !occupied_.is_free(box) ||
            occupied_.would_cover_data(box))
            return;
        if (!wanted_.upright && annotated_point_ring().overlaps(box)) return;
        if (wanted_.with_leader && (occupied_.has_text_between(wanted_.at, box) || crosses_data(box))) return;
        found_ = {box, cost};
    }

    Box annotated_point_ring() const {
        const int radius = ring_radius(canvas_);
        return {wanted_.at.x - radius, wanted_.at.y - radius, wanted_.at.x + radius, wanted_.at.y + radius};
    }

    bool crosses_data(const Box& box) const {
        return occupied_.crosses_data(wanted_.at, nearest_point_in(box, wanted_.at),
                                      canvas_.length(kAtThePoint), canvas_.length(kLeaderClearance));
    }

    const Canvas& canvas_;
    const Box& area_;
    const CollisionMap& occupied_;
    const NoteRequest& wanted_;
    NotePlacement found_;
};

// Versions of the text: with its own line breaks, then in fewer, longer lines. A version with too many
// lines is omitted, not cut.
std::vector<TextBlock> text_versions(const Canvas& canvas, const PanelFrame& f, std::string text) {
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
    const AxisMapping x = f.x_mapping(), y = f.y_mapping();
    std::vector<PlacedNote> notes;
    for (const Note& note : p.notes) {
        if (!is_plottable(p.x, note.x) || (note.y && !is_plottable(p.y, *note.y))) continue;
        const PlacedNote n{.note = &note, .at = {x(note.x), note.y ? y(*note.y) : f.area.top}};
        if (f.area.contains(n.at)) notes.push_back(n);
    }
    return notes;
}

// Finds positions for the notes of a panel. `allow_note_letters`: letters replace leaders that are not
// possible.
class NotePlacer {
  public:
    NotePlacer(const Canvas& canvas, const PanelFrame& f, bool allow_note_letters)
        : canvas_(canvas),
          f_(f),
          with_letters_(allow_note_letters),
          reach_(canvas.length(kLineReach)),
          notes_(notes_of(f)) {}

    // Places the notes. A note that is placed first may take the only space in which a later note fits; so
    // all orders are tried if there are few notes.
    std::vector<PlacedNote> find() {
        CollisionMap drawn = canvas_.occupied();
        for (const PlacedNote& n : notes_)
            if (!n.note->y) drawn.add_data(Line{n.at, {n.at.x, f_.area.bottom}}, reach_);
        std::vector<std::size_t> order(notes_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::vector<PlacedNote> best = notes_;
        std::int64_t least = -1;
        do {
            CollisionMap occupied = drawn;
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
        } while (order.size() <= kMostNotesToReorder && std::next_permutation(order.begin(), order.end()));
        return best;
    }

  private:
    // Places note i. Its text, leader and letter block the other notes.
    void place(std::size_t i, CollisionMap& occupied) {
        PlacedNote& n = notes_[i];
        n.cost = kNowhere;
        n.letter.clear();
        CollisionMap with_rings = occupied;
        for (std::size_t other = 0; other < notes_.size(); ++other)
            if (other != i && notes_[other].note->y)
                with_rings.add_data(ring_around(notes_[other].at, ring_radius(canvas_)), reach_);
        place_text(n, with_rings, n.note->y.has_value());
        if (!n.has_place() && n.note->y && with_letters_) place_with_letter(n, with_rings);
        if (!n.has_place()) return;
        occupied.add_text(n.box);
        if (n.note->y && n.letter.empty())
            occupied.add_data(Line{n.at, nearest_point_in(n.box, n.at)}, reach_);
        else if (n.note->y)
            occupied.add_text(letter_of(n).box());
    }

    void place_text(PlacedNote& n, const CollisionMap& occupied, bool with_leader) {
        const std::string prefix = n.letter.empty() ? "" : n.letter + ": ";
        const std::vector<TextBlock> blocks = text_versions(canvas_, f_, prefix + n.note->text);
        for (std::size_t b = 0; b < blocks.size() && !n.has_place(); ++b) {
            const NoteRequest wanted{n.at,
                                     !n.note->y,
                                     blocks[b].width,
                                     blocks[b].height,
                                     {canvas_.length(kNoteMarginX), canvas_.length(kNoteMarginY)},
                                     kMostRings,
                                     with_leader};
            const NotePlacement found = NotePlaceFinder(canvas_, f_, occupied, wanted).run();
            if (found.cost == kNowhere) continue;
            n.block = blocks[b];
            n.box = found.box;
            n.cost = found.cost + static_cast<int>(b) * kCostOfLongerLines;
        }
    }

    void place_with_letter(PlacedNote& n, CollisionMap& occupied) {
        n.letter = std::string(1, static_cast<char>('A' + letters_));
        const Font font = canvas_.text_font();
        const NoteRequest wanted{
            n.at, false, text_width(n.letter, font), line_height(font), {0, 0}, kMostRingsOfLetters, false};
        const NotePlacement found = NotePlaceFinder(canvas_, f_, occupied, wanted).run();
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

// Draws a ring around the point and a leader to the text.
void draw_ring_and_leader(Canvas& canvas, const PlacedNote& n) {
    const Palette& colours = canvas.colours();
    const int radius = ring_radius(canvas);
    const Point end = nearest_point_in(n.box, n.at);
    const std::int64_t dx = end.x - n.at.x, dy = end.y - n.at.y, far = square_root(dx * dx + dy * dy);
    if (n.has_place() && n.letter.empty() && far > radius)
        canvas.stroke(
            {{{static_cast<int>(n.at.x + dx * radius / far), static_cast<int>(n.at.y + dy * radius / far)},
              end}},
            kNoteLeader, colours.text);
    canvas.stroke({ring_around(n.at, radius)}, kNoteRing, colours.accent);
}

}  // namespace

std::size_t draw_notes(Canvas& canvas, const PanelFrame& f, bool allow_note_letters) {
    std::size_t missing = 0;
    for (const PlacedNote& n : NotePlacer(canvas, f, allow_note_letters).find()) {
        if (n.note->y)
            draw_ring_and_leader(canvas, n);
        else
            canvas.stroke({{{n.at.x, f.area.top}, {n.at.x, f.area.bottom}}}, kNoteLine,
                          canvas.colours().accent, {80, 64});
        if (n.note->text.empty()) continue;
        if (!n.has_place()) {
            ++missing;
            continue;
        }
        canvas.write(n.letter, n.letter_at, Anchor::start, canvas.text_font(), canvas.colours().text);
        canvas.write_in_filled_box(n.block.lines, n.box,
                                   {canvas.length(kNoteMarginX), canvas.length(kNoteMarginY)});
    }
    return missing;
}

}  // namespace sim::plot
