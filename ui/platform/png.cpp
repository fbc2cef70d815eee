#include "ui/platform/png.h"

#include <cassert>
#include <cstdint>
#include <vector>

#include "sim/base/atomic_file.h"
#include "sim/plot/png.h"

namespace ui {

std::string encode_png(const Image& image) {
    assert(image.rgba.size() ==
           static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4);
    std::vector<std::uint8_t> rgb;
    rgb.reserve(image.rgba.size() / 4 * 3);
    for (std::size_t at = 0; at < image.rgba.size(); at += 4)
        rgb.insert(rgb.end(), &image.rgba[at], &image.rgba[at] + 3);
    return sim::plot::encode_png(image.width, image.height, rgb);
}

void write_png(const std::string& path, const Image& image) {
    sim::write_atomically(path, encode_png(image));
}

}  // namespace ui
