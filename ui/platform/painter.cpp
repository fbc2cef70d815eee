// The implementation of the painter: paints rectangles row by row, and triangles row by row between their
// edges.
#include "ui/platform/painter.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace ui {
namespace {

// Mask of two of the four bytes; the gaps leave room for products.
constexpr std::uint32_t kTwoChannels = 0x00ff00ff;
constexpr std::uint32_t kOpaque = 0xff000000;
constexpr int kFarAway = 1 << 20;  // in pixels; larger coordinates would overflow in triangles

static_assert(IM_COL32_R_SHIFT == 0 && IM_COL32_B_SHIFT == 16 && IM_COL32_A_SHIFT == 24,
              "the painter's colours are ImGui's default ones");

// A rectangle of pixels; right and bottom are exclusive.
struct PixelBox {
    int left;
    int top;
    int right;
    int bottom;
};

struct Colour {
    std::uint32_t pixel;  // the four bytes of an opaque pixel, as in memory; the alpha byte is 255
    std::uint32_t alpha;  // opacity of the colour, 0 to 256
};

// Maps 0..255 to 0..256, so that blending can shift by 8 bits and not divide by 255.
constexpr std::uint32_t alpha_to_256(std::uint32_t alpha) { return alpha + (alpha >> 7); }

inline std::uint32_t mix(std::uint32_t under, std::uint32_t over, std::uint32_t alpha) {
    const std::uint32_t rest = 256 - alpha;
    const std::uint32_t low =
        (((under & kTwoChannels) * rest + (over & kTwoChannels) * alpha) >> 8) & kTwoChannels;
    const std::uint32_t high =
        ((under >> 8 & kTwoChannels) * rest + (over >> 8 & kTwoChannels) * alpha) & ~kTwoChannels;
    return low | high;
}

// The first pixel whose centre is at or beyond x. Rounds x to 1/256 pixel first, because the edges of ImGui's
// window frames are at or near pixel centres, and their last bits differ between processors. The corners of
// triangles are rounded in the same way. REQUIRES: x is not a NaN.
inline int first_pixel_at_or_after(float x) {
    return static_cast<int>((std::llround(std::clamp(x, -1.0f * kFarAway, 1.0f * kFarAway) * 256.0f) + 127) >>
                            8);
}

class Painter {
  public:
    Painter(const AlphaTexture& texture, const PixelGrid& to) : texture_(texture), to_(to) {}

    void fill_all(ImU32 colour) {
        for (int y = 0; y < to_.height; ++y) std::fill_n(row(y), to_.width, colour | kOpaque);
    }

    void paint_list(const ImDrawList& list, const ImVec2& origin) {
        for (const ImDrawCmd& command : list.CmdBuffer) {
            if (command.UserCallback != nullptr) {
                if (command.UserCallback != ImDrawCallback_ResetRenderState)
                    command.UserCallback(&list, &command);
                continue;
            }
            clip_.left = std::max(0, first_pixel_at_or_after(command.ClipRect.x - origin.x));
            clip_.top = std::max(0, first_pixel_at_or_after(command.ClipRect.y - origin.y));
            clip_.right = std::min(to_.width, first_pixel_at_or_after(command.ClipRect.z - origin.x));
            clip_.bottom = std::min(to_.height, first_pixel_at_or_after(command.ClipRect.w - origin.y));
            if (clip_.left >= clip_.right || clip_.top >= clip_.bottom) continue;
            origin_ = origin;
            paint_elements(list.VtxBuffer.Data + command.VtxOffset, list.IdxBuffer.Data + command.IdxOffset,
                           static_cast<int>(command.ElemCount));
        }
    }

  private:
    // A value that changes linearly across a triangle. All members have 12 fractional bits.
    struct LinearValue {
        std::int64_t start = 0;  // value at the first corner
        std::int64_t by_x = 0;   // per pixel
        std::int64_t by_y = 0;
    };
    // Coordinates in units of 1/256 pixel.
    struct Corner {
        std::int64_t x;
        std::int64_t y;
    };

    struct Triangle {
        const ImDrawVert* v[3];
        Corner p[3];        // clockwise
        std::int64_t area;  // twice the area, above 0
    };
    // The colours and texels of a triangle.
    struct Shading {
        bool one_colour = false;
        bool plain = false;       // all corners have the same texel
        Colour colour{};          // colour of the first corner
        LinearValue channels[4];  // used if the corners differ in colour
        LinearValue u;            // used if not plain
        LinearValue t;
    };
    // A range of pixels in a row; `end` is exclusive.
    struct PixelRange {
        std::int64_t begin;
        std::int64_t end;
    };

