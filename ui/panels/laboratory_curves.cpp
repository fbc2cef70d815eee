// The curves of the laboratory, with a marker at the open scenario's value of the x axis. A click on a point
// opens the run of the point.
#include <fmt/format.h>

#include <cmath>

#include "ui/control/control.h"
#include "ui/panels/laboratory_pane.h"
#include "ui/panels/panel_helpers.h"
#include "ui/panels/plot_painter.h"
#include "ui/platform/shapes.h"
#include "ui/view/format.h"

namespace ui::laboratory_pane {
namespace {

// The value that the varied number has in the open scenario, as a position on the x axis.
std::optional<double> current_axis_value(const Model& model) {
    const Laboratory& lab = *model.laboratory;
    const std::vector<Knob> axes = lab_axes(model.a->scenario());
    const Knob* knob = find_knob(axes, lab.axis().pointer);
    if (knob == nullptr) return std::nullopt;
    return lab.x_coordinate_of(scenario_value_text(*knob, value_of(*knob, model.a->scenario())));
}

// The cached drawing of the curves, and the values from which it was computed. It is recomputed if one of
// these values changes.
struct CachedCurves {
    std::uint64_t revision = 0;
    const Theme* theme = nullptr;
    ImVec2 size{};
    float scale = 0;
    std::optional<double> present;
    sim::plot::Plot plot;
    sim::plot::Drawing drawing;
};

// Replaces "us" in the texts of the figure by the window's microsecond sign.
void use_micro_sign(sim::plot::Plot& plot) {
    const auto sign = [](std::string& text) { text = with_micro_sign(text); };
    sign(plot.title);
    sign(plot.subtitle);
    for (sim::plot::Panel& panel : plot.panels) {
        sign(panel.title);
        sign(panel.x.label);
        sign(panel.y.label);
        for (sim::plot::Note& note : panel.notes) sign(note.text);
    }
}

const CachedCurves& cached_curves(Frame& frame, ImVec2 size) {
    CachedCurves& kept = frame.memory.of<CachedCurves>();
    const Laboratory& lab = *frame.model.laboratory;
    const std::optional<double> present = current_axis_value(frame.model);
    if (kept.revision == lab.plot_revision() && kept.theme == &frame.theme && kept.size.x == size.x &&
        kept.size.y == size.y && kept.scale == frame.scale() && kept.present == present)
        return kept;
    kept = {lab.plot_revision(), &frame.theme, size, frame.scale(), present, lab.plot(), {}};
    use_micro_sign(kept.plot);
    // Omits a marker outside the range of the curves, because it would make the axis longer and the curves
    // smaller.
    const std::vector<sim::lab::Curve>& curves = lab.curves();
    const bool within = present && !curves.empty() && curves.front().points.front().x <= *present &&
                        *present <= curves.front().points.back().x;
    if (within)
        for (sim::plot::Panel& panel : kept.plot.panels)
            panel.notes.push_back({.x = *present, .y = {}, .text = "now"});
    // Omits the title in a low pane, because the boxes of the request and the axes also name the subject.
    if (size.y < frame.px(300)) kept.plot.title.clear();
    kept.drawing = lay_out_figure(kept.plot, size, frame.theme, frame.fonts);
    return kept;
}

// Converts the index of a drawn point to its index in curve.points. Points without values are not drawn, so
// the two indexes can differ.
std::size_t point_index(const sim::lab::Curve& curve, std::size_t drawn_index) {
    for (std::size_t i = 0; i < curve.points.size(); ++i)
        if (curve.points[i].y.n > 0 && drawn_index-- == 0) return i;
    return 0;
}

}  // namespace

void draw_curves(Frame& frame, ImVec2 size) {
    const Laboratory& lab = *frame.model.laboratory;
    if (!lab.has_sweep() || size.x < 8 || size.y < 8) return;
    size = {std::floor(size.x), std::floor(size.y)};
    const ImVec2 place = ImGui::GetCursorScreenPos();
    const ImVec2 at{std::floor(place.x), std::floor(place.y)};
    ImGui::InvisibleButton("curves", size);
    const bool clicked = ImGui::IsItemClicked();
    const bool hovered = ImGui::IsItemHovered();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const CachedCurves& s = cached_curves(frame, size);
    draw_figure(list, s.drawing, at, frame.fonts);
    if (!hovered) return;
    const sim::plot::PlottedPoint* near = nearest_point(s.drawing, at, ImGui::GetIO().MousePos, frame.px(14));
    if (near == nullptr || near->series >= lab.curves().size()) return;
    const std::size_t point = point_index(lab.curves()[near->series], near->point);
    const ImVec2 middle{at.x + static_cast<float>(near->at.x) / sim::plot::kUnit,
                        at.y + static_cast<float>(near->at.y) / sim::plot::kUnit};
    ring(list, middle, frame.px(8), frame.theme.accent, 24, frame.px(2));
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const std::uint64_t run = lab.run_at(near->series, point);
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(with_micro_sign(lab.point_text(near->series, point)).c_str());
    if (!frame.view.bare)
        dim_text(frame, lab.spec().seeds() == 1
                            ? std::string("Click to open this run.")
                            : fmt::format("Click to open the run with seed {}.", lab.spec().first_seed));
    ImGui::EndTooltip();
    if (clicked && !frame.view.bare)
        frame.ask([run](Control& control) { control.laboratory().open_run(run); });
}

}  // namespace ui::laboratory_pane
