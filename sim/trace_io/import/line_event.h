// One parsed line of a trace, not yet checked for consistency (trace_normalizer.h).
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {

inline constexpr std::int32_t kUnset = std::numeric_limits<std::int32_t>::min();
// Time of a record that has no time of its own and applies from the start of the trace.
inline constexpr std::int64_t kNoTime = std::numeric_limits<std::int64_t>::min();

// Facts about a thread in one line; kUnset: absent.
struct ThreadFields {
    std::int32_t pid = kUnset, tgid = kUnset, prio = kUnset;
    // The name of the thread; empty: absent. `name_is_of_the_printer`: the thread had this name when the
    // tracer printed the file, not necessarily at the time of the event. Such a name is used only if no other
    // name is known.
    std::string name{};
    bool name_is_of_the_printer = false;
};

struct LineEvent {
    enum class Type : std::uint8_t {
        event,
        rename,
        interrupt_begin,
        interrupt_end,
        runtime,  // `thread` has used the CPU for `value` ns up to `time` (sched_stat_runtime)
        // A switch that the trace lacks; from `time` on, `thread` has the CPU.
        switch_in,
        // A switch that the trace lacks; from `time` on, `thread` no longer has the CPU.
        switch_out,
        // The following kinds come from tables of CPU intervals and thread states (row_lines.h).
        slice_begin,  // `thread` gets the CPU at `time`
        slice_end,    // `thread` leaves the CPU at `time`, in `state`
        // `thread` enters `state` at `time`. If the thread becomes ready after a sleep, `current` is the
        // thread that woke it.
        thread_state
    };

    std::int64_t time = 0;    // ns on the tracer's clock
    std::uint64_t line = 0;   // line number in the file, for messages; 0: unknown
    std::uint64_t order = 0;  // orders events of one source that have the same time (reorder_buffer.h)
    Type is = Type::event;
    EventKind kind = EventKind::sched_switch;
    PrevState state = PrevState::runnable;
    enum class Interrupt : std::uint8_t { unknown, no, yes } interrupt = Interrupt::unknown;
    CpuId cpu = 0, target = 0;
    ThreadFields current, thread;  // for a rename, `thread` is the renamed thread
    // Orders events of several sources (trace_source.h) that have the same time: the lowest rank comes first.
    std::int8_t rank = 0;
    std::int64_t value = 0;
    const char* what = "";  // kind of kernel work; a string with static storage duration

    // Resets all fields except time, line, order and cpu; keeps the capacity of the names.
    void clear() {
        for (ThreadFields* s : {&current, &thread}) {
            s->pid = s->tgid = s->prio = kUnset;
            s->name.clear();
            s->name_is_of_the_printer = false;
        }
        is = Type::event;
        kind = EventKind::sched_switch;
        state = PrevState::runnable;
        interrupt = Interrupt::unknown;
        target = 0;
        rank = 0;
        value = 0;
        what = "";
    }
};

// How the reader classifies an input line.
enum class LineClass : std::uint8_t {
    event,   // stored in a LineEvent
    other,   // an event of a kind that this program does not use
    header,  // not an event: header, comment, empty line
    broken,  // neither an event nor a known header
    // An event with missing or invalid arguments.
    broken_arguments,
};

}  // namespace sim::trace_io
