#include "sim/core/scenario.h"

#include <fmt/format.h>

namespace sim {

std::string Scenario::task_name(std::uint32_t group, std::uint32_t ordinal) const {
    const TaskGroup& g = groups[group];
    return g.count == 1 && ordinal == 1 ? g.name : fmt::format("{}.{}", g.name, ordinal);
}

std::string Scenario::task_name(const Machine& m, TaskId p) const {
    if (m.is_idle_task(p)) return "idle";
    return task_name(m.task[p].group, m.task[p].ordinal);
}

bool Scenario::is_uninterruptible(const Machine& m, TaskId p) const {
    const Task& task = m.task[p];
    if (task.state != TaskState::in_service && task.state != TaskState::waiting) return false;
    return channels[task.waiting_on].is_uninterruptible();
}

std::string Scenario::mm_name(MmId mm, const std::string& owner) const {
    if (mm == kKernelMm) return "the kernel's page tables";
    if (mm <= shared_mms) {
        std::string names;
        for (const TaskGroup& g : groups)
            if (g.mm == TaskGroup::MmKind::shared && g.shared_mm == mm)
                names += (names.empty() ? "" : " and ") + g.name;
        return "the address space of " + names;
    }
    return owner.empty() ? "the address space of a task that has exited" : owner + "'s address space";
}

std::string Scenario::mm_name(const Machine& m, MmId mm) const {
    if (mm == kKernelMm || mm <= shared_mms) return mm_name(mm, {});
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p)
        if (m.is_live(p) && m.task[p].mm == mm) return mm_name(mm, task_name(m, p));
    return mm_name(mm, {});
}

const char* to_string(ScenarioIntervention::Kind kind) {
    switch (kind) {
        case ScenarioIntervention::Kind::kill:
            return "kill";
        case ScenarioIntervention::Kind::renice:
            return "renice";
        case ScenarioIntervention::Kind::wake:
            return "wake";
        case ScenarioIntervention::Kind::block:
            return "block";
    }
    return "?";
}

const char* to_string(ChannelSpec::Kind kind) {
    switch (kind) {
        case ChannelSpec::Kind::channel:
            return "channel";
        case ChannelSpec::Kind::parking:
            return "park";
        case ChannelSpec::Kind::lock:
            return "lock";
        case ChannelSpec::Kind::pipe_readers:
            return "pipe_read";
        case ChannelSpec::Kind::pipe_writers:
            return "pipe_write";
        case ChannelSpec::Kind::device:
            return "device";
    }
    return "?";
}

}  // namespace sim
