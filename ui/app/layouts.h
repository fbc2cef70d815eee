// How the layouts of ui/view/layouts.h place the panes.
#pragma once

namespace ui {

// False in a small window, which shows all panes but the timeline on tabs instead of a layout. `scale`: the
// scale of the letters.
bool has_room_for_layouts(float scale);

}  // namespace ui
