// A whole scene: the cards, and below them the counters, the parts of the queue, the tree or the axis.
#include <algorithm>
#include <cmath>

#include "ui/panels/animation/painters.h"

namespace ui {

void draw_scene(Frame& frame, const Cursor& c, const DecisionScene& scene, const SceneArea& area) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool has_lower_part =
        !scene.columns.empty() || scene.parts || scene.tree || scene.fair_before.has_value();
    // scene.parts contains the queues of a script or two priority arrays. A script's queues also contain the
    // running task, so cards are drawn only during a recalculation (scene.columns). With scene.parts,
    // draw_cards() draws only the CPU with the card of its task.
    const bool has_cards = !scene.parts || scene.parts->has_arrays || !scene.columns.empty();
    const float text = pixel_size(*frame.fonts.sans),
                most = has_lower_part ? area.size.y * 0.45F : area.size.y - frame.px(4), gap = frame.px(10),
                height = has_cards ? std::floor(std::min((scene.parts ? 3 : 5) * text, most)) : -gap;
    const SceneArea lower{{area.min.x, area.min.y + height + gap}, {area.size.x, area.size.y - height - gap}};
    list.PushClipRect(area.min, area.max(), true);
    if (has_cards) draw_cards(frame, c, scene, area, height);
    if (!scene.columns.empty())
        draw_counters(frame, c, scene, lower);
    else if (scene.parts)
        draw_queue_parts(frame, c, scene, lower);
    else if (scene.tree)
        draw_cfs_tree(frame, c, scene, lower);
    else if (scene.fair_before)
        draw_virtual_times(frame, c, scene, lower);
    list.PopClipRect();
}

}  // namespace ui
