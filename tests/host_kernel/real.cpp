#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "tests/host_kernel/host_kernel.h"

namespace host_kernel {
namespace {

constexpr const char* kRecording = "switchyard-host-kernel.data";

double seconds_of(const timespec& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}
double seconds_of(const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
}

double now(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return seconds_of(t);
}

void bind_to(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(cpu), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        throw std::runtime_error("cannot bind a process to a CPU");
}

void sleep_until(double time) {
    timespec t{};
    t.tv_sec = static_cast<time_t>(time);
    t.tv_nsec = static_cast<long>((time - static_cast<double>(t.tv_sec)) * 1e9);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR) {
    }
}

void spin(double turns) {
    for (auto left = static_cast<std::int64_t>(turns); left > 0; --left) asm volatile("");
}

// Spins for `us` of CPU time, or until `end`. Makes no system call: reading the task's CPU time would make
// the kernel check whether its slice is over.
void compute(double us, double turns_per_us, double end) {
    constexpr double kPiece = 20;  // us
    for (; us > 0 && now(CLOCK_MONOTONIC) < end; us -= kPiece) spin(std::min(us, kPiece) * turns_per_us);
}

// Returns the speed of spin() on this CPU in rounds per us: the best of 50 attempts.
double turns_per_us() {
    constexpr double kTurns = 2e6;
    double best = 0;
    for (int i = 0; i < 50; ++i) {
        const double begin = now(CLOCK_MONOTONIC);
        spin(kTurns);
        best = std::max(best, kTurns / 1e6 / (now(CLOCK_MONOTONIC) - begin));
    }
    return best;
}

rusage usage() {
    rusage u{};
    getrusage(RUSAGE_SELF, &u);
    return u;
}

// Runs `program` in a child process from `begin` to `end`. Returns its result.
RunResult::Task be_task(const Program& program, double turns_per_us, double begin, double end) {
    sleep_until(begin);
    const rusage before = usage();
    while (now(CLOCK_MONOTONIC) < end) {
        compute(program.run_us, turns_per_us, end);
        if (program.sleep_us > 0) usleep(static_cast<useconds_t>(program.sleep_us));
        if (program.yields) sched_yield();
    }
    const rusage after = usage();
    const double cpu = seconds_of(after.ru_utime) + seconds_of(after.ru_stime) - seconds_of(before.ru_utime) -
                       seconds_of(before.ru_stime);
    return {cpu / (end - begin), static_cast<std::uint64_t>(after.ru_nvcsw - before.ru_nvcsw),
            static_cast<std::uint64_t>(after.ru_nivcsw - before.ru_nivcsw)};
}

// Starts `perf record` of the CPU's switches for `seconds`. Returns its pid, or -1.
pid_t begin_recording(int cpu, int seconds) {
    const pid_t child = fork();
    if (child != 0) return child;
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, 1);
    dup2(null, 2);
    execlp("perf", "perf", "record", "-C", std::to_string(cpu).c_str(), "-e", "sched:sched_switch", "-o",
           kRecording, "--", "sleep", std::to_string(seconds).c_str(), nullptr);
    _exit(127);
}

// Returns the number of the task whose name follows `key`: 3 for "prev_comm=hostk3 "; -1: a thread of
// another program.
int task_after(const std::string& line, const char* key) {
    const std::size_t at = line.find(key);
    if (at == std::string::npos) return -1;
    int number = -1;
    return std::sscanf(line.c_str() + at + std::char_traits<char>::length(key), "hostk%d", &number) == 1
               ? number
               : -1;
}

