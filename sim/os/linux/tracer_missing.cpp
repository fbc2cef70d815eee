// Replaces the tracers on systems other than Linux.
#include "sim/os/linux/tracer.h"

#include "sim/base/atomic_file.h"

namespace sim::trace_io {

std::string_view why_no_tracer() {
    return "recording needs Linux: on this system, import reads traces that were recorded elsewhere";
}

std::unique_ptr<Tracer> perf_tracer() { throw FileError(std::string(why_no_tracer())); }
std::unique_ptr<Tracer> tracefs_tracer(const std::string& /*root*/) { return perf_tracer(); }
std::unique_ptr<Tracer> tracefs_tracer() { return perf_tracer(); }

}  // namespace sim::trace_io
