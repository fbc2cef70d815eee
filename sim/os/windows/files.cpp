#include "sim/os/files.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>
#include <vector>

#include "sim/os/windows/wide.h"

namespace sim::os {
namespace {

HANDLE handle_of(const Descriptor& file) { return reinterpret_cast<HANDLE>(_get_osfhandle(file.number())); }

int errno_unless(bool succeeded) { return succeeded ? 0 : last_errno(); }

FileStatus status_of(HANDLE handle) {
    FileStatus status;
    if (GetFileType(handle) != FILE_TYPE_DISK) {
        status.kind = FileKind::other;
        return status;
    }
    BY_HANDLE_FILE_INFORMATION s{};
    if (!GetFileInformationByHandle(handle, &s)) {
        status.kind = FileKind::other;
        return status;
    }
    const auto number = [](DWORD high, DWORD low) { return std::uint64_t{high} << 32 | low; };
    status.kind =
        (s.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? FileKind::directory : FileKind::regular;
    status.size = number(s.nFileSizeHigh, s.nFileSizeLow);
    const std::uint64_t written = number(s.ftLastWriteTime.dwHighDateTime, s.ftLastWriteTime.dwLowDateTime);
    status.version = {number(s.nFileIndexHigh, s.nFileIndexLow),
                      static_cast<std::int64_t>(written / 10'000'000),
                      static_cast<std::int64_t>(written % 10'000'000) * 100};
    return status;
}

}  // namespace

int get_file_status(const std::string& path, FileStatus& status) {
    status = {};
    // FILE_FLAG_BACKUP_SEMANTICS: directories can be opened, too.
    const HANDLE handle = CreateFileW(wide_path(path).c_str(), FILE_READ_ATTRIBUTES,
                                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                      OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (handle == INVALID_HANDLE_VALUE) {
        const int error = last_errno();
        return error == ENOENT || error == ENOTDIR ? 0 : error;
    }
    status = status_of(handle);
    CloseHandle(handle);
    return 0;
}

int get_file_status(const Descriptor& file, FileStatus& status) {
    status = status_of(handle_of(file));
    return 0;
}

int check_writable(const std::string& path) {
    const DWORD attributes = GetFileAttributesW(wide_path(path).c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES) return last_errno();
    return (attributes & FILE_ATTRIBUTE_READONLY) != 0 ? EACCES : 0;
}

int check_can_create_in(const std::string& directory) {
    // Only an attempt to create a file shows whether access control lists permit it. The file is deleted when
    // it is closed.
    const std::string path =
        directory.empty() ? unique_name_part() + ".part" : directory + "/" + unique_name_part() + ".part";
    const HANDLE handle = CreateFileW(wide_path(path).c_str(), GENERIC_WRITE | DELETE, 0, nullptr, CREATE_NEW,
                                      FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr);
    if (handle == INVALID_HANDLE_VALUE) return last_errno();
    CloseHandle(handle);
    return 0;
}

int check_can_replace(const std::string& path) {
    const HANDLE handle =
        CreateFileW(wide_path(path).c_str(), DELETE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (handle == INVALID_HANDLE_VALUE) return GetLastError() == ERROR_SHARING_VIOLATION ? EACCES : 0;
    CloseHandle(handle);
    return 0;
}

int set_permissions(const Descriptor& /*file*/, unsigned /*permissions*/) { return 0; }

namespace {

// Replaces the file even if another program has it open, which requires Windows 10 1709 or later and NTFS.
// Returns false if this is not possible.
bool replace_open_file(const std::wstring& from, const std::wstring& to) {
    const HANDLE file = CreateFileW(from.c_str(), DELETE | SYNCHRONIZE,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                    OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (file == INVALID_HANDLE_VALUE) return false;
    const std::wstring full = full_path(to);
    constexpr DWORD kReplace = 1, kPosixSemantics = 2;
    constexpr auto kRenameInfoEx =
        static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);  // FileRenameInfoEx, which old headers lack
    std::vector<char> storage(sizeof(FILE_RENAME_INFO) + full.size() * sizeof(wchar_t));
    auto* const info = reinterpret_cast<FILE_RENAME_INFO*>(storage.data());
    *reinterpret_cast<DWORD*>(storage.data()) = kReplace | kPosixSemantics;  // the first field is `Flags`
    info->FileNameLength = static_cast<DWORD>(full.size() * sizeof(wchar_t));
    std::copy_n(full.data(), full.size(), info->FileName);
    const BOOL succeeded =
        SetFileInformationByHandle(file, kRenameInfoEx, info, static_cast<DWORD>(storage.size()));
    CloseHandle(file);
    return succeeded != 0;
}

}  // namespace

int replace_file(const std::string& from, const std::string& to) {
    // A virus scanner or an indexer may have the old file open for a short time, so the replacement is
    // retried.
    constexpr int kTries = 20;
    constexpr DWORD kPause = 25;  // in ms
    const std::wstring source = wide_path(from), target = wide_path(to);
    if (replace_open_file(source, target)) return 0;
    for (int i = 1;; ++i) {
        if (MoveFileExW(source.c_str(), target.c_str(), MOVEFILE_REPLACE_EXISTING)) return 0;
        const DWORD error = GetLastError();
        // MoveFileEx() does not replace an empty directory.
        if (error == ERROR_ACCESS_DENIED && RemoveDirectoryW(target.c_str())) continue;
        const bool is_held = error == ERROR_SHARING_VIOLATION || error == ERROR_ACCESS_DENIED;
        if (!is_held || i == kTries) return errno_of(error);
        Sleep(kPause);
    }
}

void remove_file(const std::string& path) noexcept {
    constexpr int kMost = 4096;  // in UTF-16 units; a file with a longer path is not deleted
    constexpr std::wstring_view kPrefix = LR"(\\?\)";
    static wchar_t given[kMost], prefixed[kPrefix.size() + kMost];
    static std::atomic_flag is_used = ATOMIC_FLAG_INIT;
    while (is_used.test_and_set()) Sleep(1);
    if (MultiByteToWideChar(CP_UTF8, 0, path.c_str(), -1, given, kMost) != 0) {
        const wchar_t* name = given;
        // With the prefix \\?\, the path may be longer than 260 characters.
        std::copy_n(kPrefix.data(), kPrefix.size(), prefixed);
        const DWORD size = GetFullPathNameW(given, kMost, prefixed + kPrefix.size(), nullptr);
        if (size != 0 && size < kMost && prefixed[kPrefix.size()] != L'\\') name = prefixed;
        if (!DeleteFileW(name)) RemoveDirectoryW(name);
    }
    is_used.clear();
}

int make_directory(const std::string& path) {
    return errno_unless(CreateDirectoryW(wide_path(path).c_str(), nullptr) != 0);
}

int set_size(const Descriptor& file, std::uint64_t bytes) {
    return _chsize_s(file.number(), static_cast<long long>(bytes));
}

int lock_file(const Descriptor& file) {
    // On Windows, other programs cannot read locked bytes. So only one byte is locked, far after the end of
    // any file.
    OVERLAPPED place{};
    place.OffsetHigh = 0x7fffffff;
    return errno_unless(LockFileEx(handle_of(file), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1,
                                   0, &place) != 0);
}

int seek_to_start(const Descriptor& file) { return _lseeki64(file.number(), 0, SEEK_SET) == 0 ? 0 : errno; }

Descriptor open_temporary_file() {
    std::wstring directory(MAX_PATH + 1, L'\0');
    const DWORD size = GetTempPathW(static_cast<DWORD>(directory.size()), directory.data());
    if (size == 0 || size > directory.size()) {
        errno = size == 0 ? last_errno() : ENAMETOOLONG;
        return Descriptor();
    }
    directory.resize(size);
    const std::wstring path = directory + wide("switchyard-" + unique_name_part() + ".tmp");
    const HANDLE handle =
        CreateFileW(path.c_str(), GENERIC_READ | GENERIC_WRITE | DELETE,
                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, CREATE_NEW,
                    FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr);
    if (handle == INVALID_HANDLE_VALUE) {
        errno = last_errno();
        return Descriptor();
    }
    return descriptor_of(handle, _O_RDWR);
}

bool is_on_another_machine(const std::string& path) {
    return path.size() > 1 && is_separator(path[0]) && is_separator(path[1]);
}

std::string unique_name_part() {
    static std::atomic<unsigned> count = 0;
    LARGE_INTEGER now{};
    QueryPerformanceCounter(&now);
    const std::uint64_t mixed =
        (static_cast<std::uint64_t>(now.QuadPart) << 16 ^ ++count) * 0x9e3779b97f4a7c15u;
    char text[32];
    std::snprintf(text, sizeof text, "%lu-%08llx", GetCurrentProcessId(),
                  static_cast<unsigned long long>(mixed >> 32));
    return text;
}

std::size_t max_file_name_bytes() { return 255; }

}  // namespace sim::os
