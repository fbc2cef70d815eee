// Recognizes files that are not scenarios (pictures, documents, programs, scripts), so that the message can
// state what the file is. Compressed files and traces are recognized by sim/trace_io/import/import_formats.h.
#pragma once

#include <string>
#include <string_view>

namespace sim {

// Describes the file, as in "this is a picture (PNG), not a scenario", and states how to proceed. Returns an
// empty text if the file is not recognized. The extension of `name`, the file's name, is taken into account.
std::string describe_foreign_file(std::string_view name, std::string_view text);

}  // namespace sim
