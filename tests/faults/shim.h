// What the shim and its driver agree on: the kinds of calls that can be made to fail, and where they are
// counted.
#pragma once

#include <cstdint>

namespace faults {

enum class Kind : int {
    allocation,
    opening,
    reading,
    writing,
    closing,
    renaming,
    removing,
    folder,  // made
    cutting,
    status,
    locking,
    permissions,
    listing,
    spawning,
    waiting,
    thread
};
inline constexpr int kKinds = 16;
inline constexpr const char* kNames[kKinds] = {
    "allocation", "open", "read", "write",       "close", "rename", "remove", "mkdir",
    "truncate",   "stat", "lock", "permissions", "list",  "spawn",  "wait",   "thread"};

// Instead of an error: one byte is read or written, and no more.
inline constexpr int kShort = -1;

// The process is killed there and then.
inline constexpr int kKill = -2;

// In a file that both have mapped, so that a program can end as it likes. Counted from the beginning of
// main() to its end.
struct Report {
    std::uint64_t calls[kKinds];
    std::uint64_t failed;
};

// Environment variables. SWITCHYARD_FAULT_REPORT: the file of the report, without which nothing happens.
// SWITCHYARD_FAULT: "KIND N ERROR LAST", numbers; the N-th call of the kind fails, and those up to the LAST.
inline constexpr const char* kReportVariable = "SWITCHYARD_FAULT_REPORT";
inline constexpr const char* kFaultVariable = "SWITCHYARD_FAULT";

}  // namespace faults
