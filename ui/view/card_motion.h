// Animates the cards of a queue when their order changes. In each frame, the caller specifies the goal of
// every card: the position to which it moves. A new card fades in; a removed card falls and fades out. If
// the goals change again during a motion (a key is held down, the run is playing), all cards jump to their
// goals.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/types.h"

namespace ui {

struct CardPlace {
    float x = 0, y = 0;
    bool operator==(const CardPlace&) const = default;
};

struct CardGoal {
    sim::TaskId task;
    CardPlace place;
};

class CardMotion {
  public:
    static constexpr float kSeconds = 0.18f;

    struct Card {
        sim::TaskId task;
        CardPlace from, goal, at;
        float shown_from = 0, shown = 0;  // opacity (0 to 1) at the start of the motion, and now
        bool leaving = false;
    };

    // Advances the motion by `dt` seconds. `layout_key` identifies the coordinate system (size of the pane,
    // shape of the cards). The cards jump to their goals if `layout_key` has changed, if dt <= 0, or if
    // `without_motion` is set. Returns true if more frames are needed. REQUIRES: no task has two goals.
    bool advance(std::span<const CardGoal> goals, std::uint64_t layout_key, float dt, bool without_motion);

    // Removes the cards of all tasks whose id is `first_removed` or higher. After a change of the run, tasks
    // with these ids may no longer exist.
    void remove_cards_from(sim::TaskId first_removed);

    // The cards in the order of the goals, followed by the removed cards that are still fading out.
    std::span<const Card> cards() const { return cards_; }

  private:
    bool have_goals_changed(std::span<const CardGoal> goals) const;
    void index_cards();
    // Starts a motion from the current positions to the goals.
    void start_motion(std::span<const CardGoal> goals);
    // Moves the cards to their positions at elapsed_.
    void update_places();

    std::vector<Card> cards_;
    // Indexed by TaskId: index into cards_, plus 1; 0: the task has no card.
    std::vector<std::uint32_t> index_;
    std::uint64_t layout_ = 0;
    float elapsed_ = kSeconds;       // seconds since the start of the motion
    float since_change_ = kSeconds;  // seconds since the last change of the goals
};

}  // namespace ui
