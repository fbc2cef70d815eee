// Keys in the JSON of rt-app: events and properties.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sim::trace_io {

enum class RtEvent : std::uint8_t {
    lock,
    unlock,
    wait,
    signal,
    broad,
    sync,
    barrier,
    sleep,
    run,
    timer,
    suspend,
    resume,
    mem,
    iorun,
    yield,
    fork,
    sem_post,
    sem_wait
};

// The event that a key names. The key may continue after the event's name, because workgen appends numbers
// to repeated keys.
std::optional<RtEvent> event_of(std::string_view key);

// Names of all properties of a thread or a phase.
std::vector<std::string> rt_app_properties();
// Names of all events, for suggestions.
std::vector<std::string> rt_app_events();

}  // namespace sim::trace_io
