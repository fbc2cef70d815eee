// The files of scenarios/, which are built into the program.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

// A file built into the program from scenarios/: "yield-processes.json", "machines/pentium-mmx-200.json".
struct BuiltinFile {
    std::string_view name;
    std::string_view text;
};
std::span<const BuiltinFile> builtin_files();  // ordered by name
// The one of that name, or null.
const BuiltinFile* find_builtin(std::string_view name);
// The scenarios for "", the machines for "machines/"; without folder and ending, ordered.
std::vector<std::string> builtin_names(std::string_view folder);

}  // namespace sim
