// Encodes PNG files with stb_image_write. The library is compiled in this file with StbMemory, because it
// would otherwise terminate the program when memory runs out.
#include "sim/base/stb_memory.h"

#define STBIW_MALLOC(size) sim::StbMemory::allocate(size)
#define STBIW_REALLOC_SIZED(block, old_size, size) sim::StbMemory::reallocate(block, old_size, size)
#define STBIW_FREE(block) sim::StbMemory::free(block)
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>

#include <cassert>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include "sim/plot/png.h"

namespace sim::plot {

std::string encode_png(int width, int height, const std::vector<std::uint8_t>& rgb) {
    assert(width > 0 && height > 0);
    assert(rgb.size() == static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
    // Rows are stored without PNG's filters. Areas and letters compress better as plain pixels than as
    // differences between neighbouring pixels, and the compression takes half the time.
    [[maybe_unused]] static const int filter = stbi_write_force_png_filter = 0;
    std::string bytes;
    const auto append = [](void* to, void* data, int size) {
        static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
    };
    const StbMemory memory;
    if (stbi_write_png_to_func(append, &bytes, width, height, 3, rgb.data(), width * 3) == 0)
        throw std::bad_alloc();
    return bytes;
}

}  // namespace sim::plot
