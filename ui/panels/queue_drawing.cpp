#include "ui/panels/queue_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "ui/control/control.h"
#include "ui/panels/drawing.h"

namespace ui {

using sim::CpuId;
using sim::TaskId;

CpuRows cpu_rows(const QueueDrawingContext& drawing, float least_height, float line_height) {
    const std::uint32_t cpus = drawing.queue.machine->shape().cpus;
    const Frame& frame = drawing.frame;
    if (cpus > 1 && least_height * static_cast<float>(cpus) > drawing.room.y) {
        const bool inside = drawing.moment.phase.has_value();
        const CpuId shown =
            inside ? drawing.moment.cursor->decision().record.cpu : selected_cpu(drawing.run, frame.view);
        const std::string words = inside ? fmt::format("cpu{} of {} CPUs makes the decision", shown, cpus)
                                         : fmt::format(
                                               "cpu{} of {} CPUs is shown: U selects the next "
                                               "CPU",
                                               shown, cpus);
        draw_text(frame.fonts.sans, drawing.origin, frame.theme.text_dim,
                  ellipsized_text(frame.fonts.sans, words, drawing.room.x));
        return {{shown}, drawing.origin.y + line_height, std::floor(drawing.room.y - line_height)};
    }
    CpuRows rows{{}, drawing.origin.y, std::floor(drawing.room.y / static_cast<float>(cpus))};
    for (CpuId cpu = 0; cpu < cpus; ++cpu) rows.cpus.push_back(cpu);
    return rows;
}

const CardMotion& animate_task_cards(const QueueDrawingContext& drawing, std::span<const CardGoal> goals,
                                     std::uint64_t layout) {
    Frame& frame = drawing.frame;
    const auto bits = [](float n) { return std::uint64_t{std::bit_cast<std::uint32_t>(n)}; };
    const std::uint64_t room = bits(drawing.room.x) * 31 + bits(drawing.room.y);
    CardMotion& motion = frame.view.cards[drawing.which];
    motion.remove_cards_from(drawing.queue.machine->first_task() + drawing.queue.machine->shape().tasks);
    if (motion.advance(goals, (room * 31 + bits(frame.scale())) * 31 + layout, frame.dt,
                       frame.view.reduce_motion))
        frame.view.moving = true;
    return motion;
}

void handle_task_mouse(const QueueDrawingContext& drawing, TaskId p, ImVec2 at, ImVec2 size,
                       const std::function<std::string()>& details) {
    if (size.x < 1 || size.y < 1) return;
    ImGui::PushID(static_cast<int>(p));
    set_cursor_screen_pos(at);
    if (ImGui::InvisibleButton("task", size))
        drawing.frame.ask([p](Control& control) { control.selection().toggle_task(p); });
    if (ImGui::IsItemHovered()) {
        drawing.frame.report_hovered_task(p);
        ImGui::SetTooltip("%s", details().c_str());
    }
    ImGui::PopID();
}

void explain_area(ImVec2 min, ImVec2 max, const std::string& text) {
    if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(min, max)) return;
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(wrapped_text(ImGui::GetFont(), text, ImGui::GetFontSize() * 30).c_str());
    ImGui::EndTooltip();
}

}  // namespace ui
