#include "ui/app/why_box.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/replay/why_not.h"
#include "ui/app/app.h"
#include "ui/panels/drawing.h"
#include "ui/panels/panel.h"
#include "ui/platform/shapes.h"
#include "ui/view/decision_cursor.h"
#include "ui/view/format.h"

namespace ui {
namespace {

// The state at a time of the run, after the events at this time.
sim::Moment moment_at(const Run& run, sim::Nanos t) {
    sim::Moment moment = run.session().moment();
    run.history().state_at(std::min(t, run.end()) + sim::Nanos{1}, moment);
    return moment;
}

}  // namespace

void compute_answer_to_why_not(App& app) {
    ViewState& view = app.view();
    if (app.model().a == nullptr) return;
    const Run& run = *app.model().a;
    view.answer.reset();
    if (is_outcome_hidden(view)) {
        app.control().say("The answer is hidden until you have predicted the task.");
        return;
    }
    if (!view.pointed && !view.task) {
        app.control().say(fmt::format(
            "To see why a task does not run, move the mouse to the task or select the task, then press {}.",
            app.key_of_command("why.not")));
        return;
    }
    const sim::TaskId p = view.pointed ? view.pointed->task : *view.task;
    const std::optional<sim::Nanos> time = view.pointed ? view.pointed->time : std::nullopt;
    const sim::Moment moment = time ? moment_at(run, *time) : run.session().moment();
    const sim::Machine& m = moment.machine;
    const std::string at = instant_text(time ? std::min(*time, run.end()) : m.globals().now);
    std::string text = p < m.first_task() || p >= m.globals().high_row
                           ? "The idle task runs only if no other task is ready."
                           : sim::explain_not_running(run.history(), moment, p);
    view.answer = ViewState::TaskExplanation{.text = with_micro_sign(fmt::format("At {}: {}", at, text)),
                                             .run = run.id(),
                                             .revision = run.session().revision(),
                                             .at_mouse = view.pointed.has_value()};
}

void draw_answer_to_why_not(Frame& frame) {
    std::optional<ViewState::TaskExplanation>& answer = frame.view.answer;
    if (!answer) return;
    const Run* const run = frame.model.a;
    const ImGuiIO& io = ImGui::GetIO();
    if (run == nullptr || run->id() != answer->run || run->session().revision() != answer->revision ||
        ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        answer.reset();
        return;
    }
    ImFont* const font = frame.fonts.sans;
    const float pad = frame.px(10), width = std::min(frame.px(430), io.DisplaySize.x - 4 * pad);
    const std::string lines = wrapped_text(font, answer->text, width);
    const ImVec2 text = font->CalcTextSizeA(pixel_size(*font), 1e9F, 0, lines.c_str());
    const ImVec2 size{text.x + 2 * pad, text.y + 2 * pad};
    const auto fit = [pad](float wanted, float length, float whole) {
        return std::floor(std::clamp(wanted, pad, std::max(pad, whole - length - pad)));
    };
    // The box is above the mouse, because tooltips are below it. Without room above, it is below the mouse.
    // It is in the middle of the window if the task is not under the mouse.
    const float above = io.MousePos.y - size.y - frame.px(12);
    const float at_mouse = above >= pad ? above : io.MousePos.y + frame.px(24);
    const float y = answer->at_mouse ? at_mouse : (io.DisplaySize.y - size.y) / 2;
    const float x = answer->at_mouse ? io.MousePos.x : io.DisplaySize.x / 2;
    const ImVec2 min{fit(x - size.x / 2, size.x, io.DisplaySize.x), fit(y, size.y, io.DisplaySize.y)};
    const ImVec2 max{min.x + size.x, min.y + size.y};
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    fill_rect(list, min, max, frame.theme.panel);
    draw_frame(list, min, max, frame.theme.accent, std::max(1.0F, std::round(frame.px(1.5F))));
    list.AddText(font, pixel_size(*font), {min.x + pad, min.y + pad}, frame.theme.text, lines.c_str());
}

}  // namespace ui
