#include "ui/app/pen.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/app/app.h"
#include "ui/panels/drawing.h"
#include "ui/panels/panel.h"
#include "ui/platform/shapes.h"

namespace ui {
namespace {

constexpr float kPenWidth = 3, kMarkerWidth = 18;  // pixels at scale 1
constexpr float kMarkerOpacity = 0.35F;
constexpr float kLeastDistance = 2;  // minimum distance between the points of a stroke, in pixels at scale 1

// Places a transparent window over the panes, so that the mouse only draws. Returns true if the mouse is over
// it.
bool is_mouse_over_drawing_area(ImVec2 window_size) {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(window_size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::Begin("pen", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                     ImGuiWindowFlags_NoNav);
    const bool is_free = ImGui::IsWindowHovered();
    ImGui::End();
    ImGui::PopStyleVar();
    return is_free;
}

void extend_strokes_by_mouse(Frame& frame, PenDrawing& drawing) {
    const ImGuiIO& io = ImGui::GetIO();
    const bool is_free = is_mouse_over_drawing_area(io.DisplaySize);
    const PenPoint at{io.MousePos.x / frame.px(1), io.MousePos.y / frame.px(1)};
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        drawing.is_down = false;
    } else if (is_free && ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
               drawing.strokes.size() < kMostStrokes) {
        drawing.strokes.push_back({drawing.tool == PenDrawing::Tool::marker, {at}});
        drawing.is_down = true;
    } else if (drawing.is_down && drawing.strokes.back().points.size() < kMostPenPoints) {
        const PenPoint last = drawing.strokes.back().points.back();
        const float dx = at.x - last.x, dy = at.y - last.y;
        if (dx * dx + dy * dy >= kLeastDistance * kLeastDistance) drawing.strokes.back().points.push_back(at);
    }
}

}  // namespace

void select_next_pen(App& app) {
    using Tool = PenDrawing::Tool;
    PenDrawing& pen_drawing = app.pen_drawing();
    pen_drawing.is_down = false;
    pen_drawing.tool = pen_drawing.tool == Tool::none  ? Tool::pen
                       : pen_drawing.tool == Tool::pen ? Tool::marker
                                                       : Tool::none;
    const std::string next = app.key_of_command("pen"), erase = app.key_of_command("pen.erase");
    app.control().say(
        pen_drawing.tool == Tool::pen
            ? fmt::format("The mouse draws with a pen. {} selects the marker; {} erases the "
                          "drawing.",
                          next, erase)
        : pen_drawing.tool == Tool::marker
            ? fmt::format("The mouse draws with a marker. {} turns drawing off; {} erases the drawing.", next,
                          erase)
        : pen_drawing.strokes.empty() ? std::string("Drawing is off.")
                                      : fmt::format("Drawing is off. {} erases the drawing.", erase));
}

void erase_drawing(App& app) {
    app.pen_drawing().strokes.clear();
    app.pen_drawing().is_down = false;
    app.control().say("The drawing is erased.");
}

void update_and_draw_strokes(Frame& frame, PenDrawing& drawing, bool is_usable) {
    const bool is_taken = is_usable && drawing.tool != PenDrawing::Tool::none;
    if (is_taken) extend_strokes_by_mouse(frame, drawing);
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    std::vector<ImVec2> points;
    for (const PenStroke& stroke : drawing.strokes) {
        points.clear();
        for (const PenPoint& p : stroke.points)
            points.push_back({std::round(p.x * frame.px(1)), std::round(p.y * frame.px(1))});
        const float width = std::max(1.0F, std::round(frame.px(stroke.is_marker ? kMarkerWidth : kPenWidth)));
        const ImU32 colour =
            stroke.is_marker ? with_alpha(frame.theme.warning, kMarkerOpacity) : frame.theme.error;
        if (points.size() == 1)
            disc(list, points.front(), width / 2, colour);
        else
            polyline(list, points, colour, width);
    }
    if (!is_taken) return;
    const float size = frame.px(drawing.tool == PenDrawing::Tool::marker ? kMarkerWidth : 2 * kPenWidth) / 2;
    ring(list, ImGui::GetIO().MousePos, std::max(3.0F, size), frame.theme.text, 0, 1);
}

}  // namespace ui
