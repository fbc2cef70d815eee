// Replaces zlib_stb.cpp in programs that are built without stb.
#include <cassert>

#include "sim/link/link.h"
#include "sim/link/packed_text.h"

namespace sim {

bool can_embed_text() { return false; }
std::string no_embedding_reason() { return "this program was built without stb, which texts in links need"; }
std::string zlib_compressed(std::string_view) {
    assert(false);
    return {};
}
std::optional<std::string> zlib_decompressed(std::string_view, std::size_t) { return std::nullopt; }

}  // namespace sim
