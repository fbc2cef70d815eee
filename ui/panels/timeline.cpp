// The timeline: what the CPUs and the tasks did, over the time that is shown, of one run or of two.
//
// Where little enough happens every slice is there (sim::Timeline), and what is narrower than three pixels is
// folded; otherwise there are columns, differences of samples. All that is drawn is laid out here, and what
// is under the mouse is found in the same pass: ImGui sees one button as large as the pane.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ui/activity_look.h"
#include "ui/app.h"
#include "ui/lod.h"
#include "ui/panels/panel.h"
#include "ui/panels/timeline_tracks.h"

namespace ui {
namespace {

using sim::Activity;
using sim::CpuId;
using sim::Nanos;
using sim::TaskActivity;
using sim::TaskId;

constexpr float kNarrow = 3;             // pixels: what is narrower is folded
constexpr float kMostColumns = 480;      // across the pane
constexpr std::size_t kMostUsers = 5;    // tasks told apart in a folded piece
constexpr std::size_t kMostArrows = 40;  // of wake-ups, unless a task is selected
constexpr float kSnap = 6;               // pixels

float text_width(const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; }

// The text, cut with an ellipsis so that it is not wider.
std::string cut(const std::string& text, float width) {
    if (text_width(text) <= width) return text;
    std::size_t low = 0;
    std::size_t high = text.size();
    while (low < high) {  // as many bytes as fit
        const std::size_t middle = (low + high + 1) / 2;
        if (text_width(text.substr(0, middle) + "…") <= width)
            low = middle;
        else
            high = middle - 1;
    }
    while (low > 0 && (static_cast<unsigned char>(text[low]) & 0xc0) == 0x80) --low;
    return low == 0 ? std::string{} : text.substr(0, low) + "…";
}

// Pieces side by side in layers: those that continue their left neighbour are one rectangle with it.
class Layers {
  public:
    explicit Layers(ImDrawList& list) : list_(list) {}
    Layers(const Layers&) = delete;
    Layers& operator=(const Layers&) = delete;
    ~Layers() {
        for (const Open& open : open_) draw(open);
    }

    void add(std::size_t layer, float x0, float x1, float y0, float y1, ImU32 colour) {
        if (!(x0 < x1 && y0 < y1)) return;
        if (layer >= open_.size()) open_.resize(layer + 1);
        Open& open = open_[layer];
        if (open.x1 == x0 && open.y0 == y0 && open.y1 == y1 && open.colour == colour) {
            open.x1 = x1;
            return;
        }
        draw(open);
        open = {x0, x1, y0, y1, colour};
    }

  private:
    struct Open {
        float x0 = 0, x1 = 0, y0 = 0, y1 = 0;
        ImU32 colour = 0;
    };
    void draw(const Open& o) { fill_rect(list_, ImVec2(o.x0, o.y0), ImVec2(o.x1, o.y1), o.colour); }

    ImDrawList& list_;
    std::vector<Open> open_;
};

// What can be made again at any time from the timeline that is shown, kept from one frame to the next.
struct Kept {
    std::array<std::optional<TimelineIndex>, 2> index;
    std::optional<Differences> differences;
};

Kept& kept() {
    static Kept kept;
    return kept;
}

struct Track {
    enum class Kind : std::uint8_t { header, cpu, lane, depth, difference, task };
    Kind kind{};
    std::size_t run = 0;    // 0 or 1
    std::size_t which = 0;  // CPU, Lane or row
    float height = 0;
    float y = 0;
    bool is_first = true;  // of a pair: has the name
};

// What is under the mouse.
struct Hover {
    std::vector<std::string> lines;
    std::optional<TaskId> task;
    std::optional<TimeRange> slice;         // to zoom to
    std::optional<Nanos> snap;              // a click goes here rather than to the very pixel
    std::optional<std::uint64_t> decision;  // ... or to this one
};

class Pane {
  public:
    explicit Pane(Frame& frame)
        : f_(frame),
          theme_(frame.theme),
          list_(*ImGui::GetWindowDrawList()),
          line_(ImGui::GetTextLineHeight()) {}

    void draw();

  private:
    // --- what there is ---
    void prepare();
    void lay_out();
    std::vector<bool> lanes() const;
    std::size_t runs() const { return f_.model.b == nullptr ? 1 : 2; }
    const Run& run(std::size_t r) const { return r == 0 ? *f_.model.a : *f_.model.b; }
    bool exact(std::size_t r) const { return detail_[r].timeline != nullptr; }
    std::string row_name(std::size_t r, TimelineRow& row) const;

    // --- tracks ---
    void draw_tracks();
    void draw_track(const Track& t);
    void draw_header(const Track& t);
    void draw_cpu(const Track& t);
    void draw_cpu_columns(const Track& t);
    void draw_lane(const Track& t);
    void draw_depth(const Track& t);
    void draw_task(const Track& t);
    void draw_task_columns(const Track& t, const TimelineRow& row);
    void draw_difference(const Track& t);
    void draw_cpu_slice(const Track& t, const sim::CpuSlice& s, float x0, float x1, bool narrow);
    void draw_mark(Lane lane, float x, float y, float size);
    void hairline(float x0, float x1, float y, ImU32 colour, bool dashed);
    void label(const Track& t, const std::string& text, ImU32 colour, std::optional<TaskId> task = {},
               const std::string& right = {});
    void draw_arrows();
    const Track* track_of_task(std::size_t r, TaskId p) const;

    // --- over and around them ---
    void draw_axis();
    void draw_end(std::size_t r, float y0, float y1);
    void draw_selection();
    void draw_cursors();
    void flag(Nanos t, const std::string& text, ImU32 colour, float y);
    void draw_legend();
    void draw_statistics();
    void draw_report(std::size_t r, float x0, float x1, float y);

    // --- the mouse ---
    void interact();
    void click();
    Nanos snapped(Nanos t) const;
    void tooltip() const;
    bool mouse_in(float x0, float y0, float x1, float y1) const {
        return hovered_ && mouse_.x >= x0 && mouse_.x < x1 && mouse_.y >= y0 && mouse_.y < y1;
    }
    bool mouse_in(const Track& t) const {
        return mouse_in(left_, std::max(t.y, clip_top_), right_, std::min(t.y + t.height, clip_bottom_));
    }

    float px(float n) const { return std::floor(f_.px(n) + 0.5f); }
    void rect(float x0, float y0, float x1, float y1, ImU32 colour) {
        fill_rect(list_, ImVec2(x0, y0), ImVec2(x1, y1), colour);
    }
    void text(float x, float y, ImU32 colour, const std::string& words) {
        list_.AddText(ImVec2(std::floor(x), std::floor(y)), colour, words.c_str());
    }
    ImU32 dimmed(ImU32 colour, float share) const {
        return blend(with_alpha(colour, share), theme_.background);
    }
    // User time of the tasks that are not told apart.
    ImU32 others() const { return dimmed(theme_.text, 0.25f); }
    float clamp_x(float x) const { return std::clamp(x, left_, right_); }

    Frame& f_;
    const Theme& theme_;
    ImDrawList& list_;
    float line_;

    ImVec2 at_{}, size_{};
    float left_ = 0, right_ = 0;  // of the time
    float axis_bottom_ = 0, tracks_bottom_ = 0, legend_top_ = 0, statistics_top_ = 0;
    float pinned_bottom_ = 0, scroll_height_ = 0;  // what scrolls begins at pinned_bottom_
    float clip_top_ = 0, clip_bottom_ = 0;         // of the tracks being drawn
    TimeScale scale_;
    std::array<Detail, 2> detail_;
    std::array<const TimelineIndex*, 2> index_{};
    Nanos cell_{};
    std::vector<Nanos> edges_;
    std::array<std::vector<Column>, 2> columns_;
    std::array<std::optional<TaskColumns>, 2> task_columns_;
    std::array<std::vector<TaskId>, 2> users_;  // by samples: the tasks that are told apart
    std::vector<TimelineRow> rows_;
    std::vector<Track> tracks_;  // those above the tasks first
    std::size_t pinned_ = 0;     // so many of them do not scroll
    std::array<std::uint32_t, 2> deepest_{};

