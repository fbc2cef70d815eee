// The timeline: what the CPUs and tasks do in the visible range, for one or two runs.
//
// This file has the data, the layout and the order of drawing. Expensive results are cached, with the run and
// the revision of its TimelineDetail as key.
#include <utility>

#include "ui/panels/timeline/pane.h"

namespace ui {
namespace {

// Largest number of columns across the time axis. If two runs are shown, columns are 1.33 times as wide, so
// the limit is 360.
constexpr float kMostColumns = 480;
// The largest numbers of pieces (single or combined slices) in all visible CPU tracks, and in all visible
// rows of tasks. The limits keep the drawing time of a frame short. A piece is drawn as about four rectangles
// in a CPU track, and as one or two rectangles in a row.
constexpr float kMostCpuPieces = 640;
constexpr float kMostTaskPieces = 2400;
// The least number of task rows that are visible without scrolling. To reach this number, the tracks of queue
// lengths and of markers are omitted.
constexpr std::size_t kLeastTasks = 3;

// Cached timelines, which can be recomputed at any time.
struct CachedTimelines {
    using Key = std::pair<std::uint64_t, std::uint64_t>;  // Run::id() and TimelineDetail::revision
    struct CachedIndex {
        Key of;
        TimelineIndex index;
    };
    std::array<std::optional<CachedIndex>, 2> index;
    std::optional<RunDifferences> differences;  // differences between the timelines of runs A and B
    struct FirstDifference {
        std::uint64_t run, decision;
        std::optional<Nanos> at;
    };
    std::optional<FirstDifference> difference;
};

const TimelineIndex& index_of(std::size_t r, const Run& run, const TimelineDetail& detail,
                              CachedTimelines& kept) {
    std::optional<CachedTimelines::CachedIndex>& index = kept.index[r];
    const CachedTimelines::Key key{run.id(), detail.revision};
    if (!index || index->of != key) {
        index.emplace(CachedTimelines::CachedIndex{key, TimelineIndex(*detail.timeline)});
        kept.differences.reset();
    }
    return index->index;
}

}  // namespace

void TimelinePane::load_data() {
    CachedTimelines& kept = f_.memory.of<CachedTimelines>();
    scale_ = {shown_range(f_.model, f_.view), left_, std::max(1.0f, right_ - left_)};
    const float cell_px =
        std::max(min_slice_width(), scale_.width / kMostColumns * (run_count() == 2 ? 1.33f : 1));
    column_duration_ = scale_.duration_of(cell_px);
    edges_ = cell_edges(scale_.range, column_duration_);
    for (std::size_t r = 0; r < run_count(); ++r) {
        detail_[r] = run(r).detail(scale_.range, static_cast<int>(scale_.width / cell_px));
        if (has_slices(r)) {
            index_[r] = &index_of(r, run(r), detail_[r], kept);
            continue;
        }
        columns_[r] = columns_of(detail_[r].samples, edges_);
        task_columns_[r].emplace(detail_[r].tasks, edges_);
        find_top_cpu_users(r);
    }
    if (run_count() == 2 && has_slices(0) && has_slices(1)) {
        if (!kept.differences) kept.differences.emplace(*detail_[0].timeline, *detail_[1].timeline);
        differences_ = &*kept.differences;
    }

    rows_ = timeline_rows(run(0), detail_[0], index_[0], scale_.range, f_.view.task);
    if (run_count() == 1) return;
    // With two runs, adds the rows of tasks that have a row of their own in run B, but not in run A. Rows
    // that several tasks share in run B are left out.
    for (const TimelineRow& row : timeline_rows(run(1), detail_[1], index_[1], scale_.range, f_.view.task)) {
        if (row.is_group()) continue;
        const auto place =
            std::find_if(rows_.begin(), rows_.end(), [&](const auto& r) { return r.task >= row.task; });
        if (place == rows_.end() || place->task != row.task || place->is_group()) rows_.insert(place, row);
    }
}

// Finds the tasks with the most user time in the visible range.
void TimelinePane::find_top_cpu_users(std::size_t r) {
    if (detail_[r].tasks.size() < 2) return;
    const auto& first = detail_[r].tasks.front().tasks;
    const auto& last = detail_[r].tasks.back().tasks;
    std::vector<TimesByTask::Owner> most;  // least first
    for (TaskId p = run(r).scenario().cpus; p < last.size(); ++p) {
        const Nanos time = last[p].user - (p < first.size() ? first[p].user : Nanos{});
        if (time <= Nanos{} || (most.size() == kMostTasksInBar && time <= most.front().time)) continue;
        if (most.size() == kMostTasksInBar) most.erase(most.begin());
        const auto place =
            std::find_if(most.begin(), most.end(), [time](const auto& o) { return o.time >= time; });
        most.insert(place, {p, time});
    }
    for (const auto& o : most) top_tasks_[r].push_back(o.task);
    std::sort(top_tasks_[r].begin(), top_tasks_[r].end());
}

std::vector<bool> TimelinePane::used_lanes() const {
    std::vector<bool> there(kLanes);
    const auto see = [&](Lane lane, std::uint64_t n) {
        if (n > 0) there[static_cast<std::size_t>(lane)] = true;
    };
    for (std::size_t r = 0; r < run_count(); ++r) {
        const sim::Statistics& s = run(r).history().simulated_end().statistics;
        see(Lane::recalculation, s.recalculations);
        see(Lane::yield, s.yields);
        see(Lane::wake_up, s.interrupts_of(sim::Interrupt::device) + s.timer_wake_ups + s.switches.voluntary);
        see(Lane::tick, run(r).history().simulated_end().machine.globals().ticks);
        see(Lane::fork, s.forks);
        see(Lane::exec, s.work[static_cast<std::size_t>(sim::KernelWork::exec)]);
        see(Lane::exit, s.exits);
        see(Lane::ipi, s.flush_ipis + s.reschedule_ipis);
    }
    return there;
}

// The height of a CPU track. All CPU tracks together have at most half of `room`, but each has a minimum
// height.
float TimelinePane::cpu_track_height(float room) const {
    std::size_t cpus = 0;
    for (std::size_t r = 0; r < run_count(); ++r) cpus += run(r).scenario().cpus;
    cpus += trace_cpu_count();
    return std::floor(std::clamp(room / 2 / static_cast<float>(cpus), px(10), px(30)));
}

// Adds the tracks above the tasks. `omission_level`: 0: all tracks. 1: all except queue lengths. 2: also
// without the lanes of markers from Lane::tick on, and with CPU columns of half the height. 3: also without
// the other lanes of markers, and without the summary of the agreement with the trace.
void TimelinePane::add_tracks_above_tasks(int omission_level, float cpu,
                                          const std::vector<bool>& lane_is_used) {
    tracks_.clear();
    for (std::size_t r = 0; r < run_count(); ++r) {
        if (run_count() == 2) {
            if (r == 1) tracks_.push_back({Track::Kind::difference, 0, 0, px(14) + line_ + px(6)});
            tracks_.push_back({Track::Kind::header, r, 0, line_ + px(4)});
        }
        // Adds a track for each CPU, or one track for all CPUs if there are only samples. Below the track of
        // each CPU of run A, adds a track for the same CPU in the trace.
        const std::size_t recorded = r == 0 ? trace_cpu_count() : 0;
        const std::size_t cpus = has_slices(r) ? detail_[r].timeline->cpus.size() : 1;
        for (std::size_t c = 0; c < std::max(cpus, recorded); ++c) {
            if (c < cpus) {
                const float folded = omission_level < 2 ? px(60) : px(30);
                tracks_.push_back({Track::Kind::cpu, r, c, has_slices(r) ? cpu : folded});
            }
            if (c < recorded) tracks_.push_back({Track::Kind::recorded, r, c, cpu});
        }
        if (recorded > 0 && omission_level < 3)
            tracks_.push_back({Track::Kind::agreement, r, 0, line_ + px(4)});
        for (std::size_t lane = 0; f_.view.show_marks && omission_level < 3 && lane < kLanes; ++lane)
            if (lane_is_used[lane] && (omission_level < 2 || lane < static_cast<std::size_t>(Lane::tick)))
                tracks_.push_back({Track::Kind::lane, r, lane, line_});
        if (f_.view.show_depth && omission_level < 1)
            tracks_.push_back({Track::Kind::depth, r, 0, px(30) + px(6)});
    }
}

void TimelinePane::add_task_tracks(float task) {
    for (std::size_t row = 0; row < rows_.size(); ++row)
        for (std::size_t r = 0; r < run_count(); ++r) {
            const bool group = rows_[row].is_group();
            if (group && r == 1) continue;
            const bool half = run_count() == 2 && !group;
            tracks_.push_back({Track::Kind::task, r, row,
                               half ? std::max(px(10), std::floor(line_ / 2) + px(2)) : task, 0, r == 0});
        }
}

void TimelinePane::lay_out() {
    const float room = tracks_bottom_ - axis_bottom_;
    const float cpu = cpu_track_height(room);
    const float task = std::max(px(18), line_ + px(2));
    const std::vector<bool> there = used_lanes();
    // The tracks above the tasks must leave room for kLeastTasks rows. With two runs, they must leave a
    // quarter of the height. If necessary, tracks are omitted: first the queue lengths, then markers.
    const float tasks = run_count() == 1 ? task * static_cast<float>(std::min(rows_.size(), kLeastTasks)) : 0;
    const float most_above = run_count() == 1 ? room - tasks : 0.75f * room;
    for (int omission_level = 0; omission_level < 4; ++omission_level) {
        add_tracks_above_tasks(omission_level, cpu, there);
        float height = 0;
        for (const Track& t : tracks_) height += t.height;
        if (height <= most_above) break;
    }
    pinned_ = tracks_.size();
    add_task_tracks(task);
    place_tracks(room);
}

// Determines the heights of all tracks and which of them scroll.
void TimelinePane::place_tracks(float room) {
    float fixed = 0;
    for (std::size_t i = 0; i < pinned_; ++i) fixed += tracks_[i].height;
    float whole = fixed;
    for (std::size_t i = pinned_; i < tracks_.size(); ++i) whole += tracks_[i].height;
    // If there is unused space, the tracks become higher, up to a limit.
    if (const float factor = std::min(1.7f, room / std::max(1.0f, whole)); factor > 1) {
        for (Track& t : tracks_)
            if (t.kind == Track::Kind::cpu || t.kind == Track::Kind::recorded ||
                t.kind == Track::Kind::depth || t.kind == Track::Kind::task)
                t.height = std::floor(t.height * factor);
        fixed = whole = 0;
        for (std::size_t i = 0; i < pinned_; ++i) fixed += tracks_[i].height;
        for (const Track& t : tracks_) whole += t.height;
    }
    // In a small window all tracks scroll, because the rows of tasks would otherwise have no room.
    if (fixed > 0.75f * room && whole > room) {
        pinned_ = 0;
        fixed = 0;
    }
    pinned_bottom_ = axis_bottom_ + fixed;
    scroll_height_ = whole - fixed;
    const float most = std::max(0.0f, scroll_height_ - (tracks_bottom_ - pinned_bottom_));
    f_.view.track_scroll = std::clamp(f_.view.track_scroll, 0.0f, most / f_.scale());
    float y = axis_bottom_;
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
        if (i == pinned_) y = pinned_bottom_ - std::floor(f_.view.track_scroll * f_.scale());
        tracks_[i].y = y;
        y += tracks_[i].height;
    }
}

