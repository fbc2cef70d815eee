// Forms of a line, with numbers in hexadecimal:
//   ST:0:start                        start of the trace; all times are relative to it
//   P:time:pid:prio:comm              a thread, at its first event and after a rename
//   S:time:cpu:prev pid:state:next pid
//   W:time:cpu:target cpu:pid
//   M:time:cpu:from cpu:to cpu:pid
#include "sim/trace_io/import/bpftrace_lines.h"

#include "sim/trace_io/import/event_arguments.h"
#include "sim/trace_io/import/scanning.h"

namespace sim::trace_io {
namespace {

// Removes a hexadecimal number and the following ':' from the line. A negative number is in two's complement,
// with 32 or 64 bits.
bool take_hex(std::string_view& line, std::int64_t& value) {
    std::uint64_t bits = 0;
    if (!parse_number(take_up_to(line, ':'), bits, 16)) return false;
    constexpr std::uint64_t kLow = 0xffff'ffff, kSign = 0x8000'0000;
    value = bits <= kLow && (bits & kSign) != 0 ? static_cast<std::int32_t>(static_cast<std::uint32_t>(bits))
                                                : static_cast<std::int64_t>(bits);
    return true;
}

bool take_time(std::string_view& line, std::int64_t& time) {
    return parse_number(take_up_to(line, ':'), time, 16) && time >= 0;
}

bool take_pid(std::string_view& line, std::int32_t& pid) {
    std::int64_t value = 0;
    if (!take_hex(line, value) || value < 0 || value > std::numeric_limits<std::int32_t>::max()) return false;
    pid = static_cast<std::int32_t>(value);
    return true;
}

bool take_hex_cpu(std::string_view& line, CpuId& cpu) { return parse_number(take_up_to(line, ':'), cpu, 16); }

}  // namespace

bool BpftraceLineParser::is_bpftrace_line(std::string_view line) {
    if (line.starts_with("ST:")) return true;
    if (line.size() < 4 || std::string_view("PSWM").find(line[0]) == std::string_view::npos || line[1] != ':')
        return false;
    line.remove_prefix(2);
    std::int64_t time = 0;
    return take_number(line, time, 16) && line.starts_with(':');
}

LineClass BpftraceLineParser::read(std::string_view line, LineEvent& e) {
    if (line.starts_with("ST:") || line.starts_with("Attaching ") ||
        line.find_first_not_of(" \t") == std::string_view::npos)
        return LineClass::header;
    if (!is_bpftrace_line(line)) return LineClass::broken;
    const char letter = line.front();
    line.remove_prefix(2);
    if (!take_time(line, e.time)) return LineClass::broken;
    const auto done = [](bool is_read) { return is_read ? LineClass::event : LineClass::broken_arguments; };
    if (letter == 'P') {
        e.is = LineEvent::Type::rename;
        std::int64_t prio = 0;
        if (!take_pid(line, e.thread.pid) || !take_hex(line, prio)) return LineClass::broken_arguments;
        if (prio < std::numeric_limits<std::int16_t>::min() ||
            prio > std::numeric_limits<std::int16_t>::max())
            return LineClass::broken_arguments;
        e.thread.prio = static_cast<std::int32_t>(prio);
        e.thread.name = line;
        return LineClass::event;
    }
    if (!take_hex_cpu(line, e.cpu)) return LineClass::broken_arguments;
    if (letter == 'S') {
        std::uint64_t state = 0;
        e.kind = EventKind::sched_switch;
        if (!take_pid(line, e.current.pid) || !parse_number(take_up_to(line, ':'), state, 16))
            return LineClass::broken_arguments;
        e.state = prev_state_from_bits(state, is_before_4_14_);
        return done(take_pid(line, e.thread.pid));
    }
    if (letter == 'W') {
        e.kind = EventKind::wakeup;
        return done(take_hex_cpu(line, e.target) && take_pid(line, e.thread.pid));
    }
    CpuId from = 0;
    e.kind = EventKind::migrate;
    if (!take_hex_cpu(line, from)) return LineClass::broken_arguments;
    e.value = from;
    return done(take_hex_cpu(line, e.target) && take_pid(line, e.thread.pid));
}

}  // namespace sim::trace_io
