#include "sim/os/streams.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <cstdlib>
#include <cwchar>

#include "sim/os/descriptor.h"

// The C library expands * and ? in arguments, as a shell does on other systems.
extern "C" {
int _dowildcard = -1;
}

namespace sim::os {
namespace {

constexpr int kStreams[] = {kStandardInput, kStandardOutput, kStandardError};

// If keeps_errors is true, error messages are kept, in UTF-8, for a message box.
bool keeps_errors = false;
char kept[4096];
std::size_t kept_bytes = 0;

HANDLE handle_of(int stream) { return reinterpret_cast<HANDLE>(_get_osfhandle(stream)); }

bool is_missing(int stream) {
    constexpr std::intptr_t kNone = -1, kNoConsole = -2;
    const std::intptr_t handle = _get_osfhandle(stream);
    return handle == kNone || handle == kNoConsole || GetFileType(handle_of(stream)) == FILE_TYPE_UNKNOWN;
}

// True if this program was linked as a program with a window, without a console of its own.
bool has_window() {
    const auto* const start = reinterpret_cast<const char*>(GetModuleHandleW(nullptr));
    const auto* const header = reinterpret_cast<const IMAGE_DOS_HEADER*>(start);
    const auto* const headers = reinterpret_cast<const IMAGE_NT_HEADERS*>(start + header->e_lfanew);
    return headers->OptionalHeader.Subsystem == IMAGE_SUBSYSTEM_WINDOWS_GUI;
}

void open_as(int stream, const char* name, int flags) {
    const int opened = _open(name, flags | _O_BINARY);
    if (opened < 0 || opened == stream) return;
    _dup2(opened, stream);
    _close(opened);
}

// Opens the missing standard streams of a program with a window, on the console of the program that started
// it, if there is one.
void attach_to_console() {
    const bool complete = std::none_of(std::begin(kStreams), std::end(kStreams), is_missing);
    if (complete || !has_window()) return;
    if (!AttachConsole(ATTACH_PARENT_PROCESS)) {
        // With --headless, the program is part of a batch job, where no user closes a message box.
        keeps_errors = is_missing(kStandardError) && std::wcsstr(GetCommandLineW(), L"--headless") == nullptr;
        return;
    }
    for (const int stream : kStreams)
        if (is_missing(stream)) open_as(stream, stream == kStandardInput ? "CONIN$" : "CONOUT$", _O_RDWR);
    // The shell does not wait for a program with a window, so Ctrl+C is meant for the shell's next command.
    SetConsoleCtrlHandler(nullptr, TRUE);
}

}  // namespace

void prepare_process_io() {
    attach_to_console();
    // NUL is opened in the wrong direction on the descriptors of missing streams, so that reads and writes
    // fail.
    for (const int stream : kStreams)
        if (is_missing(stream)) open_as(stream, "NUL", stream == kStandardInput ? _O_WRONLY : _O_RDONLY);
    for (const int stream : kStreams) _setmode(stream, _O_BINARY);
}

void finish_process_io(bool failed) noexcept {
    if (!failed || kept_bytes == 0) return;
    static wchar_t text[sizeof kept + 1];
    const int units = MultiByteToWideChar(CP_UTF8, 0, kept, static_cast<int>(kept_bytes), text, sizeof kept);
    text[units] = L'\0';
    MessageBoxW(nullptr, text, L"Switchyard", MB_OK | MB_ICONERROR | MB_SETFOREGROUND);
}

void write_error(std::string_view text) noexcept {
    if (!keeps_errors) {
        static_cast<void>(write_all(kStandardError, text));
        return;
    }
    const std::size_t size = std::min(text.size(), sizeof kept - kept_bytes);
    std::copy_n(text.data(), size, kept + kept_bytes);
    kept_bytes += size;
}

bool is_terminal(int stream) {
    DWORD mode = 0;
    return GetConsoleMode(handle_of(stream), &mode) != 0;
}

void exit_immediately(int code) noexcept {
    TerminateProcess(GetCurrentProcess(), static_cast<UINT>(code));
    std::abort();
}

void block_while_program_ends() noexcept { Sleep(10); }

}  // namespace sim::os
