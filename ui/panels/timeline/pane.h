// The timeline pane during one frame. Each frame has its own object.
//
// A visible range with few events is drawn as slices (sim::Timeline); slices narrower than three pixels are
// combined. A range with many events is drawn as columns. Each column is the difference between two samples,
// which are the statistics of the run at two times. The drawing code also finds the item under the mouse,
// because the whole pane is only one item of ImGui.
//
// The functions of the class share a layout and are in files by subject:
//    timeline.cpp  data, layout and order of drawing
//    cpu.cpp       CPUs, as slices or columns
//    depth.cpp     the length of the run queue
//    recorded.cpp  the trace that the scenario was made from
//    marks.cpp     markers, and the arrows of wake-ups
//    tasks.cpp     tasks, and the differences between two runs
//    over.cpp      axis, end of the run, selection, cursors
//    foot.cpp      legend, and statistics of the selection
//    mouse.cpp     mouse input
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ui/panels/activity_fill.h"
#include "ui/panels/panel.h"
#include "ui/view/decision_cursor.h"
#include "ui/view/lod.h"
#include "ui/view/recorded.h"
#include "ui/view/run_trace_comparison.h"
#include "ui/view/timeline_tracks.h"

namespace ui {

inline float text_width(const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; }

// The text, cut to `width`; empty if only the ellipsis would remain.
inline std::string text_that_fits(const std::string& text, float width) {
    std::string cut = ellipsized_text(text, width);
    return cut == "…" ? std::string{} : cut;
}

// Draws rectangles in layers, and joins adjacent rectangles of the same height and fill into one. Patterns
// are aligned to the screen, so that they are also visible in narrow rectangles.
class RectangleLayers {
  public:
    // REQUIRES: all arguments outlive this object.
    RectangleLayers(ImDrawList& list, const Fonts& fonts, const Theme& theme)
        : list_(list), fonts_(fonts), theme_(theme) {}
    RectangleLayers(const RectangleLayers&) = delete;
    RectangleLayers& operator=(const RectangleLayers&) = delete;
    ~RectangleLayers() {
        for (const PendingRectangle& open : open_) draw(open);
    }

    void add(std::size_t layer, float x0, float x1, float y0, float y1, ImU32 colour) {
        add(layer, x0, x1, y0, y1, ActivityFill{colour, Pattern::solid});
    }
    void add(std::size_t layer, float x0, float x1, float y0, float y1, ActivityFill fill_style) {
        if (!(x0 < x1 && y0 < y1)) return;
        if (layer >= open_.size()) open_.resize(layer + 1);
        PendingRectangle& open = open_[layer];
        if (open.x1 == x0 && open.y0 == y0 && open.y1 == y1 && open.fill_style.colour == fill_style.colour &&
            open.fill_style.pattern == fill_style.pattern) {
            open.x1 = x1;
            return;
        }
        draw(open);
        open = {x0, x1, y0, y1, fill_style};
    }

  private:
    struct PendingRectangle {
        float x0 = 0, x1 = 0, y0 = 0, y1 = 0;
        ActivityFill fill_style{0, Pattern::solid};
    };
    void draw(const PendingRectangle& o) {
        fill(list_, fonts_, theme_, o.fill_style, ImVec2(o.x0, o.y0), ImVec2(o.x1, o.y1));
    }

    ImDrawList& list_;
    const Fonts& fonts_;
    const Theme& theme_;
    std::vector<PendingRectangle> open_;
};

// Draws a stacked bar, from the bottom to the top.
class StackedBar {
  public:
    // `y0`, `y1`: top and bottom of the bar's area. `full_value`: the value of a bar that fills the area.
    StackedBar(RectangleLayers& layers, float x0, float x1, float y0, float y1, double full_value)
        : layers_(layers), x0_(x0), x1_(x1), y0_(y0), y1_(y1), y_(y1), full_value_(full_value) {}

