// The undo history of the open scenario, for changes of values, of the workload and of the policy. All
// changes of one value during a slider drag count as one change.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ui/control/navigator.h"

namespace ui {

// The state that undo and redo restore.
struct EditState {
    std::shared_ptr<const std::string> text;  // ScenarioText::text; states with the same text share it
    std::vector<std::string> sets;            // changed values, each as POINTER=VALUE, as in Model::sets
    std::string policy;                       // spec of run A
    RunPosition position;
};

class UndoHistory {
  public:
    // A state to restore. `change_text` is the change that is undone or redone, such as "burst of A: 9 ms".
    // It is empty for a change in the what-if strip; the message then lists the changed values.
    struct Step {
        EditState state;
        std::string change_text;
    };

    // Records a change. `before`: the state before the change. `key`: identifies the changed value, for
    // example its JSON pointer. Successive changes with the same key count as one change, unless the key is
    // empty.
    void record(EditState before, const std::string& key, std::string change_text = {}) {
        undone_.clear();
        if (!key.empty() && key == changing_) {
            done_.back().change_text = std::move(change_text);
            return;
        }
        changing_ = key;
        done_.push_back({std::move(before), std::move(change_text)});
        while (done_.size() > kMost || (done_.size() > 1 && text_bytes() > kMostBytes))
            done_.erase(done_.begin());
    }
    // Ends a drag: another change of the same value is recorded separately. Called when the mouse button is
    // released.
    void end_change_series() { changing_.clear(); }

    // Undo or redo one change, and return the state to restore; nullopt if there is no change.
    // `current_state` is the state that the inverse operation restores.
    std::optional<Step> undo(EditState current_state) {
        return move_step(done_, undone_, std::move(current_state));
    }
    std::optional<Step> redo(EditState current_state) {
        return move_step(undone_, done_, std::move(current_state));
    }

    // Largest number of stored changes; older changes are dropped.
    static constexpr std::size_t kMost = 2'000;
    // Largest total size of the scenario texts that undo stores, in bytes.
    static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  private:
    std::optional<Step> move_step(std::vector<Step>& from, std::vector<Step>& to, EditState current_state) {
        changing_.clear();
        if (from.empty()) return std::nullopt;
        Step step = std::move(from.back());
        from.pop_back();
        to.push_back({std::move(current_state), step.change_text});
        return step;
    }

    std::size_t text_bytes() const {
        std::set<const std::string*> texts;
        std::size_t sum = 0;
        for (const Step& step : done_)
            if (texts.insert(step.state.text.get()).second) sum += step.state.text->size();
        return sum;
    }

    std::vector<Step> done_, undone_;
    std::string changing_;  // key of the change in progress; empty: none
};

}  // namespace ui
