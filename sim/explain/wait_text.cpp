#include "sim/explain/wait_text.h"

#include <fmt/format.h>

#include "sim/base/human_text.h"

namespace sim {

std::string channel_words(const ChannelSpec& spec) {
    switch (spec.kind) {
        case ChannelSpec::Kind::channel:
            return "channel " + spec.name;
        case ChannelSpec::Kind::parking:
            return "an unpark of " + spec.name;
        case ChannelSpec::Kind::lock:
            return "lock " + spec.name;
        case ChannelSpec::Kind::pipe_readers:
            return "data in pipe " + spec.name;
        case ChannelSpec::Kind::pipe_writers:
            return "space in pipe " + spec.name;
        case ChannelSpec::Kind::device:
            return "device " + spec.name;
    }
    return "?";
}

std::string holder_text(const Machine& m, const Scenario& scenario, ChannelId lock) {
    const TaskId owner = m.channel(lock).owner;
    return owner == kNoTask ? std::string() : ", held by " + scenario.task_name(m, owner);
}

std::string not_runnable_text(const Machine& m, const Scenario& scenario, TaskId p) {
    if (!m.is_live(p)) return "has exited";
    const Task& task = m.task[p];
    const auto until = [&] { return task.wake_at < kHorizon ? " until " + human_instant(task.wake_at) : ""; };
    switch (task.state) {
        case TaskState::interruptible:
            return task.last_processor == Task::kNoProcessor
                       ? fmt::format("arrives at {}", human_instant(task.wake_at))
                       : fmt::format("waits for an external event, until {}", human_instant(task.wake_at));
        case TaskState::on_timer:
            return "sleeps" + until();
        case TaskState::in_service:
            return fmt::format("is served by {}{}", channel_words(scenario.channels[task.waiting_on]),
                               until());
        case TaskState::waiting:
            if (task.waiting_on == kNoChannel) return "waits";
            return fmt::format("waits for {}{}", channel_words(scenario.channels[task.waiting_on]),
                               holder_text(m, scenario, task.waiting_on));
        case TaskState::runnable:
            return {};
        case TaskState::exited:
        case TaskState::unused:
            break;
    }
    return "has exited";
}

}  // namespace sim
