// Interposes on the C library and fails the calls selected in the environment (shim.h).
//
// Preloaded (LD_PRELOAD) as a shared library, it works with the shipped programs and counts all allocations
// through malloc() and its relatives. The malloc of a sanitizer cannot be interposed. For sanitizers this
// file is linked into the program (SWITCHYARD_FAULTS_LINKED) and replaces operator new. The replacement
// allocates from the sanitizer's malloc, so that leaks are still found.
#include "tests/faults/shim.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <new>

namespace {

using namespace faults;

Report* report = nullptr;
std::atomic<bool> counting = false;
int faulty_kind = -1, fault_error = 0;
std::uint64_t first = 0, last = 0;

// Counts this call. Returns true if the call must fail; errno is then set, except for kShort. For kKill,
// does not return.
bool fails(Kind kind) {
    if (!counting.load(std::memory_order_relaxed)) return false;
    const std::uint64_t n = __atomic_add_fetch(&report->calls[static_cast<int>(kind)], 1, __ATOMIC_RELAXED);
    if (static_cast<int>(kind) != faulty_kind || n < first || n > last) return false;
    __atomic_add_fetch(&report->failed, 1, __ATOMIC_RELAXED);
    if (fault_error == kKill) kill(getpid(), SIGKILL);
    if (fault_error != kShort) errno = fault_error;
    return true;
}

// Returns the original of an interposed function.
template <class Function>
Function* original_function(const char* name, Function*) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}
#define REAL(name) static auto* const call = original_function(#name, &::name)

void begin() {
    const char* const path = getenv(kReportVariable);
    if (path == nullptr) return;
    const auto file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC));
    void* const shared = mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    if (shared == MAP_FAILED) _exit(127);
    report = static_cast<Report*>(shared);
    unsetenv(kReportVariable);  // child processes are not counted
    if (const char* const fault = getenv(kFaultVariable)) {
        unsigned long n = 0, to = 0;
        if (sscanf(fault, "%d %lu %d %lu", &faulty_kind, &n, &fault_error, &to) != 4) _exit(127);
        first = n, last = to;
    }
    counting = true;
}

using Main = int(int, char**, char**);
Main* real_main = nullptr;

// The C library passes three arguments to main(), which is declared with two; UBSan would report the call.
__attribute__((no_sanitize("undefined"))) int counted_main(int argc, char** argv, char** environment) {
    begin();
    const int exit_code = real_main(argc, argv, environment);
    counting = false;
    return exit_code;
}

// Returns the number of bytes that this call may transfer.
std::size_t transfer_size(std::size_t bytes) { return fault_error == kShort && bytes > 1 ? 1 : bytes; }

}  // namespace

extern "C" {

int __libc_start_main(Main* main, int argc, char** argv, void (*init)(), void (*fini)(), void (*rtld_fini)(),
                      void* stack_end) {
    using Start = int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);
    real_main = main;
    return reinterpret_cast<Start*>(dlsym(RTLD_NEXT, "__libc_start_main"))(counted_main, argc, argv, init,
                                                                           fini, rtld_fini, stack_end);
}

// --- files ---

