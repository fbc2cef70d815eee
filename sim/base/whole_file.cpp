#include "sim/base/whole_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <utility>

#include "sim/base/problem.h"

namespace sim {

namespace fs = std::filesystem;

namespace {

// With what the system says of its latest call, when that failed. REQUIRES: errno was 0 before the call.
[[noreturn]] void refuse_writing(const std::string& path) {
    const std::string why = errno == 0 ? "" : fmt::format(": {}", std::strerror(errno));
    throw FileError(fmt::format("{}: cannot be written{}", path, why));
}

}  // namespace

WholeFile::WholeFile(std::string path) : path_(std::move(path)) {
    std::error_code error;
    const fs::file_status status = fs::status(path_, error);
    const bool as_it_is = fs::exists(status) && !fs::is_regular_file(status);
    if (!as_it_is) {
        target_ = fs::is_symlink(path_, error) ? fs::weakly_canonical(path_, error).string() : path_;
        beside_ = fmt::format("{}.{}.part", target_, getpid());
    }
    errno = fs::is_directory(status) ? EISDIR : 0;
    if (errno == 0) out_.open(as_it_is ? path_ : beside_, std::ios::binary);
    if (!out_.is_open()) refuse_writing(path_);
}

WholeFile::~WholeFile() {
    std::error_code error;
    if (!beside_.empty()) fs::remove(beside_, error);
}

void WholeFile::finish() {
    errno = 0;
    out_.close();
    if (!out_) refuse_writing(path_);
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
    errno = 0;
    file.out() << bytes << std::flush;
    if (!file.out()) refuse_writing(path);
    file.finish();
}

WholeFolder::WholeFolder(std::string path) : path_(std::move(path)) {
    while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
    std::error_code error;
    if (fs::exists(path_, error) && !(fs::is_directory(path_, error) && fs::is_empty(path_, error)))
        throw FileError(fmt::format("{}: is there already", path_));
    const std::string beside = fmt::format("{}.{}.part", path_, getpid());
    if (!fs::create_directory(beside, error)) throw FileError(fmt::format("{}: cannot be made", path_));
    beside_ = beside;
}

WholeFolder::~WholeFolder() {
    std::error_code error;
    if (!beside_.empty()) fs::remove_all(beside_, error);
}

void WholeFolder::write(const std::string& file, std::string_view bytes) {
    const fs::path path = fs::path(beside_) / file;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    errno = 0;
    std::ofstream out(path, std::ios::binary);
    out << bytes;
    out.close();
    if (!out) refuse_writing(fmt::format("{}/{}", path_, file));
}

void WholeFolder::finish() {
    std::error_code error;
    fs::rename(beside_, path_, error);
    if (error) throw FileError(fmt::format("{}: {}", path_, error.message()));
    beside_.clear();
}

std::string read_text_file(const std::string& path, std::size_t most) {
    const auto refuse = [&](std::string message) {
        throw ScenarioError(Problem{path == "-" ? "standard input" : path, 0, 0, {}, std::move(message)});
    };
    std::string text;
    const auto read_from = [&](std::istream& in) {
        char buffer[1 << 16];
        while (text.size() <= most && (in.read(buffer, sizeof buffer), in.gcount() > 0))
            text.append(buffer, static_cast<std::size_t>(in.gcount()));
        if (in.bad()) refuse("cannot be read");
        if (text.size() > most) refuse(fmt::format("larger than {} MiB", most >> 20));
    };
    if (path == "-") {
        read_from(std::cin);
        return text;
    }
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) refuse("no such file");
    if (error) refuse(error.message());
    if (fs::is_directory(status)) refuse("a directory, not a file");
    if (!fs::is_regular_file(status))
        refuse("not a regular file; for a pipe, write '-' and use standard input");
    const std::uintmax_t size = fs::file_size(path, error);
    if (!error && size > most) refuse(fmt::format("larger than {} MiB", most >> 20));
    std::ifstream in(path, std::ios::binary);
    if (!in) refuse(fmt::format("cannot be opened: {}", std::strerror(errno)));
    read_from(in);
    if (error || text.size() != size || fs::file_size(path, error) != size || error)
        refuse("changed while it was being read");
    return text;
}

}  // namespace sim
