// Interface between the shim and its driver: the kinds of calls that can be made to fail, and their counts.
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
    folder,  // creating a directory
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

// Value of `error`: the call transfers only one byte instead of failing.
inline constexpr int kShort = -1;

// Value of `error`: the call kills the process.
inline constexpr int kKill = -2;

// Numbers of calls from the start of main() to its end. The report is in a file mapped by shim and driver,
// so that it survives any kind of exit.
struct Report {
    std::uint64_t calls[kKinds];
    std::uint64_t failed;
};

// Environment variables. SWITCHYARD_FAULT_REPORT: the file of the report; without it the shim does nothing.
// SWITCHYARD_FAULT: "KIND N ERROR LAST", numbers; the calls N to LAST of the kind fail.
inline constexpr const char* kReportVariable = "SWITCHYARD_FAULT_REPORT";
inline constexpr const char* kFaultVariable = "SWITCHYARD_FAULT";

}  // namespace faults