    template <class Fill>  // `Fill`: a colour or an ActivityFill
    void add(std::size_t layer, double part, Fill fill_style) {
        if (part <= 0) return;
        sum_ += part / full_value_;
        const float top = std::max(y0_, std::floor(y1_ - static_cast<float>(sum_) * (y1_ - y0_) + 0.5f));
        layers_.add(layer, x0_, x1_, top, y_, fill_style);
        y_ = top;
    }
    template <class Fill>
    void add(std::size_t layer, Nanos part, Fill fill_style) {
        add(layer, static_cast<double>(part.count()), fill_style);
    }

  private:
    RectangleLayers& layers_;
    float x0_, x1_, y0_, y1_;
    float y_;  // y of the top of the parts added so far
    double full_value_;
    double sum_ = 0;
};

struct Track {
    enum class Kind : std::uint8_t { header, cpu, recorded, agreement, lane, depth, difference, task };
    Kind kind{};
    std::size_t run = 0;  // 0: run A, 1: run B
    // Index of the CPU, of the trace's CPU, of the lane of markers, or of the row of a task, depending on the
    // kind; 0 for other kinds.
    std::size_t which = 0;
    float height = 0;
    float y = 0;
    bool shows_name = true;  // false: a task in run B, whose name is shown at the task's track in run A
};

// The item under the mouse.
struct Hover {
    std::vector<std::string> lines;
    std::optional<TaskId> task;
    std::optional<CpuId> cpu;               // the CPU whose name is under the mouse
    std::optional<TimeRange> slice;         // range to which a double click zooms
    std::optional<Nanos> snap;              // the time to which a click moves the position
    std::optional<std::uint64_t> decision;  // the decision to which a click moves the position
};

class TimelinePane {
  public:
    explicit TimelinePane(Frame& frame)
        : f_(frame),
          theme_(frame.theme),
          list_(*ImGui::GetWindowDrawList()),
          line_(ImGui::GetTextLineHeight()) {}

    void draw();

  private:
    static constexpr float kNarrow = 3;       // in pixels; narrower slices are combined
    static constexpr float kMostCells = 640;  // also combined: slices narrower than 1/640 of the axis
    static constexpr std::size_t kMostTasksInBar = 5;  // tasks with a segment of their own in a stacked bar

    // --- data and layout ---
    void load_data();
    void find_top_cpu_users(std::size_t r);
    void lay_out();
    void add_tracks_above_tasks(int omission_level, float cpu, const std::vector<bool>& lane_is_used);
    void add_task_tracks(float task);
    void place_tracks(float room);
    void set_cell_widths();
    std::vector<bool> used_lanes() const;
    std::size_t run_count() const { return f_.model.b == nullptr ? 1 : 2; }
    const Run& run(std::size_t r) const { return r == 0 ? *f_.model.a : *f_.model.b; }
    bool has_slices(std::size_t r) const { return detail_[r].timeline != nullptr; }
    // True if the CPUs of this scenario can spend time on the activity.
    bool has_cost(sim::CpuActivity activity) const {
        const sim::CostModel& costs = run(0).scenario().machine.costs;
        if (activity == sim::CpuActivity::cache_refill) return costs.tlb.entries > 0 || costs.cache.size > 0;
        if (activity == sim::CpuActivity::stolen) return costs.steal.time > sim::Nanos{};
        if (activity == sim::CpuActivity::interrupt) return costs.interrupts_take_time();
        return true;
    }
    float min_slice_width() const {
        return std::max({kNarrow, px(kNarrow), std::ceil(scale_.width / kMostCells)});
    }
    std::string row_name(std::size_t r, TimelineRow& row) const;

