#include "sim/scenario/builtin_files.h"

#include <algorithm>

namespace sim {

const BuiltinFile* find_builtin_file(std::string_view name) {
    for (const BuiltinFile& file : builtin_files())
        if (file.name == name) return &file;
    return nullptr;
}

std::vector<std::string> builtin_file_names(std::string_view folder) {
    constexpr std::string_view kEnding = ".json";
    std::vector<std::string> names;
    for (const BuiltinFile& file : builtin_files()) {
        std::string_view name = file.name;
        if (!name.starts_with(folder) || name == "schema.json") continue;
        name.remove_prefix(folder.size());
        if (name.find('/') != std::string_view::npos || !name.ends_with(kEnding)) continue;
        name.remove_suffix(kEnding.size());
        names.emplace_back(name);
    }
    // The files are sorted by name including the extension. In this order "a-b.json" is before "a.json", so
    // the names without extension are sorted again.
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace sim
