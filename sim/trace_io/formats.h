// Output formats for scheduler events, one per *_writer.cpp. docs/how-to/traces.md lists their differences.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {

// Receives the bytes of the file in order. May throw FileError.
using Output = std::function<void(std::string_view bytes)>;

struct Format {
    const char* name;
    const char* ending;   // file name extension without the dot
    const char* summary;  // one human-readable line: content, and programs that read it
    std::unique_ptr<EventSink> (*make)(Output output);
};

// Factory function for Format::make.
template <class Writer>
std::unique_ptr<EventSink> make_writer(Output output) {
    return std::make_unique<Writer>(std::move(output));
}

// All formats, in alphabetical order.
const std::vector<Format>& formats();

// Formats of this project: all events as a table, and CPU intervals alone.
Format csv_format();
Format schedule_format();
// Formats of existing tracers and viewers.
Format ftrace_format();
Format trace_dat_format();
Format perf_data_format();
Format chrome_format();
Format perfetto_format();

}  // namespace sim::trace_io
