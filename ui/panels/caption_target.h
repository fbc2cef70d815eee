// The part of a pane that a tour caption refers to. Panes report the rectangles of their parts, and the
// presenter's view outlines the requested part. The object is stored in PaneCache.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace ui {

class CaptionTarget {
  public:
    struct Box {
        ImVec2 min, max;
    };

    // Sets the part that the caption refers to; empty: none. If the part or `layout_version` has changed
    // since the last call, the window scrolls to the part. `layout_version`: a number that changes whenever
    // the part may move.
    void set_part(std::string_view part, std::size_t layout_version) {
        if (part != part_ || layout_version != place_) {
            scrolls_ = kScrolls;
            whole_.reset();
        }
        part_ = part;
        place_ = layout_version;
        rest_ = std::max(0, rest_ - 1);
        before_ = whole_;
        whole_.reset();
        box_.reset();
    }

    // Reports a rectangle of a part in the current ImGui window. A part may have several rectangles.
    void add_part_rectangle(std::string_view part, ImVec2 min, ImVec2 max) {
        if (part_.empty() || part != part_) return;
        const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
        const Box window{at, {at.x + size.x, at.y + size.y}};
        if (!whole_ && before_ && scrolls_ > 0 && rest_ == 0 && ImGui::GetScrollMaxY() > 0 &&
            (before_->min.y < window.min.y || before_->max.y > window.max.y)) {
            ImGui::SetScrollFromPosY(before_->min.y - at.y - ImGui::GetTextLineHeight(), 0);
            --scrolls_;
            rest_ = 2;  // number of frames until the scrolled content has been drawn
        }
        whole_ = bounding_box(whole_, {min, max});
        const Box seen{{std::max(min.x, window.min.x), std::max(min.y, window.min.y)},
                       {std::min(max.x, window.max.x), std::min(max.y, window.max.y)}};
        if (seen.min.x < seen.max.x && seen.min.y < seen.max.y) box_ = bounding_box(box_, seen);
    }

    // The visible rectangle of the requested part in this frame; nullopt if the part is not visible.
    const std::optional<Box>& visible_box() const { return box_; }

  private:
    // Largest number of times that the window scrolls to a part. One scroll is not enough, because the height
    // of a table is unknown in the first frame of the table.
    static constexpr int kScrolls = 2;

    static Box bounding_box(const std::optional<Box>& a, const Box& b) {
        if (!a) return b;
        return {{std::min(a->min.x, b.min.x), std::min(a->min.y, b.min.y)},
                {std::max(a->max.x, b.max.x), std::max(a->max.y, b.max.y)}};
    }

    std::string part_;
    std::size_t place_ = 0;
    // Visible rectangle; whole rectangle; whole rectangle in the previous frame.
    std::optional<Box> box_, whole_, before_;
    int scrolls_ = 0, rest_ = 0;
};

}  // namespace ui
