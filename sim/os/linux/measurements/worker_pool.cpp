#include "sim/os/linux/measurements/worker_pool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <thread>

#include "sim/os/linux/measure.h"
#include "sim/os/linux/measurements/futex.h"

namespace sim::calibrate {
namespace {

constexpr int kLongestBatch = 30;  // seconds; a longer wait is an error

std::uint64_t run_measurement(const BatchContext& context) {
    switch (context.benchmark.kind) {
        case BenchmarkKind::syscall:
            return call_getppid(context);
        case BenchmarkKind::yield:
            return yield_in_turn(context);
        case BenchmarkKind::pipe_alone:
            return write_and_read_own_pipe(context);
        case BenchmarkKind::ring:
            return pass_byte_round_ring(context);
        case BenchmarkKind::fork:
            return fork_children(context);
        case BenchmarkKind::thread:
            return create_threads(context);
        case BenchmarkKind::futex:
            return park_and_unpark_by_futex(context);
    }
    return 0;
}

// CPU time and switches of the calling worker so far, including the processes or threads that it created.
CpuUsage cpu_usage_so_far(BenchmarkKind kind) {
    const bool creates = kind == BenchmarkKind::fork || kind == BenchmarkKind::thread;
    CpuUsage used{.cpu = read_clock_ns(creates ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID)};
    rusage u{};
    getrusage(creates ? RUSAGE_SELF : RUSAGE_THREAD, &u);
    used.switches = u.ru_nvcsw + u.ru_nivcsw;
    if (kind == BenchmarkKind::fork) {
        getrusage(RUSAGE_CHILDREN, &u);
        const auto ns = [](const timeval& t) {
            return (std::int64_t{t.tv_sec} * 1'000'000 + t.tv_usec) * 1'000;
        };
        used.cpu += ns(u.ru_utime) + ns(u.ru_stime);
        used.switches += u.ru_nvcsw + u.ru_nivcsw;
    }
    return used;
}

std::string error_text(const char* failed_action, int error) {
    return fmt::format("{}: {}", failed_action, std::strerror(error));
}

}  // namespace

struct alignas(64) WorkerPool::MemberState {
    std::atomic<std::uint32_t> batches_started{0};  // number of batches started for this member
    std::uint64_t operations = 0;
    CpuUsage used;
};

struct WorkerPool::SharedState {
    BatchSharedMemory batch;
    MemberState members[kMostContexts];
};

WorkerPool::WorkerPool(bool threads) {
    for (Pipe& pipe : pipes_) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) throw MeasurementError(error_text("cannot create a pipe", errno));
        pipe = {ends[0], ends[1]};
        ends_.emplace_back(ends[0]);
        ends_.emplace_back(ends[1]);
    }
    void* const memory =
        mmap(nullptr, sizeof(SharedState), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw MeasurementError(error_text("cannot create shared memory", errno));
    shared_ = new (memory) SharedState;
    try {
        if (threads)
            start_process(0, kMostContexts);
        else
            for (int i = 0; i < kMostContexts; ++i) start_process(i, 1);
    } catch (...) {
        stop();
        throw;
    }
}

WorkerPool::~WorkerPool() { stop(); }

void WorkerPool::stop() noexcept {
    for (const pid_t process : processes_) kill(process, SIGKILL);
    for (const pid_t process : processes_)
        while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) continue;
    processes_.clear();
    munmap(shared_, sizeof(SharedState));
}

void WorkerPool::start_process(int first_member, int member_count) {
    processes_.reserve(processes_.size() + 1);  // push_back() must not fail after fork()
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) throw MeasurementError(error_text("cannot create a process", errno));
    if (child > 0) {
        processes_.push_back(child);
        return;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);  // the parent has died already
    try {
        child_main(first_member, member_count);
    } catch (...) {  // no memory, or a thread cannot be created
        shared_->batch.failed = EAGAIN;
        _exit(1);
    }
}

// Main function of a process in the pool.
void WorkerPool::child_main(int first_member, int member_count) {
    for (int i = 1; i < member_count; ++i)
        std::thread([this, member = first_member + i] { run_batches(member); }).detach();
    run_batches(first_member);
    _exit(0);
}

void WorkerPool::run_batches(int member) {
    std::vector<std::uint64_t> array(std::size_t{128} * kMostArrayKib, 1);
    BatchSharedMemory& batch = shared_->batch;
    MemberState& own = shared_->members[member];
    for (std::uint32_t turns = 0;; ++turns) {
        while (own.batches_started.load(std::memory_order_acquire) == turns)
            futex_wait(own.batches_started, turns);
        const BenchmarkSpec& benchmark = benchmarks()[batch.benchmark];
        const BatchContext context{batch, benchmark, member, pipes_, array.data()};
        ++batch.arrived;
        while (batch.arrived < batch.members) sched_yield();
        const CpuUsage before = cpu_usage_so_far(benchmark.kind);
        own.operations = run_measurement(context);
        const CpuUsage after = cpu_usage_so_far(benchmark.kind);
        own.used = {after.cpu - before.cpu, after.switches - before.switches};
        if (++batch.finished == batch.members) futex_wake(batch.finished);
    }
}

void WorkerPool::check_workers_alive() {
    const int error = shared_->batch.failed;
    if (error != 0) throw MeasurementError(error_text("a measurement failed", error));
    for (const pid_t process : processes_) {
        siginfo_t info{};
        if (waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            info.si_pid != 0)
            throw MeasurementError("one of the measured processes was killed");
    }
}

BatchResult WorkerPool::run_batch(std::size_t benchmark, std::uint64_t quota) {
    BatchSharedMemory& batch = shared_->batch;
    const auto members = static_cast<std::uint32_t>(benchmarks()[benchmark].contexts);
    check_workers_alive();
    batch.benchmark = static_cast<std::uint32_t>(benchmark);
    batch.members = members;
    batch.quota = quota;
    batch.arrived = batch.finished = 0;
    batch.begun = batch.ended = false;
    for (auto& word : batch.words) word = 0;
    for (std::uint32_t i = 0; i < members; ++i) {
        ++shared_->members[i].batches_started;
        futex_wake(shared_->members[i].batches_started);
    }
    const timespec second{.tv_sec = 1, .tv_nsec = 0};
    const std::int64_t latest = read_clock_ns(CLOCK_MONOTONIC) + kLongestBatch * std::int64_t{1'000'000'000};
    for (std::uint32_t n = 0; (n = batch.finished) < members;) {
        futex_wait(batch.finished, n, 0, &second);
        if (batch.finished == members) break;
        check_workers_alive();
        if (read_clock_ns(CLOCK_MONOTONIC) > latest)
            throw MeasurementError(
                fmt::format("{} did not finish within {} s", benchmarks()[benchmark].name, kLongestBatch));
    }
    check_workers_alive();

    std::uint64_t operations = 0;
    CpuUsage used;
    for (std::uint32_t i = 0; i < members; ++i) {
        operations += shared_->members[i].operations;
        used.cpu += shared_->members[i].used.cpu;
        used.switches += shared_->members[i].used.switches;
    }
    const auto total = static_cast<double>(batch.ended_at - batch.began_at);
    const auto each = static_cast<double>(std::max<std::uint64_t>(operations, 1));
    return {.ns = total / each,
            .switches = static_cast<double>(used.switches) / each,
            .others = std::clamp(1 - static_cast<double>(used.cpu) / std::max(total, 1.0), 0.0, 1.0),
            .total = total};
}

}  // namespace sim::calibrate
