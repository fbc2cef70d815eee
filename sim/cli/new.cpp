// `switchyard new policy NAME`: writes a policy script to start from.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "sim/base/atomic_file.h"
#include "sim/base/suggest.h"
#include "sim/base/text.h"
#include "sim/cli/command.h"
#include "sim/cli/file_arguments.h"
#include "sim/cli/output.h"
#include "sim/core/policy.h"
#include "sim/scenario/builtin_files.h"

namespace sim::cli {
namespace {

struct NewOptions {
    std::string what, name, template_script, output;
};

constexpr std::size_t kLongestName = 40;

// Whether `name` has at most kLongestName characters, consists of letters, digits, '-' and '_', and starts
// with a letter. Such a name needs no quotes in any shell.
bool is_policy_name(const std::string& name) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    return !name.empty() && name.size() <= kLongestName && is_letter(name.front()) &&
           std::all_of(name.begin(), name.end(), [&](char c) {
               return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_';
           });
}

std::string replace_name_placeholder(std::string_view text, const std::string& name) {
    constexpr std::string_view kPlaceholder = "NAME";
    std::string written(text);
    for (std::size_t at = 0; (at = written.find(kPlaceholder, at)) != std::string::npos; at += name.size())
        written.replace(at, kPlaceholder.size(), name);
    return written;
}

std::string script_template_text(const std::string& script) {
    if (const BuiltinFile* file = find_builtin_file(fmt::format("policies/{}.lua", script)))
        return std::string(file->text);
    std::vector<std::string> names;
    for (const PolicyInfo& info : script_policies()) names.push_back(info.name);
    throw UsageError(
        fmt::format("--template {}: there is no built-in script with this name{} (`switchyard list scripts` "
                    "lists the scripts)",
                    printable(script), did_you_mean(script, names)));
}

int execute_new(const NewOptions& o) {
    constexpr std::string_view kEnding = ".lua";
    std::string name = o.name;
    if (name.ends_with(kEnding)) name.resize(name.size() - kEnding.size());
    if (!is_policy_name(name))
        throw UsageError(fmt::format(
            "'{}' is not a valid policy name: expected a letter, then letters, digits, - and _, at "
            "most {} characters",
            printable(o.name), kLongestName));
    const std::string file = o.output.empty() ? name + std::string(kEnding) : o.output;
    if (!file.ends_with(kEnding))
        throw UsageError(
            fmt::format("--output {}: expected a file name that ends in {}", printable(file), kEnding));
    const std::string text =
        o.template_script.empty()
            ? replace_name_placeholder(find_builtin_file("templates/policy.lua")->text, name)
            : script_template_text(o.template_script);
    std::error_code error;
    if (std::filesystem::symlink_status(file, error).type() != std::filesystem::file_type::not_found)
        throw UsageError(fmt::format("{} already exists and was not changed", printable(file)));
    write_atomically(file, text);
    const std::string policy = printable(file);
    write_output_text(
        fmt::format(
            "wrote {}: {}. Next:\n"
            "  switchyard run two-hogs --policy {} --until 2s\n"
            "  printf 'task A\\ntask B\\nstart\\ntick 3\\n' | switchyard step --policy {} --trace-script\n"
            "  switchyard-ui two-hogs --policy {}\n"
            "  switchyard grade {} --tests first-scheduler\n",
            policy, o.template_script.empty() ? "first come, first served" : "a copy of " + o.template_script,
            policy, policy, policy, policy),
        {});
    return kDone;
}

}  // namespace

void add_new_command(Command& program) {
    auto o = std::make_shared<NewOptions>();
    Command& command = program.add_command("new", "write a policy script to start from");
    command.add_option("WHAT", o->what, "policy").required().type_name("").check(one_of({"policy"}));
    command.add_option("NAME", o->name, "name of the policy; NAME.lua is written to the current directory")
        .required()
        .type_name("");
    command
        .add_option("--template", o->template_script,
                    "start from a copy of this script of `switchyard list scripts`")
        .type_name("SCRIPTNAME");
    command.add_option("-o,--output", o->output, "write to this file instead; it must not exist yet")
        .type_name("FILE");
    command.set_examples({"switchyard new policy mine", "switchyard new policy my-mlfq --template mlfq",
                          "switchyard new policy mine --output homework-mine.lua"});
    command.set_action([o] { return execute_new(*o); });
}

}  // namespace sim::cli
