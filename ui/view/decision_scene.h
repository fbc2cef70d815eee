// One schedule() as an animation. Everything that is drawn is a function of the decision and of the progress
// alone, so the animation runs backwards as well, and every position gives the same picture.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/view/decision_cursor.h"
#include "ui/view/fair_queue.h"
#include "ui/view/queue_parts_scene.h"
#include "ui/view/tree_scene.h"

namespace ui {

// A part of the animation. Progress is measured in acts: 2.5 is the middle of the third act.
struct SceneAct {
    enum class What : std::uint8_t {
        stop,         // prev stops: its slice ends, it blocks, yields, or a woken task asks
        leave,        // prev goes to its place in the queue, or leaves
        exchange,     // linux-2.6.20 exchanges the active and the expired array
        look,         // one candidate is examined
        recalculate,  // counters are recalculated, in the order of the task table
        run,          // the chosen task gets the CPU
    };
    What what;
    std::size_t index = 0;  // look: of the candidate in the log
    double seconds = 1;     // how long playback takes
    std::string caption;    // one or two sentences
};

// A task's card. Places are counted in cards: -1 is the CPU, 0 the head of the queue.
struct SceneCard {
    sim::TaskId task = sim::kNoTask;
    double place = 0;
    double opacity = 1;
    double slice = -1;      // share of the slice that is left; below 0: no bar
    std::string value;      // the examined value: "goodness 20"; empty: not examined yet
    bool examined = false;  // the candidate of this act
    bool best = false;      // the best so far
};

// A counter during the recalculation.
struct SceneColumn {
    sim::TaskId task;
    double counter = 0;
    std::int32_t before = 0, after = 0, priority = 0;
    bool asleep = false;
    bool done = false;  // the read head has passed
};

struct DecisionScene {
    std::size_t act = 0;  // index into the acts
    std::vector<SceneCard> cards;
    std::vector<SceneColumn> columns;  // from the recalculation on
    double read_head = 0;              // in columns; all of them: it has passed
    std::int32_t limit = 0;            // largest counter that repeated recalculations approach
    // Fair policies: the queue before and after prev is charged, and how much of the change has happened (0
    // to 1). Markers move between the two.
    std::optional<FairQueue> fair_before, fair_after;
    double charged = 0;
    // The parts of a queue, and the tree of a CFS queue, before and after. Things move from their place
    // before to that of the search with `put_back`, and from there to that after the decision with
    // `switched`; the arrays are exchanged with `exchanged` (each 0 to 1).
    std::optional<QueuePartsScene> parts;
    std::optional<TreeScene> tree;
    double put_back = 0, exchanged = 0, switched = 0;
    std::vector<sim::TaskId> seen;  // tasks examined so far
    sim::Nanos clock{};             // cost of the decision so far
};

// The acts of a decision; at least two.
std::vector<SceneAct> scene_acts(const Cursor& cursor);

// The scene at this progress, from 0 to the number of acts.
DecisionScene scene_at(const Cursor& cursor, const std::vector<SceneAct>& acts, double progress);

}  // namespace ui
