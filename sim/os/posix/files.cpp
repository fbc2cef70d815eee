#include "sim/os/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <ctime>

namespace sim::os {
namespace {

FileStatus status_of(const struct stat& s) {
#ifdef __APPLE__
    const timespec& written = s.st_mtimespec;
#else
    const timespec& written = s.st_mtim;
#endif
    return {.kind = S_ISREG(s.st_mode)   ? FileKind::regular
                    : S_ISDIR(s.st_mode) ? FileKind::directory
                                         : FileKind::other,
            .size = static_cast<std::uint64_t>(s.st_size),
            .permissions = s.st_mode & 07777u,
            .version = {static_cast<std::uint64_t>(s.st_ino), written.tv_sec, written.tv_nsec}};
}

int errno_unless(bool succeeded) { return succeeded ? 0 : errno; }

}  // namespace

int get_file_status(const std::string& path, FileStatus& status) {
    struct stat s {};
    status = {};
    if (stat(path.c_str(), &s) != 0) return errno == ENOENT || errno == ENOTDIR ? 0 : errno;
    status = status_of(s);
    return 0;
}

int get_file_status(const Descriptor& file, FileStatus& status) {
    struct stat s {};
    if (fstat(file.number(), &s) != 0) return errno;
    status = status_of(s);
    return 0;
}

int check_writable(const std::string& path) { return errno_unless(access(path.c_str(), W_OK) == 0); }

int check_can_create_in(const std::string& directory) {
    // Because of "/.", access() fails if `directory` is a file.
    const std::string inside = directory.empty() ? "." : directory + "/.";
    return errno_unless(access(inside.c_str(), W_OK | X_OK) == 0);
}

int check_can_replace(const std::string& /*path*/) { return 0; }

int set_permissions(const Descriptor& file, unsigned permissions) {
    return errno_unless(fchmod(file.number(), static_cast<mode_t>(permissions)) == 0);
}

int replace_file(const std::string& from, const std::string& to) {
    return errno_unless(std::rename(from.c_str(), to.c_str()) == 0);
}

void remove_file(const std::string& path) noexcept { std::remove(path.c_str()); }

int make_directory(const std::string& path) { return errno_unless(mkdir(path.c_str(), 0777) == 0); }

int set_size(const Descriptor& file, std::uint64_t bytes) {
    return errno_unless(ftruncate(file.number(), static_cast<off_t>(bytes)) == 0);
}

int lock_file(const Descriptor& file) { return errno_unless(flock(file.number(), LOCK_EX | LOCK_NB) == 0); }

int seek_to_start(const Descriptor& file) { return errno_unless(lseek(file.number(), 0, SEEK_SET) == 0); }

Descriptor open_temporary_file() {
    std::FILE* const file = std::tmpfile();
    if (file == nullptr) return Descriptor();
    int number = fcntl(fileno(file), F_DUPFD_CLOEXEC, 0);
    // EINVAL: F_DUPFD_CLOEXEC is not supported (in a browser).
    if (number < 0 && errno == EINVAL) number = dup(fileno(file));
    const int error = errno;
    std::fclose(file);
    errno = error;
    return Descriptor(number);
}

bool is_on_another_machine(const std::string& /*path*/) { return false; }

std::string unique_name_part() {
    static std::atomic<unsigned> count = 0;
    // The process id alone is not unique: a process in another container may have the same id.
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const std::uint64_t mixed =
        (static_cast<std::uint64_t>(now.tv_nsec) << 32 ^ ++count) * 0x9e3779b97f4a7c15u;
    char text[32];
    std::snprintf(text, sizeof text, "%ld-%08llx", static_cast<long>(getpid()),
                  static_cast<unsigned long long>(mixed >> 32));
    return text;
}

std::size_t max_file_name_bytes() { return NAME_MAX; }

}  // namespace sim::os
