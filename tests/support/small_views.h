// Fixture for tests of `run --view`: runs a view and writes small scenarios without costs.
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

    // Writes a round-robin scenario without costs. `members`: further members of the scenario, after a comma.
    std::string scenario(const std::string& members, const std::string& tasks) const {
        write_file(folder() / "it.json",
                   R"({"format": "switchyard-scenario/1", "machine": {}, "policy": "round-robin", )" +
                       members + R"(, "tasks": [)" + tasks + "]}");
        return "it.json";
    }
};
