// Creates a process or a thread, runs it to its end and waits for it, as in the first table of the document
// of 1997 (docs/reference/published_tables.md).
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sim/os/linux/measurements/batch_context.h"

namespace sim::calibrate {
namespace {

// Memory that has been written to, so that fork() must copy its page tables.
class DirtyMemory {
  public:
    explicit DirtyMemory(int kib) : bytes_(static_cast<std::size_t>(kib) * 1024) {
        if (bytes_ == 0) return;
        memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory_ == MAP_FAILED) return;
        madvise(memory_, bytes_,
                MADV_NOHUGEPAGE);  // with huge pages, fork() would copy almost no page tables
        std::memset(memory_, 1, bytes_);
    }
    ~DirtyMemory() {
        if (memory_ != MAP_FAILED) munmap(memory_, bytes_);
    }
    DirtyMemory(const DirtyMemory&) = delete;
    DirtyMemory& operator=(const DirtyMemory&) = delete;

    bool is_mapped() const { return bytes_ == 0 || memory_ != MAP_FAILED; }

  private:
    std::size_t bytes_;
    void* memory_ = MAP_FAILED;
};

void* empty_thread_main(void*) { return nullptr; }

}  // namespace

std::uint64_t fork_children(const BatchContext& context) {
    const std::uint64_t quota = context.quota();
    const DirtyMemory memory(context.benchmark.kib);
    if (!memory.is_mapped()) context.record_error(errno);
    context.start_clock();
    for (std::uint64_t i = 0; i < quota && context.batch.failed == 0; ++i) {
        const pid_t child = fork();
        if (child == 0) _exit(0);
        if (child < 0) context.record_error(errno);
        while (child > 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
    }
    context.stop_clock();
    return quota;
}

std::uint64_t create_threads(const BatchContext& context) {
    const std::uint64_t quota = context.quota();
    context.start_clock();
    for (std::uint64_t i = 0; i < quota && context.batch.failed == 0; ++i) {
        pthread_t thread{};
        const int error = pthread_create(&thread, nullptr, empty_thread_main, nullptr);
        if (error != 0)
            context.record_error(error);
        else
            pthread_join(thread, nullptr);
    }
    context.stop_clock();
    return quota;
}

}  // namespace sim::calibrate
