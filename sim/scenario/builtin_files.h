// The files of scenarios/, embedded in the program.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

// `name` is the path below scenarios/: "yield-processes.json", "machines/pentium-mmx-200.json".
struct BuiltinFile {
    std::string_view name;
    std::string_view text;
};
std::span<const BuiltinFile> builtin_files();  // ordered by name
// Returns null if no embedded file has this name.
const BuiltinFile* find_builtin_file(std::string_view name);
// Names of the files in `folder`, sorted, without directory and extension. `folder` is "" for scenarios and
// "machines/" for machines.
std::vector<std::string> builtin_file_names(std::string_view folder);

}  // namespace sim
