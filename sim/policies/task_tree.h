// A red-black tree of tasks, like the kernel's rbtree; the nodes are part of the policy's state of each task.
//
// A task is inserted to the left of another task only if it comes strictly before that task in the order of
// the tree. So equal tasks are in order of arrival.
// Recolouring and rotations are those of the textbook (Cormen, Leiserson, Rivest). If a task with two
// children is removed, its successor takes its position and colour, as in lib/rbtree.c. The shape of the tree
// affects a decision if the search starts at the root (linux-6.6).
#pragma once

#include <cassert>
#include <cstdint>

#include "sim/core/machine.h"

namespace sim {

// Links of a task in a tree; all zero if the task is in no tree.
struct TreeNode {
    TaskId parent, left, right;  // kNoTask: none
    std::uint32_t red;           // 1: the task is red, 0: it is black
};

// `Rules` defines the policy's state of a task and its order:
//   Rules::Task, with a member TreeNode `node`;
//   Rules::before(const Task&, const Task&): strict order;
//   Rules::kSummaries: true if a task stores summaries of its two subtrees. Only then, three more members are
//     needed: kNoSummary, the summary of an empty subtree;
//   Rules::summary(const Task&): the summary of the subtree whose root is the task;
//   Rules::subtree_summary(Task&, bool left): the stored summary of the left or the right subtree.
template <class Rules>
class TaskTree {
  public:
    // REQUIRES: all nodes reachable from `root` belong to this tree.
    TaskTree(Machine& m, TaskId& root) : m_(m), root_(root) {}

    struct InsertResult {
        TaskId before;              // predecessor of the inserted task in the order; kNoTask: none
        std::uint32_t comparisons;  // comparisons made on the way down
    };

    // Inserts p. REQUIRES: p is not in the tree.
    InsertResult insert(TaskId p) {
        InsertResult place{kNoTask, 0};
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
            Rules::subtree_summary(task(p), true) = Rules::subtree_summary(task(p), false) =
                Rules::kNoSummary;
            update_ancestor_summaries(p);
        }
        rebalance_after_insert(p);
        return place;
    }

    // Removes p. REQUIRES: p is in the tree; `next` is the successor of p in the order of the tree, if p has
    // a successor.
    void remove(TaskId p, TaskId next) {
        TreeNode& n = node(p);
        TaskId child, parent;  // child and parent of the position that becomes empty
        bool lost_black;
        if (n.left == kNoTask || n.right == kNoTask) {
            child = n.left != kNoTask ? n.left : n.right;
            parent = n.parent;
            lost_black = n.red == 0;
            const bool was_left = parent != kNoTask && node(parent).left == p;
            replace(p, child);
            if (parent != kNoTask && update_subtree_summary(parent, was_left, child))
                update_ancestor_summaries(parent);
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
                // The successor takes over p's summaries. Changes are then propagated from `parent` up to
                // the successor, and from there to the root.
                Rules::subtree_summary(task(successor), true) = Rules::subtree_summary(task(p), true);
                if (parent != successor) {
                    Rules::subtree_summary(task(successor), false) = Rules::subtree_summary(task(p), false);
                    if (update_subtree_summary(parent, true, child)) update_ancestor_summaries(parent);
                }
                update_ancestor_summaries(successor);
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

    // Updates the summary that p stores for its left or right subtree. `child` is the root of this subtree
    // (kNoTask: none). Returns whether the summary changed.
    bool update_subtree_summary(TaskId p, bool left, TaskId child) {
        if constexpr (Rules::kSummaries) {
            auto& known = Rules::subtree_summary(task(p), left);
            const auto said = child != kNoTask ? Rules::summary(task(child)) : Rules::kNoSummary;
            if (known == said) return false;
            known = said;
            return true;
        } else {
            return false;
        }
    }
    // Updates the stored summaries of p's ancestors, up to the first ancestor whose summary does not
    // change.
    void update_ancestor_summaries(TaskId p) {
        for (TaskId up = node(p).parent; up != kNoTask; p = up, up = node(p).parent)
            if (!update_subtree_summary(up, node(up).left == p, p)) return;
    }

    // Makes the task `replacement` (which may be kNoTask) a child of p's parent, in place of p.
    void replace(TaskId p, TaskId replacement) {
        const TaskId parent = node(p).parent;
        if (parent == kNoTask)
            root_ = replacement;
        else
            (node(parent).left == p ? node(parent).left : node(parent).right) = replacement;
        if (replacement != kNoTask) node(replacement).parent = parent;
    }

    static TaskId& child_of(TreeNode& n, bool left) { return left ? n.left : n.right; }

    // If `to_left`: p's right child takes p's position, and p becomes the left child of that task.
    // Otherwise: the same with left and right exchanged.
    void rotate(TaskId p, bool to_left) {
        const TaskId up = child_of(node(p), !to_left);
        const TaskId between = child_of(node(up), to_left);
        child_of(node(p), !to_left) = between;
        if (between != kNoTask) node(between).parent = p;
        replace(p, up);
        child_of(node(up), to_left) = p;
        node(p).parent = up;
        if constexpr (Rules::kSummaries) {
            Rules::subtree_summary(task(p), !to_left) = Rules::subtree_summary(task(up), to_left);
            Rules::subtree_summary(task(up), to_left) = Rules::summary(task(p));
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

    // Restores the red-black rules. The subtree of p (p may be kNoTask) below `parent` has one black task
    // too few on each path.
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
