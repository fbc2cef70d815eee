#include "sim/action.h"

#include <algorithm>

namespace sim {
namespace {

std::vector<ActionInfo>& registry() {
    static std::vector<ActionInfo> list;
    return list;
}

}  // namespace

bool register_action(ActionInfo info) {
    auto& list = registry();
    const auto place = std::lower_bound(list.begin(), list.end(), info.name,
                                        [](const ActionInfo& a, const std::string& name) { return a.name < name; });
    list.insert(place, std::move(info));
    return true;
}

std::span<const ActionInfo> actions() { return registry(); }

std::uint8_t action_index(std::string_view name) {
    const auto& list = registry();
    const auto place = std::lower_bound(list.begin(), list.end(), name,
                                        [](const ActionInfo& a, std::string_view n) { return a.name < n; });
    assert(place != list.end() && place->name == name);
    return static_cast<std::uint8_t>(place - list.begin());
}

void ActionContext::wake_up_process(TaskId woken) const {
    Globals& g = m.globals();
    m.task[woken].state = TaskState::runnable;
    ++g.nr_running;
    // One CPU for now: where a task is placed among several is a later policy's question.
    Cpu& target = m.cpu(0);
    target.pending_steps += policy.enqueue(m, woken);
    if (statistics != nullptr) statistics->became_ready(woken, g.now);
    if (trace != nullptr) trace->wake_up(g.now, woken);
    if (policy.preempts(m, woken, target.current)) m.set_need_resched(0);
}

}  // namespace sim
