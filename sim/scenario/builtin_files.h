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
// Null if there is no such file.
const BuiltinFile* find_builtin(std::string_view name);
// Sorted names without directory and extension: of scenarios for "", of machines for "machines/".
std::vector<std::string> builtin_names(std::string_view folder);

}  // namespace sim
