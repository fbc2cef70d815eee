#include <fmt/format.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "sim/base/atomic_file.h"
#include "sim/base/child_program.h"
#include "sim/base/text.h"
#include "sim/os/linux/tracer.h"

namespace sim::trace_io {
namespace {

namespace fs = std::filesystem;

// A private directory (mode 0700), removed with this object.
class PrivateDirectory {
  public:
    PrivateDirectory() {
        std::error_code error;
        path_ = (fs::temp_directory_path(error) / "switchyard-XXXXXX").string();
        if (error || mkdtemp(path_.data()) == nullptr)
            throw FileError(fmt::format("{}: {}", printable(path_), std::strerror(errno)));
    }
    ~PrivateDirectory() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    PrivateDirectory(const PrivateDirectory&) = delete;
    PrivateDirectory& operator=(const PrivateDirectory&) = delete;

    std::string file(const char* name) const { return path_ + "/" + name; }

  private:
    std::string path_;
};

class PerfTracer final : public Tracer {
  public:
    PerfTracer() {
        const std::optional<ChildProgramResult> tried = run_child_program(perf_command({"true"}), "");
        if (!tried) throw FileError("perf is not installed (Debian: linux-perf)");
        if (tried->exit_code == 0) return;
        // The first paragraph of perf's message is the reason; the rest is advice for administrators.
        const std::string said = tried->err.substr(0, tried->err.find("\n\n"));
        constexpr std::size_t kLongest = 200;
        throw FileError(fmt::format("perf is not permitted to record on this machine: {}",
                                    printable(in_one_line(said).substr(0, kLongest))));
    }

    ForegroundExitStatus record(const std::vector<std::string>& command, bool stdout_to_stderr) override {
        std::error_code ignored;
        fs::remove(trace_path(), ignored);  // the file that perf wrote in the constructor
        const ForegroundExitStatus end = run_in_foreground(perf_command(command), stdout_to_stderr);
        if (!fs::exists(trace_path(), ignored))
            throw FileError(fmt::format("perf has recorded nothing (exit code {})", end.exit_code));
        return end;
    }

    std::string trace_path() const override { return directory_.file("perf.data"); }

  private:
    std::vector<std::string> perf_command(const std::vector<std::string>& command) const {
        // Every event is a sample. The buffer of 4 MiB per CPU holds events that perf has not read yet.
        std::vector<std::string> all{"perf", "record", "-q", "-a", "-R", "-c", "1", "-m", "1024"};
        for (const char* event :
             {"sched:sched_switch", "sched:sched_waking", "sched:sched_wakeup_new",
              "sched:sched_migrate_task", "sched:sched_stat_runtime", "sched:sched_process_fork",
              "sched:sched_process_exec", "sched:sched_process_exit", "task:task_rename",
              "irq:irq_handler_entry", "irq:irq_handler_exit", "irq:softirq_entry", "irq:softirq_exit",
              "timer:hrtimer_expire_entry", "timer:hrtimer_expire_exit", "raw_syscalls:sys_enter"})
            all.insert(all.end(), {"-e", event});
        all.insert(all.end(), {"--filter", fmt::format("id=={}", SYS_sched_yield), "-o",
                               directory_.file("perf.data"), "--"});
        all.insert(all.end(), command.begin(), command.end());
        return all;
    }
    static std::string in_one_line(std::string text) {
        for (char& c : text)
            if (c == '\n') c = ' ';
        return text;
    }

    PrivateDirectory directory_;
};

}  // namespace

std::string_view why_no_tracer() { return {}; }

std::unique_ptr<Tracer> perf_tracer() { return std::make_unique<PerfTracer>(); }

}  // namespace sim::trace_io
