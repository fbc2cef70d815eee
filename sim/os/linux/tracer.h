// Records a trace of all CPUs of this machine, which must run Linux, with `perf` or the kernel's own tracer
// through tracefs: switches, CPU times, wake-ups, migrations, forks, execs, exits, names, interrupts and
// calls of sched_yield().
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/os/linux/tracers/foreground_program.h"

namespace sim::trace_io {

class Tracer {
  public:
    virtual ~Tracer() = default;  // deletes the trace

    // Records from the start of a program to its end. Throws FileError if the program cannot be started or
    // the tracer fails. REQUIRES: `command` is not empty; called once.
    virtual ForegroundExitStatus record(const std::vector<std::string>& command, bool stdout_to_stderr) = 0;

    // The file with the recorded trace, for TraceFile. REQUIRES: record() has returned.
    virtual std::string trace_path() const = 0;
};

// The reason why no tracer exists on this system, as a sentence; empty on Linux.
std::string_view why_no_tracer();

// Each function creates a tracer. If the tracer cannot be used on this machine, the function undoes its
// changes and throws FileError with the reason.
std::unique_ptr<Tracer> perf_tracer();
// `root`: mount point of tracefs.
std::unique_ptr<Tracer> tracefs_tracer(const std::string& root);
std::unique_ptr<Tracer> tracefs_tracer();  // tracefs at its usual mount point

}  // namespace sim::trace_io