    std::uint32_t* row(int y) const { return to_.pixels + static_cast<std::ptrdiff_t>(y) * to_.width; }

    static Colour to_colour(ImU32 colour) {
        return {colour | kOpaque, alpha_to_256(colour >> IM_COL32_A_SHIFT)};
    }

    void paint_elements(const ImDrawVert* vertices, const ImDrawIdx* indices, int count) {
        int i = 0;
        while (i + 6 <= count) {
            const ImDrawIdx* at = indices + i;
            if (at[0] == at[3] && at[2] == at[4] &&
                paint_rectangle(vertices[at[0]], vertices[at[1]], vertices[at[2]], vertices[at[5]])) {
                i += 6;
                continue;
            }
            paint_triangle(vertices[at[0]], vertices[at[1]], vertices[at[2]]);
            i += 3;
        }
        for (; i + 3 <= count; i += 3)
            paint_triangle(vertices[indices[i]], vertices[indices[i + 1]], vertices[indices[i + 2]]);
    }

    // Paints two triangles with the corners a, b, c, d if they form an upright rectangle of one colour,
    // clockwise from the upper left. Otherwise returns false.
    bool paint_rectangle(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const ImDrawVert& d) {
        if (a.pos.x != d.pos.x || b.pos.x != c.pos.x || a.pos.y != b.pos.y || c.pos.y != d.pos.y)
            return false;
        if (a.col != b.col || a.col != c.col || a.col != d.col) return false;
        const bool plain = a.uv.x == c.uv.x && a.uv.y == c.uv.y && a.uv.x == b.uv.x && a.uv.y == b.uv.y &&
                           a.uv.x == d.uv.x && a.uv.y == d.uv.y;
        const bool forward = a.pos.x <= c.pos.x && a.pos.y <= c.pos.y;
        if (!plain &&
            (!forward || a.uv.x != d.uv.x || b.uv.x != c.uv.x || a.uv.y != b.uv.y || c.uv.y != d.uv.y))
            return false;
        const Colour colour = to_colour(a.col);
        if (colour.alpha == 0) return true;
        const ImVec2 min(std::min(a.pos.x, c.pos.x) - origin_.x, std::min(a.pos.y, c.pos.y) - origin_.y);
        const ImVec2 max(std::max(a.pos.x, c.pos.x) - origin_.x, std::max(a.pos.y, c.pos.y) - origin_.y);
        if (!(min.x < max.x && min.y < max.y)) return true;  // nothing to paint: empty, or a NaN
        const int left = std::max(clip_.left, first_pixel_at_or_after(min.x));
        const int top = std::max(clip_.top, first_pixel_at_or_after(min.y));
        const int right = std::min(clip_.right, first_pixel_at_or_after(max.x));
        const int bottom = std::min(clip_.bottom, first_pixel_at_or_after(max.y));
        if (left >= right || top >= bottom) return true;
        if (plain) {
            fill({left, top, right, bottom}, colour);
        } else {
            paint_texture({left, top, right, bottom}, min, max, a.uv, c.uv, colour);
        }
        return true;
    }

    void fill(PixelBox box, const Colour& colour) {
        for (int y = box.top; y < box.bottom; ++y) paint_span(y, box.left, box.right, colour);
    }

    void paint_span(int y, int left, int right, const Colour& colour) {
        std::uint32_t* to = row(y) + left;
        const int count = right - left;
        if (colour.alpha == 256) {
            std::fill_n(to, count, colour.pixel);
        } else {
            for (int i = 0; i < count; ++i) to[i] = mix(to[i], colour.pixel, colour.alpha);
        }
    }

