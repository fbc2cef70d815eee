#include "sim/os/linux/measurements/facts.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <fstream>
#include <string>

namespace sim::calibrate {
namespace {

std::string read_first_line(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

// Returns "6.18.44" for "6.18.44-anything".
std::string version_numbers(const std::string& release) {
    return release.substr(0, release.find_first_not_of("0123456789."));
}

std::string read_processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (colon == std::string::npos) continue;
        for (const char* key : {"model name", "Model", "cpu model", "Processor"})
            if (line.starts_with(key)) return line.substr(colon + 2, 200);
    }
    utsname name{};
    uname(&name);
    return name.machine;
}

// Parses "48K", as in sysfs.
std::uint32_t parse_cache_size(const std::string& text) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || number > 1 << 20) return 0;
    const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    return unit == "K" ? number << 10 : unit == "M" && number < 1024 ? number << 20 : number;
}

}  // namespace

MachineFacts read_machine_facts(int cpu) {
    utsname name{};
    uname(&name);
    MachineFacts facts{.kernel = version_numbers(name.release),
                       .architecture = name.machine,
                       .processor = read_processor_name()};
    facts.cpus = static_cast<std::uint32_t>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L));
    // The coarse clocks advance only at ticks, so their resolution is the length of a tick.
    timespec tick{};
    if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) == 0 && tick.tv_sec == 0 && tick.tv_nsec > 0)
        facts.hz = static_cast<std::uint32_t>(
            std::clamp(std::lround(1e9 / static_cast<double>(tick.tv_nsec)), 1L, 10'000L));
    for (int i = 0; i < 8; ++i) {
        const std::string cache = fmt::format("/sys/devices/system/cpu/cpu{}/cache/index{}/", cpu, i);
        const std::string level = read_first_line(cache + "level"), type = read_first_line(cache + "type");
        const std::uint32_t size = parse_cache_size(read_first_line(cache + "size"));
        if (level == "1" && type == "Data") {
            facts.l1d = size;
            facts.line = parse_cache_size(read_first_line(cache + "coherency_line_size"));
        }
        if (level == "2") facts.l2 = size;
    }
    return facts;
}

}  // namespace sim::calibrate
