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

std::uint64_t work_on(const BatchContext& context) {
    switch (context.cell.kind) {
        case CellKind::syscall:
            return call_getppid(context);
        case CellKind::yield:
            return yield_in_turn(context);
        case CellKind::pipe_alone:
            return use_pipe_alone(context);
        case CellKind::ring:
            return pass_round_ring(context);
        case CellKind::fork:
            return fork_children(context);
        case CellKind::thread:
            return create_threads(context);
        case CellKind::futex:
            return wake_by_futex(context);
    }
    return 0;
}

// CPU time and switches of the calling member so far, including the processes or threads that it created.
CpuUsage usage_so_far(CellKind kind) {
    const bool creates = kind == CellKind::fork || kind == CellKind::thread;
    CpuUsage used{.cpu = nanoseconds_of(creates ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID)};
    rusage u{};
    getrusage(creates ? RUSAGE_SELF : RUSAGE_THREAD, &u);
    used.switches = u.ru_nvcsw + u.ru_nivcsw;
    if (kind == CellKind::fork) {
        getrusage(RUSAGE_CHILDREN, &u);
        const auto ns = [](const timeval& t) {
            return (std::int64_t{t.tv_sec} * 1'000'000 + t.tv_usec) * 1'000;
        };
        used.cpu += ns(u.ru_utime) + ns(u.ru_stime);
        used.switches += u.ru_nvcsw + u.ru_nivcsw;
    }
    return used;
}

std::string reason(const char* what, int error) { return fmt::format("{}: {}", what, std::strerror(error)); }

}  // namespace

struct alignas(64) WorkerPool::Member {
    std::atomic<std::uint32_t> context{0};  // number of batches started for this member
    std::uint64_t operations = 0;
    CpuUsage used;
};

struct WorkerPool::Shared {
    Batch batch;
    Member members[kMostContexts];
};

WorkerPool::WorkerPool(bool threads) {
    for (Pipe& pipe : pipes_) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) throw CannotMeasure(reason("cannot create a pipe", errno));
        pipe = {ends[0], ends[1]};
        ends_.emplace_back(ends[0]);
        ends_.emplace_back(ends[1]);
    }
    void* const memory =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw CannotMeasure(reason("cannot share memory", errno));
    shared_ = new (memory) Shared;
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
    munmap(shared_, sizeof(Shared));
}

void WorkerPool::start_process(int first, int members) {
    processes_.reserve(processes_.size() + 1);  // push_back() must not fail after fork()
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) throw CannotMeasure(reason("cannot create a process", errno));
    if (child > 0) {
        processes_.push_back(child);
        return;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);  // the parent has died already
    try {
        child_main(first, members);
    } catch (...) {  // no memory, or a thread cannot be created
        shared_->batch.failed = EAGAIN;
        _exit(1);
    }
}

// Main function of a process in the pool.
void WorkerPool::child_main(int first, int members) {
    for (int i = 1; i < members; ++i)
        std::thread([this, member = first + i] { run_batches(member); }).detach();
    run_batches(first);
    _exit(0);
}

void WorkerPool::run_batches(int member) {
    std::vector<std::uint64_t> array(std::size_t{128} * kMostArrayKib, 1);
    Batch& batch = shared_->batch;
    Member& own = shared_->members[member];
    for (std::uint32_t turns = 0;; ++turns) {
        while (own.context.load(std::memory_order_acquire) == turns) futex_wait(own.context, turns);
        const CellSpec& cell = cells()[batch.cell];
        const BatchContext context{batch, cell, member, pipes_, array.data()};
        ++batch.arrived;
        while (batch.arrived < batch.members) sched_yield();
        const CpuUsage before = usage_so_far(cell.kind);
        own.operations = work_on(context);
        const CpuUsage after = usage_so_far(cell.kind);
        own.used = {after.cpu - before.cpu, after.switches - before.switches};
        if (++batch.finished == batch.members) futex_wake(batch.finished);
    }
}

void WorkerPool::check_alive() {
    const int error = shared_->batch.failed;
    if (error != 0) throw CannotMeasure(reason("a measurement failed", error));
    for (const pid_t process : processes_) {
        siginfo_t info{};
        if (waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            info.si_pid != 0)
            throw CannotMeasure("one of the measured processes was killed");
    }
}

BatchResult WorkerPool::work(std::size_t cell, std::uint64_t quota) {
    Batch& batch = shared_->batch;
    const auto members = static_cast<std::uint32_t>(cells()[cell].contexts);
    check_alive();
    batch.cell = static_cast<std::uint32_t>(cell);
    batch.members = members;
    batch.quota = quota;
    batch.arrived = batch.finished = 0;
    batch.begun = batch.ended = false;
    for (auto& word : batch.words) word = 0;
    for (std::uint32_t i = 0; i < members; ++i) {
        ++shared_->members[i].context;
        futex_wake(shared_->members[i].context);
    }
    const timespec second{.tv_sec = 1, .tv_nsec = 0};
    const std::int64_t latest = nanoseconds_of(CLOCK_MONOTONIC) + kLongestBatch * std::int64_t{1'000'000'000};
    for (std::uint32_t n = 0; (n = batch.finished) < members;) {
        futex_wait(batch.finished, n, 0, &second);
        if (batch.finished == members) break;
        check_alive();
        if (nanoseconds_of(CLOCK_MONOTONIC) > latest)
            throw CannotMeasure(
                fmt::format("{} did not finish within {} s", cells()[cell].name, kLongestBatch));
    }
    check_alive();

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
