// Colours and patterns of the kinds of CPU time, the same in every pane.
#pragma once

#include "sim/replay/timeline.h"
#include "ui/platform/fonts.h"
#include "ui/platform/theme.h"

namespace ui {

struct ActivityFill {
    ImU32 colour;
    Pattern pattern;
};

// The colour and pattern of an activity. In bars of a single task, the caller replaces the colour of the
// activity `user` by the colour of the task.
inline ActivityFill fill_of(const Theme& theme, sim::CpuActivity activity) {
    switch (activity) {
        case sim::CpuActivity::user:
            return {theme.accent, Pattern::solid};
        case sim::CpuActivity::system:
            return {theme.system_call, Pattern::horizontal};
        case sim::CpuActivity::select:
            return {theme.task_search, Pattern::hatch};
        case sim::CpuActivity::recalculation:
            return {theme.recalculation, Pattern::dense_hatch};
        case sim::CpuActivity::context_switch:
            return {theme.context_switch, Pattern::vertical};
        case sim::CpuActivity::address_space:
            return {theme.address_space, Pattern::checker};
        case sim::CpuActivity::cache_refill:
            return {theme.cache, Pattern::grid};
        case sim::CpuActivity::stolen:
            return {theme.sleeping, Pattern::checker};
        case sim::CpuActivity::interrupt:
            return {theme.mark_tick, Pattern::dots};
        case sim::CpuActivity::idle:
            return {theme.idle, Pattern::dots};
    }
    return {theme.text, Pattern::solid};
}

// Fills a rectangle with the pattern, on a dimmed background of the same colour.
inline void fill(ImDrawList& list, const Fonts& fonts, const Theme& theme, ActivityFill activity_fill,
                 ImVec2 min, ImVec2 max) {
    if (activity_fill.pattern == Pattern::solid) return fill_rect(list, min, max, activity_fill.colour);
    fill_rect(list, min, max, blend(with_alpha(activity_fill.colour, 0.45f), theme.background));
    fill_pattern(list, fonts, activity_fill.pattern, min, max, activity_fill.colour);
}

}  // namespace ui
