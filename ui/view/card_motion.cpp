#include "ui/view/card_motion.h"

#include <algorithm>

namespace ui {
namespace {

constexpr float kDrop = 12;  // distance that a removed card falls, in pixels

// Cubic ease-out: maps 0..1 to 0..1.
float ease_out(float share) {
    const float rest = 1 - std::clamp(share, 0.0f, 1.0f);
    return 1 - rest * rest * rest;
}

}  // namespace

bool CardMotion::advance(std::span<const CardGoal> goals, std::uint64_t layout_key, float dt,
                         bool without_motion) {
    const bool same_layout = layout_key == layout_ && !cards_.empty();
    layout_ = layout_key;
    without_motion = without_motion || dt <= 0;
    since_change_ = without_motion ? kSeconds : since_change_ + dt;
    elapsed_ = without_motion ? kSeconds : elapsed_ + dt;
    if (have_goals_changed(goals)) {
        const bool hurried = since_change_ < kSeconds;
        if (!without_motion && same_layout) since_change_ = 0;
        elapsed_ = without_motion || !same_layout || hurried ? kSeconds : 0;
        start_motion(goals);
    }
    update_places();
    if (elapsed_ < kSeconds) return true;
    std::erase_if(cards_, [](const Card& card) { return card.leaving; });
    for (Card& card : cards_) {
        card.from = card.at = card.goal;
        card.shown_from = card.shown = 1;
    }
    // Requests further frames until kSeconds have passed since the last change of the goals. A change of the
    // goals before that time makes the cards jump.
    return since_change_ < kSeconds;
}

bool CardMotion::have_goals_changed(std::span<const CardGoal> goals) const {
    std::size_t staying = 0;
    while (staying < cards_.size() && !cards_[staying].leaving) ++staying;
    if (staying != goals.size()) return true;
    for (std::size_t i = 0; i < staying; ++i)
        if (cards_[i].task != goals[i].task || cards_[i].goal != goals[i].place) return true;
    return false;
}

void CardMotion::index_cards() {
    std::fill(index_.begin(), index_.end(), 0u);
    for (std::size_t i = 0; i < cards_.size(); ++i) {
        if (cards_[i].task >= index_.size()) index_.resize(cards_[i].task + 1);
        // A task that returns to the queue while its old card fades out has two cards for a short time. The
        // index refers to the new card.
        if (index_[cards_[i].task] == 0) index_[cards_[i].task] = static_cast<std::uint32_t>(i) + 1;
    }
}

void CardMotion::start_motion(std::span<const CardGoal> goals) {
    index_cards();
    std::vector<Card> next;
    next.reserve(goals.size() + cards_.size());
    for (const CardGoal& goal : goals) {
        const std::uint32_t known = goal.task < index_.size() ? index_[goal.task] : 0;
        Card card{.task = goal.task, .from = goal.place, .goal = goal.place, .at = goal.place};
        if (known != 0) {
            Card& old = cards_[known - 1];
            card.from = card.at = old.at;
            card.shown_from = card.shown = old.shown;
            old.task = sim::kNoTask;
        }
        next.push_back(card);
    }
    for (Card& old : cards_) {
        if (old.task == sim::kNoTask || old.leaving) continue;
        old.leaving = true;
        old.from = old.at;
        old.goal = {old.at.x, old.at.y + kDrop};
        old.shown_from = old.shown;
        next.push_back(old);
    }
    cards_ = std::move(next);
}

void CardMotion::update_places() {
    const float share = ease_out(elapsed_ / kSeconds);
    for (Card& card : cards_) {
        card.at.x = card.from.x + (card.goal.x - card.from.x) * share;
        card.at.y = card.from.y + (card.goal.y - card.from.y) * share;
        card.shown = card.shown_from + ((card.leaving ? 0.0f : 1.0f) - card.shown_from) * share;
    }
}

void CardMotion::remove_cards_from(sim::TaskId first_removed) {
    std::erase_if(cards_, [first_removed](const Card& card) { return card.task >= first_removed; });
}

}  // namespace ui
