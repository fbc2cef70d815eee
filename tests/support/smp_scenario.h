// A scenario that uses all features of a machine with several CPUs: locks and munmap in threads, a pipe, a
// device, a kernel thread with lazy TLB, a parked task, affinity, TLBs and caches.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "sim/scenario/scenario_json.h"

namespace sim {

inline std::string smp_scenario_json(std::uint32_t cpus, const std::string& until = "60ms", bool lazy = true,
                                     bool tagged = false) {
    const std::uint32_t half = cpus < 2 ? 1 : cpus / 2;
    return fmt::format(
        R"({{"format": "switchyard-scenario/1", "policy": "linux-2.4.22", "until": "{0}", "cpus": {1},
        "locks": ["arena"], "pipes": {{"p": {{"capacity": "64B"}}}},
        "devices": {{"disk": {{"service_time": "2ms"}}}},
        "machine": {{"hz": 100, "lazy_tlb": {2},
            "tlb": {{"entries": 64, "tagged": {3}, "source": "test", "footprint": {{"pages": 12, "source": "test"}},
                "refill": {{"time": "60ns", "source": "test"}}}},
            "cache": {{"size": "16KiB", "line": "32B", "source": "test",
                "footprint": {{"size": "5KiB", "source": "test"}},
                "refill": {{"time": "80ns", "source": "test"}},
                "prefetched_refill": {{"time": "30ns", "source": "test"}}}},
            "costs": {{"syscall": "500ns", "schedule": "300ns", "considered": "100ns", "recalculated": "10ns",
                "switch_same_mm": "1us", "switch_other_mm": "2us", "reschedule_ipi": "1us", "pipe": "1us",
                "futex": "1us", "wake_up": "500ns", "munmap": "2us", "idle_exit": "1us", "exec": "100us"}}}},
        "tasks": [
            {{"name": "jvm", "count": {4}, "mm": "jvm", "working_set": "4KiB", "program": [{{"loop": "forever",
                "steps": [{{"run": "300us"}}, {{"lock": "arena"}}, {{"run": "120us"}}, {{"unlock": "arena"}},
                          {{"run": "50us"}}, "munmap", {{"arrival": "1ms"}}]}}]}},
            {{"name": "writer", "count": {5}, "working_set": "8KiB", "program": [{{"loop": "forever",
                "steps": [{{"run": "200us"}}, {{"pipe_write": "p", "bytes": "32B"}}]}}]}},
            {{"name": "reader", "count": {5}, "program": [{{"loop": "forever",
                "steps": [{{"pipe_read": "p", "bytes": "32B"}}, {{"run": "250us"}}]}}]}},
            {{"name": "db", "count": 3, "program": [{{"loop": "forever",
                "steps": [{{"io": "disk"}}, {{"run": "400us"}}]}}]}},
            {{"name": "kflushd", "mm": null, "program": [{{"loop": "forever",
                "steps": [{{"arrival": "900us"}}, {{"run": "100us"}}]}}]}},
            {{"name": "gc", "program": [{{"loop": "forever", "steps": ["park", {{"run": "1ms"}}]}}]}},
            {{"name": "boss", "affinity": [0], "program": [{{"loop": "forever",
                "steps": [{{"arrival": "7ms"}}, {{"unpark": "gc"}}, {{"fork": "child"}}]}}]}},
            {{"name": "child", "count": 0, "program": [{{"run": "100us"}}, {{"exec": "other"}}]}},
            {{"name": "other", "count": 0, "program": [{{"run": "300us"}}]}}]}})",
        until, cpus, lazy, tagged, 3 * half, half);
}

inline Scenario smp_scenario(std::uint32_t cpus, const std::string& until = "60ms", bool lazy = true,
                             bool tagged = false) {
    return parse_scenario("smp.json", smp_scenario_json(cpus, until, lazy, tagged));
}

}  // namespace sim
