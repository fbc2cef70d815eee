// A thread object of a workload, which becomes a task group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/base/types.h"
#include "sim/scenario/json_tree.h"

namespace sim::trace_io {

struct RtAppThread {
    const JsonValue* value = nullptr;
    std::string name;
    std::int64_t count = 1, loop = -1;
    Nanos start{};
    std::string attributes;  // class, nice and so on, as members of a task group in JSON
    std::vector<std::string> steps;
    std::int64_t period = 0;  // period of the thread's first timer, us; 0: none
};

struct RtAppThreads {
    std::vector<RtAppThread> all;
    std::map<std::string, std::size_t> by_key;  // by key: index in `all` of the first thread with this key
};

}  // namespace sim::trace_io
