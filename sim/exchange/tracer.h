// What records on this machine: `perf`, or the kernel's own tracer through tracefs. Both tell of all CPUs:
// switches, wake-ups, migrations, forks, programs, ends, names, interrupts and calls of sched_yield().
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/base/foreground_program.h"

namespace sim::exchange {

class Tracer {
  public:
    virtual ~Tracer() = default;  // what was recorded is gone

    // Records from the beginning of a program to its end. Throws FileError when it cannot be started, or the
    // tracer fails. REQUIRES: `command` is not empty; called once.
    virtual ForegroundEnd record(const std::vector<std::string>& command, bool out_to_error) = 0;

    // The recording, as RecordingFile reads it. REQUIRES: record() has returned.
    virtual std::string path() const = 0;
};

// Each throws FileError with the reason when it may not, or cannot, be used here; what has to be tried for
// that is undone.
std::unique_ptr<Tracer> perf_tracer();
// `root` is where tracefs is mounted.
std::unique_ptr<Tracer> tracefs_tracer(const std::string& root);
std::unique_ptr<Tracer> tracefs_tracer();  // where it usually is

}  // namespace sim::exchange
