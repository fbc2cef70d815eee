#include "sim/base/atomic_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/os/files.h"
#include "sim/os/streams.h"

namespace sim {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kBuffer = 1 << 16;

[[noreturn]] void throw_write_error(const std::string& path, int error) {
    throw FileError(fmt::format("{}: cannot be written: {}", printable(path), std::strerror(error)));
}

// A unique name in the directory of `target`. Names that would be too long are shortened.
std::string temporary_path_for(const std::string& target) {
    const std::string end = fmt::format(".{}.part", os::unique_name_part());
    const std::size_t name = target.find_last_of(os::kSeparators) + 1;  // 0 if `target` contains no directory
    const std::size_t most = name + os::max_file_name_bytes() - end.size();
    return target.substr(0, std::max(name, std::min(target.size(), most))) + end;
}

// Throws FileError if `path` is a directory or cannot be examined.
os::FileStatus target_status(const std::string& path) {
    os::FileStatus status;
    if (const int error = os::get_file_status(path, status); error != 0) throw_write_error(path, error);
    if (status.kind == os::FileKind::directory) throw_write_error(path, EISDIR);
    return status;
}

std::mutex unfinished_mutex;
PendingOutput* unfinished = nullptr;  // head of the list of unfinished output

}  // namespace

void PendingOutput::add_to_unfinished_list() {
    const std::lock_guard lock(unfinished_mutex);
    after_ = unfinished;
    if (after_ != nullptr) after_->before_ = this;
    unfinished = this;
}

// REQUIRES: the output has been renamed or removed.
void PendingOutput::remove_from_unfinished_list() {
    const std::lock_guard lock(unfinished_mutex);
    (before_ == nullptr ? unfinished : before_->after_) = after_;
    if (after_ != nullptr) after_->before_ = before_;
}

void remove_unfinished_files() noexcept {
    const std::lock_guard lock(unfinished_mutex);
    for (const PendingOutput* each = unfinished; each != nullptr; each = each->after_)
        each->remove_unfinished_output();
}

std::string resolve_links(const std::string& path) {
    constexpr int kMostLinks = 40;  // same as the limit of the Linux kernel
    fs::path place = path;
    std::error_code error;
    for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(place, error)); ++i) {
        const fs::path next = fs::read_symlink(place, error);
        if (error) throw_write_error(path, error.value());
        place = place.parent_path() / next;  // if `next` is absolute, operator/ returns `next`
    }
    return place.string();
}

void check_can_be_written(const std::string& path) {
    if (target_status(path).kind == os::FileKind::other) {
        if (const int error = os::check_writable(path); error != 0) throw_write_error(path, error);
        return;
    }
    const std::string target = resolve_links(path), directory = fs::path(target).parent_path().string();
    if (const int error = os::check_can_create_in(directory); error != 0) throw_write_error(path, error);
    if (const int error = os::check_can_replace(target); error != 0) throw_write_error(path, error);
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
    const os::FileStatus status = target_status(path_);
    if (status.kind != os::FileKind::other) {
        create_temporary_file();
        // The permissions are set before anything is written, so that no user without permission can read
        // the content.
        if (status.kind == os::FileKind::regular) set_permissions(status.permissions);
    } else {
        file_ = os::open_file(path_, os::OpenMode::write);
    }
    if (!file_.is_open()) throw_error(errno);
}

void AtomicFile::create_temporary_file() {
    target_ = resolve_links(path_);
    temporary_path_ = temporary_path_for(target_);
    file_ = os::open_file(temporary_path_, os::OpenMode::create);
    if (!file_.is_open()) {
        const int error = errno;
        temporary_path_.clear();
        throw_error(error);
    }
    add_to_unfinished_list();
}

AtomicFile::~AtomicFile() {
    if (temporary_path_.empty()) return;
    remove_unfinished_output();
    remove_from_unfinished_list();
}

void AtomicFile::remove_unfinished_output() const noexcept { os::remove_file(temporary_path_); }

void AtomicFile::write(std::string_view bytes) {
    buffer_ += bytes;
    if (buffer_.size() >= kBuffer) flush();
}

void AtomicFile::flush() {
    if (const int error = os::write_all(file_.number(), buffer_); error != 0) throw_error(error);
    buffer_.clear();
}

void AtomicFile::finish() {
    flush();
    if (const int error = file_.close(); error != 0) throw_error(error);
    if (target_.empty()) return;
    if (const int error = os::replace_file(temporary_path_, target_); error != 0) throw_error(error);
    remove_from_unfinished_list();
    temporary_path_.clear();
}

