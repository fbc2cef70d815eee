#include "ui/panels/queue_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "ui/control/control.h"
#include "ui/panels/drawing.h"

namespace ui {

using sim::CpuId;
using sim::TaskId;

std::vector<CpuId> shown_cpus(const QueueDrawing& drawing, float least_height) {
    const std::uint32_t cpus = drawing.queue.machine->shape().cpus;
    if (cpus > 1 && least_height * static_cast<float>(cpus) > drawing.room.y)
        return {selected_cpu(drawing.run, drawing.frame.view)};
    std::vector<CpuId> all;
    for (CpuId cpu = 0; cpu < cpus; ++cpu) all.push_back(cpu);
    return all;
}

std::string hidden_cpus(const QueueDrawing& drawing, std::span<const CpuId> shown) {
    const std::uint32_t cpus = drawing.queue.machine->shape().cpus;
    if (shown.size() == cpus) return {};
    return fmt::format("cpu{} of {} CPUs: U selects the next", shown.front(), cpus);
}

const CardMotion& move_tasks(const QueueDrawing& drawing, std::span<const CardGoal> goals,
                             std::uint64_t layout) {
    Frame& frame = drawing.frame;
    const auto bits = [](float n) { return std::uint64_t{std::bit_cast<std::uint32_t>(n)}; };
    const std::uint64_t room = bits(drawing.room.x) * 31 + bits(drawing.room.y);
    CardMotion& motion = frame.view.cards[drawing.which];
    motion.forget_from(drawing.queue.machine->first_task() + drawing.queue.machine->shape().tasks);
    if (motion.move(goals, (room * 31 + bits(frame.scale())) * 31 + layout, frame.dt,
                    frame.view.reduce_motion))
        frame.view.moving = true;
    return motion;
}

void react_to_task(const QueueDrawing& drawing, TaskId p, ImVec2 at, ImVec2 size,
                   const std::function<std::string()>& details) {
    if (size.x < 1 || size.y < 1) return;
    ImGui::PushID(static_cast<int>(p));
    ImGui::SetCursorScreenPos(at);
    if (ImGui::InvisibleButton("task", size))
        drawing.frame.ask([p](Control& control) { control.selection().toggle_task(p); });
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", details().c_str());
    ImGui::PopID();
}

void explain_area(ImVec2 min, ImVec2 max, const std::string& text) {
    if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(min, max)) return;
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(in_lines(ImGui::GetFont(), text, ImGui::GetFontSize() * 30).c_str());
    ImGui::EndTooltip();
}

}  // namespace ui