    bool hovered_ = false, active_ = false;
    ImVec2 mouse_{};
    Hover hover_;
    OwnerTimes owners_;
};

// --- what there is ---

void Pane::prepare() {
    scale_ = {shown_range(f_.model, f_.view), left_, std::max(1.0f, right_ - left_)};
    const float cell_px = std::max({kNarrow, px(kNarrow), scale_.width / kMostColumns});
    cell_ = scale_.time_of(cell_px);
    for (std::size_t r = 0; r < runs(); ++r) {
        detail_[r] = run(r).detail(scale_.range, static_cast<int>(scale_.width / cell_px));
        if (exact(r)) {
            std::optional<TimelineIndex>& index = kept().index[r];
            if (!index || !index->is_of(*detail_[r].timeline)) {
                index.emplace(*detail_[r].timeline);
                kept().differences.reset();
            }
            index_[r] = &*index;
            continue;
        }
        if (edges_.empty()) edges_ = cell_edges(scale_.range, cell_);
        columns_[r] = columns_of(detail_[r].samples, edges_);
        task_columns_[r].emplace(detail_[r].tasks, edges_);
        if (detail_[r].tasks.size() < 2) continue;
        const auto& first = detail_[r].tasks.front().tasks;
        const auto& last = detail_[r].tasks.back().tasks;
        std::vector<OwnerTimes::Owner> most;  // the few with the most time, least first
        for (TaskId p = run(r).scenario().cpus; p < last.size(); ++p) {
            const Nanos time = last[p].user - (p < first.size() ? first[p].user : Nanos{});
            if (time <= Nanos{} || (most.size() == kMostUsers && time <= most.front().time)) continue;
            if (most.size() == kMostUsers) most.erase(most.begin());
            const auto place =
                std::find_if(most.begin(), most.end(), [time](const auto& o) { return o.time >= time; });
            most.insert(place, {p, time});
        }
        for (const auto& o : most) users_[r].push_back(o.task);
        std::sort(users_[r].begin(), users_[r].end());
    }
    if (runs() == 2 && exact(0) && exact(1) && !kept().differences)
        kept().differences.emplace(*detail_[0].timeline, *detail_[1].timeline);

    rows_ = timeline_rows(run(0), detail_[0], index_[0], scale_.range, f_.view.task);
    if (runs() == 1) return;
    // Of two runs: every task that has a row of its own in either, and groups only as the first run has them.
    for (const TimelineRow& row : timeline_rows(run(1), detail_[1], index_[1], scale_.range, f_.view.task)) {
        if (row.is_group()) continue;
        const auto place =
            std::find_if(rows_.begin(), rows_.end(), [&](const auto& r) { return r.task >= row.task; });
        if (place == rows_.end() || place->task != row.task || place->is_group()) rows_.insert(place, row);
    }
}

std::vector<bool> Pane::lanes() const {
    std::vector<bool> there(kLanes);
    const auto see = [&](Lane lane, std::uint64_t n) {
        if (n > 0) there[static_cast<std::size_t>(lane)] = true;
    };
    for (std::size_t r = 0; r < runs(); ++r) {
        const sim::Statistics& s = run(r).recording().tip().statistics;
        see(Lane::recalc, s.recalcs);
        see(Lane::yield, s.yields);
        see(Lane::wake_up, s.timer_events + s.switches.voluntary);
        see(Lane::tick, run(r).recording().tip().machine.globals().ticks);
        see(Lane::fork, s.forks);
        see(Lane::exit, s.exits);
    }
    return there;
}

void Pane::lay_out() {
    const float cpu = px(30);
    const float depth = px(30);
    const float task = std::max(px(18), line_ + px(2));
    const std::vector<bool> there = lanes();
    const float room = tracks_bottom_ - axis_bottom_;
    // Of two runs as much as has room beside each other: first the depths go, then marks.
    for (int less = 0; less < 4; ++less) {
        tracks_.clear();
        for (std::size_t r = 0; r < runs(); ++r) {
            if (runs() == 2) {
                if (r == 1) tracks_.push_back({Track::Kind::difference, 0, 0, px(14) + line_ + px(6)});
                tracks_.push_back({Track::Kind::header, r, 0, line_ + px(4)});
            }
            if (exact(r)) {
                for (CpuId c = 0; c < detail_[r].timeline->cpus.size(); ++c)
                    tracks_.push_back({Track::Kind::cpu, r, c, cpu});
            } else {
                tracks_.push_back({Track::Kind::cpu, r, 0, less < 2 ? 2 * cpu : cpu});
            }
            for (std::size_t lane = 0; f_.view.show_marks && less < 3 && lane < kLanes; ++lane)
                if (there[lane] && (less < 2 || lane < static_cast<std::size_t>(Lane::tick)))
                    tracks_.push_back({Track::Kind::lane, r, lane, line_});
            if (f_.view.show_depth && less < 1) tracks_.push_back({Track::Kind::depth, r, 0, depth + px(6)});
        }
        float height = 0;
        for (const Track& t : tracks_) height += t.height;
        if (runs() == 1 || height <= 0.75f * room) break;
    }
    pinned_ = tracks_.size();
    for (std::size_t row = 0; row < rows_.size(); ++row)
        for (std::size_t r = 0; r < runs(); ++r) {
            const bool group = rows_[row].is_group();
            if (group && r == 1) continue;
            const bool half = runs() == 2 && !group;
            tracks_.push_back({Track::Kind::task, r, row,
                               half ? std::max(px(10), std::floor(line_ / 2) + px(2)) : task, 0, r == 0});
        }

    float fixed = 0;
    for (std::size_t i = 0; i < pinned_; ++i) fixed += tracks_[i].height;
    float whole = fixed;
    for (std::size_t i = pinned_; i < tracks_.size(); ++i) whole += tracks_[i].height;
    // Space that is left makes the tracks higher, up to a point.
    if (const float factor = std::min(1.7f, room / std::max(1.0f, whole)); factor > 1) {
        for (Track& t : tracks_)
            if (t.kind == Track::Kind::cpu || t.kind == Track::Kind::depth || t.kind == Track::Kind::task)
                t.height = std::floor(t.height * factor);
        fixed = whole = 0;
        for (std::size_t i = 0; i < pinned_; ++i) fixed += tracks_[i].height;
        for (const Track& t : tracks_) whole += t.height;
    }
    // In a small window everything scrolls, or there would be no room for what does.
    if (fixed > 0.75f * room && whole > room) {
        pinned_ = 0;
        fixed = 0;
    }
    pinned_bottom_ = axis_bottom_ + fixed;
    scroll_height_ = whole - fixed;
    const float most = std::max(0.0f, scroll_height_ - (tracks_bottom_ - pinned_bottom_));
    f_.view.first_track = std::clamp(f_.view.first_track, 0.0f, most / f_.scale());
    float y = axis_bottom_;
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
        if (i == pinned_) y = pinned_bottom_ - std::floor(f_.view.first_track * f_.scale());
        tracks_[i].y = y;
        y += tracks_[i].height;
    }
}

std::string Pane::row_name(std::size_t r, TimelineRow& row) const {
    if (row.name.empty()) row.name = name_at(run(r), detail_[r], row.task, scale_.range.begin);
    return row.name;
}

// --- tracks ---

void Pane::label(const Track& t, const std::string& words, ImU32 colour, std::optional<TaskId> task,
                 const std::string& right) {
    float x = at_.x + px(6);
    const float y = t.y + (t.height - line_) / 2;
    float end = left_ - px(6);
    if (!right.empty()) {
        end -= text_width(right);
        text(end, y, theme_.text_dim, right);
        end -= px(6);
    }
    if (task) {
        const float side = px(9);
        const float top = std::floor(t.y + (t.height - side) / 2);
        rect(x, top, x + side, top + side, colour_of(f_, *task));
        x += side + px(6);
    }
    text(x, y, colour, cut(words, end - x));
}

void Pane::hairline(float x0, float x1, float y, ImU32 colour, bool dashed) {
    const float thick = std::max(1.0f, std::floor(theme_.line_width * f_.scale()));
    if (dashed)
        fill_pattern(list_, f_.fonts, Pattern::checker, ImVec2(x0, y), ImVec2(x1, y + thick), colour);
    else
        rect(x0, y, x1, y + thick, colour);
}

void Pane::draw_header(const Track& t) {
    const Run& r = run(t.run);
    rect(at_.x, t.y, right_, t.y + t.height, dimmed(theme_.text, 0.07f));
    const float y = t.y + (t.height - line_) / 2;
    const std::string letter = t.run == 0 ? "A" : "B";
    text(at_.x + px(6), y, t.run == 0 ? theme_.cursor_a : theme_.cursor_b, letter);
    text(at_.x + px(22), y, theme_.text, cut(r.recording().policy().spec(), right_ - at_.x - px(28)));
}

void Pane::draw_cpu_slice(const Track& t, const sim::CpuSlice& s, float x0, float x1, bool narrow) {
    const float y0 = t.y + px(2);
    const float y1 = t.y + t.height - px(2);
    if (s.activity == Activity::idle) {
        hairline(x0, x1, std::floor((y0 + y1) / 2), theme_.sleeping, false);
        if (x1 - x0 > px(60)) {
            const float x = std::floor((x0 + x1 - text_width("idle")) / 2);
            rect(x - px(4), y0, x + text_width("idle") + px(4), y1, theme_.background);
            text(x, (y0 + y1 - line_) / 2, theme_.text_dim, "idle");
        }
        return;
    }
    const ActivityLook look = look_of(theme_, s.activity);
    const ImU32 colour = s.activity == Activity::user ? colour_of(f_, s.task) : look.colour;
    // One pixel of the background tells neighbours of one colour apart.
    const float end = x1 - x0 > px(6) ? x1 - 1 : x1;
    if (s.activity == Activity::user || narrow || x1 - x0 < px(6))
        rect(x0, y0, end, y1, colour);
    else
        fill(list_, f_.fonts, theme_, look, ImVec2(x0, y0), ImVec2(end, y1));
    if (f_.view.task && s.task == *f_.view.task && s.activity == Activity::user)
        rect(x0, y1 - px(3), end, y1, theme_.text);
    // From the left edge that is seen.
    const float from = std::max(x0, left_) + px(5);
    const float room = std::min(end, right_) - px(4) - from;
    if (room < px(14)) return;
    const std::string words = s.activity == Activity::user
                                  ? detail_[t.run].timeline->name(run(t.run).scenario(), s.task, s.begin)
                                  : words_for(s.activity);
    const std::string fits = cut(words, room);
    if (fits.empty() || (fits.size() < words.size() && room < px(30))) return;
    const float y = std::floor((y0 + y1 - line_) / 2);
    if (s.activity != Activity::user)
        rect(from - px(3), std::max(y0, y), from + text_width(fits) + px(3), std::min(y1, y + line_),
             theme_.background);
    text(from, y, s.activity == Activity::user ? readable_on(colour) : theme_.text, fits);
}

void Pane::draw_cpu(const Track& t) {
    if (!exact(t.run)) {
        draw_cpu_columns(t);
        return;
    }
    const sim::Timeline& timeline = *detail_[t.run].timeline;
    const auto c = static_cast<CpuId>(t.which);
    label(t, fmt::format("cpu{}", c), theme_.text);
    const std::span<const sim::CpuSlice> slices(timeline.cpus[c]);
    const float y0 = t.y + px(2);
    const float y1 = t.y + t.height - px(2);
    const Nanos narrow = scale_.time_of(std::max(kNarrow, px(kNarrow)));
    const bool under_mouse = mouse_in(t);
    float drawn_to = left_;
    Layers layers(list_);
    fold(slices, scale_.range, narrow, [&](const Piece& p) {
        const sim::CpuSlice& first = slices[p.first];
        const sim::CpuSlice& last = slices[p.last];
        const float x0 = std::max(drawn_to, clamp_x(scale_.pixel(first.begin)));
        float x1 = clamp_x(scale_.pixel(last.end));
        if (x1 <= x0) x1 = x0 + 1;
        if (x0 >= right_) return;
        drawn_to = x1;
        const bool here = under_mouse && mouse_.x >= x0 && mouse_.x < x1;
        if (!p.folded) {
            draw_cpu_slice(t, first, x0, x1, first.end - first.begin < narrow);
            if (!here) return;
            hover_.lines = about_slice(run(t.run), timeline, c, p.first);
            hover_.slice = TimeRange{first.begin, first.end};
            if (first.activity != Activity::idle) hover_.task = first.task;
            if (first.activity != Activity::user && first.activity != Activity::idle &&
                first.record != sim::kNoRecord) {
                if (timeline.trace.records[first.record].kind == sim::TraceKind::schedule && t.run == 0)
                    hover_.decision = timeline.decision_numbers[first.record];
                else
                    hover_.snap = timeline.trace.records[first.record].time + Nanos{1};
            }
            return;
        }
        owners_.clear();
        const Shares shares = index_[t.run]->cpu(timeline, c, p.first, p.last, &owners_);
        const auto all = static_cast<double>(std::max<std::int64_t>(1, shares.total().count()));
        float y = y1;
        std::size_t layer = 0;
        double sum = 0;
        const auto part = [&](Nanos time, ImU32 colour) {
            if (time <= Nanos{}) return;
            sum += static_cast<double>(time.count()) / all;
            const float top = std::floor(y1 - static_cast<float>(sum) * (y1 - y0) + 0.5f);
            layers.add(layer++, x0, x1, top, y, colour);
            y = top;
        };
        Nanos rest = shares.time[0];
        for (const OwnerTimes::Owner& o : owners_.top(kMostUsers)) {
            part(o.time, colour_of(f_, o.task));
            rest -= o.time;
        }
        part(rest, others());
        for (std::size_t k = 1; k + 1 < kActivities; ++k)
            part(shares.time[k], look_of(theme_, static_cast<Activity>(k)).colour);
        if (!here) return;
        const TimeRange range{first.begin, last.end};
        hover_.lines = about_shares(run(t.run), detail_[t.run], range, shares, owners_);
        hover_.slice = range;
    });
}

void Pane::draw_cpu_columns(const Track& t) {
    const std::uint32_t cpus = run(t.run).scenario().cpus;
    label(t, cpus == 1 ? "cpu0" : fmt::format("{} cpus", cpus), theme_.text, {}, "100 %");
    const float y0 = t.y + px(2);
    const float y1 = t.y + t.height - px(2);
    const bool under_mouse = mouse_in(t);
    Layers layers(list_);
    for (std::size_t i = 0; i < columns_[t.run].size(); ++i) {
        const Column& c = columns_[t.run][i];
        const float x0 = clamp_x(scale_.pixel(c.begin));
        const float x1 = clamp_x(scale_.pixel(c.end));
        if (x0 >= x1) continue;
        const double all = static_cast<double>((c.end - c.begin).count()) * cpus;
        float y = y1;
        double sum = 0;
        std::size_t layer = 0;
        const auto part = [&](double time, ImU32 colour) {
            ++layer;
            if (time <= 0) return;
            sum += time / all;
            const float top = std::max(y0, std::floor(y1 - static_cast<float>(sum) * (y1 - y0) + 0.5f));
            layers.add(layer, x0, x1, top, y, colour);
            y = top;
        };
        // The tasks with the most time by their colours; samples of tasks can be further apart.
        double rest = c.time[0];
        for (const TaskId p : users_[t.run]) {
            const double time =
                std::min(rest, static_cast<double>(task_columns_[t.run]->at(p, i).user.count()));
            part(time, colour_of(f_, p));
            rest -= time;
        }
        part(rest > all / 200 ? rest : 0, others());
        for (std::size_t k = 1; k + 1 < kActivities; ++k)
            part(c.time[k], look_of(theme_, static_cast<Activity>(k)).colour);
        if (under_mouse && mouse_.x >= x0 && mouse_.x < x1) {
            hover_.lines = about_column(c, cpus);
            hover_.slice = TimeRange{c.begin, c.end};
        }
    }
}

void Pane::draw_mark(Lane lane, float x, float y, float size) {
    const float h = std::floor(size / 2);
    switch (lane) {
        case Lane::recalc:
            list_.AddQuadFilled(ImVec2(x, y - h), ImVec2(x + h, y), ImVec2(x, y + h), ImVec2(x - h, y),
                                theme_.mark_recalc);
            break;
        case Lane::yield:
            list_.AddTriangleFilled(ImVec2(x - h, y - h + 1), ImVec2(x + h, y - h + 1), ImVec2(x, y + h),
                                    theme_.mark_yield);
            break;
        case Lane::wake_up:
            list_.AddCircleFilled(ImVec2(x, y), h, theme_.mark_wake, 10);
            break;
        case Lane::tick:
            rect(x - px(1), y - h, x + px(1), y + h, theme_.mark_tick);
            break;
        case Lane::fork:
            rect(x - px(1), y - h, x + px(1), y + h, theme_.mark_fork);
            rect(x - h, y - px(1), x + h, y + px(1), theme_.mark_fork);
            break;
        case Lane::exit:
            list_.AddLine(ImVec2(x - h, y - h), ImVec2(x + h, y + h), theme_.mark_exit, px(2));
            list_.AddLine(ImVec2(x - h, y + h), ImVec2(x + h, y - h), theme_.mark_exit, px(2));
            break;
    }
}

ImU32 lane_colour(const Theme& theme, Lane lane) {
    switch (lane) {
        case Lane::recalc:
            return theme.mark_recalc;
        case Lane::yield:
            return theme.mark_yield;
        case Lane::wake_up:
            return theme.mark_wake;
        case Lane::tick:
            return theme.mark_tick;
        case Lane::fork:
            return theme.mark_fork;
        case Lane::exit:
            return theme.mark_exit;
    }
    return theme.text;
}

void Pane::draw_lane(const Track& t) {
    const auto lane = static_cast<Lane>(t.which);
    const float size = px(9);
    const float middle = std::floor(t.y + t.height / 2);
    draw_mark(lane, at_.x + px(6) + std::floor(size / 2), middle, size);
    const float name_x = at_.x + px(12) + size;
    text(name_x, t.y + (t.height - line_) / 2, theme_.text_dim, cut(to_string(lane), left_ - px(6) - name_x));
    const bool under_mouse = mouse_in(t);

    // Where several meet there is a bar, the higher the more of them.
    struct Bar {
        float x0, x1;
        double count;
        TimeRange range;
    };
    std::vector<Bar> bars;
    double most = 1;
    if (exact(t.run)) {
        const sim::Timeline& timeline = *detail_[t.run].timeline;
        const MarkSums& marks = index_[t.run]->marks();
        const auto all = marks.of(t.which);
        const Nanos cell = scale_.time_of(size);
        for (std::size_t i = marks.first_from(t.which, scale_.range.begin);
             i < all.size() && all[i].time < scale_.range.end;) {
            const Nanos cell_begin = all[i].time / cell * cell;
            const std::size_t next = marks.first_from(t.which, cell_begin + cell);
            if (next - i == 1) {
                const float x = scale_.pixel(all[i].time);
                draw_mark(lane, x, middle, size);
                if (under_mouse && std::abs(mouse_.x - x) <= size) {
                    hover_.lines = about_mark(run(t.run), timeline, all[i].what);
                    const sim::TraceRecord& record = timeline.trace.records[all[i].what];
                    if (lane == Lane::recalc && t.run == 0)
                        hover_.decision = timeline.decision_numbers[all[i].what];
                    else
                        hover_.snap = record.time + Nanos{1};
                    if (record.task >= timeline.cpus.size()) hover_.task = record.task;
                }
            } else {
                const auto count = static_cast<double>(next - i);
                most = std::max(most, count);
                bars.push_back({clamp_x(scale_.pixel(cell_begin)),
                                clamp_x(scale_.pixel(cell_begin + cell)),
                                count,
                                {cell_begin, cell_begin + cell}});
            }
            i = next;
        }
    } else {
        for (const Column& c : columns_[t.run]) {
            const double count = c.marks[t.which];
            if (count <= 1e-9) continue;
            most = std::max(most, count);
            bars.push_back(
                {clamp_x(scale_.pixel(c.begin)), clamp_x(scale_.pixel(c.end)), count, {c.begin, c.end}});
        }
    }
    const float bottom = t.y + t.height - px(2);
    const float height = t.height - px(4);
    Layers layers(list_);
    for (const Bar& bar : bars) {
        const float top = std::floor(bottom - std::max(px(2), static_cast<float>(bar.count / most) * height));
        layers.add(0, bar.x0, bar.x1, top, bottom, lane_colour(theme_, lane));
        if (under_mouse && mouse_.x >= bar.x0 && mouse_.x < bar.x1) {
            const std::string count = bar.count < 9.95 && !exact(t.run)
                                          ? fmt::format("{:.1f}", bar.count)
                                          : grouped(static_cast<std::uint64_t>(std::llround(bar.count)));
            hover_.lines = {
                (exact(t.run) ? "" : "about ") + count + " " + to_string(lane) +
                    (exact(t.run) || lane != Lane::wake_up ? "" : " by timers"),
                instant(bar.range.begin) + " to " + instant(bar.range.end) + ", " + span(bar.range.length())};
            hover_.slice = bar.range;
        }
    }
}

void Pane::draw_depth(const Track& t) {
    const std::size_t width = static_cast<std::size_t>(scale_.width) + 1;
    struct Pixel {
        float low = -1, high = -1;
    };
    std::vector<Pixel> pixels(width);
    std::uint32_t most = 1;
    const auto cover = [&](float x0, float x1, float low, float high) {
        const auto first = static_cast<std::size_t>(std::clamp(x0 - left_, 0.0f, scale_.width));
        const auto last =
            static_cast<std::size_t>(std::clamp(std::max(x1 - 1, x0) - left_, 0.0f, scale_.width));
        for (std::size_t x = first; x <= last; ++x) {
            pixels[x].low = pixels[x].low < 0 ? low : std::min(pixels[x].low, low);
            pixels[x].high = std::max(pixels[x].high, high);
        }
    };
    std::string under;
    const bool under_mouse = mouse_in(t);
    if (exact(t.run)) {
        const sim::Timeline& timeline = *detail_[t.run].timeline;
        const auto& depth = timeline.depth;
        const Nanos end = std::min(timeline.end, run(t.run).end());
        auto i = static_cast<std::size_t>(
            std::partition_point(depth.begin(), depth.end(),
                                 [&](const sim::Depth& d) { return d.time <= scale_.range.begin; }) -
            depth.begin());
        if (i > 0) --i;
        for (; i < depth.size() && depth[i].time < scale_.range.end; ++i) {
            most = std::max(most, depth[i].runnable);
            const Nanos next = i + 1 < depth.size() ? depth[i + 1].time : end;
            const auto value = static_cast<float>(depth[i].runnable);
            const float x0 = scale_.pixel(depth[i].time);
            const float x1 = scale_.pixel(next);
            cover(x0, x1, value, value);
            if (under_mouse && mouse_.x >= x0 && mouse_.x < std::max(x1, x0 + 1))
                hover_.lines = {
                    grouped(depth[i].runnable) + " runnable, the running ones included",
                    instant(depth[i].time) + " to " + instant(next) + ", " + span(next - depth[i].time)};
        }
    } else {
        for (const Column& c : columns_[t.run]) {
            most = std::max(most, c.longest);
            const float x0 = scale_.pixel(c.begin);
            const float x1 = scale_.pixel(c.end);
            if (c.longest > 0 || c.queue > 0)
                cover(x0, x1, static_cast<float>(c.queue), static_cast<float>(c.longest));
            if (under_mouse && mouse_.x >= x0 && mouse_.x < x1)
                hover_.lines = about_column(c, run(t.run).scenario().cpus);
        }
    }
    label(t, "runnable", theme_.text_dim, {}, grouped(most));
    const float bottom = t.y + t.height - px(2);
    const float height = t.height - px(10);
    const auto y_of = [&](float value) {
        return std::floor(bottom - value / static_cast<float>(most) * height + 0.5f);
    };
    Layers layers(list_);
    const float thick = std::max(1.0f, px(theme_.line_width));
    for (std::size_t i = 0; i < width; ++i) {
        if (pixels[i].high < 0) continue;
        const float x = left_ + static_cast<float>(i);
        const float low = y_of(pixels[i].low);
        const float high = y_of(pixels[i].high);
        layers.add(0, x, x + 1, low, bottom, dimmed(theme_.ready, 0.6f));
        layers.add(1, x, x + 1, high, low, dimmed(theme_.ready, 0.3f));
        layers.add(2, x, x + 1, high, high + thick, theme_.ready);
    }
}

void Pane::draw_task(const Track& t) {
    TimelineRow& row = rows_[t.which];
    const bool selected = f_.view.task == row.task && !row.is_group();
    if (selected) rect(at_.x, t.y, right_, t.y + t.height, dimmed(theme_.accent, 0.13f));
    const float middle = std::floor(t.y + t.height / 2);
    if (row.is_group()) {
        const std::string state = row.ready == 0 ? "asleep"
                                  : row.ready == row.count
                                      ? "ready"
                                      : fmt::format("{} ready, the others asleep", grouped(row.ready));
        if (t.is_first) label(t, row.name, theme_.text_dim);
        hairline(left_, right_, middle, theme_.sleeping, false);
        if (t.is_first) {
            const std::string words = cut("all " + grouped(row.count) + ": " + state, scale_.width - px(20));
            rect(left_ + px(6), t.y, left_ + px(14) + text_width(words), t.y + t.height, theme_.background);
            text(left_ + px(10), t.y + (t.height - line_) / 2, theme_.text_dim, words);
        }
        if (mouse_in(t))
            hover_.lines = {row.name + ": " + state, "none of them ran in the time that is shown"};
        return;
    }
    const std::string name = row_name(t.run, row);
    if (t.is_first) {
        Track both = t;
        if (runs() == 2) both.height *= 2;
        label(both, name, theme_.text, row.task);
    }
    if (runs() == 2)
        text(left_ - px(4) - text_width("A"), t.y + (t.height - line_) / 2, theme_.text_dim,
             t.run == 0 ? "A" : "B");
    if (mouse_in(at_.x, std::max(t.y, clip_top_), right_, std::min(t.y + t.height, clip_bottom_)))
        hover_.task = row.task;
    if (!exact(t.run)) {
        draw_task_columns(t, row);
        return;
    }
    const sim::Timeline& timeline = *detail_[t.run].timeline;
    if (row.task >= timeline.tasks.size()) return;
    const std::span<const sim::TaskSlice> slices(timeline.tasks[row.task]);
    const float y0 = t.y + px(t.height > px(14) ? 2 : 1);
    const float y1 = t.y + t.height - px(t.height > px(14) ? 2 : 1);
    const ImU32 colour = colour_of(f_, row.task);
    // Fewer pieces where many rows are seen at once.
    const float narrow_px =
        std::max({kNarrow, px(kNarrow), std::min(6.0f, static_cast<float>(rows_.size()) / 4)});
    const Nanos narrow = scale_.time_of(narrow_px);
    const bool under_mouse = mouse_in(t);
    float drawn_to = left_;
    Layers layers(list_);
    fold(slices, scale_.range, narrow, [&](const Piece& p) {
        const sim::TaskSlice& first = slices[p.first];
        const sim::TaskSlice& last = slices[p.last];
        const float x0 = std::max(drawn_to, clamp_x(scale_.pixel(first.begin)));
        float x1 = clamp_x(scale_.pixel(last.end));
        if (x1 <= x0) x1 = x0 + 1;
        if (x0 >= right_) return;
        drawn_to = x1;
        const bool here = under_mouse && mouse_.x >= x0 && mouse_.x < x1;
        if (p.folded) {
            const Shares shares = index_[t.run]->task(timeline, row.task, p.first, p.last);
            const auto all = static_cast<double>(std::max<std::int64_t>(1, (last.end - first.begin).count()));
            float y = y1;
            double sum = 0;
            const auto part = [&](std::size_t layer, TaskActivity what, ImU32 with) {
                const Nanos time = shares.time[static_cast<std::size_t>(what)];
                if (time <= Nanos{}) return;
                sum += static_cast<double>(time.count()) / all;
                const float top = std::floor(y1 - static_cast<float>(sum) * (y1 - y0) + 0.5f);
                layers.add(layer, x0, x1, top, y, with);
                y = top;
            };
            part(0, TaskActivity::running, colour);
            part(1, TaskActivity::kernel, theme_.system_call);
            part(2, TaskActivity::ready, dimmed(theme_.ready, 0.6f));
            if (here) {
                const TimeRange range{first.begin, last.end};
                hover_.lines = about_task_shares(range, name, shares);
                hover_.slice = range;
            }
            return;
        }
        switch (first.activity) {
            case TaskActivity::running:
                layers.add(0, x0, x1, y0, y1, colour);
                break;
            case TaskActivity::kernel:
                // Half as high: no task's colour is meant.
                layers.add(1, x0, x1, middle - std::floor((y1 - y0) / 4), middle + std::floor((y1 - y0) / 4),
                           theme_.system_call);
                break;
            case TaskActivity::ready:
                if (x1 - x0 >= px(12))
                    fill_pattern(list_, f_.fonts, Pattern::hatch, ImVec2(x0, y0 + px(2)),
                                 ImVec2(x1, y1 - px(2)), theme_.ready);
                else
                    layers.add(2, x0, x1, y0 + px(2), y1 - px(2), dimmed(theme_.ready, 0.6f));
                break;
            case TaskActivity::sleeping:
                hairline(x0, x1, middle, theme_.sleeping, false);
                break;
            case TaskActivity::waiting:
                hairline(x0, x1, middle, theme_.sleeping, true);
                break;
        }
        if (here) {
            hover_.lines = about_task_slice(run(t.run), timeline, row.task, p.first);
            hover_.slice = TimeRange{first.begin, first.end};
        }
    });
}

void Pane::draw_task_columns(const Track& t, const TimelineRow& row) {
    const float y0 = t.y + px(1);
    const float y1 = t.y + t.height - px(1);
    const ImU32 colour = colour_of(f_, row.task);
    const bool under_mouse = mouse_in(t);
    Layers layers(list_);
    for (std::size_t i = 0; i < columns_[t.run].size(); ++i) {
        const Column& c = columns_[t.run][i];
        if (c.begin >= run(t.run).end()) break;
        const float x0 = clamp_x(scale_.pixel(c.begin));
        const float x1 = clamp_x(scale_.pixel(c.end));
        if (x0 >= x1) continue;
        const float middle = std::floor((y0 + y1) / 2);
        layers.add(0, x0, x1, middle, middle + 1, theme_.sleeping);
        const sim::TaskSample s = task_columns_[t.run]->at(row.task, i);
        const auto all = static_cast<double>((c.end - c.begin).count());
        float y = y1;
        double sum = 0;
        const auto part = [&](std::size_t layer, Nanos time, ImU32 with) {
            if (time <= Nanos{}) return;
            sum += static_cast<double>(time.count()) / all;
            const float top = std::max(y0, std::floor(y1 - static_cast<float>(sum) * (y1 - y0) + 0.5f));
            layers.add(layer, x0, x1, top, y, with);
            y = top;
        };
        part(0, s.user, colour);
        part(1, s.system, theme_.system_call);
        part(2, s.ready, dimmed(theme_.ready, 0.6f));
        if (sum == 0)
            layers.add(3, x0, x1, std::floor((y0 + y1) / 2), std::floor((y0 + y1) / 2) + 1, theme_.sleeping);
        if (under_mouse && mouse_.x >= x0 && mouse_.x < x1) {
            Shares shares;
            shares.time = {s.user, s.system, s.ready};
            hover_.lines = about_task_shares({c.begin, c.end}, row.name, shares);
            hover_.slice = TimeRange{c.begin, c.end};
        }
    }
}

void Pane::draw_difference(const Track& t) {
    const float y0 = t.y + px(3);
    const float y1 = y0 + px(14);
    Track top = t;
    top.height = px(20);
    label(top, "differ", theme_.warning);
    const std::vector<Nanos> edges = cell_edges(scale_.range, cell_);
    const bool under_mouse = mouse_in(left_, y0, right_, y1);
    const std::uint32_t cpus = run(0).scenario().cpus;
    const bool is_exact = kept().differences && exact(0) && exact(1);
    rect(left_, y0, right_, y1, dimmed(theme_.text, 0.04f));
    {
        Layers layers(list_);
        for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
            const float x0 = clamp_x(scale_.pixel(edges[i]));
            const float x1 = clamp_x(scale_.pixel(edges[i + 1]));
            if (x0 >= x1) continue;
            const auto all = static_cast<double>((edges[i + 1] - edges[i]).count()) * cpus;
            double share = 0;
            if (is_exact) {
                share = static_cast<double>(kept().differences->time({edges[i], edges[i + 1]}).count()) / all;
            } else if (i < columns_[0].size() && i < columns_[1].size()) {
                for (std::size_t k = 0; k < kActivities; ++k)
                    share += std::abs(columns_[0][i].time[k] - columns_[1][i].time[k]) / (2 * all);
            }
            share = std::min(1.0, share);
            // The least difference shows.
            const float height = share <= 0 ? 0 : std::max(px(2), static_cast<float>(share) * (y1 - y0));
            layers.add(0, x0, x1, std::floor(y1 - height), y1, theme_.warning);
            if (under_mouse && mouse_.x >= x0 && mouse_.x < x1)
                hover_.lines = {is_exact ? percent(share) + " of the time the CPUs do different things"
                                         : "at least " + percent(share) + " of the time is spent otherwise",
                                instant(edges[i]) + " to " + instant(edges[i + 1])};
        }
    }
    std::string words = "at the cursor  A | B:   " + compared_at_cursor(run(0), run(1));
    if (f_.model.difference) {
        words = "first other choice: decision " + grouped(*f_.model.difference) + "   " + words;
        const std::optional<Nanos> when =
            exact(0) ? time_of_decision(*detail_[0].timeline, *f_.model.difference) : std::nullopt;
        if (when && scale_.range.contains(*when)) {
            const float x = scale_.pixel(*when);
            rect(x - px(1), t.y, x + px(1), y1, theme_.error);
            list_.AddTriangleFilled(ImVec2(x - px(5), t.y), ImVec2(x + px(5), t.y), ImVec2(x, t.y + px(7)),
                                    theme_.error);
        }
    }
    text(left_ + px(4), y1 + px(1), theme_.text, cut(words, scale_.width - px(8)));
}

