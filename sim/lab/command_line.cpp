#include "sim/lab/command_line.h"

namespace sim::lab {

std::string quote_for_shell(const std::string& word) {
    const bool plain =
        !word.empty() && word.find_first_of(" \t\n'\"\\$`*?[](){}<>|&;#~!") == std::string::npos;
    if (plain) return word;
    std::string quoted = "'";
    for (const char c : word) c == '\'' ? quoted += "'\\''" : quoted += c;
    return quoted + "'";
}

std::string sweep_command(const std::string& scenario, const SweepRequest& request,
                          const std::string& measure) {
    std::string text = "switchyard sweep " + quote_for_shell(scenario);
    const auto add = [&](const char* option, const std::string& value) {
        if (!value.empty()) text += std::string(" ") + option + " " + quote_for_shell(value);
    };
    // The sweep command stores the value of --until in `sets`, after the values of all --set options. So
    // only the last set can be the value of --until.
    const std::string until = "/until=\"";
    for (std::size_t i = 0; i < request.sets.size(); ++i) {
        const std::string& set = request.sets[i];
        if (i + 1 == request.sets.size() && set.starts_with(until) && set.ends_with('"'))
            add("--until", set.substr(until.size(), set.size() - until.size() - 1));
        else
            add("--set", set);
    }
    for (const std::string& vary : request.vary) add("--vary", vary);
    for (const std::string& policy : request.policies) add("--policy", policy);
    add("--seeds", request.seeds);
    add("--measure", measure);
    return text;
}

}  // namespace sim::lab
