// Splits JSON of any size into lines, in bounded memory: the events of chrome://tracing, ftrace text embedded
// in the same JSON as a string, or the rows of a table.
//
//   {"traceEvents": [{...}, ...], "systemTraceEvents": "...", "metadata": {...}}   or   [{...}, ...]
//
// Rows and text are kept in temporary files because they are read at the same time.
#pragma once

#include <istream>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/temp_file.h"
#include "sim/trace_io/import/reader.h"

namespace sim::trace_io {

struct JsonRowsAndText {
    // The elements of the list, one per line: line number in the file, tab, element without whitespace.
    std::optional<TempFile> rows;
    // The text of systemTraceEvents. In exports of this program, a header line precedes it.
    std::optional<TempFile> text;
};

// True if split_json_into_lines() can read a file with this beginning.
bool is_json_list(std::string_view beginning);

// Throws ScenarioError with line and column for invalid JSON. A file that ends too early only produces a
// note.
JsonRowsAndText split_json_into_lines(std::istream& in, const std::string& file, Notes& notes);

}  // namespace sim::trace_io
