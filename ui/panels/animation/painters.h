// Functions that draw the pane ANIMATION. Each draws one aspect of a scene into an area. All positions depend
// only on the scene and the area.
#pragma once

#include <imgui.h>

#include <string>

#include "ui/panels/panel.h"
#include "ui/view/decision_scene.h"
#include "ui/view/yield_comparison.h"

namespace ui {

struct SceneArea {
    ImVec2 min, size;
    ImVec2 max() const { return {min.x + size.x, min.y + size.y}; }
};

// The point at `fraction` (0 to 1) of the distance from `from` to `to`.
inline float interpolate(float from, float to, double fraction) {
    return from + (to - from) * static_cast<float>(fraction);
}
inline ImVec2 interpolate(ImVec2 from, ImVec2 to, double fraction) {
    return {interpolate(from.x, to.x, fraction), interpolate(from.y, to.y, fraction)};
}

// Draws a whole scene: the cards and, below them, the counters, the queue parts, the tree or the virtual
// times, if the scene has any of these.
void draw_scene(Frame& frame, const Cursor& c, const DecisionScene& scene, const SceneArea& area);

// Draws the CPU and the queue as cards. `height`: height of a card in pixels.
void draw_cards(Frame& frame, const Cursor& c, const DecisionScene& scene, const SceneArea& area,
                float height);
// Draws the counters during the recalculation.
void draw_counters(Frame& frame, const Cursor& c, const DecisionScene& scene, const SceneArea& area);
// Draws the virtual times of a fair policy on an axis. REQUIRES: scene.fair_before.
void draw_virtual_times(Frame& frame, const Cursor& c, const DecisionScene& scene, const SceneArea& area);
// Draws the priority arrays or the queues of a script. REQUIRES: scene.parts.
void draw_queue_parts(Frame& frame, const Cursor& c, const DecisionScene& scene, const SceneArea& area);
// Draws the tree of a CFS queue. REQUIRES: scene.tree.
void draw_cfs_tree(Frame& frame, const Cursor& c, const DecisionScene& scene, const SceneArea& area);

// True if both runs make all YieldComparison::kYields yields.
bool has_all_yields(const YieldComparison& comparison);
// The yields of the frame's two runs; computed once per pair of runs.
const YieldComparison& yield_comparison_of(Frame& frame);
std::string yield_comparison_text(const YieldComparison& comparison, const Model& model);
// Draws the yields of two runs on one clock. `progress`: displayed time as a fraction (0 to 1) of the time
// that the slower run needs for all its yields.
void draw_yield_comparison(Frame& frame, const YieldComparison& comparison, double progress,
                           const SceneArea& area);

}  // namespace ui
