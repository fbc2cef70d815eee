// The formats in which what a scheduler did can be written, one a file (*_writer.cpp); docs/recordings.md
// says what each of them carries and what it loses.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/exchange/sched_event.h"

namespace sim::exchange {

// Where the bytes go, in their order. May throw FileError.
using Output = std::function<void(std::string_view bytes)>;

struct Format {
    const char* name;
    const char* ending;   // of files
    const char* summary;  // a line, for people: what it is, and who reads it
    std::unique_ptr<EventSink> (*make)(Output output);
};

// For Format::make.
template <class Writer>
std::unique_ptr<EventSink> make_writer(Output output) {
    return std::make_unique<Writer>(std::move(output));
}

// In alphabetical order.
const std::vector<Format>& formats();

// What a schedule in itself is, without a word about who waits: who had each CPU, from when to when.
Format csv_format();
Format schedule_format();
// What tracers tell, too.
Format ftrace_format();
Format trace_dat_format();
Format perf_data_format();
Format chrome_format();
Format perfetto_format();

}  // namespace sim::exchange
