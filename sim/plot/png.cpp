#include "sim/plot/png.h"

#include "sim/base/stb_memory.h"

// stb_truetype is compiled with this project's options, without fused multiply-adds. An installed library may
// use them and draw some letters slightly darker.
#define STBTT_STATIC
#define STBTT_malloc(size, unused) sim::StbMemory::allocate(size)
#define STBTT_free(block, unused) sim::StbMemory::free(block)
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>

#include <cassert>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "sim/plot/fonts.h"
#include "sim/plot/raster.h"
#include "sim/plot/text_width.h"

namespace sim::plot {
namespace {

// Letters start at quarters of a pixel. Finer steps are invisible and would need more cached letters.
constexpr int kPlaces = 4;

struct LetterBitmap {
    // Offsets `left`, `top`: from the letter's start on the baseline to the bitmap.
    int width = 0, height = 0, left = 0, top = 0;
    std::vector<std::uint8_t> alpha;
};

class Font {
  public:
    explicit Font(std::string_view file) {
        [[maybe_unused]] const int good =
            stbtt_InitFont(&info_, reinterpret_cast<const unsigned char*>(file.data()), 0);
        assert(good != 0);
    }

    const LetterBitmap& letter(std::uint32_t character, int size, int subpixel) {
        const StbMemory memory;
        const auto [at, is_new] = letters_.try_emplace({character, size, subpixel});
        if (!is_new) return at->second;
        LetterBitmap& letter = at->second;
        const float scale = stbtt_ScaleForMappingEmToPixels(&info_, static_cast<float>(size) / kUnit);
        const int glyph = stbtt_FindGlyphIndex(&info_, static_cast<int>(character));
        const float shift = static_cast<float>(subpixel) / kPlaces;
        int right = 0, bottom = 0;
        stbtt_GetGlyphBitmapBoxSubpixel(&info_, glyph, scale, scale, shift, 0, &letter.left, &letter.top,
                                        &right, &bottom);
        letter.width = right - letter.left;
        letter.height = bottom - letter.top;
        if (letter.width <= 0 || letter.height <= 0) {
            letter.width = letter.height = 0;
            return letter;
        }
        letter.alpha.resize(static_cast<std::size_t>(letter.width) * static_cast<std::size_t>(letter.height));
        stbtt_MakeGlyphBitmapSubpixel(&info_, letter.alpha.data(), letter.width, letter.height, letter.width,
                                      scale, scale, shift, 0, glyph);
        return letter;
    }

  private:
    stbtt_fontinfo info_{};
    std::map<std::tuple<std::uint32_t, int, int>, LetterBitmap> letters_;
};

struct Painter {
    Raster& raster;
    Font& regular;
    Font& bold;

    void operator()(const Strokes& s) const { raster.stroke(s); }
    void operator()(const FilledPolygon& a) const { raster.fill(a.corners, a.fill); }
    void operator()(const Text& t) const {
        Font& font = t.bold ? bold : regular;
        const int begin = t.box().left, base = (t.at.y + kUnit / 2) / kUnit;
        std::int64_t done = 0;  // width of the text drawn so far, in 1/2048 of the font's size
        for (std::size_t at = 0; at < t.text.size();) {
            const std::uint32_t character = next_character(t.text, at);
            const std::int64_t x = begin + done * t.size / 2048;  // in units
            const int pixel = static_cast<int>(x / kUnit),
                      subpixel = static_cast<int>(x % kUnit) * kPlaces / kUnit;
            const LetterBitmap& letter = font.letter(character, t.size, subpixel);
            raster.blend(letter.alpha, letter.width, letter.height, pixel + letter.left, base + letter.top,
                         t.colour);
            done += advance_width(character, t.bold);
        }
    }
};

}  // namespace

bool supports_png() { return true; }
std::string why_no_png() { return {}; }

std::string png(const Drawing& d) {
    Raster raster((d.width + kUnit - 1) / kUnit, (d.height + kUnit - 1) / kUnit, d.background);
    Font regular(sans_font_bytes()), bold(bold_font_bytes());
    const Painter painter{raster, regular, bold};
    for (const Shape& shape : d.shapes) std::visit(painter, shape);
    const Image& image = raster.image();
    return encode_png(image.width, image.height, image.rgb);
}

}  // namespace sim::plot
