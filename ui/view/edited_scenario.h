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
    // While the text is invalid: the last valid text, and the later invalid texts before `text`.
    std::vector<std::string> before{};
    std::uint64_t revision = 0;  // number of changes of the text, except by typing in the editor
    std::uint64_t version = 0;   // number of changes of the text or its problems, including typing

    bool is_valid() const { return problems.empty(); }
};

}  // namespace ui
