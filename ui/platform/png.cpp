#include "ui/platform/png.h"

#include <stb_image_write.h>

#include <cassert>
#include <stdexcept>

#include "sim/base/whole_file.h"

namespace ui {

std::vector<std::uint8_t> encode_png(const Image& image) {
    assert(image.width > 0 && image.height > 0);
    assert(image.rgba.size() ==
           static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4);
    std::vector<std::uint8_t> bytes;
    const auto append = [](void* to, void* data, int size) {
        const auto* begin = static_cast<const std::uint8_t*>(data);
        auto& all = *static_cast<std::vector<std::uint8_t>*>(to);
        all.insert(all.end(), begin, begin + size);
    };
    if (stbi_write_png_to_func(append, &bytes, image.width, image.height, 4, image.rgba.data(),
                               image.width * 4) == 0)
        throw std::runtime_error("a picture could not be encoded");
    return bytes;
}

void write_png(const std::string& path, const Image& image) {
    const std::vector<std::uint8_t> bytes = encode_png(image);
    sim::write_whole_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace ui