// Sets the width of a cell. Slices that are shorter than a cell are combined into one piece per cell; any
// other slice is one piece. The visible tracks have about kMostCpuPieces and kMostTaskPieces pieces at most.
void TimelinePane::set_cell_widths() {
    std::vector<float> of_cpus, of_tasks;  // numbers of visible slices, one for each track
    std::size_t sampled = 0;               // number of task rows drawn as columns of samples
    const auto count = [&](auto& counts, const auto& slices) {
        const std::span all(slices);
        counts.push_back(static_cast<float>(first_ending_after(all, scale_.range.end) + 1 -
                                            first_ending_after(all, scale_.range.begin)));
    };
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
        const Track& t = tracks_[i];
        if (t.y >= tracks_bottom_ || t.y + t.height <= (i < pinned_ ? axis_bottom_ : pinned_bottom_))
            continue;
        const sim::Timeline* timeline = detail_[t.run].timeline;
        if (t.kind == Track::Kind::cpu && timeline != nullptr) count(of_cpus, timeline->cpus[t.which]);
        if (t.kind == Track::Kind::recorded) count(of_cpus, f_.model.recorded->slices(t.which));
        if (t.kind != Track::Kind::task || rows_[t.which].is_group()) continue;
        if (timeline == nullptr)
            ++sampled;
        else if (rows_[t.which].task < timeline->tasks.size())
            count(of_tasks, timeline->tasks[rows_[t.which].task]);
    }
    // The width of cells changes in steps, so that a small change of the visible range does not change all
    // cells.
    const auto narrow = [&](const std::vector<float>& counts, float most) {
        const auto pieces = [&](float cell_px) {
            float sum = 0;
            for (const float n : counts) sum += std::min(n, scale_.width / cell_px);
            return sum;
        };
        float cell_px = min_slice_width();
        while (pieces(cell_px) > most && cell_px < scale_.width) cell_px *= 1.5f;
        return scale_.duration_of(cell_px);
    };
    cpu_narrow_ = narrow(of_cpus, kMostCpuPieces);
    row_narrow_ = narrow(of_tasks, kMostTaskPieces);

    const auto columns = static_cast<float>((edges_.size() - 1) * sampled);
    const int joined = static_cast<int>(std::max(1.0f, std::ceil(columns / kMostTaskPieces)));
    row_edges_ = cell_edges(scale_.range, joined * column_duration_);
    for (std::size_t r = 0; r < run_count(); ++r)
        if (!has_slices(r)) row_columns_[r].emplace(detail_[r].tasks, row_edges_);
}

