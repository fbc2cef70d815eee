// Undo history of the open scenario. All changes of one value during a slider drag count as one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ui {

class Changes {
  public:
    using Sets = std::vector<std::string>;  // POINTER=VALUE, as Model::sets

    // Records a change of the value at `pointer`. `before`: all values before this change.
    void record(Sets before, const std::string& pointer) {
        undone_.clear();
        if (pointer == changing_) return;
        changing_ = pointer;
        if (done_.size() == kMost) done_.erase(done_.begin());
        done_.push_back(std::move(before));
    }
    // Ends a drag: another change of the same value is recorded separately. Called when the mouse button is
    // released.
    void end_change() { changing_.clear(); }

    // Undoes a change and returns the values to restore; nullopt if there is no change. `now`: the current
    // values.
    std::optional<Sets> undo(const Sets& now) { return move(done_, undone_, now); }
    std::optional<Sets> redo(const Sets& now) { return move(undone_, done_, now); }

    static constexpr std::size_t kMost = 500;  // older changes are dropped

  private:
    std::optional<Sets> move(std::vector<Sets>& from, std::vector<Sets>& to, const Sets& now) {
        changing_.clear();
        if (from.empty()) return std::nullopt;
        to.push_back(now);
        Sets sets = std::move(from.back());
        from.pop_back();
        return sets;
    }

    std::vector<Sets> done_, undone_;
    std::string changing_;  // pointer of the value being changed; empty: none
};

}  // namespace ui