void AtomicFile::set_permissions(unsigned permissions) {
    os::FileStatus now;
    // Some file systems have no permissions and reject every change, so permissions that are already equal
    // are not set.
    if (os::get_file_status(file_, now) == 0 && now.permissions == permissions) return;
    const int error = os::set_permissions(file_, permissions);
    if (error == 0) return;
    remove_unfinished_output();  // needed because the constructor fails, so the destructor will not run
    remove_from_unfinished_list();
    throw_error(error);
}

void AtomicFile::throw_error(int error) const { throw_write_error(path_, error); }

void write_atomically(const std::string& path, std::string_view bytes) {
    AtomicFile file(path);
    file.write(bytes);
    file.finish();
}

AtomicDirectory::AtomicDirectory(std::string path) : path_(std::move(path)) {
    while (path_.size() > 1 && os::is_separator(path_.back())) path_.pop_back();
    std::error_code error;
    if (fs::exists(path_, error) && !(fs::is_directory(path_, error) && fs::is_empty(path_, error)))
        throw FileError(fmt::format("{}: already exists", path_));
    made_.push_back(temporary_path_for(path_));
    if (const int error_number = os::make_directory(made_.front()); error_number != 0)
        throw FileError(fmt::format("{}: cannot be created: {}", path_, std::strerror(error_number)));
    add_to_unfinished_list();
}

AtomicDirectory::~AtomicDirectory() {
    if (made_.empty()) return;
    remove_unfinished_output();
    remove_from_unfinished_list();
}

void AtomicDirectory::remove_unfinished_output() const noexcept {
    for (auto last = made_.rbegin(); last != made_.rend(); ++last) os::remove_file(*last);
}

// Creates a subdirectory unless this object has already created it. Messages contain the path `shown_path`.
void AtomicDirectory::create_subdirectory(const std::string& directory, const std::string& shown_path) {
    if (std::find(made_.begin(), made_.end(), directory) != made_.end()) return;
    made_.push_back(directory);
    if (const int error = os::make_directory(directory); error != 0) throw_write_error(shown_path, error);
}

void AtomicDirectory::write(const std::string& relative_path, std::string_view bytes) {
    const std::string path = made_.front() + "/" + relative_path,
                      shown = fmt::format("{}/{}", path_, relative_path);
    for (std::size_t end = relative_path.find('/'); end != relative_path.npos;
         end = relative_path.find('/', end + 1))
        create_subdirectory(made_.front() + "/" + relative_path.substr(0, end), shown);
    made_.push_back(path);
    os::Descriptor out = os::open_file(path, os::OpenMode::create);
    if (!out.is_open()) throw_write_error(shown, errno);
    if (const int why = os::write_all(out.number(), bytes); why != 0) throw_write_error(shown, why);
    if (const int why = out.close(); why != 0) throw_write_error(shown, why);
}

void AtomicDirectory::finish() {
    if (const int error = os::replace_file(made_.front(), path_); error != 0) throw_write_error(path_, error);
    remove_from_unfinished_list();
    made_.clear();
}

std::string read_text_file(const std::string& path, std::size_t max_bytes) {
    const auto refuse = [&](std::string message) {
        throw ScenarioError(Problem{path == "-" ? "standard input" : path, 0, 0, {}, std::move(message)});
    };
    const auto read_from = [&](int descriptor) {
        std::string text;
        if (const int error = os::read_up_to(descriptor, max_bytes + 1, text); error != 0)
            refuse(fmt::format("cannot be read: {}", std::strerror(error)));
        if (text.size() > max_bytes) refuse(fmt::format("the file is larger than {} MiB", max_bytes >> 20));
        return text;
    };
    if (path == "-") return read_from(os::kStandardInput);
    // The kind of the file is checked before the file is opened, because opening a pipe would block until it
    // has a writer.
    os::FileStatus status;
    if (const int error = os::get_file_status(path, status); error != 0) refuse(std::strerror(error));
    if (status.kind == os::FileKind::none) refuse("no such file");
    if (status.kind == os::FileKind::directory) refuse("expected a file, got a directory");
    if (status.kind == os::FileKind::other)
        refuse("this is not a regular file; to read from a pipe, use '-' (standard input)");
    if (status.size > max_bytes) refuse(fmt::format("the file is larger than {} MiB", max_bytes >> 20));
    const os::Descriptor in = os::open_file(path, os::OpenMode::read);
    if (!in.is_open()) refuse(fmt::format("cannot be opened: {}", std::strerror(errno)));
    std::string text = read_from(in.number());
    os::FileStatus after;
    if (const int error = os::get_file_status(in, after); error != 0) refuse(std::strerror(error));
    // Files in /proc have size 0, but are not empty.
    if (status.size == 0 && !text.empty())
        refuse("this is not a regular file: the system reports size 0, but the file is not empty");
    if (after.version != status.version || after.size != status.size || after.size != text.size())
        refuse("the file changed while it was being read");
    return text;
}

}  // namespace sim
