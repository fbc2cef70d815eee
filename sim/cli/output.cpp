#include "sim/cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "sim/cli/command.h"

namespace sim::cli {

void deliver(const std::string& text, const std::string& path) {
    if (path.empty()) {
        if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
            throw UsageError(fmt::format("standard output: {}", std::strerror(errno)));
        return;
    }
    namespace fs = std::filesystem;
    std::error_code error;
    const auto write_to = [&](const std::string& file) {
        std::ofstream out(file, std::ios::binary);
        out << text;
        out.close();
        return static_cast<bool>(out);
    };
    const fs::file_status status = fs::status(path, error);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        if (fs::is_directory(status) || !write_to(path))
            throw UsageError(fmt::format("{}: cannot be written", path));
        return;
    }
    const std::string target =
        fs::is_symlink(path, error) ? fs::weakly_canonical(path, error).string() : path;
    const std::string beside = fmt::format("{}.{}.part", target, getpid());
    if (!write_to(beside)) {
        fs::remove(beside, error);
        throw UsageError(fmt::format("{}: cannot be written", path));
    }
    if (fs::exists(status)) fs::permissions(beside, status.permissions(), error);
    fs::rename(beside, target, error);
    if (error) {
        const std::string why = error.message();
        fs::remove(beside, error);
        throw UsageError(fmt::format("{}: {}", path, why));
    }
}

std::string grouped(std::uint64_t number) {
    std::string digits = fmt::format("{}", number);
    for (std::size_t place = digits.size(); place > 3;) digits.insert(place -= 3, ",");
    return digits;
}

std::string percent(double share) {
    const double p = share * 100;
    if (p == 0) return "0 %";
    if (p < 0.1) return fmt::format("{:.3f} %", p);
    if (p < 10) return fmt::format("{:.2f} %", p);
    return fmt::format("{:.1f} %", p);
}

std::string bar(double share, int width) {
    const auto full = static_cast<std::size_t>(std::clamp<long>(std::lround(share * width), 0, width));
    return std::string(full, '#') + std::string(static_cast<std::size_t>(width) - full, '.');
}

std::string human_time(Nanos time) {
    const auto n = static_cast<double>(time.count());
    if (time < 1us) return fmt::format("{} ns", time.count());
    if (time < 1ms) return fmt::format("{:.4g} us", n / 1e3);
    if (time < 1s) return fmt::format("{:.4g} ms", n / 1e6);
    if (time < 120s) return fmt::format("{:.4g} s", n / 1e9);
    const std::int64_t minutes = time / std::chrono::minutes(1);
    if (minutes < 60) return fmt::format("{} min {} s", minutes, (time % std::chrono::minutes(1)) / 1s);
    return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace sim::cli
