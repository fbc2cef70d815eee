#include "sim/os/streams.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <cstdlib>

namespace sim::os {

void prepare_program() {
    // A program without a console has no standard streams; NUL takes their descriptors, the wrong way round,
    // so that using them fails.
    for (int stream = kStandardInput; stream <= kStandardError; ++stream)
        if (_get_osfhandle(stream) == -1 || _get_osfhandle(stream) == -2)
            static_cast<void>(_open("NUL", (stream == kStandardInput ? _O_WRONLY : _O_RDONLY) | _O_BINARY));
    for (int stream = kStandardInput; stream <= kStandardError; ++stream) _setmode(stream, _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
    SetConsoleCP(CP_UTF8);
}

bool is_terminal(int stream) {
    DWORD mode = 0;
    return GetConsoleMode(reinterpret_cast<HANDLE>(_get_osfhandle(stream)), &mode) != 0;
}

void exit_immediately(int code) noexcept {
    TerminateProcess(GetCurrentProcess(), static_cast<UINT>(code));
    std::abort();
}

void wait_for_end() noexcept { Sleep(10); }

}  // namespace sim::os
