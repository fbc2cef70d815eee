// Links from anybody: whatever the bytes, the reader says what is wrong with them or has a link, which is
// read back as it is written; and any text at all that is put into a link comes out of it.
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
        if (!(sim::parse_link(sim::to_link(link)) == link)) std::abort();
        if (!link.text.empty()) sim::parse_scenario(sim::carried_scenario(link));
    } catch (const std::invalid_argument& problem) {
        if (problem.what()[0] == '\0') std::abort();
    } catch (const sim::ScenarioError&) {
    }
    // Without the base64 and the checksum, which chance does not find.
    const auto text = sim::zlib_decompressed(bytes, sim::kLongestLinkText);
    if (text && text->size() > sim::kLongestLinkText) std::abort();
    std::string why;
    if (size > 0 && sim::unpacked(sim::packed(bytes), size, why) != bytes) std::abort();
    return 0;
}