    // Paints a rectangle of the texture in a colour. Glyphs and patterns have one texel per pixel; for any
    // other rectangle the nearest texel is used.
    void paint_texture(PixelBox box, const ImVec2& min, const ImVec2& max, const ImVec2& uv_min,
                       const ImVec2& uv_max, const Colour& colour) {
        const auto [left, top, right, bottom] = box;
        const auto along = [](float first, float last, float from, float to, int size, int pixel) {
            const float texels = (to - from) * static_cast<float>(size);
            const float step = texels / (last - first);
            const float start =
                from * static_cast<float>(size) + (static_cast<float>(pixel) + 0.5f - first) * step;
            return std::pair(static_cast<std::int64_t>(std::llround(start * 65536.0f)),
                             std::abs(texels - (last - first)) < 1.0f / 64
                                 ? std::int64_t{65536}
                                 : static_cast<std::int64_t>(std::llround(step * 65536.0f)));
        };
        const auto [u, u_step] = along(min.x, max.x, uv_min.x, uv_max.x, texture_.width, left);
        const auto [v, v_step] = along(min.y, max.y, uv_min.y, uv_max.y, texture_.height, top);
        const int width = right - left;
        const std::int64_t first = u >> 16;
        const bool direct = u_step == 65536 && first >= 0 && first + width <= texture_.width;
        for (int y = top; y < bottom; ++y) {
            const std::int64_t v_here = v + v_step * (y - top);
            const std::uint8_t* texels = texture_row(v_here >> 16);
            std::uint32_t* to = row(y) + left;
            if (direct) {
                texels += first;
                for (int i = 0; i < width; ++i) {
                    if (texels[i] != 0)
                        to[i] = mix(to[i], colour.pixel, masked_alpha(texels[i], colour.alpha));
                }
            } else {
                for (int i = 0; i < width; ++i) {
                    const std::int64_t at = (u + u_step * i) >> 16;
                    const std::uint8_t texel = texels[std::clamp<std::int64_t>(at, 0, texture_.width - 1)];
                    to[i] = mix(to[i], colour.pixel, masked_alpha(texel, colour.alpha));
                }
            }
        }
    }

    // `alpha` times the opacity of the texel, in the range 0 to 256.
    static std::uint32_t masked_alpha(std::uint8_t texel, std::uint32_t alpha) {
        return alpha_to_256(texel * alpha >> 8);
    }

    const std::uint8_t* texture_row(std::int64_t v) const {
        return texture_.alpha + std::clamp<std::int64_t>(v, 0, texture_.height - 1) * texture_.width;
    }

    // Paints a triangle of either orientation, row by row: the pixels whose centres are inside it or on an
    // upper or left edge. Triangles with a common edge therefore share no pixel.
    void paint_triangle(const ImDrawVert& first, const ImDrawVert& second, const ImDrawVert& third) {
        Triangle corners{{&first, &second, &third}, {}, 0};
        if (!compute_corners(corners)) return;
        const Corner(&p)[3] = corners.p;
        const auto [low_y, high_y] = std::minmax({p[0].y, p[1].y, p[2].y});
        const int top = static_cast<int>(std::max<std::int64_t>(clip_.top, (low_y + 127) >> 8));
        const int bottom = static_cast<int>(std::min<std::int64_t>(clip_.bottom, (high_y + 127) >> 8));
        if (top >= bottom) return;
        const Shading shading = shading_of(corners);
        for (int y = top; y < bottom; ++y) {
            const PixelRange pixels = pixels_inside(corners, y);
            if (pixels.begin >= pixels.end) continue;
            if (shading.one_colour && shading.plain) {
                paint_span(y, static_cast<int>(pixels.begin), static_cast<int>(pixels.end), shading.colour);
                continue;
            }
            paint_shaded_span(corners, shading, y, pixels);
        }
    }

    // Computes the corners, in clockwise order, and the area. Returns false if nothing can be painted because
    // the area is 0, or a corner is a NaN or too far away.
    bool compute_corners(Triangle& triangle) const {
        auto& [v, p, area] = triangle;
        for (int i = 0; i < 3; ++i) {
            const float x = v[i]->pos.x - origin_.x;
            const float y = v[i]->pos.y - origin_.y;
            if (!(std::abs(x) < kFarAway && std::abs(y) < kFarAway)) return false;
            p[i] = {std::llround(x * 256.0f), std::llround(y * 256.0f)};
        }
        area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
        if (area == 0) return false;
        if (area < 0) {
            std::swap(p[1], p[2]);
            std::swap(v[1], v[2]);
            area = -area;
        }
        return true;
    }

    // The linear function with the values value0, value1 and value2 at the three corners.
    static LinearValue linear_value_of(const Triangle& triangle, std::int64_t value0, std::int64_t value1,
                                       std::int64_t value2) {
        constexpr std::int64_t kSteepest = 1 << 30;
        const Corner(&p)[3] = triangle.p;
        const auto per = [&](std::int64_t change) {
            return std::clamp((change << 12) / triangle.area, -kSteepest, kSteepest);
        };
        return LinearValue{
            value0 << 4, per((value1 - value0) * (p[2].y - p[0].y) - (value2 - value0) * (p[1].y - p[0].y)),
            per((value2 - value0) * (p[1].x - p[0].x) - (value1 - value0) * (p[2].x - p[0].x))};
    }

