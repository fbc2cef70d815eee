// What has been changed of the scenario that is open, change by change, and the way back and forth again. One
// change is of one value, however often a slider was moved for it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ui {

class Changes {
  public:
    using Sets = std::vector<std::string>;  // POINTER=VALUE, as Model::sets

    // The scenario had these values before the one at this pointer was changed.
    void record(Sets before, const std::string& pointer) {
        undone_.clear();
        if (pointer == changing_) return;
        changing_ = pointer;
        if (done_.size() == kMost) done_.erase(done_.begin());
        done_.push_back(std::move(before));
    }
    // What comes next is another change, even if it is of the same value: the mouse button was let go.
    void end_change() { changing_.clear(); }

    // The values before the latest change, and after the latest that was taken back; nothing when there is
    // none. `now` is what they are.
    std::optional<Sets> undo(const Sets& now) { return move(done_, undone_, now); }
    std::optional<Sets> redo(const Sets& now) { return move(undone_, done_, now); }

    static constexpr std::size_t kMost = 500;  // that can be taken back; older ones are forgotten

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
    std::string changing_;  // the pointer of the change that is going on
};

}  // namespace ui