const Track* Pane::track_of_task(std::size_t r, TaskId p) const {
    for (const Track& t : tracks_) {
        if (t.kind != Track::Kind::task || t.run != r) continue;
        const TimelineRow& row = rows_[t.which];
        if (row.task == p && !row.is_group() && t.y + t.height > clip_top_ && t.y < clip_bottom_) return &t;
    }
    return nullptr;
}

// From who woke a task, or from the lane of wake-ups when it was a timer, down to the task.
void Pane::draw_arrows() {
    if (!f_.view.show_marks) return;
    for (std::size_t r = 0; r < runs(); ++r) {
        if (!exact(r)) continue;
        const auto lane = static_cast<std::size_t>(Lane::wake_up);
        const MarkSums& marks = index_[r]->marks();
        const std::size_t first = marks.first_from(lane, scale_.range.begin);
        const std::size_t last = marks.first_from(lane, scale_.range.end);
        const bool few = last - first <= kMostArrows;
        if (!few && !f_.view.task) continue;
        float top = pinned_bottom_;
        for (const Track& t : tracks_)
            if (t.kind == Track::Kind::lane && t.run == r && t.which == lane) top = t.y + t.height / 2;
        std::size_t drawn = 0;
        for (std::size_t i = first; i < last && drawn < 4 * kMostArrows; ++i) {
            const sim::TraceRecord& record = detail_[r].timeline->trace.records[marks.of(lane)[i].what];
            const bool selected =
                f_.view.task && (record.task == *f_.view.task || record.other == *f_.view.task);
            if (!few && !selected) continue;
            const Track* to = track_of_task(r, record.task);
            if (to == nullptr) continue;
            const Track* from = record.other == sim::kNoTask ? nullptr : track_of_task(r, record.other);
            const float x = scale_.pixel(record.time);
            const float from_y = from != nullptr ? from->y + from->height / 2 : top;
            const float to_y = std::floor(to->y + to->height / 2);
            const bool down = to_y > from_y;
            const ImU32 colour = selected || !f_.view.task ? with_alpha(theme_.mark_wake, 0.8f)
                                                           : with_alpha(theme_.mark_wake, 0.35f);
            const float edge = down ? to->y + px(1) : to->y + to->height - px(1);
            rect(x, std::max(clip_top_ - (from == nullptr ? 1e6f : 0.0f), std::min(from_y, edge)), x + px(1),
                 std::max(from_y, edge), colour);
            const float h = px(4);
            list_.AddTriangleFilled(ImVec2(x - h, down ? edge - h : edge + h),
                                    ImVec2(x + h + px(1), down ? edge - h : edge + h), ImVec2(x + 0.5f, edge),
                                    colour);
            if (from != nullptr) list_.AddCircleFilled(ImVec2(x, from_y), px(2.5f), colour, 8);
            ++drawn;
        }
    }
}

