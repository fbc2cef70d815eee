// Workloads of rt-app (https://github.com/scheduler-tools/rt-app, doc/tutorial.txt): threads that compute,
// sleep and wait for each other, as JSON. They are scenarios in another language, so no recording is needed.
//
// What the two do not have in common is noted, with the JSON pointers of the first few; docs/recordings.md
// has the list.
#pragma once

#include <string>
#include <string_view>

#include "sim/exchange/reader.h"

namespace sim::exchange {

// Whether a text that begins so is such a file: an object with "tasks", "global" or "resources" as its first
// key. There may be comments before it.
bool is_rt_app(std::string_view beginning);

struct WorkloadOptions {
    std::string title{};    // empty: the file's name
    std::string machine{};  // a JSON value: a name or an object; empty: an ideal one with exact timers, as
                            // Linux has them
    std::string policy{};   // empty: linux-6.6
};

struct Workload {
    std::string scenario;  // its text
    std::uint32_t entries = 0, cpus = 0;
};

// Throws ScenarioError for what is no such file, with the places of all that is wrong in it.
Workload read_workload(const std::string& file, std::string text, const WorkloadOptions& options,
                       Notes& notes);

}  // namespace sim::exchange