    Shading shading_of(const Triangle& triangle) const {
        const ImDrawVert* const(&v)[3] = triangle.v;
        Shading shading;
        shading.one_colour = v[0]->col == v[1]->col && v[0]->col == v[2]->col;
        shading.plain = v[0]->uv.x == v[1]->uv.x && v[0]->uv.x == v[2]->uv.x && v[0]->uv.y == v[1]->uv.y &&
                        v[0]->uv.y == v[2]->uv.y;
        shading.colour = to_colour(v[0]->col);
        if (!shading.one_colour)
            for (int i = 0; i < 4; ++i) {
                const auto channel = [&](int k) { return std::int64_t{v[k]->col >> (8 * i) & 0xff} << 8; };
                shading.channels[i] = linear_value_of(triangle, channel(0), channel(1), channel(2));
            }
        if (!shading.plain) {
            const auto texel = [](float at, int size) {
                return std::llround(std::clamp(at, 0.0f, 1.0f) * static_cast<float>(size) * 256.0f);
            };
            shading.u = linear_value_of(triangle, texel(v[0]->uv.x, texture_.width),
                                        texel(v[1]->uv.x, texture_.width), texel(v[2]->uv.x, texture_.width));
            shading.t =
                linear_value_of(triangle, texel(v[0]->uv.y, texture_.height),
                                texel(v[1]->uv.y, texture_.height), texel(v[2]->uv.y, texture_.height));
        }
        return shading;
    }

    // The y coordinate of the middle of a row, in units of 1/256 pixel.
    static std::int64_t middle_of_row(int y) { return std::int64_t{y} * 256 + 128; }

    // The pixels of row y that are inside all three edges.
    PixelRange pixels_inside(const Triangle& triangle, int y) const {
        const std::int64_t middle = middle_of_row(y);
        std::int64_t left = clip_.left;
        std::int64_t right = clip_.right;
        for (int i = 0; i < 3 && left < right; ++i) {
            // A pixel is inside the edge if step * pixel + start >= 0.
            const Corner& from = triangle.p[i];
            const Corner& to = triangle.p[i == 2 ? 0 : i + 1];
            const std::int64_t dx = to.x - from.x;
            const std::int64_t dy = to.y - from.y;
            const bool included = dy < 0 || (dy == 0 && dx > 0);
            const std::int64_t step = -dy * 256;
            const std::int64_t start = dx * (middle - from.y) - dy * (128 - from.x) - (included ? 0 : 1);
            if (step > 0) {
                left = std::max(left, -floor_divide(start, step));
            } else if (step < 0) {
                right = std::min(right, floor_divide(start, -step) + 1);
            } else if (start < 0) {
                right = left;
            }
        }
        return {left, right};
    }

    // Paints a range of pixels of a row of a triangle with several colours or texels.
    void paint_shaded_span(const Triangle& triangle, const Shading& shading, int y, PixelRange pixels) {
        const std::int64_t middle = middle_of_row(y);
        const Corner first = triangle.p[0];
        const Colour colour = shading.colour;
        const auto here = [&](const LinearValue& s, std::int64_t x) {
            return s.start + ((s.by_x * (x * 256 + 128 - first.x) + s.by_y * (middle - first.y)) >> 8);
        };
        std::uint32_t* to = row(y);
        for (std::int64_t x = pixels.begin; x < pixels.end; ++x) {
            Colour ink = colour;
            if (!shading.one_colour) {
                ImU32 mixed = 0;
                for (int i = 0; i < 4; ++i) {
                    const std::int64_t value =
                        std::clamp<std::int64_t>((here(shading.channels[i], x) + 2048) >> 12, 0, 255);
                    mixed |= static_cast<ImU32>(value) << (8 * i);
                }
                ink = to_colour(mixed);
            }
            std::uint32_t alpha = ink.alpha;
            if (!shading.plain)
                alpha = masked_alpha(
                    texture_row(
                        here(shading.t, x) >>
                        12)[std::clamp<std::int64_t>(here(shading.u, x) >> 12, 0, texture_.width - 1)],
                    alpha);
            to[x] = mix(to[x], ink.pixel, alpha);
        }
    }

    // Divides and rounds down. REQUIRES: divisor > 0.
    static std::int64_t floor_divide(std::int64_t dividend, std::int64_t divisor) {
        return dividend >= 0 ? dividend / divisor : -((-dividend + divisor - 1) / divisor);
    }

    const AlphaTexture& texture_;
    const PixelGrid& to_;
    PixelBox clip_{};  // the pixels that may be painted
    ImVec2 origin_{};
};

}  // namespace

void paint(const ImDrawData& data, const AlphaTexture& texture, const PixelGrid& target, ImU32 background) {
    Painter painter(texture, target);
    painter.fill_all(background);
    for (int i = 0; i < data.CmdListsCount; ++i) painter.paint_list(*data.CmdLists[i], data.DisplayPos);
}

}  // namespace ui
