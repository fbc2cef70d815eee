// The scenario's text in the editor.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/problem.h"

namespace ui {

struct EditedScenario {
    std::string text{};                    // the edited text; the run uses it if there are no problems
    std::vector<sim::Problem> problems{};  // why the run does not use the text
    std::vector<std::string>
        before{};                // earlier texts since the text was last valid; the first of them is valid
    std::uint64_t revision = 0;  // changes with each change of the text other than typing
    std::uint64_t version = 0;   // changes with each change of the text or its problems

    bool is_valid() const { return problems.empty(); }
};

}  // namespace ui
