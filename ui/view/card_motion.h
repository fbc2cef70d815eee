// Where the cards of a queue are on their way from one order to the next.
//
// Everybody says every frame where each card belongs; a card that is elsewhere eases there within 180 ms, a
// new one fades in, one that is gone drops out. When the goals change again before that is over - a key is
// held down, or the run is playing - there is no use in motion, and everything is where it belongs at once.
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
        float shown_from = 0, shown = 0;  // how opaque, 0 to 1
        bool leaving = false;
    };

    // Makes `dt` seconds of motion. `layout` stands for what the places mean (the size of the pane, the shape
    // of the cards): when it changes, or dt is 0, or `still`, nothing moves. Returns whether
    // frames have to go on. REQUIRES: no task has two goals.
    bool move(std::span<const CardGoal> goals, std::uint64_t layout, float dt, bool still);

    // Cards of tasks from this number on are gone at once: another run has no such tasks, and no names for
    // them.
    void forget_from(sim::TaskId end);

    // In the order of the goals; behind them those that leave.
    std::span<const Card> cards() const { return cards_; }

  private:
    std::vector<Card> cards_;
    std::vector<std::uint32_t> index_;  // by TaskId: place in cards_, plus 1
    std::uint64_t layout_ = 0;
    float elapsed_ = kSeconds;       // of the motion
    float since_change_ = kSeconds;  // of the goals
};

}  // namespace ui
