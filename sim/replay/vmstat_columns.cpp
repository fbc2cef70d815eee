#include "sim/replay/vmstat_columns.h"

#include <fmt/format.h>

#include <cmath>

namespace sim {

VmstatLine vmstat_line(const Sample& before, const Sample& after) {
    const TimeParts time = after.parts - before.parts;
    const std::int64_t all = time.total().count();
    const auto share = [&](Nanos part) { return all == 0 ? 0 : (100 * part.count() + all / 2) / all; };
    const auto per_second = [&](std::uint64_t count) -> std::int64_t {
        return std::llround(static_cast<double>(count) * 1e9 /
                            static_cast<double>((after.time - before.time).count()));
    };
    // Timer interrupts of each CPU, external interrupts and IPIs. A sleep that ends at a tick causes no
    // additional interrupt.
    const std::uint64_t interrupts = after.timer_interrupts - before.timer_interrupts +
                                     after.device_interrupts - before.device_interrupts + after.ipis -
                                     before.ipis;
    const Nanos io_wait = after.io_wait - before.io_wait;
    return {.runnable = after.nr_running,
            .blocked = after.nr_iowait,
            .interrupts = per_second(interrupts),
            .switches = per_second(after.switches - before.switches),
            .user = share(time.user),
            .system = share(time.overhead.total() - time.overhead.stolen),
            .idle = share(time.idle - io_wait),
            .io_wait = share(io_wait),
            .stolen = share(time.overhead.stolen)};
}

std::string vmstat_header(VmstatMemoryColumns memory) {
    const bool active = memory == VmstatMemoryColumns::active;
    return fmt::format(
        "procs -------------------memory------------------ ---swap-- -----io---- --system-- "
        "-----cpu-------\n"
        " r  b       swpd       free {:>10} {:>10}   si   so    bi    bo   in   cs  us sy  id wa "
        "st\n",
        active ? "inact" : "buff", active ? "active" : "cache");
}

std::string to_text(const VmstatLine& line) {
    return fmt::format(
        "{:2} {:2} {:10} {:10} {:10} {:10} {:4} {:4} {:5} {:5} {:4} {:4} {:3} {:2} {:3} {:2} {:2}\n",
        line.runnable, line.blocked, 0, 0, 0, 0, 0, 0, 0, 0, line.interrupts, line.switches, line.user,
        line.system, line.idle, line.io_wait, line.stolen);
}

std::string to_text(const LoadAverage& load) {
    std::string text;
    for (const std::uint64_t value : load.values()) {
        const std::uint64_t hundredths = LoadAverage::hundredths(value);
        text += fmt::format("{}{}.{:02}", text.empty() ? "" : ", ", hundredths / 100, hundredths % 100);
    }
    return text;
}

}  // namespace sim
