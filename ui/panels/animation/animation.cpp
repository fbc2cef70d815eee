// The pane ANIMATION: the last schedule() as a short animation with playback controls and a slider. With
// reduced motion, the pane shows numbered still pictures instead.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "ui/control/control.h"
#include "ui/panels/animation/painters.h"
#include "ui/panels/drawing.h"
#include "ui/panels/panel.h"
#include "ui/panels/panel_helpers.h"
#include "ui/platform/shapes.h"
#include "ui/view/animation_timing.h"
#include "ui/view/decision_scene.h"
#include "ui/view/format.h"
#include "ui/view/two_runs.h"
#include "ui/view/yield_comparison.h"

namespace ui {
namespace {

constexpr const char* kNoDecision = "schedule() has not been called yet.";

// The state of the animation, reset if the decision at the cursor has changed.
ViewState::Animation& animation_of(Frame& frame, const Cursor& c) {
    ViewState::Animation& a = frame.view.animation;
    if (a.run != c.run.id() || a.decision != c.decision().number)
        a = {.run = c.run.id(), .decision = c.decision().number, .at = 0, .plays = a.plays};
    return a;
}

void draw_playback_controls(Frame& frame, ViewState::Animation& a, const std::vector<SceneAct>& acts,
                            const DecisionScene& scene) {
    const auto count = static_cast<double>(acts.size());
    const auto button = [&](const char* sign, const char* what, double to) {
        if (ImGui::Button(sign)) {
            a.at = to;
            a.plays = false;
        }
        explain_item(what);
        ImGui::SameLine(0, frame.px(3));
    };
    button("⏮", "Go to the start of the animation", 0);
    button("⏴", "Go back to the previous part of the animation", std::max(0.0, std::ceil(a.at) - 1));
    if (ImGui::Button(a.plays ? "II pause" : "▶ play")) {
        if (!a.plays && a.at >= count) a.at = 0;
        a.plays = !a.plays;
    }
    explain_item("Play or pause");
    ImGui::SameLine(0, frame.px(3));
    button("⏵", "Go to the next part of the animation", std::min(count, std::floor(a.at) + 1));
    ImGui::SetNextItemWidth(std::max(frame.px(80), ImGui::GetContentRegionAvail().x - frame.px(90)));
    const double none = 0;
    if (ImGui::SliderScalar("##progress", ImGuiDataType_Double, &a.at, &none, &count, "",
                            ImGuiSliderFlags_AlwaysClamp))
        a.plays = false;
    if (scene.cost == sim::Nanos{}) return;
    ImGui::SameLine(0, frame.px(8));
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(span(scene.cost).c_str());
}

// Draws the calls of sched_yield() in runs A and B: one lane per run, on a common time axis. `a.at`:
// progress, 0 to 1.
void draw_lanes(Frame& frame, ViewState::Animation& a) {
    constexpr double kSeconds = 8;
    const YieldComparison& yields = yield_comparison_of(frame);
    a.at = frame.view.reduce_motion ? 1 : std::clamp(a.at, 0.0, 1.0);
    if (a.plays) {
        a.at = std::min(1.0, a.at + static_cast<double>(frame.dt) / kSeconds);
        a.plays = a.at < 1;
        frame.view.moving = frame.view.moving || a.plays;
    }
    if (!frame.view.reduce_motion) {
        if (ImGui::Button(a.plays ? "II" : "▶")) {
            if (!a.plays && a.at >= 1) a.at = 0;
            a.plays = !a.plays;
        }
        explain_item("Play or pause");
        ImGui::SameLine(0, frame.px(3));
        const double none = 0, all = 1;
        ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
        if (ImGui::SliderScalar("##progress", ImGuiDataType_Double, &a.at, &none, &all, "time in both runs",
                                ImGuiSliderFlags_AlwaysClamp))
            a.plays = false;
    }
    draw_paragraph(yield_comparison_text(yields, frame.model));
    const ImVec2 room = ImGui::GetContentRegionAvail();
    draw_yield_comparison(frame, yields, a.at, {ImGui::GetCursorScreenPos(), room});
    ImGui::Dummy({room.x, std::max(1.0F, room.y - 1)});
}

void draw_stills(Frame& frame, const Cursor& c, const std::vector<SceneAct>& acts) {
    const ImVec2 room = ImGui::GetContentRegionAvail(), origin = ImGui::GetCursorScreenPos();
    const auto columns = static_cast<std::size_t>(std::max(1.0F, room.x / frame.px(420)));
    const std::size_t rows = (acts.size() + columns - 1) / columns;
    const ImVec2 size{room.x / static_cast<float>(columns),
                      std::max(frame.px(90), room.y / static_cast<float>(std::max<std::size_t>(1, rows)))};
    for (std::size_t i = 0; i < acts.size(); ++i) {
        const ImVec2 at{origin.x + size.x * static_cast<float>(i % columns),
                        origin.y + size.y * static_cast<float>(i / columns)};
        const float text = pixel_size(*frame.fonts.sans);
        const std::string caption = fmt::format("{}. {}", i + 1, acts[i].caption);
        draw_text(frame.fonts.sans, at, frame.theme.text,
                  ellipsized_text(frame.fonts.sans, caption, size.x - frame.px(12)));
        // Each still picture shows the end of its act; for the recalculation, the middle of the act.
        const double end =
            static_cast<double>(i) + (acts[i].kind == SceneAct::Kind::recalculate ? 0.5 : 0.999);
        const DecisionScene scene = scene_at(c, acts, end);
        draw_scene(
            frame, c, scene,
            {{at.x, at.y + text + frame.px(4)}, {size.x - frame.px(12), size.y - text - frame.px(12)}});
    }
    ImGui::Dummy(room);
}

}  // namespace

void draw_animation(Frame& frame) {
    if (draw_message_if_no_scenario(frame)) return;
    const std::optional<Cursor> c = cursor_in(frame.model.a, frame.view);
    if (!c || is_outcome_hidden(frame.view)) {
        dim_text(frame, c ? kHiddenUntilChosen : kNoDecision);
        return;
    }
    const std::vector<SceneAct> acts = scene_acts(*c);
    ViewState::Animation& a = animation_of(frame, *c);
    if (frame.model.b != nullptr && has_all_yields(yield_comparison_of(frame))) return draw_lanes(frame, a);
    if (frame.view.reduce_motion) {
        draw_stills(frame, *c, acts);
        return;
    }
    const auto count = static_cast<double>(acts.size());
    a.at = std::clamp(a.at, 0.0, count);
    if (a.plays) {
        const std::size_t act = std::min(static_cast<std::size_t>(a.at), acts.size() - 1);
        a.at = std::min(count, a.at + static_cast<double>(frame.dt) / acts[act].seconds);
        if (a.at >= count) a.plays = false;
        frame.view.moving = frame.view.moving || a.plays;
    }
    const DecisionScene scene = scene_at(*c, acts, a.at);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    std::string lines =
        wrapped_text(frame.fonts.sans,
                     fmt::format("{} of {}. {}", scene.act + 1, acts.size(), acts[scene.act].caption), width);
    draw_text(frame.fonts.sans, at, frame.theme.text, lines);
    const float text = 2 * ImGui::GetTextLineHeightWithSpacing();
    ImGui::Dummy({width, text});
    draw_playback_controls(frame, a, acts, scene);  // below the caption, so that tooltips do not cover it
    const ImVec2 room = ImGui::GetContentRegionAvail();
    draw_scene(frame, *c, scene, {ImGui::GetCursorScreenPos(), {room.x, room.y}});
    ImGui::Dummy({room.x, std::max(1.0F, room.y - 1)});
}

std::string animation_text(const Model& model, const ViewState& view) {
    const std::optional<Cursor> c = cursor_in(model.a, view);
    if (!c) return std::string(kNoDecision) + "\n";
    if (is_outcome_hidden(view)) return std::string(kHiddenUntilChosen) + "\n";
    std::string text;
    if (model.b != nullptr)
        if (const YieldComparison yields = yield_comparison(*model.a, *model.b); has_all_yields(yields))
            return yield_comparison_text(yields, model) + "\n";
    int number = 0;
    for (const SceneAct& act : scene_acts(*c)) text += fmt::format("{}. {}\n", ++number, act.caption);
    return text;
}

}  // namespace ui