// The time of the decision in which the runs differ; nullopt if no such decision has been found.
std::optional<Nanos> TimelinePane::time_of_first_difference() const {
    if (!f_.model.difference) return std::nullopt;
    const std::uint64_t decision = *f_.model.difference;
    std::optional<CachedTimelines::FirstDifference>& known = f_.memory.of<CachedTimelines>().difference;
    if (!known || known->run != run(0).id() || known->decision != decision) {
        const std::optional<sim::DecisionView> view = run(0).history().decision_at(decision);
        known = {run(0).id(), decision, view ? std::optional(view->record.time) : std::nullopt};
    }
    return known->at;
}

std::string TimelinePane::row_name(std::size_t r, TimelineRow& row) const {
    if (row.name.empty()) row.name = name_at(run(r), detail_[r], row.task, scale_.range.begin);
    return row.name;
}

void TimelinePane::draw_track(const Track& t) {
    if (t.y >= clip_bottom_ || t.y + t.height <= clip_top_) return;
    switch (t.kind) {
        case Track::Kind::header:
            return draw_header(t);
        case Track::Kind::cpu:
            return draw_cpu(t);
        case Track::Kind::recorded:
            return draw_trace_cpu(t);
        case Track::Kind::agreement:
            return draw_trace_agreement(t);
        case Track::Kind::lane:
            return draw_lane(t);
        case Track::Kind::depth:
            return draw_queue_length(t);
        case Track::Kind::difference:
            return draw_difference(t);
        case Track::Kind::task:
            return draw_task(t);
    }
}

