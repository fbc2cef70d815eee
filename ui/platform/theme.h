// The colour themes of the window, from ui/platform/themes.json, which is built into the program.
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
    float text_scale = 1;  // factor for Backend::set_scale()

    ImU32 background;  // background of timelines and tables
    ImU32 panel;
    ImU32 panel_border;
    ImU32 text;      // contrast at least 12:1 on background, 7:1 on panel
    ImU32 text_dim;  // contrast at least 4.5:1 on background and panel
    ImU32 accent;
    ImU32 warning;
    ImU32 error;
    ImU32 ok;
    ImU32 grid;
    ImU32 cursor;
    ImU32 cursor_a;
    ImU32 cursor_b;
    ImU32 selection;  // translucent; drawn over the selected range

    ImU32 idle;  // an idle CPU; the next six colours show the other activities of a CPU
    ImU32 system_call;
    ImU32 task_search;  // schedule() searches for the next task
    ImU32 recalculation;
    ImU32 context_switch;
    ImU32 address_space;
    ImU32 cache;
    ImU32 ready;  // a ready task
    ImU32 sleeping;

    ImU32 mark_tick;
    ImU32 mark_yield;
    ImU32 mark_wake;
    ImU32 mark_recalculation;
    ImU32 mark_exit;
    ImU32 mark_fork;

    // Eight hues, based on the palette of Okabe and Ito, which colour-blind users can distinguish. Their
    // contrast to the background is at least 3:1.
    std::array<ImU32, kTaskHues> tasks;

    // The colour of a task. The first eight tasks have the hues of `tasks`; the following tasks have shades
    // of these hues that differ more from the background. The colours repeat after 40 tasks.
    ImU32 task_colour(std::uint32_t index) const;
};

// All themes: "dark", "light" and "projector", in this order.
std::span<const Theme> themes();
// The theme of this name; null if there is none.
const Theme* find_theme(std::string_view name);

// Parses a text in the format of themes.json. Throws a std::runtime_error that names the theme and the key.
std::vector<Theme> parse_themes(std::string_view json);

// Sets ImGui's style: the theme's colours, sizes for this scale, no rounded corners and no smoothing.
// REQUIRES: called outside a frame.
void apply_theme(const Theme& theme, float scale);

// Contrast between two opaque colours as defined by WCAG 2.1, 1 to 21.
double contrast(ImU32 a, ImU32 b);
// Black or white, whichever has more contrast on `background`.
ImU32 readable_text_colour(ImU32 background);
// The result of drawing `over`, which may be translucent, over the opaque `under`.
ImU32 blend(ImU32 over, ImU32 under);
// The colour with another alpha, 0 to 1.
ImU32 with_alpha(ImU32 colour, float alpha);
// The background colour of highlighted text: the accent colour, mixed with the colour of panes so that the
// text is readable.
ImU32 text_highlight_colour(const Theme& theme);

}  // namespace ui
