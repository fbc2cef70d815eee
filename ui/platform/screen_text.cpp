#include "ui/platform/screen_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ui {
namespace {

struct Glyph {
    ImWchar character;
    float x0;  // left edge of the visible pixels of the glyph, relative to the pen position
    float y0;  // top edge of the visible pixels, relative to the top of the line
    float advance;
    float space;  // the advance of a space in this font
    float height;
    int font;
};

// Consecutive characters without a gap.
struct TextRun {
    float left;
    float right;  // pen position
    float top;
    float height;
    int font;
    std::string text;
};

std::uint64_t texture_position_key(const ImVec2& uv) {
    // Texels are 1/1024 or 1/2048 wide, so rounding to units of 1/65536 loses nothing.
    const auto whole = [](float at) { return static_cast<std::uint64_t>(std::lround(at * 65536)); };
    return whole(uv.x) << 32 | whole(uv.y);
}

void append_utf8(std::string& text, ImWchar character) {
    const auto c = static_cast<std::uint32_t>(character);
    const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (c < 0x80) {
        add(c);
    } else if (c < 0x800) {
        add(0xc0 | c >> 6);
        add(0x80 | (c & 0x3f));
    } else {
        add(0xe0 | c >> 12);
        add(0x80 | (c >> 6 & 0x3f));
        add(0x80 | (c & 0x3f));
    }
}

std::unordered_map<std::uint64_t, Glyph> glyphs_by_texture_position(const Fonts& fonts) {
    std::unordered_map<std::uint64_t, Glyph> glyphs;
    int number = 0;
    for (ImFont* font : {fonts.sans, fonts.mono, fonts.title}) {
        const float space = advance_of(*font, ' ');
        for (const ImFontGlyph& glyph : glyphs_of(*font))
            if (glyph.Visible)
                glyphs[texture_position_key(ImVec2(glyph.U0, glyph.V0))] = {
                    static_cast<ImWchar>(glyph.Codepoint),
                    glyph.X0,
                    glyph.Y0,
                    glyph.AdvanceX,
                    space,
                    pixel_size(*font),
                    number};
        ++number;
    }
    return glyphs;
}

void add_glyph(std::vector<TextRun>& runs, const Glyph& glyph, const ImVec2& ink_corner) {
    const float pen = ink_corner.x - glyph.x0;
    const float top = ink_corner.y - glyph.y0;
    const bool follows = !runs.empty() && runs.back().font == glyph.font &&
                         std::abs(runs.back().top - top) < 0.5f && pen > runs.back().right - 1.5f &&
                         pen < runs.back().right + 2.5f * glyph.space;
    if (!follows) runs.push_back({pen, pen, top, glyph.height, glyph.font, ""});
    TextRun& run = runs.back();
    const long spaces = std::lround((pen - run.right) / glyph.space);
    run.text.append(static_cast<std::size_t>(std::max(0L, spaces)), ' ');
    append_utf8(run.text, glyph.character);
    run.right = pen + glyph.advance;
}

}  // namespace

std::string screen_text(const ImDrawData& data, const Fonts& fonts) {
    const std::unordered_map<std::uint64_t, Glyph> glyphs = glyphs_by_texture_position(fonts);
    std::vector<TextRun> runs;
    for (int i = 0; i < data.CmdListsCount; ++i) {
        const ImDrawList& list = *data.CmdLists[i];
        for (const ImDrawCmd& command : list.CmdBuffer) {
            if (command.UserCallback != nullptr) continue;
            const ImDrawIdx* indices = list.IdxBuffer.Data + command.IdxOffset;
            const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
            const ImVec4& clip = command.ClipRect;
            // A glyph has six indices, but the number of triangles before it can be odd, so triangles are
            // skipped one by one.
            for (unsigned at = 0; at + 6 <= command.ElemCount;) {
                const ImDrawVert& min = vertices[indices[at]];
                const ImDrawVert& max = vertices[indices[at + 2]];
                const bool textured = min.uv.x != max.uv.x && min.uv.y != max.uv.y &&
                                      indices[at] == indices[at + 3] && indices[at + 2] == indices[at + 4] &&
                                      min.pos.y == vertices[indices[at + 1]].pos.y;
                if (!textured) {
                    at += 3;
                    continue;
                }
                at += 6;
                const ImVec2 middle((min.pos.x + max.pos.x) / 2, (min.pos.y + max.pos.y) / 2);
                if (middle.x < clip.x || middle.x >= clip.z || middle.y < clip.y || middle.y >= clip.w)
                    continue;
                if ((min.col & IM_COL32_A_MASK) == 0) continue;
                const auto glyph = glyphs.find(texture_position_key(min.uv));
                if (glyph != glyphs.end()) add_glyph(runs, glyph->second, min.pos);
            }
        }
    }

    // A line of text consists of the runs whose middles have about the same y coordinate. Runs with equal
    // coordinates stay in the order in which they were drawn.
    const auto middle = [](const TextRun& run) { return run.top + run.height / 2; };
    std::stable_sort(runs.begin(), runs.end(),
                     [&](const TextRun& a, const TextRun& b) { return middle(a) < middle(b); });
    std::string text;
    for (auto first = runs.begin(); first != runs.end();) {
        const auto last = std::find_if(first, runs.end(), [&](const TextRun& run) {
            return middle(run) > middle(*first) + first->height / 3;
        });
        std::stable_sort(first, last, [](const TextRun& a, const TextRun& b) { return a.left < b.left; });
        for (auto run = first; run != last; ++run) {
            if (run != first) text += "  ";
            text += run->text;
        }
        text += '\n';
        first = last;
    }
    return text;
}

}  // namespace ui
