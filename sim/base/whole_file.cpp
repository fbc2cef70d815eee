#include "sim/base/whole_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace sim {

void write_whole_file(const std::string& path, std::string_view bytes) {
    namespace fs = std::filesystem;
    std::error_code error;
    const auto write_to = [&](const std::string& file) {
        std::ofstream out(file, std::ios::binary);
        out << bytes;
        out.close();
        return static_cast<bool>(out);
    };
    const fs::file_status status = fs::status(path, error);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        if (fs::is_directory(status) || !write_to(path))
            throw std::runtime_error(fmt::format("{}: cannot be written", path));
        return;
    }
    const std::string target =
        fs::is_symlink(path, error) ? fs::weakly_canonical(path, error).string() : path;
    const std::string beside = fmt::format("{}.{}.part", target, getpid());
    if (!write_to(beside)) {
        fs::remove(beside, error);
        throw std::runtime_error(fmt::format("{}: cannot be written", path));
    }
    if (fs::exists(status)) fs::permissions(beside, status.permissions(), error);
    fs::rename(beside, target, error);
    if (error) {
        const std::string why = error.message();
        fs::remove(beside, error);
        throw std::runtime_error(fmt::format("{}: {}", path, why));
    }
}

}  // namespace sim
