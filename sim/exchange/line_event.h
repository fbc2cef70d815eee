// What one line of a recording says, before anybody has asked whether it can be so.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "sim/exchange/sched_event.h"

namespace sim::exchange {

inline constexpr std::int32_t kNotSaid = std::numeric_limits<std::int32_t>::min();
// Of what is so from the beginning on, wherever it stands.
inline constexpr std::int64_t kNoTime = std::numeric_limits<std::int64_t>::min();

// What a line says of a thread.
struct Said {
    std::int32_t pid = kNotSaid, tgid = kNotSaid, prio = kNotSaid;
    // Empty where it says none. A tracer prints a line's own task by the name that it knew when it printed
    // the file: such a name counts only where there is no other.
    std::string name{};
    bool name_is_of_the_printer = false;
};

struct LineEvent {
    enum class Is : std::uint8_t {
        event,
        rename,
        interrupt_begin,
        interrupt_end,
        // Of tables that have who had a CPU from when to when, and in which state who had none was
        // (row_lines.h).
        slice_begin,  // `thread` has the CPU from then on
        slice_end,    // and until then, to leave it as `state` says
        thread_state  // `thread` is in `state` from then on: ready, made so by `current`, where it slept
                      // before
    };

    std::int64_t time = 0;  // ns, of the tracer's clock
    std::uint64_t line = 0;
    Is is = Is::event;
    EventKind kind = EventKind::sched_switch;
    PrevState state = PrevState::runnable;
    enum class Interrupt : std::uint8_t { not_said, no, yes } interrupt = Interrupt::not_said;
    CpuId cpu = 0, target = 0;
    Said current, thread;  // of a rename: thread
    // Of several files with events at one instant: those with a lower one come first.
    std::int8_t rank = 0;
    std::int64_t value = 0;
    const char* what = "";  // lives for ever

    // Makes this what it is by itself, and keeps the memory of the names.
    void clear() {
        for (Said* s : {&current, &thread}) {
            s->pid = s->tgid = s->prio = kNotSaid;
            s->name.clear();
            s->name_is_of_the_printer = false;
        }
        is = Is::event;
        kind = EventKind::sched_switch;
        state = PrevState::runnable;
        interrupt = Interrupt::not_said;
        target = 0;
        rank = 0;
        value = 0;
        what = "";
    }
};

// Of a line: what it is to who reads the file.
enum class LineIs : std::uint8_t {
    event,   // LineEvent has it
    other,   // an event of another kind
    header,  // nothing that happened
    broken,  // nothing that can be read
    broken_arguments,
};

}  // namespace sim::exchange