    // --- tracks ---
    void draw_tracks();
    void report_track_rectangles();
    void draw_track(const Track& t);
    void draw_header(const Track& t);
    void draw_cpu(const Track& t);
    void draw_cpu_columns(const Track& t);
    void draw_cpu_name(const Track& t);
    std::optional<sim::MmId> mm_of_row(TaskId p) const;
    float cpu_track_height(float room) const;
    void draw_cpu_slice(const Track& t, const sim::CpuSlice& s, float x0, float x1);
    void hover_cpu_slice(const Track& t, std::size_t slice);
    void draw_trace_cpu(const Track& t);
    void draw_trace_mismatches(const Track& t);
    void draw_trace_agreement(const Track& t);
    ImU32 colour_of_trace_thread(int thread) const;
    std::size_t trace_cpu_count() const;  // number of CPUs in the trace; 0: there is no trace
    struct QueueLengthCells;
    QueueLengthCells exact_queue_lengths(const Track& t);
    QueueLengthCells sampled_queue_lengths(const Track& t);
    void draw_queue_length(const Track& t);
    void draw_lane(const Track& t);
    void draw_lane_columns(const Track& t);
    void draw_mark(Lane lane, float x, float y, float size);
    void draw_wake_up_arrows();
    const Track* track_of_task(std::size_t r, TaskId p) const;
    void draw_task(const Track& t);
    void draw_task_group(const Track& t, const TimelineRow& row);
    void draw_task_slice(const Track& t, const sim::TaskSlice& s, float x0, float x1, ImU32 running,
                         RectangleLayers& layers);
    void draw_task_slices(const Track& t, const TimelineRow& row);
    void draw_task_columns(const Track& t, const TimelineRow& row);
    void draw_difference(const Track& t);
    std::optional<Nanos> time_of_first_difference() const;
    void draw_hairline(float x0, float x1, float y, ImU32 colour, bool dashed);
    void draw_label(const Track& t, const std::string& text, ImU32 colour, std::optional<TaskId> task = {},
                    const std::string& right = {}, float indent = 0);

    // Calls draw(piece, x0, x1, here) for the visible slices; narrow slices are combined into one piece.
    // Edges are whole pixels, and a piece is at least one pixel wide. `here`: the mouse is over the piece.
    template <class Slice, class Draw>
    void for_each_slice_group(std::span<const Slice> slices, const Track& t, Nanos narrow, Draw draw) {
        const bool under_mouse = is_mouse_in(t);
        float drawn_to = left_;
        fold_slices(slices, scale_.range, narrow, [&](const SliceGroup& p) {
            const float x0 = std::max(drawn_to, clamp_x(scale_.rounded_x(slices[p.first].begin)));
            float x1 = clamp_x(scale_.rounded_x(slices[p.last].end));
            if (x1 <= x0) x1 = x0 + 1;
            if (x0 >= right_) return;
            drawn_to = x1;
            draw(p, x0, x1, under_mouse && mouse_.x >= x0 && mouse_.x < x1);
        });
    }
    // Calls draw(i, x0, x1, here) for each pair of adjacent edges i and i + 1. `here`: the mouse is between
    // these two edges.
    template <class Draw>
    void for_each_cell(std::span<const Nanos> edges, bool under_mouse, Draw draw) {
        for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
            const float x0 = clamp_x(scale_.rounded_x(edges[i]));
            const float x1 = clamp_x(scale_.rounded_x(edges[i + 1]));
            if (x0 < x1) draw(i, x0, x1, under_mouse && mouse_.x >= x0 && mouse_.x < x1);
        }
    }

    // --- above and around the tracks ---
    void draw_axis();
    void draw_run_ends();
    void draw_run_end(std::size_t r, float y0, float y1);
    void draw_selection();
    void draw_bookmarks();
    void draw_cursors_and_position();
    void draw_position();
    void draw_decision_cursor();
    void draw_time_flag(Nanos t, const std::string& text, ImU32 colour, float y);
    struct LegendEntry;
    std::string legend_description() const;
    std::vector<LegendEntry> legend_entries();
    void draw_legend();
    void draw_legend_rows(const std::vector<LegendEntry>& entries, float y, float end);
    void draw_statistics();
    void draw_range_report(std::size_t r, float x0, float x1, float y);
    float draw_shares(const RangeReport& report, float x0, float split, float y);
    void draw_duration_table(const RangeReport& report, float table_x, float x1, float y);

