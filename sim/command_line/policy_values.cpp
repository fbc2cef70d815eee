#include "sim/command_line/policy_values.h"

#include <memory>
#include <set>

#include "sim/core/policy_names.h"

namespace sim::cli {
namespace {

using Translate = std::function<std::string(const std::string&)>;

void translate_policy_values(Command& command, const Translate& translate) {
    for (Option& option : command.options())
        if (option.type_with_checks().starts_with("POLICY")) option.translate(translate);
    for (Command& inner : command.commands()) translate_policy_values(inner, translate);
}

}  // namespace

void accept_common_policy_names(Command& program,
                                const std::function<void(const std::string&)>& print_notice) {
    const auto noticed = std::make_shared<std::set<std::string>>();
    translate_policy_values(program, [noticed, print_notice](const std::string& value) {
        const std::string sentence = alias_notice(value);
        if (!sentence.empty() && noticed->insert(sentence).second) print_notice(sentence);
        return resolve_policy_alias(value);
    });
}

}  // namespace sim::cli
