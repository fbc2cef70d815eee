// What the caption of a tour speaks of: a pane says where on the screen its parts are, and the presenter's
// view outlines the part that is asked for. Kept in PaneMemory from one frame to the next.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace ui {

class Pointed {
  public:
    struct Box {
        ImVec2 min, max;
    };

    // This part from now on; empty for none. It is scrolled to when it is another one than before, or
    // `place`, which stands for all that decides where it is, is.
    void ask_for(std::string_view part, std::size_t place) {
        if (part != part_ || place != place_) {
            scrolls_ = kScrolls;
            whole_.reset();
        }
        part_ = part;
        place_ = place;
        rest_ = std::max(0, rest_ - 1);
        before_ = whole_;
        whole_.reset();
        box_.reset();
    }

    // A part is here, or more of it, in the ImGui window that is open.
    void add(std::string_view part, ImVec2 min, ImVec2 max) {
        if (part_.empty() || part != part_) return;
        const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
        const Box window{at, {at.x + size.x, at.y + size.y}};
        if (!whole_ && before_ && scrolls_ > 0 && rest_ == 0 && ImGui::GetScrollMaxY() > 0 &&
            (before_->min.y < window.min.y || before_->max.y > window.max.y)) {
            ImGui::SetScrollFromPosY(before_->min.y - at.y - ImGui::GetTextLineHeight(), 0);
            --scrolls_;
            rest_ = 2;  // until it is drawn there
        }
        whole_ = joined(whole_, {min, max});
        const Box seen{{std::max(min.x, window.min.x), std::max(min.y, window.min.y)},
                       {std::min(max.x, window.max.x), std::min(max.y, window.max.y)}};
        if (seen.min.x < seen.max.x && seen.min.y < seen.max.y) box_ = joined(box_, seen);
    }

    // Where it was drawn in this frame; nothing when it was not.
    const std::optional<Box>& box() const { return box_; }

  private:
    static constexpr int kScrolls = 2;  // since a table finds its height in its first frame

    static Box joined(const std::optional<Box>& a, const Box& b) {
        if (!a) return b;
        return {{std::min(a->min.x, b.min.x), std::min(a->min.y, b.min.y)},
                {std::max(a->max.x, b.max.x), std::max(a->max.y, b.max.y)}};
    }

    std::string part_;
    std::size_t place_ = 0;
    std::optional<Box> box_, whole_, before_;  // what is seen of it; all of it; and that in the frame before
    int scrolls_ = 0, rest_ = 0;
};

}  // namespace ui
