#include "ui/view/presentation.h"

#include <algorithm>

#include "ui/view/tabs.h"

namespace ui {
namespace {

// The height in pixels of letters from the top of "d" to the bottom of "g", in the smallest font of
// ui/platform/fonts.h (mono) at scale 1. The font's height of 14 pixels includes the highest accents.
constexpr float kLetters = 11.5F;
constexpr float kLettersInHeight = 35;  // in the presenter's view, the height of the window in letters
constexpr float kLine = 20;             // height of text and spacing in pixels at scale 1

}  // namespace

const char* pane_of_tour_subject(std::string_view subject) {
    const std::string_view pane = subject.substr(0, subject.find('.'));
    if (const TabInfo* tab = tab_named(pane)) return tab->pane;
    return pane == "decision" ? "decision" : pane == "queue" ? "run_queue" : "timeline";
}

std::string_view part_of_tour_subject(std::string_view subject) {
    const std::size_t dot = subject.find('.');
    return dot == std::string_view::npos ? std::string_view{} : subject.substr(dot + 1);
}

const char* presented_pane(const ViewState& view) {
    for (const char* pane : {"timeline", "decision", "run_queue", "animation"})
        if (view.presented == pane) return pane;
    for (const TabInfo& tab : kTabs)
        if (view.presented == tab.pane) return tab.pane;
    return view.level == DepthLevel::inside ? "decision" : "timeline";
}

float full_screen_scale(int window_height, int screen_height) {
    if (window_height <= 0) return 1;
    return std::max(1.0F, static_cast<float>(screen_height) / static_cast<float>(window_height));
}

float single_pane_scale(int height, float scale) {
    return std::clamp(static_cast<float>(height) / (24 * kLine * scale), 1.0F, 1.25F);
}

float lecture_scale(int width, int height, float usual_scale, float scale) {
    const auto w = static_cast<float>(width), h = static_cast<float>(height);
    // The size at which the panes have enough space, in pixels at scale 1. Windows may be smaller.
    constexpr float kWidth = 1080, kHeight = 610;
    const float fit = std::max(std::min(w / kWidth, h / kHeight) / usual_scale, 1.0F);
    const float most = std::min(w / kLeastLayoutWidth, h / kLeastLayoutHeight) / scale;
    return std::max(std::min(fit, most), 1.0F);
}

float presenter_scale(int window_height) {
    return static_cast<float>(window_height) / (kLettersInHeight * kLetters);
}

}  // namespace ui