void Pane::draw_track(const Track& t) {
    if (t.y >= clip_bottom_ || t.y + t.height <= clip_top_) return;
    switch (t.kind) {
        case Track::Kind::header:
            return draw_header(t);
        case Track::Kind::cpu:
            return draw_cpu(t);
        case Track::Kind::lane:
            return draw_lane(t);
        case Track::Kind::depth:
            return draw_depth(t);
        case Track::Kind::difference:
            return draw_difference(t);
        case Track::Kind::task:
            return draw_task(t);
    }
}

void Pane::draw_tracks() {
    const auto part = [&](std::size_t first, std::size_t last, float top, float bottom) {
        if (first == last || top >= bottom) return;
        clip_top_ = top;
        clip_bottom_ = bottom;
        list_.PushClipRect(ImVec2(at_.x, top), ImVec2(right_, bottom), true);
        for (std::size_t i = first; i < last; ++i) draw_track(tracks_[i]);
        if (last == tracks_.size()) {
            list_.PushClipRect(ImVec2(left_, axis_bottom_), ImVec2(right_, bottom), false);
            draw_arrows();
            list_.PopClipRect();
        }
        list_.PopClipRect();
    };
    part(0, pinned_, axis_bottom_, std::min(pinned_bottom_, tracks_bottom_));
    part(pinned_, tracks_.size(), pinned_bottom_, tracks_bottom_);
    if (pinned_ > 0 && pinned_ < tracks_.size() && pinned_bottom_ < tracks_bottom_)
        rect(at_.x, pinned_bottom_, right_, pinned_bottom_ + 1, theme_.panel_border);
    // How far it is scrolled.
    const float seen = tracks_bottom_ - pinned_bottom_;
    if (scroll_height_ > seen + 1 && seen > px(20)) {
        const float bar = std::max(px(16), seen * seen / scroll_height_);
        const float most = scroll_height_ - seen;
        const float y =
            pinned_bottom_ + (seen - bar) * std::clamp(f_.view.first_track * f_.scale() / most, 0.0f, 1.0f);
        rect(right_ - px(4), y, right_ - px(1), y + bar, with_alpha(theme_.text, 0.35f));
    }
}

