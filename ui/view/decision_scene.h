// One schedule() as an animation. The picture depends only on the decision and the progress. So the animation
// can also run backwards, and the same progress always gives the same picture.
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
    enum class Kind : std::uint8_t {
        stop,         // prev stops: its slice ends, it blocks, yields, or a wake-up sets need_resched
        leave,        // prev leaves the CPU: it is put back into the queue, or it leaves the queue
        exchange,     // linux-2.6.20 exchanges the active and the expired array
        look,         // one candidate is examined
        recalculate,  // counters are recalculated, in the order of the task table
        run,          // the chosen task gets the CPU
    };
    Kind kind;
    std::size_t index = 0;  // for `look`: index of the candidate in the log
    double seconds = 1;     // duration of the act in playback
    std::string caption;    // one or two sentences
};

// A task's card. `place` is a position, counted in cards: -1 is the CPU, 0 is the head of the queue.
struct SceneCard {
    sim::TaskId task = sim::kNoTask;
    double place = 0;
    double opacity = 1;
    double slice = -1;      // share of the slice that is left; below 0: no bar
    std::string value;      // the examined value: "goodness 20"; empty: not examined yet
    bool examined = false;  // the current act examines this task
    bool best = false;      // this task is the best candidate so far
};

// A counter during the recalculation.
struct SceneColumn {
    sim::TaskId task;
    double counter = 0;
    std::int32_t before = 0, after = 0, priority = 0;
    bool asleep = false;
    bool done = false;  // the read head has passed this column
};

struct DecisionScene {
    std::size_t act = 0;  // index of the current act
    std::vector<SceneCard> cards;
    std::vector<SceneColumn> columns;  // empty before the recalculation
    double read_head = 0;    // the number of columns that the recalculation has passed; may be a fraction
    std::int32_t limit = 0;  // 2 * the largest priority; under Linux 1.2 to 2.2, counters approach this value
    // For fair policies only: the queue before and after prev is charged. Markers move from their positions
    // in fair_before to those in fair_after. `charged` is the progress of this motion, 0 to 1.
    std::optional<FairQueue> fair_before, fair_after;
    double charged = 0;
    // The parts of a queue, or the tree of a CFS queue. The items move twice: to their positions during the
    // search (progress `put_back`), then to their positions after the decision (progress `switched`).
    // `exchanged`: progress of the exchange of the two arrays of linux-2.6.20. Each progress is 0 to 1.
    std::optional<QueuePartsScene> parts;
    std::optional<TreeScene> tree;
    double put_back = 0, exchanged = 0, switched = 0;
    std::vector<sim::TaskId> seen;  // tasks examined so far
    sim::Nanos cost{};              // cost of the decision so far
};

// The acts of a decision; at least two.
std::vector<SceneAct> scene_acts(const Cursor& cursor);

// The scene at this progress, from 0 to the number of acts.
DecisionScene scene_at(const Cursor& cursor, const std::vector<SceneAct>& acts, double progress);

}  // namespace ui
