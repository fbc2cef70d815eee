// Files and directories. Paths are UTF-8. Functions that return int return 0, or an errno value on failure.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/os/descriptor.h"

namespace sim::os {

enum class FileKind { none, regular, directory, other };

struct FileStatus {
    FileKind kind = FileKind::none;  // none: there is no such file
    std::uint64_t size = 0;          // in bytes
    unsigned permissions = 0;        // as for chmod(2); 0 on systems without them
    // Which file it is and when it was written: equal for two looks if the file is the same and was not
    // written between them.
    struct Version {
        std::uint64_t file = 0;
        std::int64_t seconds = 0, nanoseconds = 0;
        auto operator<=>(const Version&) const = default;
    } version;
};

// A symbolic link is followed. A missing file or directory is no failure.
int look_at(const std::string& path, FileStatus& status);
int look_at(const Descriptor& file, FileStatus& status);

// True if there is a file or directory of this name.
inline bool exists(const std::string& path) {
    FileStatus status;
    return look_at(path, status) == 0 && status.kind != FileKind::none;
}

// Whether an existing file can be written, a new file created in a directory, or an existing file replaced.
// Only Windows forbids the last one: while another program has the file open.
int check_writable(const std::string& path);
int check_can_create_in(const std::string& directory);
int check_can_replace(const std::string& path);

// Gives an open file these permissions. File systems without permissions may refuse.
int set_permissions(const Descriptor& file, unsigned permissions);

// Renames a file or directory. An existing file `to` is replaced at once: it never disappears.
int replace_file(const std::string& from, const std::string& to);
// Deletes a file or an empty directory. Allocates nothing.
void remove_file(const std::string& path) noexcept;
int make_directory(const std::string& path);

// Changes the size of an open file, at its end.
int set_size(const Descriptor& file, std::uint64_t bytes);
// Locks the whole file for this process until it is closed. EWOULDBLOCK: another process holds the lock.
int lock_file(const Descriptor& file);
int seek_to_start(const Descriptor& file);

// An open file without a name, which disappears when it is closed. Not open on failure, with errno set.
Descriptor open_temporary_file();

// Whether opening the file would open a connection: a path such as \\server\share\x.lua on Windows.
// Scripts that a scenario names are checked by it.
bool is_on_another_machine(const std::string& path);

// A part of a file name that very likely no other file has, even if processes of other machines and
// containers write to the same directory.
std::string unique_part();
// The longest file name, in bytes.
std::size_t longest_file_name();

// The characters that separate the names in a path. '/' is one of them on every system.
#ifdef _WIN32
inline constexpr const char* kSeparators = "/\\";
#else
inline constexpr const char* kSeparators = "/";
#endif
inline bool is_separator(char c) {
    return c != '\0' && std::string_view(kSeparators).find(c) != std::string_view::npos;
}

// True if the path names a directory or, on Windows, a drive: a path, and not only the name of a file.
inline bool has_directory(std::string_view path) {
#ifdef _WIN32
    if (path.size() > 1 && path[1] == ':') return true;
#endif
    return path.find_first_of(kSeparators) != std::string_view::npos;
}

// True if the name is the same file of a directory on every system: it has no separator, no drive and no dot
// at its start.
inline bool is_plain_name(std::string_view name) {
    return !name.empty() && name.front() != '.' && name.find_first_of(":/\\") == std::string_view::npos;
}

}  // namespace sim::os
