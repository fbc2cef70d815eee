// The tracks of a trace. A track below each CPU of run A shows the tasks that the trace recorded on this CPU,
// with markers at mismatches. Another track summarizes how far the run agrees with the trace.
#include <fmt/format.h>

#include "ui/panels/timeline/pane.h"
#include "ui/platform/shapes.h"
#include "ui/view/presentation.h"

namespace ui {

std::size_t TimelinePane::trace_cpu_count() const {
    return f_.model.recorded == nullptr ? 0 : f_.model.recorded->cpus();
}

// The colour of the run's task that corresponds to a thread of the trace.
ImU32 TimelinePane::colour_of_trace_thread(int thread) const {
    const std::optional<TaskId> task = f_.model.trace_comparison->task_of(thread);
    return task ? colour_of(f_, *task) : colour_of_other_tasks();
}

void TimelinePane::draw_trace_cpu(const Track& t) {
    const RecordedTrace& recorded = *f_.model.recorded;
    const std::string title =
        recorded.cpus() > 1 ? fmt::format("recorded {}", t.which) : std::string("recorded");
    const int now = recorded.task_at(t.which, f_.model.a->now());
    const float left_over = left_ - px(18) - at_.x - text_width(title);
    draw_label(t, title, theme_.text_dim, {},
               recorded.cpus() > 1 && !is_outcome_hidden(f_.view)
                   ? text_that_fits(now < 0 ? "idle" : recorded.name(now), std::min(px(60), left_over))
                   : "");
    rect(left_, t.y, right_, t.y + t.height, dimmed(theme_.text, 0.05f));
    const std::span<const RecordedSlice> slices = recorded.slices(t.which);
    const float margin = px(t.height > px(16) ? 4 : 1);
    const float y0 = t.y + margin;
    const float y1 = t.y + t.height - margin;
    {
        RectangleLayers layers(list_, f_.fonts, theme_);
        for_each_slice_group(slices, t, cpu_narrow_, [&](const SliceGroup& p, float x0, float x1, bool here) {
            const RecordedSlice& first = slices[p.first];
            if (here) hover_.slice = TimeRange{first.begin, slices[p.last].end};
            if (p.folded) {
                owners_.clear();
                Nanos rest = recorded.busy_time(t.which, p.first, p.last, &owners_);
                StackedBar stack(layers, x0, x1, y0, y1, to_double(slices[p.last].end - first.begin));
                std::size_t layer = 0;
                for (const TimesByTask::Owner& o : owners_.top_owners(kMostTasksInBar)) {
                    stack.add(layer++, o.time, colour_of_trace_thread(static_cast<int>(o.task)));
                    rest -= o.time;
                }
                stack.add(layer, rest, colour_of_other_tasks());
                if (here) hover_.lines = recorded_tooltip(recorded, t.which, p.first, p.last, owners_);
                return;
            }
            if (here) hover_.lines = recorded_tooltip(recorded, t.which, p.first);
            if (first.task < 0) {
                draw_hairline(x0, x1, std::floor((y0 + y1) / 2), theme_.sleeping, false);
                return;
            }
            if (here) hover_.task = f_.model.trace_comparison->task_of(first.task);
            const ImU32 colour = colour_of_trace_thread(first.task);
            const float end = x1 - x0 > px(6) ? x1 - 1 : x1;
            rect(x0, y0, end, y1, colour);
            const std::string& name = recorded.name(first.task);
            const float from = std::max(x0, left_) + px(5);
            const float room = std::min(end, right_) - px(4) - from;
            if (y1 - y0 < line_ - px(3) || text_width(name) > room) return;
            text(from, std::floor((y0 + y1 - line_) / 2), readable_text_colour(colour), name);
        });
    }
    draw_trace_mismatches(t);
}

// Draws markers at the switches of the run that differ from the trace; markers that are close together are
// combined.
void TimelinePane::draw_trace_mismatches(const Track& t) {
    const RunTraceComparison& beside = *f_.model.trace_comparison;
    if (!beside.is_complete()) return;
    const std::vector<std::uint32_t>& here = beside.mismatches_on(t.which);
    const float side = px(4);
    const Nanos apart = scale_.duration_of(2 * side);
    const auto from = [&](Nanos at) {
        return std::partition_point(here.begin(), here.end(),
                                    [&](std::uint32_t i) { return beside.mismatches()[i].time < at; });
    };
    for (auto i = from(scale_.range.begin); i != here.end();) {
        const RunTraceComparison::Mismatch& place = beside.mismatches()[*i];
        if (place.time >= scale_.range.end) return;
        const float x = scale_.rounded_x(place.time);
        polygon(list_, {ImVec2(x - side, t.y), ImVec2(x + side, t.y), ImVec2(x, t.y + 1.5f * side)},
                theme_.error);
        const auto next = from(place.time + apart);
        if (is_mouse_in(x - side, t.y, x + side, t.y + 2 * side)) {
            const auto several = static_cast<std::uint64_t>(next - i);
            hover_.lines = {several > 1
                                ? group_digits(several) + " mismatches between run and trace; the first:"
                            : place.decision > 0 ? "a switch that differs from the trace"
                                                 : "a recorded switch that is missing in the run: the run "
                                                   "has no more switches",
                            beside.mismatch_text(place)};
            if (place.decision > 0)
                hover_.decision = place.decision;
            else
                hover_.snap = place.time;
        }
        i = next;
    }
}

void TimelinePane::draw_trace_agreement(const Track& t) {
    const RunTraceComparison& beside = *f_.model.trace_comparison;
    draw_label(t, "A vs. trace", theme_.text_dim);
    if (is_outcome_hidden(f_.view)) return;  // the summary would reveal the answer to the prediction question
    const std::string words = beside.is_complete() ? beside.summary()
                                                   : fmt::format("comparing with the trace: {} %",
                                                                 static_cast<int>(100 * beside.progress()));
    text(left_ + px(4), t.y + (t.height - line_) / 2, theme_.text,
         text_that_fits(words, scale_.width - px(8)));
}

}  // namespace ui
