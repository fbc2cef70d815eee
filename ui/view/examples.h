// The built-in scenarios as examples to choose from, in groups. The groups for beginners are first.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ui {

struct ExampleGroup {
    const char* title;
    std::vector<std::string_view> names;  // names of built-in scenarios
};

// All built-in scenarios. The last group contains the scenarios that are in no other group.
const std::vector<ExampleGroup>& example_groups();

// The scenario files in a directory, sorted, as paths that start with `folder`. An empty `folder` is the
// current directory. Examines only the first 1,000 entries.
std::vector<std::string> scenarios_in(const std::string& folder);

}  // namespace ui
