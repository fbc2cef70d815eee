// Records of Linux tracepoints, common to the binary files of trace-cmd and perf, and the header that
// describes them to readers.
//
// Readers identify tracepoints by name and fields, so ids and layouts can differ from Linux. Events that the
// kernel cannot see belong to a tracepoint subsystem "switchyard". Names have 32 bytes, twice the kernel's
// size, because names in scenarios are longer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {

// Appends the number in little-endian order, which the files of trace-cmd and perf use.
template <typename Number>
void append_number(std::string& to, Number number) {
    for (std::size_t byte = 0; byte < sizeof number; ++byte)
        to += static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * byte) & 0xff);
}

class TracepointRecords {
  public:
    // trace_cmd: prev_state is as in Linux since 4.14, 0x100 for preemption; flags mark events in an
    // interrupt.
    // perf: `perf sched` treats 0x100 as a sleep, so another field marks preemption and prev_state is 0. The
    // text of perf has no flags, so interrupts have records of their own.
    enum class Reader : std::uint8_t { trace_cmd, perf };

    // Events at time 0 are written with the time 1 ns, because KernelShark (libkshark-tepdata.c,
    // pick_next_cpu()) and perf (ordered-events.c) treat a time of 0 as missing and sort such events last.
    static constexpr Nanos kFirstTime{1};

    static constexpr std::size_t kPage = 4096, kPageHeader = 16;  // bytes, as stated in the header

    explicit TracepointRecords(Reader reader) : reader_(reader) {}

    // The file header, from the magic number to the formats of printk. `version`: such as "tracing6".
    static std::string header(std::string_view version, Reader reader);
    // The ids of all record types. Each record begins with the id of its type, in two bytes.
    static std::vector<std::uint16_t> ids(Reader reader);

    // Each of the following functions returns a record. The record is valid until any of these functions is
    // called again.
    const std::string& event_record(const SchedEvent& e, const Threads& threads);
    // For perf only: the records of the start (entry) and of the end (exit) of an interrupt, while `current`
    // runs on the CPU.
    const std::string& interrupt_entry(const Thread& current);
    const std::string& interrupt_exit(const Thread& current);
    // For perf only: the record that `current` has used the CPU for `time`. perf adds up the times of these
    // records.
    const std::string& run_time_record(const Thread& current, Nanos time);

  private:
    void begin_record(std::uint16_t id, std::uint8_t flags, const Thread& current);
    void append_thread(const Thread& thread);

    Reader reader_;
    std::string record_;
    std::vector<std::vector<const char*>> work_;  // by CPU: open intervals of kernel work, the innermost last
};

}  // namespace sim::trace_io