// --- over and around them ---

void Pane::draw_axis() {
    // As close as the labels let the marks be.
    Nanos step = round_step(scale_.time_of(px(80)));
    for (int i = 0; i < 12; ++i) {
        const std::string widest = tick_label(scale_.range.end / step * step, step, scale_.range.end);
        const Nanos needed = scale_.time_of(text_width(widest) + px(26));
        if (needed <= step) break;
        step = round_step(step + Nanos{1});
    }
    const float label_y = at_.y + line_ + px(4);
    rect(at_.x, at_.y, right_, axis_bottom_, dimmed(theme_.text, 0.04f));
    list_.PushClipRect(ImVec2(left_, at_.y), ImVec2(right_, tracks_bottom_), true);
    const Nanos small = step / 5 > Nanos{} && step.count() % 5 == 0 ? step / 5 : step;
    for (Nanos t = scale_.range.begin / small * small; t <= scale_.range.end; t += small) {
        const float x = scale_.pixel(t);
        const bool labelled = t % step == Nanos{};
        rect(x, axis_bottom_ - px(labelled ? 6 : 3), x + 1, axis_bottom_, theme_.text_dim);
        if (!labelled) continue;
        rect(x, axis_bottom_, x + 1, tracks_bottom_, theme_.grid);
        const std::string words = tick_label(t, step, scale_.range.end);
        if (x >= left_ && x + px(4) + text_width(words) <= right_)
            text(x + px(4), label_y, theme_.text_dim, words);
    }
    list_.PopClipRect();
    text(at_.x + px(6), label_y, theme_.text_dim, cut("time", left_ - at_.x - px(10)));
    rect(at_.x, axis_bottom_ - 1, right_, axis_bottom_, theme_.panel_border);
}

