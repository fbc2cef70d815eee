// Replaces png.cpp if stb or the fonts are missing.
#include <cassert>

#include "sim/plot/png.h"

namespace sim::plot {

bool supports_png() { return false; }
std::string why_no_png() { return SWITCHYARD_PNG_MISSING; }
std::string png(const Drawing&) {
    assert(false);
    return {};
}
std::string encode_png(int, int, const std::vector<std::uint8_t>&) {
    assert(false);
    return {};
}

}  // namespace sim::plot
