// Places the panes of the layouts that ui/view/layouts.h describes.
#pragma once

namespace ui {

// False if the window is too small for a layout. Then all panes are on tabs, usually below the timeline.
// `scale`: the scale of the letters.
bool has_room_for_layouts(float scale);

}  // namespace ui
