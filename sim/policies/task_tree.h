// A red-black tree of tasks, threaded through what a policy keeps of each: the kernel's rbtree as
// schedulers use it.
//
// A task goes to the left of another only if it comes strictly before it, so equals stand in the order of
// their arrival. Recolouring and rotations are the textbook's (Cormen, Leiserson, Rivest), and a task with
// two children is replaced by its successor, which takes its place and colour; so does lib/rbtree.c. The
// shape is part of the semantics where a search begins at the root (linux-6.6).
#pragma once

#include <cassert>
#include <cstdint>

#include "sim/core/machine.h"

namespace sim {

// A task's place in the tree; all zero while it is on none.
struct TreeNode {
    TaskId parent, left, right;  // kNoTask for none
    std::uint32_t red;           // 1 or 0
};

// `Rules` says what the policy keeps of a task and how it is ordered:
//   Rules::Task, with a member TreeNode `node`;
//   Rules::before(const Task&, const Task&), strictly;
//   Rules::kSummaries: whether a task knows something of the subtrees below it, and if so
//   Rules::summary(const Task&): what it says of its own, from what it is and knows; kNoSummary of none;
//   Rules::below(Task&, bool left): what it knows of that side.
template <class Rules>
class TaskTree {
  public:
    // REQUIRES: all that `root` leads to is on this tree.
    TaskTree(Machine& m, TaskId& root) : m_(m), root_(root) {}

    struct Place {
        TaskId before;              // the task that comes right before the new one; kNoTask for none
        std::uint32_t comparisons;  // on the way down to it
    };

    // REQUIRES: p is not on the tree.
    Place insert(TaskId p) {
        Place place{kNoTask, 0};
        TaskId parent = kNoTask, *link = &root_;
        while (*link != kNoTask) {
            parent = *link;
            ++place.comparisons;
            if (Rules::before(task(p), task(parent))) {
                link = &node(parent).left;
            } else {
                place.before = parent;
                link = &node(parent).right;
            }
        }
        *link = p;
        node(p) = {.parent = parent, .left = kNoTask, .right = kNoTask, .red = 1};
        if constexpr (Rules::kSummaries) {
            Rules::below(task(p), true) = Rules::below(task(p), false) = Rules::kNoSummary;
            tell_up(p);
        }
        rebalance_after_insert(p);
        return place;
    }

    // REQUIRES: p is on the tree, and `next` comes right after it, if anybody does.
    void remove(TaskId p, TaskId next) {
        TreeNode& n = node(p);
        TaskId child, parent;  // of the place that falls empty
        bool lost_black;
        if (n.left == kNoTask || n.right == kNoTask) {
            child = n.left != kNoTask ? n.left : n.right;
            parent = n.parent;
            lost_black = n.red == 0;
            const bool was_left = parent != kNoTask && node(parent).left == p;
            replace(p, child);
            if (parent != kNoTask && tell(parent, was_left, child)) tell_up(parent);
        } else {
            const TaskId successor = next;
            TreeNode& s = node(successor);
            child = s.right;
            lost_black = s.red == 0;
            if (s.parent == p) {
                parent = successor;
            } else {
                parent = s.parent;
                replace(successor, child);
                s.right = n.right;
                node(s.right).parent = successor;
            }
            replace(p, successor);
            s.left = n.left;
            node(s.left).parent = successor;
            s.red = n.red;
            if constexpr (Rules::kSummaries) {
                // The successor has below it what p had, less itself, of which those between have to be told.
                Rules::below(task(successor), true) = Rules::below(task(p), true);
                if (parent != successor) {
                    Rules::below(task(successor), false) = Rules::below(task(p), false);
                    if (tell(parent, true, child)) tell_up(parent);
                }
                tell_up(successor);
            }
        }
        n = {};
        if (lost_black) rebalance_after_remove(child, parent);
    }

    TaskId root() const { return root_; }

