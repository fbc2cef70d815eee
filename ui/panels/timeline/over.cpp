// The parts of the timeline around the tracks and on top of the tracks: axis, ends of the runs, selection,
// bookmarks, cursors.
#include "ui/panels/timeline/pane.h"
#include "ui/platform/shapes.h"
#include "ui/view/two_runs.h"

namespace ui {

void TimelinePane::draw_axis() {
    // The distance of two labelled times is at least 80 pixels (at scale 1) and the width of a label with a
    // margin.
    Nanos step = axis_step(scale_.duration_of(px(80)), scale_.range.end);
    for (int i = 0; i < 12; ++i) {
        const std::string widest = tick_label(scale_.range.end / step * step, step, scale_.range.end);
        const Nanos needed = scale_.duration_of(text_width(widest) + px(26));
        if (needed <= step) break;
        step = axis_step(step + Nanos{1}, scale_.range.end);
    }
    const float label_y = at_.y + line_ + px(4);
    rect(at_.x, at_.y, right_, axis_bottom_, dimmed(theme_.text, 0.04f));
    list_.PushClipRect(ImVec2(left_, at_.y), ImVec2(right_, tracks_bottom_), true);
    const Nanos small = step / 5 > Nanos{} && step.count() % 5 == 0 ? step / 5 : step;
    for (Nanos t = scale_.range.begin / small * small; t <= scale_.range.end; t += small) {
        const float x = scale_.rounded_x(t);
        const bool labelled = t % step == Nanos{};
        rect(x, axis_bottom_ - px(labelled ? 6 : 3), x + 1, axis_bottom_, theme_.text_dim);
        if (!labelled) continue;
        rect(x, axis_bottom_, x + 1, tracks_bottom_, theme_.grid);
        const std::string words = tick_label(t, step, scale_.range.end);
        if (x >= left_ && x + px(4) + text_width(words) <= right_)
            text(x + px(4), label_y, theme_.text_dim, words);
    }
    list_.PopClipRect();
    text(at_.x + px(6), label_y, theme_.text_dim, text_that_fits("time", left_ - at_.x - px(10)));
    rect(at_.x, axis_bottom_ - 1, right_, axis_bottom_, theme_.panel_border);
}

// Hatches the area after the end of the run, or after its simulated part if the simulation is not finished.
void TimelinePane::draw_run_end(std::size_t r, float y0, float y1) {
    const Nanos end = run(r).end();
    if (end >= scale_.range.end) return;
    const float x = clamp_x(scale_.rounded_x(end));
    fill_pattern(list_, f_.fonts, Pattern::dense_hatch, ImVec2(x, y0), ImVec2(right_, y1),
                 dimmed(theme_.text, 0.08f));
    rect(x, y0, x + 1, y1, theme_.text_dim);
    const bool complete = run(r).history().is_complete();
    std::string words = complete ? std::string("the run is over: ") : std::string("not simulated yet");
    if (complete) words += words_for(run(r).history().stop_reason());
    words = text_that_fits(words, right_ - x - px(12));
    if (words.empty() || y1 - y0 < line_) return;
    rect(x + px(4), y0 + px(2), x + px(10) + text_width(words), y0 + px(2) + line_, theme_.background);
    text(x + px(7), y0 + px(2), theme_.text_dim, words);
}

void TimelinePane::draw_time_flag(Nanos t, const std::string& words, ImU32 colour, float y) {
    const float width = text_width(words) + px(8);
    const float x = std::clamp(scale_.rounded_x(t) - width / 2, left_, std::max(left_, right_ - width));
    rect(std::floor(x), y, std::floor(x) + width, y + line_ + px(2), colour);
    text(x + px(4), y + px(1), readable_text_colour(colour | IM_COL32_A_MASK), words);
}

void TimelinePane::draw_selection() {
    if (!f_.view.selection) return;
    const float x0 = clamp_x(scale_.rounded_x(f_.view.selection->begin));
    const float x1 = clamp_x(scale_.rounded_x(f_.view.selection->end));
    rect(x0, axis_bottom_, x1, tracks_bottom_, theme_.selection);
    rect(x0, at_.y + line_, x1, axis_bottom_, theme_.selection);
    const ImU32 edge = theme_.selection | IM_COL32_A_MASK;
    if (x0 > left_) rect(x0, at_.y + line_, x0 + 1, tracks_bottom_, edge);
    if (x1 < right_) rect(x1 - 1, at_.y + line_, x1, tracks_bottom_, edge);
}

void TimelinePane::draw_bookmarks() {
    for (const Bookmark& b : f_.view.bookmarks) {
        if (!scale_.range.contains(b.time)) continue;
        const float x = scale_.rounded_x(b.time);
        list_.PushClipRect(ImVec2(left_, at_.y), ImVec2(right_, tracks_bottom_), true);
        polygon(list_,
                {ImVec2(x - px(5), axis_bottom_ - px(9)), ImVec2(x + px(5), axis_bottom_ - px(9)),
                 ImVec2(x, axis_bottom_)},
                theme_.accent);
        list_.PopClipRect();
        if (!is_mouse_in(x - px(5), axis_bottom_ - px(10), x + px(5), axis_bottom_)) continue;
        hover_.lines = {"Bookmark" + (b.note.empty() ? std::string() : ": " + b.note),
                        "at " + instant_text(b.time)};
        hover_.snap = b.time;
    }
}

// Draws the two measuring cursors and their distance, the run's position, and a line at the mouse.
void TimelinePane::draw_cursors_and_position() {
    const float y = at_.y + px(1);
    list_.PushClipRect(ImVec2(left_, at_.y), ImVec2(right_, tracks_bottom_), true);
    const auto by_hand = [&](const std::optional<Nanos>& t, const char* name, ImU32 colour) {
        if (!t || *t < scale_.range.begin || *t > scale_.range.end) return;
        const float x = scale_.rounded_x(*t);
        rect(x, y, x + line_width(), tracks_bottom_, colour);
        draw_time_flag(*t, name, colour, y);
    };
    by_hand(f_.view.cursor_a, "A", theme_.cursor_a);
    by_hand(f_.view.cursor_b, "B", theme_.cursor_b);
    if (f_.view.cursor_a && f_.view.cursor_b) {
        const Nanos a = std::min(*f_.view.cursor_a, *f_.view.cursor_b);
        const Nanos b = std::max(*f_.view.cursor_a, *f_.view.cursor_b);
        const float x0 = clamp_x(scale_.rounded_x(a));
        const float x1 = clamp_x(scale_.rounded_x(b));
        const float top = axis_bottom_ + px(4);
        rect(x0, top, x1, top + line_width(), theme_.text);
        const std::string words = "|A-B| = " + span(b - a);
        const float width = text_width(words) + px(8);
        const float x = std::clamp((x0 + x1 - width) / 2, left_, std::max(left_, right_ - width));
        rect(x, top + px(1) + line_width(), x + width, top + px(3) + line_width() + line_, theme_.background);
        text(x + px(4), top + px(2) + line_width(), theme_.text, words);
    }
    draw_position();
    list_.PopClipRect();
    if (is_mouse_in(left_, at_.y, right_, tracks_bottom_))
        rect(mouse_.x, axis_bottom_, mouse_.x + 1, tracks_bottom_, with_alpha(theme_.text, 0.25f));
}

void TimelinePane::draw_position() {
    const float y = at_.y + px(1);
    const Nanos now = f_.model.a->now();
    const std::string words = time_text(now);
    if (now < scale_.range.begin || now > scale_.range.end) {
        const bool before = now < scale_.range.begin;
        const std::string arrow = before ? "← position " + words : "position " + words + " →";
        text(before ? left_ + px(4) : right_ - text_width(arrow) - px(4), y + px(1), theme_.text_dim, arrow);
        return;
    }
    const float x = std::min(scale_.rounded_x(now), right_ - line_width());
    for (const Track& t : tracks_) {
        if (t.kind != Track::Kind::cpu) continue;
        const sim::Machine& m = run(t.run).session().machine();
        // Draws the position of the second run if it differs from the position of the first.
        const bool apart = t.run == 1 && has_runs_at_different_times(f_.model);
        if (apart && !scale_.range.contains(m.globals().now)) continue;
        const float x0 = apart ? scale_.rounded_x(m.globals().now) : x;
        if (apart) rect(x0, t.y - px(3), x0 + 2 * line_width(), t.y + t.height + px(3), theme_.cursor);
        // Draws lines from the run's position to the end of the kernel call that the CPU executes.
        if (!has_slices(t.run)) continue;
        const Nanos until = m.cpu(static_cast<CpuId>(t.which)).kernel_until;
        if (until <= m.globals().now) continue;
        const float x1 = clamp_x(scale_.rounded_x(until));
        rect(x0, t.y, x1, t.y + px(2), theme_.cursor);
        rect(x0, t.y + t.height - px(2), x1, t.y + t.height, theme_.cursor);
    }
    if (is_outcome_hidden(f_.view)) {
        rect(x + line_width(), axis_bottom_, right_, tracks_bottom_, theme_.background);
        text(x + px(12), axis_bottom_ + px(8), theme_.text_dim,
             text_that_fits("The outcome is hidden until you have predicted it.", right_ - x - px(16)));
        if (mouse_.x > x) hover_ = {};
    }
    rect(x, y, x + line_width(), tracks_bottom_, theme_.cursor);
    draw_decision_cursor();
    const char* const by[] = {"", "   level: switch", "   inside schedule()"};
    draw_time_flag(now, words + by[static_cast<std::size_t>(f_.view.level)], theme_.cursor, y);
}

// Draws a cursor at the end of the shown step of schedule(). Draws nothing if no single step is shown.
void TimelinePane::draw_decision_cursor() {
    const std::optional<Cursor> cursor = cursor_in(f_.model.a, f_.view);
    if (!cursor || !cursor->stepping) return;
    const Nanos t = cursor->decision().record.time + cursor->step().until;
    if (t > scale_.range.end) return;
    const float x = std::min(scale_.rounded_x(t), right_ - 2 * line_width());
    for (const Track& track : tracks_)
        if (track.kind == Track::Kind::cpu && track.run == 0 && track.which == cursor->decision().record.cpu)
            rect(x - line_width(), track.y - px(3), x + 2 * line_width(), track.y + track.height + px(3),
                 theme_.cursor_a);
}

}  // namespace ui
