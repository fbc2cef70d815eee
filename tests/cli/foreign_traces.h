// Lines of traces for tests, and a fixture that imports traces.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/command_line.h"

namespace foreign_traces {

using nlohmann::json;

constexpr std::int64_t kMilli = 1'000'000;

class Fixture : public CommandLine {
  protected:
    static std::string file(const std::string& name) { return "tests/recordings/foreign/" + name; }
    // The columns of `reschedule`: the trace, and one run per policy.
    json columns(const std::string& path, const Words& policies = {"linux-2.0", "linux-6.6"}) const {
        Words words{"reschedule", path, "--quiet"};
        for (const std::string& policy : policies) words.insert(words.end(), {"--policy", policy});
        return json_output(words).at("sides");
    }
    static std::int64_t cpu_time(const json& column) { return column.at("all").at("cpu_ns"); }
    static std::int64_t waited(const json& of) {
        return of.at("waits").at("sum_ns").get<std::int64_t>() +
               of.at("waiting_at_end").at("sum_ns").get<std::int64_t>();
    }
    // The task groups of the imported scenario.
    json tasks(const std::string& path) const {
        return json::parse(output({"import", path, "--quiet"})).at("tasks");
    }
    std::string remarks(const std::string& path) const { return switchyard({"import", path}).err; }
    std::string written(const std::string& text) const {
        write_file(folder() / "trace.txt", text);
        return "trace.txt";
    }
};

// A line of tracefs: `cpu`, time in microseconds, event and arguments.
inline std::string line(int cpu, int micros, const std::string& task, const std::string& event) {
    return fmt::format("{:>16} [{:03}] d..2. {:>5}.{:06}: {}\n", task, cpu, 10 + micros / 1'000'000,
                       micros % 1'000'000, event);
}
inline std::string switch_of(int cpu, int micros, const std::string& prev, const std::string& state,
                             const std::string& next) {
    const auto pid = [](const std::string& task) { return task.substr(task.rfind('-') + 1); };
    const auto comm = [](const std::string& task) { return task.substr(0, task.rfind('-')); };
    return line(
        cpu, micros, prev,
        fmt::format("sched_switch: prev_comm={} prev_pid={} prev_prio=120 prev_state={} ==> next_comm={} "
                    "next_pid={} next_prio=120",
                    comm(prev), pid(prev), state, comm(next), pid(next)));
}
inline std::string wake_of(int cpu, int micros, const std::string& by, const std::string& task) {
    return line(cpu, micros, by,
                fmt::format("sched_wakeup: comm={} pid={} prio=120 target_cpu=000",
                            task.substr(0, task.rfind('-')), task.substr(task.rfind('-') + 1)));
}
inline std::string runtime_of(int cpu, int micros, const std::string& task, int ran) {
    return line(cpu, micros, task,
                fmt::format("sched_stat_runtime: comm={} pid={} runtime={} [ns]",
                            task.substr(0, task.rfind('-')), task.substr(task.rfind('-') + 1), ran * 1000));
}

}  // namespace foreign_traces
