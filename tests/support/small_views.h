// What tests of `run --view` have in common: a view's text, and scenarios without costs to look at.
#pragma once

#include <string>

#include "tests/support/command_line.h"

class SmallViews : public CommandLine {
  protected:
    std::string view(const std::string& name, Words words) const {
        words.insert(words.begin(), "run");
        words.insert(words.end(), {"--view", name});
        return output(words);
    }

    // A scenario without costs in which tasks take turns; the rest of its members, and its tasks.
    std::string scenario(const std::string& members, const std::string& tasks) const {
        write_file(folder() / "it.json",
                   R"({"format": "switchyard-scenario/1", "machine": {}, "policy": "round-robin", )" +
                       members + R"(, "tasks": [)" + tasks + "]}");
        return "it.json";
    }
};