  private:
    typename Rules::Task& task(TaskId p) const { return m_.of_task<typename Rules::Task>(p); }
    TreeNode& node(TaskId p) const { return task(p).node; }
    bool is_red(TaskId p) const { return p != kNoTask && node(p).red != 0; }

    // p learns what its child on that side, perhaps nobody, says. Returns whether that is news.
    bool tell(TaskId p, bool left, TaskId child) {
        if constexpr (Rules::kSummaries) {
            auto& known = Rules::below(task(p), left);
            const auto said = child != kNoTask ? Rules::summary(task(child)) : Rules::kNoSummary;
            if (known == said) return false;
            known = said;
            return true;
        } else {
            return false;
        }
    }
    // All above p learn what it says, as far as that is news.
    void tell_up(TaskId p) {
        for (TaskId up = node(p).parent; up != kNoTask; p = up, up = node(p).parent)
            if (!tell(up, node(up).left == p, p)) return;
    }

    // `by`, perhaps nobody, takes p's place below p's parent.
    void replace(TaskId p, TaskId by) {
        const TaskId parent = node(p).parent;
        if (parent == kNoTask)
            root_ = by;
        else
            (node(parent).left == p ? node(parent).left : node(parent).right) = by;
        if (by != kNoTask) node(by).parent = parent;
    }

    static TaskId& child_of(TreeNode& n, bool left) { return left ? n.left : n.right; }

    // p's child on the other side takes p's place, and p becomes its child on this one.
    void rotate(TaskId p, bool to_left) {
        const TaskId up = child_of(node(p), !to_left);
        const TaskId between = child_of(node(up), to_left);
        child_of(node(p), !to_left) = between;
        if (between != kNoTask) node(between).parent = p;
        replace(p, up);
        child_of(node(up), to_left) = p;
        node(p).parent = up;
        if constexpr (Rules::kSummaries) {
            Rules::below(task(p), !to_left) = Rules::below(task(up), to_left);
            Rules::below(task(up), to_left) = Rules::summary(task(p));
        }
    }

    void rebalance_after_insert(TaskId p) {
        while (is_red(node(p).parent)) {
            TaskId parent = node(p).parent;
            const TaskId grandparent = node(parent).parent;
            const bool left = parent == node(grandparent).left;
            const TaskId uncle = child_of(node(grandparent), !left);
            if (is_red(uncle)) {
                node(parent).red = node(uncle).red = 0;
                node(grandparent).red = 1;
                p = grandparent;
                continue;
            }
            if (p == child_of(node(parent), !left)) {
                rotate(parent, left);
                parent = p;
            }
            node(parent).red = 0;
            node(grandparent).red = 1;
            rotate(grandparent, !left);
            break;
        }
        node(root_).red = 0;
    }

    // The subtree of `p`, perhaps empty, below `parent` has a black task too few.
    void rebalance_after_remove(TaskId p, TaskId parent) {
        while (parent != kNoTask && !is_red(p)) {
            const bool left = node(parent).left == p;
            TaskId sibling = child_of(node(parent), !left);
            if (is_red(sibling)) {
                node(sibling).red = 0;
                node(parent).red = 1;
                rotate(parent, left);
                sibling = child_of(node(parent), !left);
            }
            if (!is_red(node(sibling).left) && !is_red(node(sibling).right)) {
                node(sibling).red = 1;
                p = parent;
                parent = node(p).parent;
                continue;
            }
            if (!is_red(child_of(node(sibling), !left))) {
                node(child_of(node(sibling), left)).red = 0;
                node(sibling).red = 1;
                rotate(sibling, !left);
                sibling = child_of(node(parent), !left);
            }
            node(sibling).red = node(parent).red;
            node(parent).red = 0;
            node(child_of(node(sibling), !left)).red = 0;
            rotate(parent, left);
            return;
        }
        if (p != kNoTask) node(p).red = 0;
    }

    Machine& m_;
    TaskId& root_;
};

}  // namespace sim