void TimelinePane::report_track_rectangles() {
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
        const Track& t = tracks_[i];
        const char* part = t.kind == Track::Kind::cpu        ? "cpus"
                           : t.kind == Track::Kind::recorded ? "cpus"
                           : t.kind == Track::Kind::depth    ? "queue"
                           : t.kind == Track::Kind::task     ? "tasks"
                                                             : nullptr;
        const float top = std::max(t.y, i < pinned_ ? axis_bottom_ : pinned_bottom_);
        const float bottom = std::min(t.y + t.height, tracks_bottom_);
        if (part != nullptr && top < bottom)
            f_.report_part_rectangle(part, ImVec2(at_.x, top), ImVec2(right_, bottom));
    }
}

void TimelinePane::draw_tracks() {
    const auto part = [&](std::size_t first, std::size_t last, float top, float bottom) {
        if (first == last || top >= bottom) return;
        clip_top_ = top;
        clip_bottom_ = bottom;
        list_.PushClipRect(ImVec2(at_.x, top), ImVec2(right_, bottom), true);
        for (std::size_t i = first; i < last; ++i) draw_track(tracks_[i]);
        if (last == tracks_.size()) {
            list_.PushClipRect(ImVec2(left_, axis_bottom_), ImVec2(right_, bottom), false);
            draw_wake_up_arrows();
            list_.PopClipRect();
        }
        list_.PopClipRect();
    };
    part(0, pinned_, axis_bottom_, std::min(pinned_bottom_, tracks_bottom_));
    part(pinned_, tracks_.size(), pinned_bottom_, tracks_bottom_);
    if (pinned_ > 0 && pinned_ < tracks_.size() && pinned_bottom_ < tracks_bottom_)
        rect(at_.x, pinned_bottom_, right_, pinned_bottom_ + 1, theme_.panel_border);
    report_track_rectangles();
    // Draws the scroll bar.
    const float seen = tracks_bottom_ - pinned_bottom_;
    if (scroll_height_ > seen + 1 && seen > px(20)) {
        const float bar = std::max(px(16), seen * seen / scroll_height_);
        const float most = scroll_height_ - seen;
        const float y =
            pinned_bottom_ + (seen - bar) * std::clamp(f_.view.track_scroll * f_.scale() / most, 0.0f, 1.0f);
        rect(right_ - px(4), y, right_ - px(1), y + bar, with_alpha(theme_.text, 0.35f));
    }
}

