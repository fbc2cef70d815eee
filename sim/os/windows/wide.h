// Text, errors and handles of the Windows API.
#pragma once

#include <string>
#include <string_view>

#include "sim/os/descriptor.h"

namespace sim::os {

// Converts UTF-8 to UTF-16. Bytes that are not UTF-8 become U+FFFD.
std::wstring wide(std::string_view utf8);
std::string utf8_of(std::wstring_view wide);

// The absolute path, with its drive.
std::wstring full_path(const std::wstring& path);
// The path in UTF-16, for functions of the Windows API. A long path gets the prefix \\?\, which lifts the
// limit of 260 characters.
std::wstring wide_path(const std::string& path);

// The errno value of an error of the Windows API, such as GetLastError().
int errno_of(unsigned long error);
int last_errno();

// A descriptor that owns the handle; no child process inherits it. If there is no free descriptor, closes the
// handle; then the result is not open and errno is set. flags: as for _open().
Descriptor descriptor_of(void* handle, int flags);

}  // namespace sim::os
