#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sim/base/atomic_file.h"
#include "sim/base/text.h"
#include "sim/os/descriptor.h"
#include "sim/os/linux/tracer.h"

namespace sim::trace_io {
namespace {

// Uses a tracer instance with its own buffers, so that other tracing on the machine continues.
class TracefsTracer final : public Tracer {
  public:
    explicit TracefsTracer(const std::string& root)
        : directory_(fmt::format("{}/instances/switchyard-{}", root, getpid())) {
        if (mkdir(directory_.c_str(), 0700) != 0) refuse(directory_, errno);
        try {
            prepare();
        } catch (...) {
            rmdir(directory_.c_str());
            throw;
        }
    }
    ~TracefsTracer() override {
        write_setting("tracing_on", "0");
        rmdir(directory_.c_str());
    }
    TracefsTracer(const TracefsTracer&) = delete;
    TracefsTracer& operator=(const TracefsTracer&) = delete;

    ForegroundExitStatus record(const std::vector<std::string>& command, bool stdout_to_stderr) override {
        require_setting("tracing_on", "1");
        const ForegroundExitStatus end = run_in_foreground(command, stdout_to_stderr);
        require_setting("tracing_on", "0");
        return end;
    }

    std::string trace_path() const override { return directory_ + "/trace"; }

  private:
    void prepare() const {
        require_setting("tracing_on", "0");
        // Uses the largest buffer size (KiB per CPU) for which there is memory. A full buffer drops the
        // oldest events.
        for (const char* size : {"65536", "16384", "4096", "1024"})
            if (write_setting("buffer_size_kb", size)) break;
        // The following settings are optional: some kernels do not have them, and the trace is usable
        // without them.
        write_setting("options/record-tgid", "1");
        for (const char* event :
             {"sched/sched_wakeup", "sched/sched_migrate_task", "sched/sched_stat_runtime",
              "sched/sched_process_fork", "sched/sched_process_exec", "sched/sched_process_exit",
              "task/task_rename", "irq/softirq_entry", "irq/softirq_exit", "irq/irq_handler_entry",
              "irq/irq_handler_exit"})
            write_setting(fmt::format("events/{}/enable", event), "1");
        if (write_setting("events/raw_syscalls/sys_enter/filter", fmt::format("id=={}", SYS_sched_yield)))
            write_setting("events/raw_syscalls/sys_enter/enable", "1");
        for (const char* event : {"sched/sched_switch", "sched/sched_waking", "sched/sched_wakeup_new"})
            require_setting(fmt::format("events/{}/enable", event), "1");
    }
    // Writes the value to a file of the tracer instance; returns false and sets errno on failure.
    bool write_setting(const std::string& file, const std::string& value) const {
        const os::Descriptor d = os::open_file(directory_ + "/" + file, os::OpenMode::write);
        if (!d.is_open()) return false;
        const int failed = os::write_all(d.number(), value);
        errno = failed;
        return failed == 0;
    }
    // Like write_setting(), but throws FileError on failure.
    void require_setting(const std::string& file, const std::string& value) const {
        if (!write_setting(file, value)) refuse(directory_ + "/" + file, errno);
    }
    [[noreturn]] static void refuse(const std::string& file, int why) {
        throw FileError(fmt::format("tracefs cannot be used on this machine: {}: {}", printable(file),
                                    std::strerror(why)));
    }

    std::string directory_;
};

}  // namespace

std::unique_ptr<Tracer> tracefs_tracer(const std::string& root) {
    return std::make_unique<TracefsTracer>(root);
}

std::unique_ptr<Tracer> tracefs_tracer() {
    const std::string root = "/sys/kernel/tracing", older = "/sys/kernel/debug/tracing";
    return tracefs_tracer(access((root + "/instances").c_str(), F_OK) != 0 &&
                                  access((older + "/instances").c_str(), F_OK) == 0
                              ? older
                              : root);
}

}  // namespace sim::trace_io
