#include "ui/view/tree_scene.h"

#include <algorithm>

#include "sim/policies/virtual_times.h"

namespace ui {
namespace {

using sim::TaskId;
using sim::fair::FairKernel;
using sim::fair::TaskVirtualTimes;
using sim::fair::VirtualTimes;
using Node = TreeScene::Node;

constexpr std::size_t kMostTasks = 63;  // number of nodes in six full levels; a larger tree is not drawn

// The distance of the task's node from the root.
std::size_t depth_of(const VirtualTimes& times, TaskId p) {
    std::size_t depth = 0;
    const auto parent_of = [&](TaskId q) {
        const auto task = std::find_if(times.tree.begin(), times.tree.end(),
                                       [q](const TaskVirtualTimes& t) { return t.task == q; });
        return task == times.tree.end() ? sim::kNoTask : task->parent;
    };
    for (TaskId q = parent_of(p); q != sim::kNoTask && depth < times.tree.size(); q = parent_of(q)) ++depth;
    return depth;
}

Node& find_or_add_node(TreeScene& scene, const TaskVirtualTimes& task, std::int64_t vruntime) {
    const auto found = std::find_if(scene.nodes.begin(), scene.nodes.end(),
                                    [&](const Node& n) { return n.task == task.task; });
    if (found != scene.nodes.end()) return *found;
    return scene.nodes.emplace_back(Node{.task = task.task,
                                         .before = {},
                                         .after = {},
                                         .vruntime_before = vruntime,
                                         .vruntime_after = vruntime});
}

// `min_vruntime_shift`: min_vruntime of this state minus min_vruntime before the decision.
void add_tree_state(TreeScene& scene, const VirtualTimes& times, std::int64_t min_vruntime_shift,
                    bool is_after) {
    const auto add = [&](const TaskVirtualTimes& task) -> Node& {
        Node& node = find_or_add_node(scene, task, task.vruntime + min_vruntime_shift);
        if (is_after) node.vruntime_after = task.vruntime + min_vruntime_shift;
        return node;
    };
    for (std::size_t rank = 0; rank < times.tree.size(); ++rank) {
        const TaskVirtualTimes& task = times.tree[rank];
        const TreeScene::Place place{rank, depth_of(times, task.task), task.parent, task.red};
        (is_after ? add(task).after : add(task).before) = place;
        scene.levels = std::max(scene.levels, place.depth + 1);
    }
    if (times.current.task == sim::kNoTask) return;
    Node& node = add(times.current);
    (is_after ? node.runs_after : node.runs_before) = true;
}

// The rank that the chosen task would have among the tasks of the tree after the decision.
std::size_t rank_of_gap(const TreeScene& scene, const Node& chosen) {
    return static_cast<std::size_t>(std::count_if(scene.nodes.begin(), scene.nodes.end(), [&](const Node& n) {
        if (!n.after || n.task == chosen.task) return false;
        return n.before ? n.before->rank < chosen.before->rank : n.vruntime_after < chosen.vruntime_before;
    }));
}

}  // namespace

std::optional<TreeScene> tree_scene(const Cursor& c) {
    const FairKernel kernel = sim::fair::fair_kernel_of(c.policy());
    if (kernel == FairKernel::none || kernel == FairKernel::linux_6_6) return std::nullopt;
    const sim::DecisionView& view = c.decision();
    const VirtualTimes before = sim::fair::virtual_times(view.before, view.record.cpu, kernel),
                       after = sim::fair::virtual_times(view.after, view.record.cpu, kernel);
    if (std::max(before.tree.size(), after.tree.size()) > kMostTasks) return std::nullopt;
    TreeScene scene;
    add_tree_state(scene, before, 0, false);
    add_tree_state(scene, after, after.min_vruntime - before.min_vruntime, true);
    const auto chosen = std::find_if(scene.nodes.begin(), scene.nodes.end(),
                                     [](const Node& n) { return n.runs_after && n.before; });
    if (chosen != scene.nodes.end()) scene.gap = rank_of_gap(scene, *chosen);
    scene.columns = std::max(before.tree.size(), after.tree.size() + (scene.gap ? 1 : 0));
    return scene;
}

}  // namespace ui
