// Output formats for scheduler events. A new format needs a *_writer.cpp, a declaration below, and an entry
// in export_formats(). docs/how-to/traces.md lists the differences between the formats.
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

struct ExportFormat {
    const char* name;
    const char* ending;   // file name extension without the dot
    const char* summary;  // one human-readable line: content, and programs that read it
    std::unique_ptr<EventSink> (*make)(Output output);
};

// Factory function for ExportFormat::make.
template <class Writer>
std::unique_ptr<EventSink> make_writer(Output output) {
    return std::make_unique<Writer>(std::move(output));
}

// All formats, in alphabetical order.
const std::vector<ExportFormat>& export_formats();

// Formats of this project: all events as a table, and CPU intervals alone.
ExportFormat csv_format();
ExportFormat schedule_format();
// Formats of existing tracers and viewers.
ExportFormat ftrace_format();
ExportFormat trace_dat_format();
ExportFormat perf_data_format();
ExportFormat chrome_format();
ExportFormat perfetto_format();

}  // namespace sim::trace_io
