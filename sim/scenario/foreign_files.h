// Recognizes files that are no scenarios, for messages that help: pictures, documents, programs, scripts.
// Compressed files and traces are recognized by sim/trace_io/import/import_formats.h.
#pragma once

#include <string>
#include <string_view>

namespace sim {

// What the file is, and what to do with it, as in "a picture (PNG), not a scenario"; empty if it is not
// recognized. `name`: the file's name, whose extension is a hint.
std::string foreign_file(std::string_view name, std::string_view text);

}  // namespace sim
