// The red-black tree of a CFS queue. The animation shows that prev is charged and inserted at its new
// position, and that the chosen task leaves the tree. From left to right, the tasks are in the order of the
// tree.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/panels/animation/painters.h"
#include "ui/panels/drawing.h"
#include "ui/platform/shapes.h"

namespace ui {
namespace {

using Node = TreeScene::Node;

class TreePainter {
  public:
    TreePainter(Frame& frame, const Cursor& c, const DecisionScene& scene, const SceneArea& area)
        : f_(frame),
          c_(c),
          scene_(scene),
          tree_(*scene.tree),
          area_(area),
          list_(*ImGui::GetWindowDrawList()),
          sans_(frame.fonts.sans),
          text_(pixel_size(*sans_)),
          radius_(frame.px(6)) {
        const float running = f_.px(120);  // width of the column for the running task
        step_.x = (area.size.x - running) / static_cast<float>(std::max<std::size_t>(1, tree_.columns));
        left_ = area.min.x + running;
        step_.y = std::min(3.2F * text_, (area.size.y - text_ - f_.px(4)) /
                                             static_cast<float>(std::max<std::size_t>(1, tree_.levels)));
    }

    void draw() {
        draw_text(sans_, area_.min, f_.theme.text_dim, "running task (not in the tree)");
        for (const Node& node : tree_.nodes) draw_link_to_parent(node);
        for (const Node& node : tree_.nodes) draw_node(node);
        const float bottom = area_.max().y - text_;
        if (step_.y * static_cast<float>(tree_.levels) + text_ < area_.size.y)
            draw_text(sans_, {area_.min.x, bottom}, f_.theme.text_dim,
                      "the red-black tree, from left to right by vruntime; lines: links before and after the "
                      "decision; "
                      "double ring: red node; number: vruntime minus the old min_vruntime");
    }

  private:
    ImVec2 running_task_point() const { return {area_.min.x + f_.px(20), area_.min.y + 2 * text_}; }

    ImVec2 point_at(float rank, const TreeScene::Place& place) const {
        return {left_ + step_.x * (rank + 0.5F),
                area_.min.y + radius_ + step_.y * static_cast<float>(place.depth)};
    }

    ImVec2 point_before_decision(const Node& node) const {
        if (node.before) return point_at(static_cast<float>(node.before->rank), *node.before);
        return node.runs_before ? running_task_point() : point_during_search(node);
    }
    // During the search, the tree still has its old links and still contains the chosen task. Each task to
    // the right of the chosen task is therefore drawn one position to the right of its new position.
    ImVec2 point_during_search(const Node& node) const {
        if (!node.after) return point_before_decision(node);
        const bool right_of_gap = tree_.gap && node.after->rank >= *tree_.gap;
        const TreeScene::Place& place = node.before ? *node.before : *node.after;
        return point_at(static_cast<float>(node.after->rank) + (right_of_gap ? 1 : 0), place);
    }
    ImVec2 point_after_decision(const Node& node) const {
        if (node.after) return point_at(static_cast<float>(node.after->rank), *node.after);
        return node.runs_after ? running_task_point() : point_before_decision(node);
    }

    ImVec2 point_of(const Node& node) const {
        const ImVec2 p =
            interpolate(interpolate(point_before_decision(node), point_during_search(node), scene_.put_back),
                        point_after_decision(node), scene_.switched);
        return {std::floor(p.x), std::floor(p.y)};
    }

    const Node* find(sim::TaskId p) const {
        const auto node =
            std::find_if(tree_.nodes.begin(), tree_.nodes.end(), [p](const Node& n) { return n.task == p; });
        return node == tree_.nodes.end() ? nullptr : &*node;
    }

    // At the switch, the links from before the decision fade out, and the links from after it fade in.
    void draw_link_to_parent(const Node& node) {
        const auto link = [&](const std::optional<TreeScene::Place>& place, double opacity) {
            const Node* const parent = place ? find(place->parent) : nullptr;
            if (parent == nullptr || opacity <= 0) return;
            stroke(list_, point_of(node), point_of(*parent),
                   with_alpha(f_.theme.text_dim, static_cast<float>(opacity)), std::max(1.0F, f_.px(1.5F)));
        };
        const bool same = node.before && node.after && node.before->parent == node.after->parent;
        link(node.before, same ? 1 : 1 - scene_.switched);
        if (!same) link(node.after, scene_.switched);
    }

    double opacity_of(const Node& node) const {
        const bool was = node.before || node.runs_before, is = node.after || node.runs_after;
        if (was && is) return 1;
        return was ? 1 - scene_.put_back : scene_.put_back;
    }

    void draw_node(const Node& node) {
        const auto opacity = static_cast<float>(opacity_of(node));
        if (opacity <= 0) return;
        const ImVec2 p = point_of(node);
        const bool was_red = node.before && node.before->red, is_red = node.after && node.after->red;
        const bool red = scene_.switched < 0.5 || !node.after ? was_red : is_red;
        disc(list_, p, radius_, with_alpha(colour_of(f_, node.task), opacity));
        if (red)
            for (const float wider : {2.0F, 5.0F})
                ring(list_, p, radius_ + f_.px(wider), with_alpha(f_.theme.text, opacity), 0,
                     std::max(1.0F, f_.px(1)));
        const auto vruntime = static_cast<std::int64_t>(
            static_cast<double>(node.vruntime_before) +
            scene_.charged * static_cast<double>(node.vruntime_after - node.vruntime_before));
        // The name below a node must fit between the neighbouring nodes.
        const float room = std::min(f_.px(110), step_.x - f_.px(4));
        if (room < f_.px(24)) return;
        const auto line = [&](float y, ImU32 colour, const std::string& words) {
            const float width = text_width(sans_, words);
            const float x = std::max(area_.min.x, p.x - width / 2);
            draw_text(sans_, {std::floor(x), std::floor(y)}, with_alpha(colour, opacity), words);
        };
        const float below = p.y + radius_ + f_.px(3);
        line(below, f_.theme.text, short_name(sans_, c_.name(node.task), room));
        const std::string value = signed_ms_text(vruntime);
        if (step_.y >= 2 * radius_ + 2 * text_ && text_width(sans_, value) < room)
            line(below + text_, f_.theme.text_dim, value);
        if (ImGui::IsWindowHovered() &&
            ImGui::IsMouseHoveringRect({p.x - radius_, p.y - radius_}, {p.x + radius_, p.y + radius_}))
            f_.report_hovered_task(node.task);
    }

    Frame& f_;
    const Cursor& c_;
    const DecisionScene& scene_;
    const TreeScene& tree_;
    SceneArea area_;
    ImDrawList& list_;
    ImFont* const sans_;
    const float text_, radius_;
    ImVec2 step_{};
    float left_ = 0;
};

}  // namespace

void draw_cfs_tree(Frame& frame, const Cursor& c, const DecisionScene& scene, const SceneArea& area) {
    TreePainter(frame, c, scene, area).draw();
}

}  // namespace ui
