//   ST:0:start                        when it began; all times are relative to that
//   P:time:pid:prio:comm              a thread, when it is met or has another name
//   S:time:cpu:prev pid:state:next pid
//   W:time:cpu:target cpu:pid
//   M:time:cpu:from cpu:to cpu:pid
#include "sim/exchange/bpftrace_lines.h"

#include "sim/exchange/event_arguments.h"
#include "sim/exchange/scanning.h"

namespace sim::exchange {
namespace {

// Numbers below zero have all their high bits set, in 32 bits or 64.
bool take_hex(std::string_view& line, std::int64_t& value) {
    std::uint64_t bits = 0;
    if (!is_number(take_up_to(line, ':'), bits, 16)) return false;
    constexpr std::uint64_t kLow = 0xffff'ffff, kSign = 0x8000'0000;
    value = bits <= kLow && (bits & kSign) != 0 ? static_cast<std::int32_t>(static_cast<std::uint32_t>(bits))
                                                : static_cast<std::int64_t>(bits);
    return true;
}

bool take_time(std::string_view& line, std::int64_t& time) {
    return is_number(take_up_to(line, ':'), time, 16) && time >= 0;
}

bool take_pid(std::string_view& line, std::int32_t& pid) {
    std::int64_t value = 0;
    if (!take_hex(line, value) || value < 0 || value > std::numeric_limits<std::int32_t>::max()) return false;
    pid = static_cast<std::int32_t>(value);
    return true;
}

bool take_hex_cpu(std::string_view& line, CpuId& cpu) { return is_number(take_up_to(line, ':'), cpu, 16); }

}  // namespace

bool BpftraceLines::is_one(std::string_view line) {
    if (line.starts_with("ST:")) return true;
    if (line.size() < 4 || std::string_view("PSWM").find(line[0]) == std::string_view::npos || line[1] != ':')
        return false;
    line.remove_prefix(2);
    std::int64_t time = 0;
    return take_number(line, time, 16) && line.starts_with(':');
}

LineIs BpftraceLines::read(std::string_view line, LineEvent& e) {
    if (line.starts_with("ST:") || line.starts_with("Attaching ") ||
        line.find_first_not_of(" \t") == std::string_view::npos)
        return LineIs::header;
    if (!is_one(line)) return LineIs::broken;
    const char letter = line.front();
    line.remove_prefix(2);
    if (!take_time(line, e.time)) return LineIs::broken;
    const auto done = [](bool is_read) { return is_read ? LineIs::event : LineIs::broken_arguments; };
    if (letter == 'P') {
        e.is = LineEvent::Is::rename;
        std::int64_t prio = 0;
        if (!take_pid(line, e.thread.pid) || !take_hex(line, prio)) return LineIs::broken_arguments;
        if (prio < std::numeric_limits<std::int16_t>::min() ||
            prio > std::numeric_limits<std::int16_t>::max())
            return LineIs::broken_arguments;
        e.thread.prio = static_cast<std::int32_t>(prio);
        e.thread.name = line;
        return LineIs::event;
    }
    if (!take_hex_cpu(line, e.cpu)) return LineIs::broken_arguments;
    if (letter == 'S') {
        std::uint64_t state = 0;
        e.kind = EventKind::sched_switch;
        if (!take_pid(line, e.current.pid) || !is_number(take_up_to(line, ':'), state, 16))
            return LineIs::broken_arguments;
        e.state = numeric_state(state, is_before_4_14_);
        return done(take_pid(line, e.thread.pid));
    }
    if (letter == 'W') {
        e.kind = EventKind::wakeup;
        return done(take_hex_cpu(line, e.target) && take_pid(line, e.thread.pid));
    }
    CpuId from = 0;
    e.kind = EventKind::migrate;
    if (!take_hex_cpu(line, from)) return LineIs::broken_arguments;
    e.value = from;
    return done(take_hex_cpu(line, e.target) && take_pid(line, e.thread.pid));
}

}  // namespace sim::exchange