// Draws the areas after the ends of the runs. Called before the tracks are drawn, so that the tracks are on
// top.
void TimelinePane::draw_run_ends() {
    for (std::size_t r = 0; r < run_count(); ++r) {
        float y0 = tracks_bottom_;
        float y1 = axis_bottom_;
        for (const Track& t : tracks_) {
            if (t.run != r || t.kind == Track::Kind::header || t.kind == Track::Kind::difference) continue;
            if (run_count() == 2 && t.kind == Track::Kind::task) continue;
            y0 = std::min(y0, std::max(t.y, axis_bottom_));
            y1 = std::max(y1, std::min(t.y + t.height, tracks_bottom_));
        }
        if (y0 < y1) draw_run_end(r, y0, y1);
    }
}

void TimelinePane::draw() {
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
    const bool is_narrow = size_.x < px(420);  // the legend then has several rows
    legend_rows_ = !is_narrow ? 1 : size_.y > 20 * line_ ? 4 : 3;
    legend_top_ = size_.y > 12 * line_ ? bottom - static_cast<float>(legend_rows_) * line_ - px(5) : bottom;
    statistics_top_ = legend_top_;
    if (f_.view.selection) {
        const bool wide = size_.x / static_cast<float>(run_count()) > px(776);
        const float wanted = (wide ? 7 : 9) * line_ + px(30);
        statistics_top_ = std::max(axis_bottom_ + (legend_top_ - axis_bottom_) * 0.4f, legend_top_ - wanted);
        statistics_top_ = std::floor(statistics_top_);
    }
    tracks_bottom_ = statistics_top_;

    list_.PushClipRect(at_, ImVec2(right_, bottom), true);
    rect(at_.x, at_.y, right_, bottom, theme_.background);
    load_data();
    lay_out();
    set_cell_widths();
    draw_axis();
    draw_run_ends();
    rect(left_ - 1, axis_bottom_, left_, tracks_bottom_, theme_.panel_border);
    draw_tracks();
    draw_selection();
    draw_bookmarks();
    draw_cursors_and_position();
    draw_legend();
    draw_statistics();
    list_.PopClipRect();
    handle_mouse();
}

void draw_timeline(Frame& frame) {
    if (draw_message_if_no_scenario(frame)) return;
    TimelinePane(frame).draw();
}

}  // namespace ui
