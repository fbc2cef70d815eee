#include "ui/platform/shapes.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <vector>

#include "ui/platform/imgui_versions.h"

namespace ui {
namespace {

constexpr int kCircle =
    240;  // number of directions (clockwise from the x axis); divisible by 8, 10, 12, 16, 24
constexpr int kQuarter = kCircle / 4;

// Calculates the sine or cosine of an angle up to an eighth of a circle by its power series. The first
// omitted term is below the last bit of a double.
constexpr double sine_or_cosine(double angle, double term, int exponent) {
    double sum = 0;
    for (; exponent < 22; exponent += 2) {
        sum += term;
        term = -term * angle * angle / ((exponent + 1) * (exponent + 2));
    }
    return sum;
}

struct Direction {
    float x, y;
};

constexpr std::array<Direction, kCircle> make_circle() {
    constexpr double kStep = 6.283185307179586476925286766559 / kCircle;
    std::array<float, kQuarter + 1> sine{};
    for (int i = 0; i <= kQuarter / 2; ++i) {
        sine[static_cast<std::size_t>(i)] = static_cast<float>(sine_or_cosine(i * kStep, i * kStep, 1));
        sine[static_cast<std::size_t>(kQuarter - i)] = static_cast<float>(sine_or_cosine(i * kStep, 1, 0));
    }
    std::array<Direction, kCircle> circle{};
    for (int i = 0; i < kQuarter; ++i) {
        const float x = sine[static_cast<std::size_t>(kQuarter - i)], y = sine[static_cast<std::size_t>(i)];
        circle[static_cast<std::size_t>(i)] = {x, y};
        circle[static_cast<std::size_t>(i + kQuarter)] = {-y, x};
        circle[static_cast<std::size_t>(i + 2 * kQuarter)] = {-x, -y};
        circle[static_cast<std::size_t>(i + 3 * kQuarter)] = {y, -x};
    }
    return circle;
}

constexpr std::array<Direction, kCircle> kDirections = make_circle();
static_assert(kDirections[0].x == 1 && kDirections[0].y == 0 && kDirections[kQuarter].y == 1);

std::vector<ImVec2> circle_points(ImVec2 middle, float radius, int corners) {
    if (corners == 0) corners = radius < 8 ? 12 : radius < 16 ? 16 : 24;
    assert(corners >= 3 && kCircle % corners == 0);
    std::vector<ImVec2> points;
    for (int i = 0; i < kCircle; i += kCircle / corners) {
        const Direction& direction = kDirections[static_cast<std::size_t>(i)];
        points.emplace_back(middle.x + direction.x * radius, middle.y + direction.y * radius);
    }
    return points;
}

}  // namespace

void polygon(ImDrawList& list, std::span<const ImVec2> corners, ImU32 colour) {
    if (corners.size() < 3 || (colour & IM_COL32_A_MASK) == 0) return;
    const int count = static_cast<int>(corners.size());
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    list.PrimReserve((count - 2) * 3, count);
    const unsigned first = list._VtxCurrentIdx;
    for (const ImVec2& corner : corners) list.PrimWriteVtx(corner, white, colour);
    // In ImGui's own shapes the indices start at another corner. Here the indices start at the last corner,
    // so that tests/ui/ui_shapes_test.cpp can distinguish these shapes from ImGui's shapes.
    const auto index = [&](int corner) {
        return static_cast<ImDrawIdx>(first + static_cast<unsigned>(corner));
    };
    for (int i = count - 2; i > 0; --i) {
        list.PrimWriteIdx(index(count - 1));
        list.PrimWriteIdx(index(i));
        list.PrimWriteIdx(index(i - 1));
    }
}

void polyline(ImDrawList& list, std::span<const ImVec2> points, ImU32 colour, float width, bool closed) {
    for (std::size_t i = 0; i + (closed ? 0 : 1) < points.size(); ++i) {
        const ImVec2 &p = points[i], &q = points[i + 1 == points.size() ? 0 : i + 1];
        float dx = q.x - p.x, dy = q.y - p.y;
        const float length = std::sqrt(dx * dx + dy * dy);
        if (!(length > 0)) continue;
        // This order of operations makes horizontal and vertical lines exactly `width` wide.
        dx = dx / length * (width / 2);
        dy = dy / length * (width / 2);
        polygon(list,
                {ImVec2(p.x + dy, p.y - dx), ImVec2(q.x + dy, q.y - dx), ImVec2(q.x - dy, q.y + dx),
                 ImVec2(p.x - dy, p.y + dx)},
                colour);
    }
}

void stroke(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float width) {
    const ImVec2 points[] = {{from.x + 0.5f, from.y + 0.5f}, {to.x + 0.5f, to.y + 0.5f}};
    polyline(list, points, colour, width);
}

void disc(ImDrawList& list, ImVec2 middle, float radius, ImU32 colour, int corners) {
    if (radius > 0) polygon(list, circle_points(middle, radius, corners), colour);
}

void ring(ImDrawList& list, ImVec2 middle, float radius, ImU32 colour, int corners, float width) {
    if (radius > 0) polyline(list, circle_points(middle, radius - 0.5f, corners), colour, width, true);
}

bool checkbox(const char* label, bool* chosen) {
    const ImU32 colour = ImGui::GetColorU32(ImGuiCol_CheckMark);
    ImGui::PushStyleColor(ImGuiCol_CheckMark, 0);  // hides ImGui's own check mark
    const bool pressed = ImGui::Checkbox(label, chosen);
    ImGui::PopStyleColor();
    if (!*chosen || !ImGui::IsItemVisible()) return pressed;
    const ImVec2 at = ImGui::GetItemRectMin();
    const float side = ImGui::GetFrameHeight(), margin = std::max(1.0f, std::floor(side / 6));
    const float width = std::max((side - 2 * margin) / 5, 1.0f), third = (side - 2 * margin - width / 2) / 3;
    const ImVec2 foot(at.x + margin + width / 4 + third, at.y + margin + width / 4 + third * 2.5f);
    const ImVec2 points[] = {
        {foot.x - third, foot.y - third}, foot, {foot.x + third * 2, foot.y - third * 2}};
    polyline(*ImGui::GetWindowDrawList(), points, colour, width);
    return pressed;
}

bool close_button() {
    const ImVec2 cursor = ImGui::GetCursorScreenPos(), corner = ImGui::GetWindowPos();
    const ImGuiStyle& style = ImGui::GetStyle();
    const float letter = ImGui::GetFontSize(), right = corner.x + ImGui::GetWindowWidth();
    const ImVec2 size(letter + 2 * style.FramePadding.x, ImGui::GetFrameHeight());
    const ImVec2 at(right - style.WindowBorderSize - size.x, corner.y);
    ImGui::PushClipRect(at, {right, corner.y + size.y}, false);
    set_cursor_screen_pos(at);
    const bool clicked = ImGui::InvisibleButton("##close", size);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 middle(at.x + size.x / 2, at.y + size.y / 2);
    if (ImGui::IsItemHovered())
        disc(list, middle, std::max(2.0f, letter / 2 + 1),
             ImGui::GetColorU32(ImGui::IsItemActive() ? ImGuiCol_ButtonActive : ImGuiCol_ButtonHovered), 12);
    const float reach = letter * 0.35355f - 1;
    const ImVec2 low(middle.x + reach, middle.y + reach), high(middle.x - reach, middle.y - reach);
    const ImVec2 falling[] = {low, high}, rising[] = {{low.x, high.y}, {high.x, low.y}};
    polyline(list, falling, ImGui::GetColorU32(ImGuiCol_Text), 1);
    polyline(list, rising, ImGui::GetColorU32(ImGuiCol_Text), 1);
    ImGui::PopClipRect();
    set_cursor_screen_pos(cursor);
    return clicked;
}

}  // namespace ui
