#include "sim/os/child_process.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <cerrno>
#include <memory>

#include "sim/os/streams.h"
#include "sim/os/windows/wide.h"

namespace sim::os {
namespace {

// A copy of a descriptor's handle that a started program can inherit.
class InheritableHandle {
  public:
    // `descriptor` -1: NUL.
    InheritableHandle(int descriptor, DWORD access) {
        if (descriptor < 0) {
            SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
            handle_ = CreateFileW(L"NUL", access, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
                                  OPEN_EXISTING, 0, nullptr);
            return;
        }
        const HANDLE process = GetCurrentProcess(),
                     ours = reinterpret_cast<HANDLE>(_get_osfhandle(descriptor));
        if (!DuplicateHandle(process, ours, process, &handle_, 0, TRUE, DUPLICATE_SAME_ACCESS))
            handle_ = INVALID_HANDLE_VALUE;
    }
    ~InheritableHandle() {
        if (handle_ != INVALID_HANDLE_VALUE) CloseHandle(handle_);
    }
    InheritableHandle(const InheritableHandle&) = delete;
    InheritableHandle& operator=(const InheritableHandle&) = delete;

    HANDLE get() const { return handle_; }

  private:
    HANDLE handle_ = INVALID_HANDLE_VALUE;
};

// Appends an argument, in quotes if needed, so that CommandLineToArgvW() and the C library read it unchanged.
void append_quoted(std::wstring& line, const std::wstring& word) {
    if (!line.empty()) line += L' ';
    if (!word.empty() && word.find_first_of(L" \t\n\v\"") == word.npos) {
        line += word;
        return;
    }
    line += L'"';
    std::size_t backslashes = 0;  // number of backslashes directly before `c`
    for (const wchar_t c : word) {
        if (c == L'"') line.append(backslashes + 1, L'\\');
        backslashes = c == L'\\' ? backslashes + 1 : 0;
        line += c;
    }
    line.append(backslashes, L'\\');
    line += L'"';
}

// The path of a program in PATH; empty if there is none. CreateProcess() would also look in the current
// directory, to which other users may write.
std::wstring program_in_path(const std::string& name) {
    std::wstring directories(GetEnvironmentVariableW(L"PATH", nullptr, 0), L'\0');
    directories.resize(
        GetEnvironmentVariableW(L"PATH", directories.data(), static_cast<DWORD>(directories.size())));
    if (directories.empty()) return {};
    const auto search = [&](std::wstring& into) {
        return SearchPathW(directories.c_str(), wide(name).c_str(), L".exe", static_cast<DWORD>(into.size()),
                           into.data(), nullptr);
    };
    std::wstring path;
    path.resize(search(path));
    if (!path.empty()) path.resize(search(path));
    return path;
}

HANDLE as_handle(std::ptrdiff_t process) { return reinterpret_cast<HANDLE>(process); }

int make_pipe(Descriptor& reading, Descriptor& writing) {
    int ends[2];
    if (_pipe(ends, 1 << 16, _O_BINARY | _O_NOINHERIT) != 0) return errno;
    reading = Descriptor(ends[0]);
    writing = Descriptor(ends[1]);
    return 0;
}

}  // namespace

ChildProcess::~ChildProcess() {
    if (is_running_) kill_and_wait();
}

int ChildProcess::start(const std::vector<std::string>& command, const ChildStreams& streams) {
    const std::wstring program = program_in_path(command.front());
    if (program.empty()) return ENOENT;
    std::wstring line;
    for (const std::string& word : command) append_quoted(line, wide(word));

    const InheritableHandle in(streams.in, GENERIC_READ), out(streams.out, GENERIC_WRITE),
        err(streams.err < 0 ? kStandardError : streams.err, GENERIC_WRITE);
    HANDLE inherited[] = {in.get(), out.get(), err.get()};
    SIZE_T size = 0;
    InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
    const auto storage = std::make_unique<char[]>(size);
    const auto list = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(storage.get());
    if (!InitializeProcThreadAttributeList(list, 1, 0, &size)) return last_errno();
    // The program inherits these three handles and no others.
    UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, inherited, sizeof inherited,
                              nullptr, nullptr);
    STARTUPINFOEXW info{};
    info.StartupInfo.cb = sizeof info;
    info.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    info.StartupInfo.hStdInput = in.get();
    info.StartupInfo.hStdOutput = out.get();
    info.StartupInfo.hStdError = err.get();
    info.lpAttributeList = list;
    PROCESS_INFORMATION started{};
    const BOOL succeeded = CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE,
                                          CREATE_NO_WINDOW | EXTENDED_STARTUPINFO_PRESENT, nullptr, nullptr,
                                          &info.StartupInfo, &started);
    const int failed = succeeded ? 0 : last_errno();
    DeleteProcThreadAttributeList(list);
    if (failed != 0) return failed;
    CloseHandle(started.hThread);
    process_ = reinterpret_cast<std::ptrdiff_t>(started.hProcess);
    is_running_ = true;
    return 0;
}

int ChildProcess::wait(ChildExitStatus& exit_status) {
    DWORD code = 0;
    if (WaitForSingleObject(as_handle(process_), INFINITE) == WAIT_FAILED ||
        !GetExitCodeProcess(as_handle(process_), &code))
        return last_errno();
    CloseHandle(as_handle(process_));
    is_running_ = false;
    exit_status = {static_cast<int>(code), 0};
    return 0;
}

void ChildProcess::terminate() { TerminateProcess(as_handle(process_), 1); }

void ChildProcess::kill_and_wait() noexcept {
    TerminateProcess(as_handle(process_), 1);
    WaitForSingleObject(as_handle(process_), INFINITE);
    CloseHandle(as_handle(process_));
}

int make_child_output_pipe(Descriptor& our_end, Descriptor& child_end) {
    return make_pipe(our_end, child_end);
}

int make_child_input_pipe(Descriptor& our_end, Descriptor& child_end) {
    return make_pipe(child_end, our_end);
}

int send_all(const Descriptor& our_end, std::string_view bytes) { return write_all(our_end.number(), bytes); }

}  // namespace sim::os