// What lies behind the end of the run, or of what is simulated of it.
void Pane::draw_end(std::size_t r, float y0, float y1) {
    const Nanos end = run(r).end();
    if (end >= scale_.range.end) return;
    const float x = clamp_x(scale_.pixel(end));
    fill_pattern(list_, f_.fonts, Pattern::dense_hatch, ImVec2(x, y0), ImVec2(right_, y1),
                 dimmed(theme_.text, 0.08f));
    rect(x, y0, x + 1, y1, theme_.text_dim);
    const bool complete = run(r).recording().is_complete();
    std::string words = complete ? std::string("the run is over: ") : std::string("not simulated yet");
    if (complete) words += sim::to_string(run(r).recording().stop_reason());
    words = cut(words, right_ - x - px(12));
    if (words.empty() || y1 - y0 < line_) return;
    rect(x + px(4), y0 + px(2), x + px(10) + text_width(words), y0 + px(2) + line_, theme_.background);
    text(x + px(7), y0 + px(2), theme_.text_dim, words);
}

void Pane::flag(Nanos t, const std::string& words, ImU32 colour, float y) {
    const float width = text_width(words) + px(8);
    const float x = std::clamp(scale_.pixel(t) - width / 2, left_, std::max(left_, right_ - width));
    rect(std::floor(x), y, std::floor(x) + width, y + line_ + px(2), colour);
    text(x + px(4), y + px(1), readable_on(colour | IM_COL32_A_MASK), words);
}

void Pane::draw_selection() {
    if (!f_.view.selection) return;
    const float x0 = clamp_x(scale_.pixel(f_.view.selection->begin));
    const float x1 = clamp_x(scale_.pixel(f_.view.selection->end));
    rect(x0, axis_bottom_, x1, tracks_bottom_, theme_.selection);
    rect(x0, at_.y + line_, x1, axis_bottom_, theme_.selection);
    const ImU32 edge = theme_.selection | IM_COL32_A_MASK;
    if (x0 > left_) rect(x0, at_.y + line_, x0 + 1, tracks_bottom_, edge);
    if (x1 < right_) rect(x1 - 1, at_.y + line_, x1, tracks_bottom_, edge);
}

