// The colours of the window. They are written in ui/platform/themes.json, which is built into the program.
#pragma once

#include <imgui.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ui {

inline constexpr std::size_t kTaskHues = 8;

struct Theme {
    std::string name;
    bool dark = true;
    float line_width = 1;  // factor for the width of lines
    float text_scale = 1;  // factor for the scale of everything; Backend::set_scale(scale * text_scale)

    ImU32 background;  // behind timelines and tables
    ImU32 panel;
    ImU32 panel_border;
    ImU32 text;      // at least 12:1 on background, 7:1 on panel
    ImU32 text_dim;  // at least 4.5:1 on both
    ImU32 accent;
    ImU32 warning;
    ImU32 error;
    ImU32 ok;
    ImU32 grid;
    ImU32 cursor;
    ImU32 cursor_a;
    ImU32 cursor_b;
    ImU32 selection;  // translucent: goes over what is selected

    ImU32 idle;  // what a CPU is doing
    ImU32 system_call;
    ImU32 select;  // the search of schedule()
    ImU32 recalc;
    ImU32 context_switch;
    ImU32 address_space;
    ImU32 cache;
    ImU32 ready;  // what a task is doing
    ImU32 sleeping;

    ImU32 mark_tick;
    ImU32 mark_yield;
    ImU32 mark_wake;
    ImU32 mark_recalc;
    ImU32 mark_exit;
    ImU32 mark_fork;

    // Okabe and Ito's eight hues, told apart by the colour-blind, as bright as the background asks for: a
    // contrast of 3:1 at least.
    std::array<ImU32, kTaskHues> tasks;

    // The colour of a task: the eight hues in turn, then the same hues farther and farther from the
    // background, all different for 40 tasks and repeating after that.
    ImU32 task_colour(std::uint32_t index) const;
};

// "dark", "light" and "projector", in this order.
std::span<const Theme> themes();
// The theme of that name, or null.
const Theme* find_theme(std::string_view name);

// Reads themes.json's format. Throws std::runtime_error that names the theme and the key.
std::vector<Theme> parse_themes(std::string_view json);

// Sets ImGui's style: the theme's colours, sizes for this scale, and neither rounding nor smoothed fills.
// REQUIRES: no frame is being made.
void apply(const Theme& theme, float scale);

// The contrast between two opaque colours as WCAG 2.1 defines it, 1 to 21.
double contrast(ImU32 a, ImU32 b);
// Black or white, whichever can be read better on this.
ImU32 readable_on(ImU32 background);
// What is seen when `over`, perhaps translucent, is drawn over the opaque `under`.
ImU32 blend(ImU32 over, ImU32 under);
// `colour` with its alpha replaced, 0 to 1.
ImU32 with_alpha(ImU32 colour, float alpha);
// The accent on a panel, so pale that text can be read on it.
ImU32 behind_text(const Theme& theme);

}  // namespace ui