// Reads the perf recording into `seen`: the order of the tasks, and the background load between their first
// and last switch.
void look_into_recording(std::size_t tasks, RunResult& seen) {
    struct Close {
        void operator()(FILE* f) const { pclose(f); }
    };
    const std::string command =
        std::string("perf script -i ") + kRecording + " -F time,event,trace 2>/dev/null";
    const std::unique_ptr<FILE, Close> lines(popen(command.c_str(), "r"));
    if (lines == nullptr) return;
    std::vector<std::vector<std::uint64_t>> follows(tasks, std::vector<std::uint64_t>(tasks, 0));
    bool any = false;
    RunResult::BackgroundLoad lately;  // since the last switch of a task
    double other_since = 0;            // start of a background thread's current turn; 0: none
    char buffer[1024];
    while (std::fgets(buffer, sizeof buffer, lines.get()) != nullptr) {
        const std::string line = buffer;
        const int before = task_after(line, "prev_comm="), after = task_after(line, "next_comm=");
        const double time = std::strtod(buffer, nullptr);
        if (other_since > 0) lately.seconds += time - other_since;
        const bool is_other = after < 0 && line.find("next_comm=swapper/") == std::string::npos;
        lately.turns += is_other ? 1 : 0;
        other_since = is_other ? time : 0;
        if (before < 0 && after < 0) continue;
        if (any) {
            seen.others.turns += lately.turns;
            seen.others.seconds += lately.seconds;
        }
        lately = {};
        any = true;
        if (before >= 0 && after >= 0)
            ++follows[static_cast<std::size_t>(before)][static_cast<std::size_t>(after)];
    }
    if (any) seen.follows = std::move(follows);
}

// Returns the number of timer interrupts of the CPU since boot: the line LOC of /proc/interrupts.
std::uint64_t local_timer_interrupts(int cpu) {
    std::ifstream in("/proc/interrupts");
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string name;
        if (!(words >> name) || name != "LOC:") continue;
        std::uint64_t count = 0;
        for (int c = 0; c <= cpu; ++c) words >> count;
        return count;
    }
    return 0;
}

}  // namespace

Place place_here() {
    Place place{.cpus = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN))};
    place.cpu = place.cpus - 1;
    const std::uint64_t before = local_timer_interrupts(place.cpu);
    const pid_t child = fork();
    if (child == 0) {
        bind_to(place.cpu);
        for (const double end = now(CLOCK_MONOTONIC) + 1; now(CLOCK_MONOTONIC) < end;) spin(1e5);
        _exit(0);
    }
    waitpid(child, nullptr, 0);
    const auto ticks = static_cast<int>(local_timer_interrupts(place.cpu) - before);
    const auto distance = [&](int hz) { return std::abs(hz - ticks); };
    for (const int hz : {100, 1000})  // the default is 250, as in most other kernels
        if (distance(hz) < distance(place.hz)) place.hz = hz;
    bind_to(place.cpu);
    place.turns_per_us = turns_per_us();
    return place;
}

RunResult run_here(const Case& which, const Place& place, int seconds) {
    const std::size_t tasks = which.tasks.size();
    void* const memory = mmap(nullptr, tasks * sizeof(RunResult::Task), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no memory to share");
    auto* const results = static_cast<RunResult::Task*>(memory);
    bind_to(place.cpus > 1 ? 0 : place.cpu);
    const pid_t recorder = begin_recording(place.cpu, seconds + 1);
    const double begin = now(CLOCK_MONOTONIC) + 0.7, end = begin + seconds;
    std::vector<pid_t> children;
    for (std::size_t i = 0; i < tasks; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            prctl(PR_SET_NAME, ("hostk" + std::to_string(i)).c_str());
            bind_to(place.cpu);
            if (setpriority(PRIO_PROCESS, 0, which.tasks[i].nice) != 0) _exit(1);
            results[i] = be_task(which.tasks[i], place.turns_per_us, begin, end);
            _exit(0);
        }
        children.push_back(child);
    }
    RunResult seen;
    bool failed = false;
    for (const pid_t child : children) {
        int status = 0;
        waitpid(child, &status, 0);
        failed = failed || status != 0;
    }
    int recorded = 1;
    if (recorder > 0) waitpid(recorder, &recorded, 0);
    if (recorded == 0) look_into_recording(tasks, seen);
    std::remove(kRecording);
    seen.tasks.assign(results, results + tasks);
    munmap(memory, tasks * sizeof(RunResult::Task));
    if (failed) throw std::runtime_error("a task could not be made: negative nice values need rights");
    return seen;
}

}  // namespace host_kernel
