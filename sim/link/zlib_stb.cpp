// Compression and decompression with stb's image libraries. The libraries are compiled in this file, so that
// their names do not appear in other files, and sanitizers and fuzzers cover them.
#include <new>

#include "sim/base/stb_memory.h"

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#include <stb_image.h>
#define STBIW_MALLOC(size) sim::StbMemory::allocate(size)
#define STBIW_REALLOC_SIZED(block, old_size, size) sim::StbMemory::reallocate(block, old_size, size)
#define STBIW_FREE(block) sim::StbMemory::free(block)
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>

#include "sim/link/link.h"
#include "sim/link/packed_text.h"

namespace sim {

bool can_embed_text() { return true; }
std::string no_embedding_reason() { return {}; }

std::string zlib_compressed(std::string_view bytes) {
    constexpr int kQuality = 128;  // maximum number of earlier positions tried for each match
    std::string copy(bytes);       // a copy for stb's non-const parameter; stb does not modify the copy
    int size = 0;
    const StbMemory memory;
    const unsigned char* const compressed = stbi_zlib_compress(
        reinterpret_cast<unsigned char*>(copy.data()), static_cast<int>(copy.size()), &size, kQuality);
    if (compressed == nullptr) throw std::bad_alloc();
    return {reinterpret_cast<const char*>(compressed), static_cast<std::size_t>(size)};
}

std::optional<std::string> zlib_decompressed(std::string_view bytes, std::size_t max_bytes) {
    std::string text(max_bytes, '\0');
    const int size = stbi_zlib_decode_buffer(text.data(), static_cast<int>(text.size()), bytes.data(),
                                             static_cast<int>(bytes.size()));
    if (size < 0) return std::nullopt;
    text.resize(static_cast<std::size_t>(size));
    text.shrink_to_fit();
    return text;
}

}  // namespace sim
