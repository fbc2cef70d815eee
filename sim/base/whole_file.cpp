#include "sim/base/whole_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

namespace sim {

namespace fs = std::filesystem;

WholeFile::WholeFile(std::string path) : path_(std::move(path)) {
    std::error_code error;
    const fs::file_status status = fs::status(path_, error);
    const bool as_it_is = fs::exists(status) && !fs::is_regular_file(status);
    if (!as_it_is) {
        target_ = fs::is_symlink(path_, error) ? fs::weakly_canonical(path_, error).string() : path_;
        beside_ = fmt::format("{}.{}.part", target_, getpid());
    }
    if (!fs::is_directory(status)) out_.open(as_it_is ? path_ : beside_, std::ios::binary);
    if (!out_.is_open()) throw FileError(fmt::format("{}: cannot be written", path_));
}

WholeFile::~WholeFile() {
    std::error_code error;
    if (!beside_.empty()) fs::remove(beside_, error);
}

void WholeFile::finish() {
    out_.close();
    if (!out_) throw FileError(fmt::format("{}: cannot be written", path_));
    if (target_.empty()) return;
    std::error_code error;
    const fs::file_status before = fs::status(target_, error);
    if (fs::exists(before)) fs::permissions(beside_, before.permissions(), error);
    fs::rename(beside_, target_, error);
    if (error) throw FileError(fmt::format("{}: {}", path_, error.message()));
    beside_.clear();
}

void write_whole_file(const std::string& path, std::string_view bytes) {
    WholeFile file(path);
    file.out() << bytes;
    file.finish();
}

}  // namespace sim
