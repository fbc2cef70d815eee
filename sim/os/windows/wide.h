// Text, errors and handles of the Windows API.
#pragma once

#include <string>
#include <string_view>

#include "sim/os/descriptor.h"

namespace sim::os {

// UTF-16 text. Bytes that are not UTF-8 become U+FFFD.
std::wstring wide(std::string_view utf8);
std::string utf8_of(std::wstring_view wide);

// The path with its drive and all directories.
std::wstring full_path(const std::wstring& path);
// The path for functions of the Windows API; one that is too long for them gets the prefix that lifts the
// limit of 260 characters.
std::wstring wide_path(const std::string& path);

// The errno value of an error of the Windows API, such as GetLastError().
int errno_of(unsigned long error);
int last_errno();

// A descriptor that owns the handle; no child process inherits it. If there is no free descriptor, closes the
// handle; then the result is not open and errno is set. flags: as for _open().
Descriptor descriptor_of(void* handle, int flags);

}  // namespace sim::os
