// The tracks of the CPUs, as slices or as columns of samples.
#include <fmt/format.h>

#include "ui/panels/timeline/pane.h"

namespace ui {

void TimelinePane::draw_label(const Track& t, const std::string& words, ImU32 colour,
                              std::optional<TaskId> task, const std::string& right, float indent) {
    float x = at_.x + px(6) + indent;
    const float y = t.y + (t.height - line_) / 2;
    float end = left_ - px(6);
    if (!right.empty()) {
        end -= text_width(right);
        text(end, y, theme_.text_dim, right);
        end -= px(3);
    }
    if (task) {
        const float side = px(9);
        const float top = std::floor(t.y + (t.height - side) / 2);
        rect(x, top, x + side, top + side, colour_of(f_, *task));
        if (const std::optional<sim::MmId> mm = mm_of_row(*task); mm && f_.view.show_mms)
            draw_mm_mark(f_, *mm, false, ImVec2(x + side + 1, top), ImVec2(x + side + px(4), top + side));
        x += side + px(7);
    }
    text(x, y, colour, text_that_fits(words, end - x));
}

// Draws the name of the CPU. If tracks are lower than a line of text, only every n-th CPU and the selected
// CPU have names. A click selects the CPU.
void TimelinePane::draw_cpu_name(const Track& t) {
    const Run& r = run(t.run);
    const auto c = static_cast<CpuId>(t.which);
    const bool several = r.scenario().cpus > 1;
    const bool selected = several && c == selected_cpu(r, f_.view);
    if (selected) rect(at_.x, t.y, left_ - 1, t.y + t.height, dimmed(theme_.accent, 0.25f));
    const auto each = static_cast<CpuId>(std::max(1.0f, std::ceil(line_ / t.height)));
    if (c % each == 0 || selected) {
        Track whole = t;
        if (t.height < line_) {  // omits a name that would overlap the name of the selected CPU
            const CpuId chosen = selected_cpu(r, f_.view);
            if (!selected && several && c < chosen + each && chosen < c + each) return;
            whole.y -= (line_ - t.height) / 2;
            whole.height = line_;
        }
        const sim::Machine& m = r.session().machine();
        const TaskId p = m.cpu(c).current;
        draw_label(whole, fmt::format("cpu{}", c), theme_.text, {},
                   several && !is_outcome_hidden(f_.view)
                       ? text_that_fits(m.is_idle_task(p) ? "idle" : r.name(p), px(70))
                       : "");
    }
    if (!is_mouse_in(at_.x, std::max(t.y, clip_top_), left_, std::min(t.y + t.height, clip_bottom_))) return;
    hover_.lines = cpu_tooltip(r, c);
    if (several) hover_.cpu = c;
}

// The address space of p at the position; if p is not live at the position, its address space at the end of
// the simulated part of the run.
std::optional<sim::MmId> TimelinePane::mm_of_row(TaskId p) const {
    for (const sim::Machine* m : {&run(0).session().machine(), &run(0).history().simulated_end().machine})
        if (p < m->globals().high_row && m->is_live(p)) return m->task[p].mm;
    return std::nullopt;
}

void TimelinePane::draw_hairline(float x0, float x1, float y, ImU32 colour, bool dashed) {
    const float thick = std::max(1.0f, std::floor(theme_.line_width * f_.scale()));
    if (dashed)
        fill_pattern(list_, f_.fonts, Pattern::checker, ImVec2(x0, y), ImVec2(x1, y + thick), colour);
    else
        rect(x0, y, x1, y + thick, colour);
}

void TimelinePane::draw_header(const Track& t) {
    const Run& r = run(t.run);
    rect(at_.x, t.y, right_, t.y + t.height, dimmed(theme_.text, 0.07f));
    const float y = t.y + (t.height - line_) / 2;
    const std::string letter = t.run == 0 ? "A" : "B";
    text(at_.x + px(6), y, t.run == 0 ? theme_.cursor_a : theme_.cursor_b, letter);
    text(at_.x + px(22), y, theme_.text,
         text_that_fits(r.history().policy().spec(), right_ - at_.x - px(28)));
}

void TimelinePane::draw_cpu_slice(const Track& t, const sim::CpuSlice& s, float x0, float x1) {
    const float margin = px(t.height > px(16) ? 2 : 1);
    const float y0 = t.y + margin;
    float y1 = t.y + t.height - margin;
    // A stripe along the lower edge shows the loaded address space.
    const bool shows_mm = s.borrowed || (s.activity != CpuActivity::idle && s.mm != sim::kKernelMm) ||
                          s.activity == CpuActivity::user;
    if (f_.view.show_mms && shows_mm) {
        const float stripe = px(t.height > px(16) ? 4 : 2);
        draw_mm_mark(f_, s.mm, s.borrowed, ImVec2(x0, y1 - stripe),
                     ImVec2(x1 - x0 > px(6) ? x1 - 1 : x1, y1));
        if (s.activity != CpuActivity::idle) y1 -= stripe + 1;
    }
    if (s.activity == CpuActivity::idle) {
        draw_hairline(x0, x1, std::floor((y0 + y1) / 2), theme_.sleeping, false);
        if (x1 - x0 > px(60) && y1 - y0 > line_ + px(4)) {
            const float x = std::floor((x0 + x1 - text_width("idle")) / 2);
            const float y = std::floor((y0 + y1 - line_) / 2);
            rect(x - px(4), y, x + text_width("idle") + px(4), y + line_, theme_.background);
            text(x, y, theme_.text_dim, "idle");
        }
        return;
    }
    const ActivityFill own = fill_of(theme_, s.activity);
    const ImU32 colour = s.activity == CpuActivity::user ? colour_of(f_, s.task) : own.colour;
    // A pixel of background separates neighbouring slices of the same colour.
    const float end = x1 - x0 > px(6) ? x1 - 1 : x1;
    if (s.activity == CpuActivity::user)
        rect(x0, y0, end, y1, colour);
    else
        fill(list_, f_.fonts, theme_, own, ImVec2(x0, y0), ImVec2(end, y1));
    if (f_.view.task && s.task == *f_.view.task && s.activity == CpuActivity::user)
        rect(x0, y1 - px(3), end, y1, theme_.text);
    // The text starts at the left edge of the visible part of the slice.
    const float from = std::max(x0, left_) + px(5);
    const float room = std::min(end, right_) - px(4) - from;
    if (room < px(14) || y1 - y0 < line_ - px(3)) return;
    const std::string words = s.activity == CpuActivity::user
                                  ? detail_[t.run].timeline->name(run(t.run).scenario(), s.task, s.begin)
                                  : words_for(s.activity);
    // A name that does not fit is omitted; the tooltip contains it.
    const float width = text_width(words);
    if (width > room) return;
    const float y = std::floor((y0 + y1 - line_) / 2);
    if (s.activity != CpuActivity::user)
        rect(from - px(3), std::max(y0, y), from + width + px(3), std::min(y1, y + line_), theme_.background);
    text(from, y, s.activity == CpuActivity::user ? readable_text_colour(colour) : theme_.text, words);
}

void TimelinePane::hover_cpu_slice(const Track& t, std::size_t slice) {
    const sim::Timeline& timeline = *detail_[t.run].timeline;
    const auto c = static_cast<CpuId>(t.which);
    const sim::CpuSlice& s = timeline.cpus[c][slice];
    hover_.lines = slice_tooltip(run(t.run), timeline, c, slice);
    hover_.slice = TimeRange{s.begin, s.end};
    if (s.activity == CpuActivity::idle) return;
    hover_.task = s.task;
    if (s.activity == CpuActivity::user || s.record == sim::kNoRecord) return;
    // The slice is a call in the kernel. A click on a call of schedule() in run A moves the position to its
    // decision; a click on any other call moves it to the time right after the event of the call.
    const sim::TraceRecord& record = timeline.trace.records[s.record];
    if (record.kind == sim::TraceKind::schedule && t.run == 0)
        hover_.decision = timeline.decision_numbers[s.record];
    else
        hover_.snap = record.time + Nanos{1};
}

void TimelinePane::draw_cpu(const Track& t) {
    if (!has_slices(t.run)) {
        draw_cpu_columns(t);
        return;
    }
    const sim::Timeline& timeline = *detail_[t.run].timeline;
    const auto c = static_cast<CpuId>(t.which);
    draw_cpu_name(t);
    const std::span<const sim::CpuSlice> slices(timeline.cpus[c]);
    const float margin = px(t.height > px(16) ? 2 : 1);
    const float y0 = t.y + margin;
    const float y1 = t.y + t.height - margin;
    RectangleLayers layers(list_, f_.fonts, theme_);
    for_each_slice_group(slices, t, cpu_narrow_, [&](const SliceGroup& p, float x0, float x1, bool here) {
        const sim::CpuSlice& first = slices[p.first];
        const sim::CpuSlice& last = slices[p.last];
        if (!p.folded) {
            draw_cpu_slice(t, first, x0, x1);
            if (here) hover_cpu_slice(t, p.first);
            return;
        }
        owners_.clear();
        const SliceKindSums shares = index_[t.run]->cpu_sums(timeline, c, p.first, p.last, &owners_);
        StackedBar stack(layers, x0, x1, y0, y1, std::max(1.0, static_cast<double>(shares.total().count())));
        std::size_t layer = 0;
        Nanos rest = shares.time[0];
        for (const TimesByTask::Owner& o : owners_.top_owners(kMostTasksInBar)) {
            stack.add(layer++, o.time, colour_of(f_, o.task));
            rest -= o.time;
        }
        stack.add(layer++, rest, colour_of_other_tasks());
        for (std::size_t k = 1; k + 1 < kActivities; ++k)
            stack.add(layer++, shares.time[k], fill_of(theme_, static_cast<CpuActivity>(k)));
        if (!here) return;
        hover_.slice = TimeRange{first.begin, last.end};
        hover_.lines = shares_tooltip(run(t.run), detail_[t.run], *hover_.slice, shares, owners_);
    });
}

void TimelinePane::draw_cpu_columns(const Track& t) {
    const std::uint32_t cpus = run(t.run).scenario().cpus;
    draw_label(t, cpus == 1 ? "cpu0" : fmt::format("{} cpus", cpus), theme_.text, {}, "100 %");
    const float y0 = t.y + px(2);
    const float y1 = t.y + t.height - px(2);
    RectangleLayers layers(list_, f_.fonts, theme_);
    for_each_cell(edges_, is_mouse_in(t), [&](std::size_t i, float x0, float x1, bool here) {
        const TimelineColumn& c = columns_[t.run][i];
        const double all = static_cast<double>((c.end - c.begin).count()) * cpus;
        StackedBar stack(layers, x0, x1, y0, y1, all);
        std::size_t layer = 0;
        // Adds a segment to the bar for each of the tasks with the most time. The times of tasks are
        // interpolated if their samples are farther apart than the columns. Their sum could then exceed the
        // user time, so it is limited.
        double rest = c.time[0];
        for (const TaskId p : top_tasks_[t.run]) {
            const double time =
                std::min(rest, static_cast<double>(task_columns_[t.run]->at(p, i).user.count()));
            stack.add(layer++, time, colour_of(f_, p));
            rest -= time;
        }
        stack.add(layer++, rest > all / 200 ? rest : 0, colour_of_other_tasks());
        for (std::size_t k = 1; k + 1 < kActivities; ++k)
            stack.add(layer++, c.time[k], fill_of(theme_, static_cast<CpuActivity>(k)));
        if (!here) return;
        hover_.lines = column_tooltip(c, cpus);
        hover_.slice = TimeRange{c.begin, c.end};
    });
}

}  // namespace ui
