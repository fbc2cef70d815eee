// Fuzz target of links. The reader reports an error or returns a link that survives a round trip. Any text
// packed into a link unpacks to the same text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "sim/link/link.h"
#include "sim/link/packed_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    try {
        const sim::Link link = sim::parse_link(bytes);
        if (!(sim::parse_link(sim::format_link(link)) == link)) std::abort();
        if (!link.text.empty()) sim::parse_scenario(sim::embedded_scenario(link));
    } catch (const std::invalid_argument& problem) {
        if (problem.what()[0] == '\0') std::abort();
    } catch (const sim::ScenarioError&) {
    }
    // Bypasses base64 and the checksum, which random bytes would not satisfy.
    const auto text = sim::zlib_decompressed(bytes, sim::kLongestLinkText);
    if (text && text->size() > sim::kLongestLinkText) std::abort();
    std::string why;
    if (size > 0 && sim::unpack_text(sim::pack_text(bytes), size, why) != bytes) std::abort();
    return 0;
}
