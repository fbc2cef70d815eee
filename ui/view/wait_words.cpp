#include "ui/view/wait_words.h"

#include <fmt/format.h>

#include "ui/view/format.h"

namespace ui {
namespace {

using sim::ChannelSpec;
using sim::TaskId;

std::string ordinal(std::uint32_t n) {
    const bool teens = n % 100 / 10 == 1;
    return std::to_string(n) + (n % 10 == 1 && !teens   ? "st"
                                : n % 10 == 2 && !teens ? "nd"
                                : n % 10 == 3 && !teens ? "rd"
                                                        : "th");
}

// The position of task p in the channel's queue, from 1.
std::uint32_t place_in_queue(const sim::Machine& m, const sim::Channel& channel, TaskId p) {
    std::uint32_t place = 1;
    for (TaskId q = channel.first; q != p && q != sim::kNoTask; q = m.task[q].wait_next) ++place;
    return place;
}

std::string channel_wait_text(const Run& run, TaskId p) {
    const sim::Machine& m = run.session().machine();
    const sim::ChannelId id = m.task[p].waiting_on;
    if (id == sim::kNoChannel) return {};
    const ChannelSpec& spec = run.scenario().channels[id];
    const sim::Channel& channel = m.channel(id);
    std::string text = "for " + channel_words(spec);
    switch (spec.kind) {
        case ChannelSpec::Kind::lock:
            text += sim::holder_text(m, run.scenario(), id);
            break;
        case ChannelSpec::Kind::parking:
            return "parked";
        case ChannelSpec::Kind::device:
            return text + fmt::format(", {} in the device's queue", ordinal(place_in_queue(m, channel, p)));
        case ChannelSpec::Kind::channel:
        case ChannelSpec::Kind::pipe_readers:
        case ChannelSpec::Kind::pipe_writers:
            break;
    }
    const std::uint32_t place = place_in_queue(m, channel, p);
    if (place > 1) text += fmt::format(", {} in the queue", ordinal(place));
    return text;
}

}  // namespace

std::string wait_reason_text(const Run& run, TaskId p) {
    const sim::Machine& m = run.session().machine();
    if (p < m.first_task() || p >= m.globals().high_row) return {};
    const sim::Task& task = m.task[p];
    switch (task.state) {
        case sim::TaskState::interruptible:
            return "for an arrival, until " + instant_text(task.wake_at);
        case sim::TaskState::on_timer:
            return "for its timer, until " + instant_text(task.wake_at);
        case sim::TaskState::in_service:
            return "for " + channel_words(run.scenario().channels[task.waiting_on]) + ", in service until " +
                   instant_text(task.wake_at);
        case sim::TaskState::waiting:
            return channel_wait_text(run, p);
        case sim::TaskState::runnable:
            if (task.waiting_on == sim::kNoChannel) return {};
            return "woken, tries again: " + channel_words(run.scenario().channels[task.waiting_on]);
        case sim::TaskState::exited:
        case sim::TaskState::unused:
            break;
    }
    return {};
}

std::string loaded_mm_text(const Run& run, sim::CpuId c) {
    const sim::Machine& m = run.session().machine();
    const sim::Cpu& cpu = m.cpu(c);
    const std::string name = run.scenario().mm_name(m, cpu.active_mm);
    if (cpu.active_mm == sim::kKernelMm || m.task[cpu.current].mm == cpu.active_mm)
        return "has " + name + (cpu.active_mm == sim::kKernelMm ? "" : " loaded");
    return "borrows " + name + (cpu.left_mm ? ", and has replaced it by the kernel's page tables" : "");
}

}  // namespace ui
