#include "sim/base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "sim/base/problem.h"
#include "sim/base/rng.h"
#include "sim/base/text.h"

namespace sim {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kBuffer = 1 << 16;

[[noreturn]] void refuse_writing(const std::string& path, int error) {
    throw FileError(fmt::format("{}: cannot be written: {}", printable(path), std::strerror(error)));
}

// A unique name in the directory of `target`. The pid alone is not unique: a process in another container
// may have the same pid. Long file names are shortened to NAME_MAX.
std::string beside_name(const std::string& target) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    static std::atomic<unsigned> count = 0;
    const std::string end = fmt::format(".{}-{:x}.part", getpid(),
                                        mix64(static_cast<std::uint64_t>(now.tv_nsec) << 32 ^ ++count) >> 32);
    const std::size_t name = target.rfind('/') + 1;  // start of the file name; 0 if there is no '/'
    return target.substr(0, std::max(name, std::min(target.size(), name + NAME_MAX - end.size()))) + end;
}

struct PlaceToWrite {
    bool exists = false, is_regular = false;
    unsigned mode = 0;
};

PlaceToWrite look_at(const std::string& path) {
    struct stat status {};
    const bool exists = stat(path.c_str(), &status) == 0;
    if (!exists && errno != ENOENT && errno != ENOTDIR) refuse_writing(path, errno);
    if (exists && S_ISDIR(status.st_mode)) refuse_writing(path, EISDIR);
    return {exists, !exists || S_ISREG(status.st_mode), exists ? status.st_mode : 0};
}

std::mutex unfinished_mutex;
PendingOutput* unfinished = nullptr;  // head of the list of unfinished output

}  // namespace

void PendingOutput::enlist() {
    const std::lock_guard lock(unfinished_mutex);
    after_ = unfinished;
    if (after_ != nullptr) after_->before_ = this;
    unfinished = this;
}

// REQUIRES: the output has been renamed or removed.
void PendingOutput::forget() {
    const std::lock_guard lock(unfinished_mutex);
    (before_ == nullptr ? unfinished : before_->after_) = after_;
    if (after_ != nullptr) after_->before_ = before_;
}

void remove_unfinished_files() noexcept {
    const std::lock_guard lock(unfinished_mutex);
    for (const PendingOutput* each = unfinished; each != nullptr; each = each->after_) each->remove();
}

std::string followed_links(const std::string& path) {
    constexpr int kMostLinks = 40;  // the limit of Linux
    fs::path place = path;
    std::error_code error;
    for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(place, error)); ++i) {
        const fs::path next = fs::read_symlink(place, error);
        if (error) refuse_writing(path, error.value());
        place = place.parent_path() / next;  // if `next` is absolute, operator/ returns `next`
    }
    return place.string();
}

void check_can_be_written(const std::string& path) {
    if (!look_at(path).is_regular) {
        if (access(path.c_str(), W_OK) != 0) refuse_writing(path, errno);
        return;
    }
    const fs::path folder = fs::path(followed_links(path)).parent_path() / ".";  // access() fails for a file
    if (access(folder.c_str(), W_OK | X_OK) != 0) refuse_writing(path, errno);
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
    const PlaceToWrite place = look_at(path_);
    if (place.is_regular) {
        open_beside();
        // The permissions are set before anything is written, so that no user without permission can read
        // the content.
        if (place.exists) keep_permissions(place.mode);
    } else {
        file_ = open_file(path_.c_str(), O_WRONLY);
    }
    if (!file_.is_open()) refuse(errno);
}

void AtomicFile::open_beside() {
    target_ = followed_links(path_);
    temporary_path_ = beside_name(target_);
    file_ = open_file(temporary_path_.c_str(), O_WRONLY | O_CREAT | O_EXCL);
    if (!file_.is_open()) {
        const int error = errno;
        temporary_path_.clear();
        refuse(error);
    }
    enlist();
}

AtomicFile::~AtomicFile() {
    if (temporary_path_.empty()) return;
    remove();
    forget();
}

void AtomicFile::remove() const noexcept { unlink(temporary_path_.c_str()); }

void AtomicFile::write(std::string_view bytes) {
    buffer_ += bytes;
    if (buffer_.size() >= kBuffer) flush();
}

void AtomicFile::flush() {
    if (const int error = write_all(file_.number(), buffer_); error != 0) refuse(error);
    buffer_.clear();
}

void AtomicFile::finish() {
    flush();
    if (const int error = file_.close(); error != 0) refuse(error);
    if (target_.empty()) return;
    if (std::rename(temporary_path_.c_str(), target_.c_str()) != 0) refuse(errno);
    forget();
    temporary_path_.clear();
}

