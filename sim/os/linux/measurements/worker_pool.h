// The processes, or the threads of one process, that work on a batch together. They are created once and
// sleep between batches; sleeping workers do not affect the kernel's scheduling decisions.
//
// The processes are children of the pool's creator. They are killed by the destructor, or by the kernel when
// the creator dies (PR_SET_PDEATHSIG).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <vector>

#include "sim/os/descriptor.h"
#include "sim/os/linux/measurements/batch_context.h"

namespace sim::calibrate {

struct BatchResult {
    double ns = 0;        // per operation
    double switches = 0;  // per operation
    double others = 0;    // share of the time in which the CPU did not run the benchmark
    double total = 0;     // ns from start_clock() to stop_clock()
};

// CPU time and context switches of a member during a batch.
struct CpuUsage {
    std::int64_t cpu = 0;  // ns
    std::int64_t switches = 0;
};

class WorkerPool {
  public:
    // Throws MeasurementError.
    explicit WorkerPool(bool threads);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    // Runs a batch with `quota` operations, or rounds, of member 0. REQUIRES: quota > 0; the benchmark uses
    // threads if and only if this pool does. Throws MeasurementError.
    BatchResult run_batch(std::size_t benchmark, std::uint64_t quota);

  private:
    struct MemberState;  // shared between a member and this process
    struct SharedState;

    void start_process(int first_member, int member_count);
    void stop() noexcept;
    [[noreturn]] void child_main(int first_member, int member_count);
    void run_batches(int member);
    void check_workers_alive();

    SharedState* shared_ = nullptr;
    std::vector<os::Descriptor> ends_;
    Pipe pipes_[kMostRing];
    std::vector<pid_t> processes_;
};

}  // namespace sim::calibrate