void Pane::draw_cursors() {
    const float thick = std::max(1.0f, px(theme_.line_width));
    const float y = at_.y + px(1);
    list_.PushClipRect(ImVec2(left_, at_.y), ImVec2(right_, tracks_bottom_), true);
    for (const Bookmark& b : f_.view.bookmarks) {
        if (!scale_.range.contains(b.time)) continue;
        const float x = scale_.pixel(b.time);
        list_.AddTriangleFilled(ImVec2(x - px(5), axis_bottom_ - px(9)),
                                ImVec2(x + px(5), axis_bottom_ - px(9)), ImVec2(x, axis_bottom_),
                                theme_.accent);
        if (mouse_in(x - px(5), axis_bottom_ - px(10), x + px(5), axis_bottom_)) {
            hover_.lines = {"Bookmark" + (b.note.empty() ? std::string() : ": " + b.note),
                            "at " + instant(b.time)};
            hover_.snap = b.time;
        }
    }
    const auto by_hand = [&](const std::optional<Nanos>& t, const char* name, ImU32 colour) {
        if (!t || *t < scale_.range.begin || *t > scale_.range.end) return;
        const float x = scale_.pixel(*t);
        rect(x, y, x + thick, tracks_bottom_, colour);
        flag(*t, name, colour, y);
    };
    by_hand(f_.view.cursor_a, "A", theme_.cursor_a);
    by_hand(f_.view.cursor_b, "B", theme_.cursor_b);
    if (f_.view.cursor_a && f_.view.cursor_b) {
        const Nanos a = std::min(*f_.view.cursor_a, *f_.view.cursor_b);
        const Nanos b = std::max(*f_.view.cursor_a, *f_.view.cursor_b);
        const float x0 = clamp_x(scale_.pixel(a));
        const float x1 = clamp_x(scale_.pixel(b));
        rect(x0, axis_bottom_ + px(4), x1, axis_bottom_ + px(4) + thick, theme_.text);
        const std::string words = "|A-B| = " + span(b - a);
        const float width = text_width(words) + px(8);
        const float x = std::clamp((x0 + x1 - width) / 2, left_, std::max(left_, right_ - width));
        rect(x, axis_bottom_ + px(5) + thick, x + width, axis_bottom_ + px(7) + thick + line_,
             theme_.background);
        text(x + px(4), axis_bottom_ + px(6) + thick, theme_.text, words);
    }

    const Nanos now = f_.model.a->now();
    const std::string words = instant(now);
    if (now < scale_.range.begin || now > scale_.range.end) {
        const bool before = now < scale_.range.begin;
        const std::string arrow = before ? "← position " + words : "position " + words + " →";
        text(before ? left_ + px(4) : right_ - text_width(arrow) - px(4), y + px(1), theme_.text_dim, arrow);
    } else {
        const float x = std::min(scale_.pixel(now), right_ - thick);
        // The call of the kernel that the CPU is in now.
        for (const Track& t : tracks_) {
            if (t.kind != Track::Kind::cpu || !exact(t.run)) continue;
            const sim::Machine& m = run(t.run).session().machine();
            const Nanos until = m.cpu(static_cast<CpuId>(t.which)).kernel_until;
            if (until <= m.globals().now) continue;
            const float x1 = clamp_x(scale_.pixel(until));
            rect(x, t.y, x1, t.y + px(2), theme_.cursor);
            rect(x, t.y + t.height - px(2), x1, t.y + t.height, theme_.cursor);
        }
        rect(x, y, x + thick, tracks_bottom_, theme_.cursor);
        flag(now, words, theme_.cursor, y);
    }
    list_.PopClipRect();
    if (hovered_ && mouse_.x >= left_ && mouse_.x < right_ && mouse_.y >= at_.y && mouse_.y < tracks_bottom_)
        rect(mouse_.x, axis_bottom_, mouse_.x + 1, tracks_bottom_, with_alpha(theme_.text, 0.25f));
}

void Pane::draw_legend() {
    if (legend_top_ >= at_.y + size_.y) return;
    const float y = legend_top_ + px(2);
    std::string words;
    if (exact(0)) {
        words = "every slice; bars where several share " + fmt::format("{:.0f}", kNarrow) + " pixels";
    } else {
        double switches = 0;
        for (const Column& c : columns_[0]) switches += c.switches;
        const double each = columns_[0].empty() ? 0 : switches / static_cast<double>(columns_[0].size());
        words = "each column: " + span(cell_) + ", about " +
                (each < 9.95 ? fmt::format("{:.1f}", each)
                             : grouped(static_cast<std::uint64_t>(std::llround(each)))) +
                " switches";
        words += detail_[0].refining ? "; refining…" : "; zoom in to see single ones";
    }
    const float end = right_ - px(4);
    const std::string fits = cut(words, end - at_.x - px(6));
    text(at_.x + px(6), y, theme_.text_dim, fits);

    // The key to the colours, as much of it as there is room for, from the right.
    struct Entry {
        const char* name;
        std::function<void(ImVec2, ImVec2)> sample;
    };
    std::vector<Entry> entries;
    for (const Activity a : {Activity::system, Activity::select, Activity::recalc, Activity::context_switch,
                             Activity::address_space})
        entries.push_back({words_for(a), [this, a](ImVec2 min, ImVec2 max) {
                               fill(list_, f_.fonts, theme_, look_of(theme_, a), min, max);
                           }});
    entries.push_back({"in the kernel", [this](ImVec2 min, ImVec2 max) {
                           const float h = std::floor((max.y - min.y) / 4);
                           rect(min.x, min.y + h, max.x, max.y - h, theme_.system_call);
                       }});
    entries.push_back({"ready", [this](ImVec2 min, ImVec2 max) {
                           fill_pattern(list_, f_.fonts, Pattern::hatch, min, max, theme_.ready);
                       }});
    entries.push_back({"asleep", [this](ImVec2 min, ImVec2 max) {
                           hairline(min.x, max.x, std::floor((min.y + max.y) / 2), theme_.text_dim, false);
                       }});
    entries.push_back({"waiting", [this](ImVec2 min, ImVec2 max) {
                           hairline(min.x, max.x, std::floor((min.y + max.y) / 2), theme_.text_dim, true);
                       }});
    float width = 0;
    const float box = px(18);
    for (const Entry& e : entries) width += box + px(4) + text_width(e.name) + px(12);
    const float free = end - (at_.x + px(6) + text_width(fits) + px(24));
    while (!entries.empty() && width > free) {
        width -= box + px(16) + text_width(entries.back().name);
        entries.pop_back();
    }
    float x = std::floor(end - width);
    for (const Entry& e : entries) {
        e.sample(ImVec2(x, y + px(2)), ImVec2(x + box, y + line_ - px(2)));
        text(x + box + px(4), y, theme_.text_dim, e.name);
        x += box + px(16) + text_width(e.name);
    }
}

void Pane::draw_report(std::size_t r, float x0, float x1, float y) {
    if (x1 - x0 < px(60)) return;
    const bool dragging = f_.view.drag.what == ViewState::Drag::What::select;
    const TimeRange& range = *f_.view.selection;
    std::string title = std::string(runs() == 2 ? r == 0 ? "A  " : "B  " : "") + "selected " +
                        span(range.length()) + ": " + instant(range.begin) + " to " + instant(range.end);
    text(x0, y, theme_.text, cut(title, x1 - x0));
    y += line_ + px(2);
    if (dragging) return;
    const RangeReport report = report_on(run(r), range);
    text(x0, y, theme_.text, cut(report.counts, x1 - x0));
    y += line_ + px(4);
    if (report.progress < 1) {
        rect(x0, y, x1, y + px(6), dimmed(theme_.text, 0.12f));
        rect(x0, y, x0 + (x1 - x0) * static_cast<float>(report.progress), y + px(6), theme_.accent);
        return;
    }
    if (report.shares.empty()) return;
    const bool wide = x1 - x0 > px(760);
    const float split = wide ? std::floor(x0 + (x1 - x0) * 0.48f) : x1;
    // A bar of the shares and what they are.
    const float bar_top = y;
    float x = x0;
    double sum = 0;
    std::string words;
    for (const RangeReport::Share& s : report.shares) {
        sum += s.share;
        const float end =
            std::floor(x0 + (split - px(20) - x0) * static_cast<float>(std::min(1.0, sum)) + 0.5f);
        fill(list_, f_.fonts, theme_, look_of(theme_, s.activity), ImVec2(x, bar_top),
             ImVec2(end, bar_top + px(10)));
        x = end;
        words += (words.empty() ? "" : "   ") + std::string(words_for(s.activity)) + " " + percent(s.share);
    }
    y += px(13);
    text(x0, y, theme_.text, cut(words, split - px(20) - x0));
    y += line_ + px(2);
    std::string users = report.users.empty() ? "" : "most user time:";
    for (const RangeReport::User& u : report.users) users += "   " + u.name + " " + percent(u.share);
    text(x0, y, theme_.text_dim, cut(users, split - px(20) - x0));
    y += line_ + px(2);

    float table_x = x0;
    if (wide) {
        table_x = split;
        y = bar_top - px(2);
    }
    const float name_width = std::min(px(150), (x1 - table_x) * 0.36f);
    const float column = (x1 - table_x - name_width) / 5;
    constexpr std::array<const char*, 5> kTitles{"count", "average", "median", "95 %", "99 %"};
    const auto cell = [&](std::size_t i, ImU32 colour, const std::string& what) {
        const std::string fits = cut(what, column - px(4));
        text(table_x + name_width + column * static_cast<float>(i + 1) - text_width(fits), y, colour, fits);
    };
    for (std::size_t i = 0; i < kTitles.size(); ++i) cell(i, theme_.text_dim, kTitles[i]);
    y += line_;
    for (const RangeReport::Spans& s : report.spans) {
        text(table_x, y, theme_.text, cut(s.what, name_width));
        cell(0, theme_.text, grouped(s.count));
        const std::array<Nanos, 4> values{s.average, s.p50, s.p95, s.p99};
        for (std::size_t i = 0; i < values.size(); ++i)
            cell(i + 1, theme_.text, s.count == 0 ? "-" : span(values[i]));
        y += line_;
    }
}