void AtomicFile::keep_permissions(unsigned mode) {
    struct stat now {};
    // Some file systems have no permissions and reject every change.
    if (fstat(file_.number(), &now) == 0 &&
        (now.st_mode == mode || fchmod(file_.number(), mode & 07777) == 0))
        return;
    const int error = errno;
    remove();  // needed, because the destructor will not run
    forget();
    refuse(error);
}

void AtomicFile::refuse(int error) const { refuse_writing(path_, error); }

void write_atomically(const std::string& path, std::string_view bytes) {
    AtomicFile file(path);
    file.write(bytes);
    file.finish();
}

AtomicDirectory::AtomicDirectory(std::string path) : path_(std::move(path)) {
    while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
    std::error_code error;
    if (fs::exists(path_, error) && !(fs::is_directory(path_, error) && fs::is_empty(path_, error)))
        throw FileError(fmt::format("{}: already exists", path_));
    made_.push_back(beside_name(path_));
    if (mkdir(made_.front().c_str(), 0777) != 0)
        throw FileError(fmt::format("{}: cannot be created: {}", path_, std::strerror(errno)));
    enlist();
}

AtomicDirectory::~AtomicDirectory() {
    if (made_.empty()) return;
    remove();
    forget();
}

void AtomicDirectory::remove() const noexcept {
    for (auto last = made_.rbegin(); last != made_.rend(); ++last) std::remove(last->c_str());
}

// Creates a subdirectory unless this object has already created it.
void AtomicDirectory::make(const std::string& folder, const std::string& shown) {
    if (std::find(made_.begin(), made_.end(), folder) != made_.end()) return;
    made_.push_back(folder);
    if (mkdir(folder.c_str(), 0777) != 0) refuse_writing(shown, errno);
}

void AtomicDirectory::write(const std::string& file, std::string_view bytes) {
    const std::string path = made_.front() + "/" + file, shown = fmt::format("{}/{}", path_, file);
    for (std::size_t end = file.find('/'); end != file.npos; end = file.find('/', end + 1))
        make(made_.front() + "/" + file.substr(0, end), shown);
    made_.push_back(path);
    Descriptor out = open_file(path.c_str(), O_WRONLY | O_CREAT | O_EXCL);
    if (!out.is_open()) refuse_writing(shown, errno);
    if (const int why = write_all(out.number(), bytes); why != 0) refuse_writing(shown, why);
    if (const int why = out.close(); why != 0) refuse_writing(shown, why);
}

void AtomicDirectory::finish() {
    if (std::rename(made_.front().c_str(), path_.c_str()) != 0) refuse_writing(path_, errno);
    forget();
    made_.clear();
}

std::string read_text_file(const std::string& path, std::size_t most) {
    const auto refuse = [&](std::string message) {
        throw ScenarioError(Problem{path == "-" ? "standard input" : path, 0, 0, {}, std::move(message)});
    };
    const auto read_from = [&](int descriptor) {
        std::string text;
        std::vector<char> buffer(kBuffer);
        while (text.size() <= most) {
            const std::ptrdiff_t n = read_some(descriptor, buffer.data(), buffer.size());
            if (n < 0) refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
            if (n == 0) return text;
            text.append(buffer.data(), static_cast<std::size_t>(n));
        }
        refuse(fmt::format("larger than {} MiB", most >> 20));
        return text;
    };
    if (path == "-") return read_from(STDIN_FILENO);
    // stat() comes first, because opening a pipe would block until it has a writer.
    struct stat status {};
    if (stat(path.c_str(), &status) != 0)
        refuse(errno == ENOENT || errno == ENOTDIR ? "no such file" : std::strerror(errno));
    if (S_ISDIR(status.st_mode)) refuse("a directory, not a file");
    if (!S_ISREG(status.st_mode)) refuse("not a regular file; to read from a pipe, use '-' (standard input)");
    if (static_cast<std::uintmax_t>(status.st_size) > most)
        refuse(fmt::format("larger than {} MiB", most >> 20));
    const Descriptor in = open_file(path.c_str(), O_RDONLY);
    if (!in.is_open()) refuse(fmt::format("cannot be opened: {}", std::strerror(errno)));
    std::string text = read_from(in.number());
    struct stat after {};
    if (fstat(in.number(), &after) != 0) refuse(std::strerror(errno));
    if (status.st_size == 0 && !text.empty()) refuse("not a regular file: it has no size");  // as in /proc
    const auto time = [](const struct stat& s) { return std::pair(s.st_mtim.tv_sec, s.st_mtim.tv_nsec); };
    const bool is_same =
        after.st_ino == status.st_ino && after.st_size == status.st_size && time(after) == time(status);
    if (!is_same || static_cast<std::uintmax_t>(after.st_size) != text.size())
        refuse("changed while it was being read");
    return text;
}

}  // namespace sim
