// Converts workloads of rt-app (https://github.com/scheduler-tools/rt-app, doc/tutorial.txt) to scenarios. A
// workload is a JSON file with threads that compute, sleep and wait for each other.
//
// Features that a scenario cannot express produce notes, with JSON pointers to their first few uses;
// docs/how-to/traces.md lists these features.
#pragma once

#include <string>
#include <string_view>

#include "sim/trace_io/import/reader.h"

namespace sim::trace_io {

// True if the text starts with an object whose first member is an object named "tasks", "global" or
// "resources". Comments may precede it.
bool is_rt_app_workload(std::string_view beginning);

struct WorkloadOptions {
    std::string title{};    // empty: the file's name
    std::string machine{};  // JSON value: a name or an object; empty: the ideal machine with hrtimers
    std::string policy{};   // empty: linux-6.6
};

struct Workload {
    std::string scenario;  // JSON text
    std::uint32_t entries = 0, cpus = 0;
};

// Throws ScenarioError with the positions of all errors.
Workload read_workload(const std::string& file, std::string text, const WorkloadOptions& options,
                       Notes& notes);

}  // namespace sim::trace_io