    // --- the mouse ---
    void handle_mouse();
    void on_wheel(Nanos mouse_time);
    void on_press(Nanos mouse_time);
    void on_drag(Nanos mouse_time);
    void on_click();
    Nanos snapped_time(Nanos t) const;
    void show_tooltip() const;
    bool is_mouse_in(float x0, float y0, float x1, float y1) const {
        return hovered_ && mouse_.x >= x0 && mouse_.x < x1 && mouse_.y >= y0 && mouse_.y < y1;
    }
    bool is_mouse_in(const Track& t) const {
        return is_mouse_in(left_, std::max(t.y, clip_top_), right_, std::min(t.y + t.height, clip_bottom_));
    }

    float px(float n) const { return std::floor(f_.px(n) + 0.5f); }
    // The width of cursors and other lines, in pixels.
    float line_width() const { return std::max(1.0f, px(theme_.line_width)); }
    void rect(float x0, float y0, float x1, float y1, ImU32 colour) {
        fill_rect(list_, ImVec2(x0, y0), ImVec2(x1, y1), colour);
    }
    void text(float x, float y, ImU32 colour, const std::string& words) {
        list_.AddText(ImVec2(std::floor(x), std::floor(y)), colour, words.c_str());
    }
    ImU32 dimmed(ImU32 colour, float share) const {
        return blend(with_alpha(colour, share), theme_.background);
    }
    // The fill of combined slices in which tasks wait for a CPU.
    ActivityFill ready_fill() const { return {theme_.ready, Pattern::hatch}; }
    // The colour of the user time of tasks that are not shown separately.
    ImU32 colour_of_other_tasks() const { return dimmed(theme_.text, 0.25f); }
    // A time as text, with as many digits as a pixel can resolve.
    std::string time_text(Nanos t) const { return instant_text(t, scale_.duration_of(1)); }
    float clamp_x(float x) const { return std::clamp(x, left_, right_); }

    Frame& f_;
    const Theme& theme_;
    ImDrawList& list_;
    float line_;

    ImVec2 at_{}, size_{};
    float left_ = 0, right_ = 0;  // ends of the time axis
    float axis_bottom_ = 0, tracks_bottom_ = 0, legend_top_ = 0, statistics_top_ = 0;
    int legend_rows_ = 1;                          // lines of the legend, with the line that describes slices
    float pinned_bottom_ = 0, scroll_height_ = 0;  // scrolling tracks start at pinned_bottom_
    float clip_top_ = 0, clip_bottom_ = 0;         // vertical range of the tracks being drawn
    TimeScale scale_;
    std::array<TimelineDetail, 2> detail_;
    std::array<const TimelineIndex*, 2> index_{};
    const RunDifferences* differences_ = nullptr;  // null unless the slices of both runs are available
    Nanos column_duration_{};
    std::vector<Nanos> edges_;
    std::array<std::vector<TimelineColumn>, 2> columns_;
    std::array<std::optional<TaskSampleColumns>, 2> task_columns_;  // between edges_
    Nanos cpu_narrow_{};            // CPU slices that are shorter than this time are combined
    Nanos row_narrow_{};            // task slices that are shorter than this time are combined
    std::vector<Nanos> row_edges_;  // edges of the columns in the rows of tasks
    std::array<std::optional<TaskSampleColumns>, 2> row_columns_;
    std::array<std::vector<TaskId>, 2> top_tasks_;  // in columns: the tasks with the most user time
    std::vector<TimelineRow> rows_;
    std::vector<Track> tracks_;  // the tracks above the tasks come first
    std::size_t pinned_ = 0;     // number of tracks that do not scroll

    bool hovered_ = false, active_ = false;
    ImVec2 mouse_{};
    Hover hover_;
    TimesByTask owners_;
};

}  // namespace ui
