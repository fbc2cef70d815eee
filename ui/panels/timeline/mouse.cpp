// Mouse input of the timeline: zooming, panning, selecting, measuring, seeking.
//
// A press of a mouse button starts an action that lasts until the release (ViewState::Drag). A press of the
// left button without movement is a click.
#include "ui/control/control.h"
#include "ui/panels/drawing.h"
#include "ui/panels/timeline/pane.h"

namespace ui {
namespace {

using What = ViewState::Drag::What;

constexpr float kSnap = 6;          // largest distance in pixels at which a time snaps to the edge of a slice
constexpr float kWheelScroll = 54;  // pixels at scale 1, per notch of the wheel

}  // namespace

Nanos TimelinePane::snapped_time(Nanos t) const {
    const Nanos near = scale_.duration_of(px(kSnap));
    Nanos best = t;
    Nanos distance = near + Nanos{1};
    for (std::size_t r = 0; r < run_count(); ++r) {
        if (!has_slices(r)) continue;
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

void TimelinePane::on_click() {
    const bool in_gutter = mouse_.x < left_;
    const std::optional<TaskId> task = hover_.task;
    if (in_gutter && hover_.cpu) {
        f_.ask([cpu = *hover_.cpu](Control& control) { control.selection().select_cpu(cpu); });
        return;
    }
    if (in_gutter) {
        if (task) {
            const std::optional<TaskId> next = f_.view.task == task ? std::nullopt : task;
            f_.ask([next](Control& control) { control.selection().select_task(next); });
        }
        return;
    }
    if (f_.view.selection) f_.ask([](Control& control) { control.selection().select(std::nullopt); });
    if (task) f_.ask([task](Control& control) { control.selection().select_task(task); });
    if (hover_.decision) {
        f_.ask([n = *hover_.decision](Control& control) {
            control.navigator().seek(sim::StepEventKind::decision, n);
        });
        return;
    }
    const Nanos t = hover_.snap ? *hover_.snap : scale_.time(mouse_.x);
    f_.ask([t](Control& control) { control.navigator().seek(t); });
}

void TimelinePane::on_wheel(Nanos mouse_time) {
    const ImGuiIO& io = ImGui::GetIO();
    const auto scroll = [&](float notches) {
        f_.view.track_scroll = std::max(0.0f, f_.view.track_scroll - notches * kWheelScroll);
    };
    if (io.MouseWheel != 0) {
        if (io.KeyShift) {
            scroll(io.MouseWheel);
        } else if (mouse_.x >= left_) {
            // For a fraction of a wheel notch, the zoom factor changes linearly. std::pow is not used,
            // because the last bits of its results differ between C libraries.
            const double notch = io.KeyCtrl ? 1.06 : 1.3;
            double factor = 1, left = std::min(std::abs(static_cast<double>(io.MouseWheel)), 100.0);
            for (; left >= 1; --left) factor *= notch;
            factor *= 1 + (notch - 1) * left;
            if (io.MouseWheel < 0) factor = 1 / factor;
            f_.ask([factor, mouse_time](Control& control) { control.history().zoom(factor, mouse_time); });
        }
    }
    if (io.MouseWheelH != 0) {
        // Some systems report Shift + wheel as horizontal scrolling.
        if (io.KeyShift)
            scroll(-io.MouseWheelH);
        else
            f_.ask([by = static_cast<double>(io.MouseWheelH) * 0.1](Control& control) {
                control.history().pan(by);
            });
    }
}

void TimelinePane::on_press(Nanos mouse_time) {
    const ImGuiIO& io = ImGui::GetIO();
    const bool left = ImGui::IsMouseClicked(0);
    const bool in_time = mouse_.x >= left_;
    ViewState::Drag& drag = f_.view.drag;
    drag = {What::press, mouse_time, 0};
    if (left && io.KeyAlt) {
        drag.what = What::nothing;
        if (in_time) (io.KeyShift ? f_.view.cursor_b : f_.view.cursor_a) = snapped_time(mouse_time);
    } else if (!left || io.KeyShift) {
        drag.what = What::pan;
    } else if (in_time && mouse_.y < axis_bottom_ && !hover_.snap) {
        drag.what = What::seek;
    } else if (in_time && ImGui::IsMouseDoubleClicked(0) && hover_.slice) {
        drag.what = What::nothing;
        const Nanos margin = std::max(Nanos{1}, hover_.slice->length() / 8);
        const TimeRange range{hover_.slice->begin - margin, hover_.slice->end + margin};
        f_.ask([range](Control& control) { control.history().show(range); });
    }
}

void TimelinePane::on_drag(Nanos mouse_time) {
    const ImGuiIO& io = ImGui::GetIO();
    ViewState::Drag& drag = f_.view.drag;
    drag.moved += std::abs(io.MouseDelta.x) + std::abs(io.MouseDelta.y);
    if (drag.what == What::press && drag.moved > px(4) && scale_.x(drag.from) >= left_)
        drag.what = What::select;
    if (drag.what == What::pan && io.MouseDelta.x != 0) {
        const double by = -static_cast<double>(io.MouseDelta.x) / static_cast<double>(scale_.width);
        f_.ask([by](Control& control) { control.history().pan(by); });
    }
    if (drag.what == What::pan && io.MouseDelta.y != 0)
        f_.view.track_scroll = std::max(0.0f, f_.view.track_scroll - io.MouseDelta.y / f_.scale());
    if (drag.what == What::seek)
        f_.ask([mouse_time](Control& control) { control.navigator().seek(mouse_time); });
    if (drag.what == What::select) {
        const Nanos to = snapped_time(mouse_time);
        const Nanos from = snapped_time(drag.from);
        f_.view.selection =
            TimeRange{std::min(from, to), std::max(std::max(from, to), std::min(from, to) + Nanos{1})};
    }
}

void TimelinePane::handle_mouse() {
    ViewState::Drag& what = f_.view.drag;
    const Nanos mouse_time = scale_.time(clamp_x(mouse_.x));
    if (hovered_) on_wheel(mouse_time);
    const auto any = [](bool (*is)(ImGuiMouseButton)) { return is(0) || is(1) || is(2); };
    if (hovered_ && any([](ImGuiMouseButton b) { return ImGui::IsMouseClicked(b); })) on_press(mouse_time);
    if (what.what != What::nothing && active_) on_drag(mouse_time);
    if (!any([](ImGuiMouseButton b) { return ImGui::IsMouseDown(b); })) {
        if (what.what == What::press && hovered_) on_click();
        what.what = What::nothing;
    }
    if (hovered_ && what.what == What::nothing) show_tooltip();
    if (active_ && what.what == What::pan) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
}

void TimelinePane::show_tooltip() const {
    if (hover_.task && mouse_.x < left_)
        // The mouse is over a task's name: F2 explains this task at the time of the run's position.
        f_.report_hovered_task(*hover_.task);
    else if (hover_.task)
        f_.report_hovered_task(*hover_.task, hover_.snap ? *hover_.snap : scale_.time(clamp_x(mouse_.x)));
    if (hover_.lines.empty()) return;
    ImGui::BeginTooltip();
    for (std::size_t i = 0; i < hover_.lines.size(); ++i) {
        if (hover_.lines[i].empty()) continue;
        ImGui::PushStyleColor(ImGuiCol_Text, i == 0 ? theme_.text : theme_.text_dim);
        ImGui::TextUnformatted(
            wrapped_text(ImGui::GetFont(), hover_.lines[i], ImGui::GetFontSize() * 30).c_str());
        ImGui::PopStyleColor();
    }
    ImGui::EndTooltip();
}

}  // namespace ui
