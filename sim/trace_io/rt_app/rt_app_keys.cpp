#include "sim/trace_io/rt_app/rt_app_keys.h"

#include <algorithm>
#include <utility>

namespace sim::trace_io {
namespace {

constexpr std::pair<std::string_view, RtEvent> kRtEvents[] = {
    {"lock", RtEvent::lock},        {"unlock", RtEvent::unlock}, {"wait", RtEvent::wait},
    {"signal", RtEvent::signal},    {"broad", RtEvent::broad},   {"sync", RtEvent::sync},
    {"barrier", RtEvent::barrier},  {"sleep", RtEvent::sleep},   {"runtime", RtEvent::run},
    {"run", RtEvent::run},          {"timer", RtEvent::timer},   {"suspend", RtEvent::suspend},
    {"resume", RtEvent::resume},    {"mem", RtEvent::mem},       {"iorun", RtEvent::iorun},
    {"yield", RtEvent::yield},      {"fork", RtEvent::fork},     {"sem_post", RtEvent::sem_post},
    {"sem_wait", RtEvent::sem_wait}};

const std::vector<std::string> kPropertiesOfBoth = {
    "loop",     "policy",        "priority",      "cpus",        "util_min",
    "util_max", "dl-runtime",    "dl-period",     "dl-deadline", "period",
    "deadline", "nodes_membind", "membind_nodes", "taskgroup",   "lock_pages"};
const std::vector<std::string> kPropertiesOfThread = {"instance", "delay", "phases"};

}  // namespace

std::optional<RtEvent> event_of(std::string_view key) {
    // The properties lock_pages and membind_nodes are not events, although their names start with the name of
    // an event. (rt-app's tutorial has membind_nodes; its parser reads nodes_membind.)
    if (std::find(kPropertiesOfBoth.begin(), kPropertiesOfBoth.end(), key) != kPropertiesOfBoth.end())
        return std::nullopt;
    for (const auto& [name, event] : kRtEvents)
        if (key.starts_with(name)) return event;
    return std::nullopt;
}

std::vector<std::string> rt_app_properties() {
    std::vector<std::string> known = kPropertiesOfBoth;
    known.insert(known.end(), kPropertiesOfThread.begin(), kPropertiesOfThread.end());
    return known;
}

std::vector<std::string> rt_app_events() {
    std::vector<std::string> names;
    for (const auto& [name, event] : kRtEvents) names.emplace_back(name);
    return names;
}

}  // namespace sim::trace_io
