// JSON of any size as lines, in memory of one size: the events of chrome://tracing, the text of ftrace that
// stands among them in one string, or the rows of a table.
//
//   {"traceEvents": [{...}, ...], "systemTraceEvents": "...", "metadata": {...}}   or   [{...}, ...]
//
// What is read of it waits in temporary files, for both are needed at the same time.
#pragma once

#include <istream>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/nameless_file.h"
#include "sim/exchange/reader.h"

namespace sim::exchange {

struct JsonParts {
    // The elements of the list, a line each: the number of the line on which it begins, a tab, and what it
    // is, without blanks.
    std::optional<NamelessFile> rows;
    // systemTraceEvents; before it the header of our own export, as its text has it.
    std::optional<NamelessFile> text;
};

// Whether a text that begins so is such a file.
bool is_json_list(std::string_view beginning);

// Throws ScenarioError, with the place, for what is no JSON, but not for what ends too early: that is noted.
JsonParts split_json(std::istream& in, const std::string& file, Notes& notes);

}  // namespace sim::exchange
