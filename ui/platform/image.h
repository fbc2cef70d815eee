// Sizes and images, as used in ui/platform.
#pragma once

#include <cstdint>
#include <vector>

namespace ui {

// In pixels.
struct Size {
    int width = 0;
    int height = 0;

    bool operator==(const Size&) const = default;
};

// Rows from the top; four bytes per pixel: red, green, blue, alpha.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgba;  // width * height * 4 bytes

    bool operator==(const Image&) const = default;
};

}  // namespace ui