void Pane::draw_statistics() {
    if (!f_.view.selection || statistics_top_ >= legend_top_) return;
    rect(at_.x, statistics_top_, right_, legend_top_, dimmed(theme_.text, 0.06f));
    rect(at_.x, statistics_top_, right_, statistics_top_ + 1, theme_.panel_border);
    list_.PushClipRect(ImVec2(at_.x, statistics_top_), ImVec2(right_, legend_top_), true);
    const float width = (right_ - at_.x) / static_cast<float>(runs());
    for (std::size_t r = 0; r < runs(); ++r) {
        const float x0 = at_.x + width * static_cast<float>(r);
        draw_report(r, std::floor(x0 + px(8)), std::floor(x0 + width - px(8)), statistics_top_ + px(4));
    }
    list_.PopClipRect();
}

// --- the mouse ---

Nanos Pane::snapped(Nanos t) const {
    const Nanos near = scale_.time_of(px(kSnap));
    Nanos best = t;
    Nanos distance = near + Nanos{1};
    for (std::size_t r = 0; r < runs(); ++r) {
        if (!exact(r)) continue;
        for (const auto& slices : detail_[r].timeline->cpus) {
            const std::size_t i = first_ending_after(std::span<const sim::CpuSlice>(slices), t);
            if (i == slices.size()) continue;
            for (const Nanos edge : {slices[i].begin, slices[i].end}) {
                const Nanos d = edge > t ? edge - t : t - edge;
                if (d >= distance) continue;
                distance = d;
                best = edge;
            }
        }
    }
    return best;
}

void Pane::click() {
    const bool in_gutter = mouse_.x < left_;
    const std::optional<TaskId> task = hover_.task;
    if (in_gutter) {
        if (task) {
            const std::optional<TaskId> next = f_.view.task == task ? std::nullopt : task;
            f_.ask([next](App& app) { app.select_task(next); });
        }
        return;
    }
    if (f_.view.selection) f_.ask([](App& app) { app.select(std::nullopt); });
    if (task) f_.ask([task](App& app) { app.select_task(task); });
    if (hover_.decision) {
        f_.ask([n = *hover_.decision](App& app) { app.seek(sim::StepKind::decision, n); });
        return;
    }
    const Nanos t = hover_.snap ? *hover_.snap : scale_.time(mouse_.x);
    f_.ask([t](App& app) { app.seek(t); });
}

void Pane::interact() {
    using What = ViewState::Drag::What;
    const ImGuiIO& io = ImGui::GetIO();
    ViewState::Drag& drag = f_.view.drag;
    const Nanos here = scale_.time(std::clamp(mouse_.x, left_, right_));

    if (hovered_ && io.MouseWheel != 0) {
        if (io.KeyShift) {
            f_.view.first_track = std::max(0.0f, f_.view.first_track - io.MouseWheel * 54);
        } else if (mouse_.x >= left_) {
            const double factor = std::pow(io.KeyCtrl ? 1.06 : 1.3, static_cast<double>(io.MouseWheel));
            f_.ask([factor, here](App& app) { app.zoom(factor, here); });
        }
    }
    if (hovered_ && io.MouseWheelH != 0) {
        if (io.KeyShift)
            f_.view.first_track = std::max(0.0f, f_.view.first_track + io.MouseWheelH * 54);
        else
            f_.ask([by = static_cast<double>(io.MouseWheelH) * 0.1](App& app) { app.pan(by); });
    }

    const bool pressed =
        hovered_ && (ImGui::IsMouseClicked(0) || ImGui::IsMouseClicked(1) || ImGui::IsMouseClicked(2));
    if (pressed) {
        drag = {What::press, here, 0};
        const bool in_axis = mouse_.y < axis_bottom_ && mouse_.x >= left_;
        if (!ImGui::IsMouseClicked(0) || io.KeyShift) drag.what = What::pan;
        if (ImGui::IsMouseClicked(0) && io.KeyAlt && mouse_.x >= left_) {
            const Nanos t = snapped(here);
            (io.KeyShift ? f_.view.cursor_b : f_.view.cursor_a) = t;
            drag.what = What::nothing;
        } else if (ImGui::IsMouseClicked(0) && !io.KeyShift && in_axis && !hover_.snap) {
            drag.what = What::seek;
        } else if (ImGui::IsMouseDoubleClicked(0) && hover_.slice && mouse_.x >= left_) {
            const Nanos margin = std::max(Nanos{1}, hover_.slice->length() / 8);
            const TimeRange range{hover_.slice->begin - margin, hover_.slice->end + margin};
            f_.ask([range](App& app) { app.show(range); });
            drag.what = What::nothing;
        }
    }
    const bool down = ImGui::IsMouseDown(0) || ImGui::IsMouseDown(1) || ImGui::IsMouseDown(2);
    if (drag.what != What::nothing && active_) {
        drag.moved += std::abs(io.MouseDelta.x) + std::abs(io.MouseDelta.y);
        if (drag.what == What::press && drag.moved > px(4) && scale_.x(drag.from) >= left_)
            drag.what = What::select;
        if (drag.what == What::pan && io.MouseDelta.x != 0) {
            const double by = -static_cast<double>(io.MouseDelta.x) / static_cast<double>(scale_.width);
            f_.ask([by](App& app) { app.pan(by); });
        }
        if (drag.what == What::pan && io.MouseDelta.y != 0)
            f_.view.first_track = std::max(0.0f, f_.view.first_track - io.MouseDelta.y / f_.scale());
        if (drag.what == What::seek) f_.ask([here](App& app) { app.seek(here); });
        if (drag.what == What::select) {
            const Nanos t = snapped(here);
            const Nanos from = snapped(drag.from);
            f_.view.selection =
                TimeRange{std::min(from, t), std::max(std::max(from, t), std::min(from, t) + Nanos{1})};
        }
    }
    if (!down) {
        if (drag.what == What::press && hovered_) click();
        drag.what = What::nothing;
    }
    if (hovered_ && drag.what == What::nothing) tooltip();
    if (active_ && drag.what == What::pan) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
}

void Pane::tooltip() const {
    if (hover_.lines.empty()) return;
    ImGui::BeginTooltip();
    for (std::size_t i = 0; i < hover_.lines.size(); ++i) {
        if (hover_.lines[i].empty()) continue;
        ImGui::PushStyleColor(ImGuiCol_Text, i == 0 ? theme_.text : theme_.text_dim);
        ImGui::TextUnformatted(hover_.lines[i].c_str());
        ImGui::PopStyleColor();
    }
    ImGui::EndTooltip();
}

void Pane::draw() {
    at_ = ImGui::GetCursorScreenPos();
    at_ = ImVec2(std::floor(at_.x), std::floor(at_.y));
    size_ = ImGui::GetContentRegionAvail();
    size_ = ImVec2(std::floor(std::max(1.0f, size_.x)), std::floor(std::max(1.0f, size_.y)));
    ImGui::InvisibleButton("tracks", size_,
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight |
                               ImGuiButtonFlags_MouseButtonMiddle);
    hovered_ = ImGui::IsItemHovered();
    active_ = ImGui::IsItemActive();
    mouse_ = ImVec2(std::floor(ImGui::GetIO().MousePos.x), std::floor(ImGui::GetIO().MousePos.y));

    right_ = at_.x + size_.x;
    left_ = at_.x + std::floor(std::min(px(128), size_.x * 0.28f));
    axis_bottom_ = std::min(at_.y + 2 * line_ + px(12), at_.y + size_.y);
    const float bottom = at_.y + size_.y;
    legend_top_ = size_.y > 12 * line_ ? bottom - line_ - px(5) : bottom;
    statistics_top_ = legend_top_;
    if (f_.view.selection) {
        const bool wide = size_.x / static_cast<float>(runs()) > px(776);
        const float wanted = (wide ? 7 : 9) * line_ + px(30);
        statistics_top_ = std::max(axis_bottom_ + (legend_top_ - axis_bottom_) * 0.4f, legend_top_ - wanted);
        statistics_top_ = std::floor(statistics_top_);
    }
    tracks_bottom_ = statistics_top_;

    list_.PushClipRect(at_, ImVec2(right_, bottom), true);
    rect(at_.x, at_.y, right_, bottom, theme_.background);
    prepare();
    lay_out();
    draw_axis();
    // Behind the tracks: where the runs end.
    for (std::size_t r = 0; r < runs(); ++r) {
        float y0 = tracks_bottom_;
        float y1 = axis_bottom_;
        for (const Track& t : tracks_) {
            if (t.run != r || t.kind == Track::Kind::header || t.kind == Track::Kind::difference) continue;
            if (runs() == 2 && t.kind == Track::Kind::task) continue;
            y0 = std::min(y0, std::max(t.y, axis_bottom_));
            y1 = std::max(y1, std::min(t.y + t.height, tracks_bottom_));
        }
        if (y0 < y1) draw_end(r, y0, y1);
    }
    rect(left_ - 1, axis_bottom_, left_, tracks_bottom_, theme_.panel_border);
    draw_tracks();
    draw_selection();
    draw_cursors();
    draw_legend();
    draw_statistics();
    list_.PopClipRect();
    interact();
}

}  // namespace

void draw_timeline(Frame& frame) {
    if (nothing_open(frame)) return;
    Pane(frame).draw();
}

}  // namespace ui