static mode_t mode_of(int flags, va_list arguments) {
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(name)                                     \
    int name(const char* path, int flags, ...) {       \
        va_list arguments;                             \
        va_start(arguments, flags);                    \
        const mode_t mode = mode_of(flags, arguments); \
        va_end(arguments);                             \
        if (fails(Kind::opening)) return -1;           \
        REAL(name);                                    \
        return call(path, flags, mode);                \
    }
OPEN(open)
OPEN(open64)

FILE* fopen(const char* path, const char* mode) {
    REAL(fopen);
    return fails(Kind::opening) ? nullptr : call(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
    REAL(fopen64);
    return fails(Kind::opening) ? nullptr : call(path, mode);
}
FILE* tmpfile() {
    REAL(tmpfile);
    return fails(Kind::opening) ? nullptr : call();
}

ssize_t read(int file, void* bytes, size_t size) {
    REAL(read);
    if (!fails(Kind::reading)) return call(file, bytes, size);
    return fault_error == kShort ? call(file, bytes, transfer_size(size)) : -1;
}
ssize_t write(int file, const void* bytes, size_t size) {
    REAL(write);
    if (!fails(Kind::writing)) return call(file, bytes, size);
    return fault_error == kShort ? call(file, bytes, transfer_size(size)) : -1;
}
ssize_t send(int file, const void* bytes, size_t size, int flags) {
    REAL(send);
    if (!fails(Kind::writing)) return call(file, bytes, size, flags);
    return fault_error == kShort ? call(file, bytes, transfer_size(size), flags) : -1;
}

// Like the kernel, closes the file even if the call reports an error.
int close(int file) {
    REAL(close);
    if (!fails(Kind::closing)) return call(file);
    const int error = errno;
    call(file);
    errno = error;
    return -1;
}

#define FAILS_AS(value, kind, type, name, parameters, arguments) \
    type name parameters {                                       \
        REAL(name);                                              \
        return fails(kind) ? (value) : call arguments;           \
    }
FAILS_AS(-1, Kind::renaming, int, rename, (const char* from, const char* to), (from, to))
FAILS_AS(-1, Kind::removing, int, unlink, (const char* path), (path))
FAILS_AS(-1, Kind::removing, int, rmdir, (const char* path), (path))
FAILS_AS(-1, Kind::removing, int, remove, (const char* path), (path))
FAILS_AS(-1, Kind::removing, int, unlinkat, (int folder, const char* path, int flags), (folder, path, flags))
FAILS_AS(-1, Kind::folder, int, mkdir, (const char* path, mode_t mode), (path, mode))
FAILS_AS(-1, Kind::cutting, int, ftruncate, (int file, off_t size), (file, size))
FAILS_AS(-1, Kind::cutting, int, ftruncate64, (int file, off64_t size), (file, size))
FAILS_AS(-1, Kind::status, int, stat, (const char* path, struct stat* s), (path, s))
FAILS_AS(-1, Kind::status, int, lstat, (const char* path, struct stat* s), (path, s))
FAILS_AS(-1, Kind::status, int, fstat, (int file, struct stat* s), (file, s))
FAILS_AS(-1, Kind::status, int, stat64, (const char* path, struct stat64* s), (path, s))
FAILS_AS(-1, Kind::status, int, lstat64, (const char* path, struct stat64* s), (path, s))
FAILS_AS(-1, Kind::status, int, fstat64, (int file, struct stat64* s), (file, s))
FAILS_AS(-1, Kind::locking, int, flock, (int file, int operation), (file, operation))
FAILS_AS(-1, Kind::permissions, int, fchmod, (int file, mode_t mode), (file, mode))
FAILS_AS(-1, Kind::permissions, int, chmod, (const char* path, mode_t mode), (path, mode))
FAILS_AS(nullptr, Kind::listing, DIR*, opendir, (const char* path), (path))
FAILS_AS(nullptr, Kind::listing, DIR*, fdopendir, (int file), (file))
FAILS_AS(nullptr, Kind::listing, dirent*, readdir, (DIR * folder), (folder))
FAILS_AS(nullptr, Kind::listing, dirent64*, readdir64, (DIR * folder), (folder))
FAILS_AS(-1, Kind::opening, int, socketpair, (int domain, int type, int protocol, int* ends),
         (domain, type, protocol, ends))

// --- processes and threads ---

FAILS_AS(-1, Kind::spawning, pid_t, fork, (), ())
FAILS_AS(-1, Kind::waiting, pid_t, waitpid, (pid_t child, int* s, int options), (child, s, options))
FAILS_AS(errno, Kind::spawning, int, posix_spawnp,
         (pid_t * child, const char* program, const posix_spawn_file_actions_t* actions,
          const posix_spawnattr_t* attributes, char* const* words, char* const* environment),
         (child, program, actions, attributes, words, environment))
FAILS_AS(errno, Kind::thread, int, pthread_create,
         (pthread_t * thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument),
         (thread, attributes, body, argument))

// --- memory ---

#ifndef SWITCHYARD_FAULTS_LINKED

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

void* malloc(size_t size) { return fails(Kind::allocation) ? nullptr : __libc_malloc(size); }
void* calloc(size_t n, size_t size) { return fails(Kind::allocation) ? nullptr : __libc_calloc(n, size); }
void* realloc(void* old, size_t size) {
    return fails(Kind::allocation) ? nullptr : __libc_realloc(old, size);
}
void* memalign(size_t alignment, size_t size) {
    return fails(Kind::allocation) ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** memory, size_t alignment, size_t size) {
    *memory = memalign(alignment, size);
    return *memory == nullptr ? ENOMEM : 0;
}

#endif

}  // extern "C"

#ifdef SWITCHYARD_FAULTS_LINKED

namespace {

// Calls the new-handler before failing, like the standard operator new.
bool fails_to_allocate() {
    if (!fails(Kind::allocation)) return false;
    if (const std::new_handler handler = std::get_new_handler()) handler();
    return true;
}

void* allocate(std::size_t size) { return fails_to_allocate() ? nullptr : std::malloc(size == 0 ? 1 : size); }
void* allocate(std::size_t size, std::align_val_t alignment) {
    const auto step = static_cast<std::size_t>(alignment);
    return fails_to_allocate() ? nullptr : std::aligned_alloc(step, (size + step - 1) / step * step);
}
void* or_throw(void* memory) {
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

}  // namespace

void* operator new(std::size_t size) { return or_throw(allocate(size)); }
void* operator new[](std::size_t size) { return or_throw(allocate(size)); }
void* operator new(std::size_t size, std::align_val_t a) { return or_throw(allocate(size, a)); }
void* operator new[](std::size_t size, std::align_val_t a) { return or_throw(allocate(size, a)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return fails(Kind::allocation) ? nullptr : std::malloc(size);
}
void* operator new[](std::size_t size, const std::nothrow_t& t) noexcept { return operator new(size, t); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

#endif
