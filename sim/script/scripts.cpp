// The available policy scripts: built-in ones and files.
#include <fmt/format.h>

#include <iterator>
#include <string>
#include <vector>

#include "sim/base/input_file.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/core/policy.h"
#include "sim/os/files.h"
#include "sim/scenario/builtin_files.h"
#include "sim/script/lua_sandbox.h"
#include "sim/script/script_policy.h"

namespace sim {

std::span<const PolicyInfo> script_policies() {
    static const std::vector<PolicyInfo> list = [] {
        std::vector<PolicyInfo> made;
        constexpr std::string_view kFolder = "policies/", kEnding = ".lua";
        for (const BuiltinFile& file : builtin_files()) {
            std::string_view name = file.name;
            if (name.substr(0, kFolder.size()) != kFolder) continue;
            name.remove_prefix(kFolder.size());
            name.remove_suffix(kEnding.size());
            made.push_back(script::script_policy(std::string(name), file.text));
        }
        return made;
    }();
    return list;
}

std::string script_text(const std::string& file) {
    // The path may come from another person's scenario, so a path to another machine is refused
    // (docs/how-to/security.md).
    if (os::is_on_another_machine(file))
        throw PolicyError(
            fmt::format("{}: this script is on another machine; copy it to this machine", printable(file)));
    try {
        InputFile in(file);
        std::string text;
        // Scripts longer than kLongestSource are rejected, so no further bytes are read.
        while (text.size() <= script::LuaSandbox::kLongestSource &&
               in.peek() != InputFile::traits_type::eof())
            text += static_cast<char>(in.get());
        return text;
    } catch (const ScenarioError& error) {
        throw PolicyError(error.what());
    }
}

PolicyInfo script_policy_of(const std::string& file) { return script_policy_of(file, script_text(file)); }

PolicyInfo script_policy_of(const std::string& file, std::string_view text) {
    return script::script_policy(file, text);
}

}  // namespace sim
