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
    unsigned permissions = 0;        // as for chmod(2); 0 on systems without permissions
    // Identity of the file and time of its last write. Equal in two results of get_file_status() if the file
    // is the same and was not written between the two calls.
    struct Version {
        std::uint64_t file = 0;
        std::int64_t seconds = 0, nanoseconds = 0;
        auto operator<=>(const Version&) const = default;
    } version;
};

// Gets the status of a file or directory; follows symbolic links. If it does not exist, returns 0 and
// FileKind::none.
int get_file_status(const std::string& path, FileStatus& status);
int get_file_status(const Descriptor& file, FileStatus& status);

// True if there is a file or directory of this name.
inline bool exists(const std::string& path) {
    FileStatus status;
    return get_file_status(path, status) == 0 && status.kind != FileKind::none;
}

// check_writable() returns 0 if an existing file can be written, check_can_create_in() if a new file can be
// created in a directory, and check_can_replace() if an existing file can be replaced. Only Windows forbids
// replacing a file, and only while another program has the file open.
int check_writable(const std::string& path);
int check_can_create_in(const std::string& directory);
int check_can_replace(const std::string& path);

// Gives an open file these permissions. File systems without permissions may refuse.
int set_permissions(const Descriptor& file, unsigned permissions);

// Renames a file or directory. An existing file `to` is replaced in one step, so that a file of
// this name exists at any time.
int replace_file(const std::string& from, const std::string& to);
// Deletes a file or an empty directory. Allocates nothing.
void remove_file(const std::string& path) noexcept;
int make_directory(const std::string& path);

// Truncates or extends an open file to this size.
int set_size(const Descriptor& file, std::uint64_t bytes);
// Locks the whole file for this process until it is closed. EWOULDBLOCK: another process holds the lock.
int lock_file(const Descriptor& file);
int seek_to_start(const Descriptor& file);

// An open file without a name, which disappears when it is closed. On failure, the result is not open and
// errno is set.
Descriptor open_temporary_file();

// True if opening the file would open a network connection: a path such as \\server\share\x.lua on Windows.
// Used to check the scripts that a scenario names.
bool is_on_another_machine(const std::string& path);

// A part of a file name that very likely no other file has, even if processes of other machines and
// containers write to the same directory.
std::string unique_name_part();
// The longest file name, in bytes.
std::size_t max_file_name_bytes();

// The characters that separate the names in a path. '/' is one of them on every system.
#ifdef _WIN32
inline constexpr const char* kSeparators = "/\\";
#else
inline constexpr const char* kSeparators = "/";
#endif
inline bool is_separator(char c) {
    return c != '\0' && std::string_view(kSeparators).find(c) != std::string_view::npos;
}

// True if the path contains a directory part or, on Windows, a drive, and not only the name of a file.
inline bool has_directory_part(std::string_view path) {
#ifdef _WIN32
    if (path.size() > 1 && path[1] == ':') return true;
#endif
    return path.find_first_of(kSeparators) != std::string_view::npos;
}

// True if the name denotes a file within a directory on every system: it has no separator, no drive and no
// dot at its start.
inline bool is_plain_name(std::string_view name) {
    return !name.empty() && name.front() != '.' && name.find_first_of(":/\\") == std::string_view::npos;
}

}  // namespace sim::os
