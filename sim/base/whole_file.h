// Results to files, whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace sim {

// Writes the bytes beside the file first and then renames, so that nobody ever sees half of it. A link is
// followed; a pipe or device is written as it is. Throws std::runtime_error, "PATH: why", when that fails.
void write_whole_file(const std::string& path, std::string_view bytes);

}  // namespace sim
