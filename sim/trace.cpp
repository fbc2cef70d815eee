#include "sim/trace.h"

namespace sim {

const char* to_string(TraceKind kind) {
    switch (kind) {
        case TraceKind::wake_up:
            return "wake_up";
        case TraceKind::tick:
            return "tick";
        case TraceKind::yield:
            return "yield";
        case TraceKind::sleep:
            return "sleep";
        case TraceKind::wait:
            return "wait";
        case TraceKind::fork:
            return "fork";
        case TraceKind::exit:
            return "exit";
        case TraceKind::syscall:
            return "syscall";
        case TraceKind::schedule:
            return "schedule";
    }
    return "?";
}

}  // namespace sim
