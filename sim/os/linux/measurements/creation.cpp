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
class WrittenMemory {
  public:
    explicit WrittenMemory(int kib) : bytes_(static_cast<std::size_t>(kib) * 1024) {
        if (bytes_ == 0) return;
        memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory_ == MAP_FAILED) return;
        madvise(memory_, bytes_,
                MADV_NOHUGEPAGE);  // with huge pages, fork() would copy almost no page tables
        std::memset(memory_, 1, bytes_);
    }
    ~WrittenMemory() {
        if (memory_ != MAP_FAILED) munmap(memory_, bytes_);
    }
    WrittenMemory(const WrittenMemory&) = delete;
    WrittenMemory& operator=(const WrittenMemory&) = delete;

    bool is_mapped() const { return bytes_ == 0 || memory_ != MAP_FAILED; }

  private:
    std::size_t bytes_;
    void* memory_ = MAP_FAILED;
};

void* end_at_once(void*) { return nullptr; }

}  // namespace

std::uint64_t fork_children(const BatchContext& context) {
    const std::uint64_t quota = context.quota();
    const WrittenMemory memory(context.cell.kib);
    if (!memory.is_mapped()) context.fail(errno);
    context.begin();
    for (std::uint64_t i = 0; i < quota && context.batch.failed == 0; ++i) {
        const pid_t child = fork();
        if (child == 0) _exit(0);
        if (child < 0) context.fail(errno);
        while (child > 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
    }
    context.end();
    return quota;
}

std::uint64_t create_threads(const BatchContext& context) {
    const std::uint64_t quota = context.quota();
    context.begin();
    for (std::uint64_t i = 0; i < quota && context.batch.failed == 0; ++i) {
        pthread_t thread{};
        const int error = pthread_create(&thread, nullptr, end_at_once, nullptr);
        if (error != 0)
            context.fail(error);
        else
            pthread_join(thread, nullptr);
    }
    context.end();
    return quota;
}

}  // namespace sim::calibrate
