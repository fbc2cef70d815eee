#include "sim/trace_io/sched_event.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "sim/scenario/json_in_order.h"
#include "sim/scenario/json_text.h"

namespace sim::trace_io {

std::string to_json(const RunInfo& info) {
    nlohmann::ordered_json json{{"title", info.title},
                                {"cpus", info.cpus},
                                {"hz", info.hz},
                                {"policy", info.policy},
                                {"begin_ns", info.begin.count()}};
    if (!info.machine.empty()) json["machine"] = parse_json_in_order(info.machine);
    // The list is built first and then added to the object. If the elements were added to a null member,
    // the library would convert it to a list in two steps, and an allocation may fail between these steps.
    nlohmann::ordered_json threads = nlohmann::ordered_json::array();
    for (const RunInfo::InitialThread& k : info.threads)
        threads.push_back({k.thread.pid, k.thread.tgid, k.thread.prio, k.thread.is_kernel ? 1 : 0,
                           k.asleep ? 1 : 0, fmt::format("{:x}", k.thread.cpus), k.thread.name});
    if (!threads.empty()) json["threads"] = std::move(threads);
    return json_text(json);
}

std::string json_string_of(const std::string& text) { return json_text(nlohmann::json(text)); }

const char* to_string(EventKind kind) {
    constexpr const char* kNames[] = {"sched_switch",       "sched_waking",       "sched_wakeup",
                                      "sched_wakeup_new",   "sched_migrate_task", "sched_process_fork",
                                      "sched_process_exec", "sched_process_exit", "sched_yield",
                                      "recalculation",      "work_begin",         "work_end",
                                      "nr_running"};
    return kNames[static_cast<std::size_t>(kind)];
}

const char* prev_state_text(PrevState state) {
    constexpr const char* kLetters[] = {"R", "R+", "S", "D", "X"};
    return kLetters[static_cast<std::size_t>(state)];
}

std::string comm(ThreadId id, const Threads& threads, CpuId cpu) {
    return id == kIdleThread ? fmt::format("swapper/{}", cpu) : threads[id].name;
}

}  // namespace sim::trace_io
