#include "sim/os/display.h"

#include <windows.h>

namespace sim::os {

float display_scale() {
    return static_cast<float>(GetDpiForSystem()) / static_cast<float>(USER_DEFAULT_SCREEN_DPI);
}

}  // namespace sim::os
