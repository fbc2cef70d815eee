// What happened as records of Linux's tracepoints, which the binary files of trace-cmd and of perf have in
// common, and the header that describes them to readers.
//
// A record is described in the file itself, so the numbers and the layouts of events are our own, and readers
// know the tracepoints by their names and fields. What the kernel cannot see has records of its own, of a
// system "switchyard". Names have twice the room that the kernel gives them, since a scenario's are longer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/exchange/sched_event.h"

namespace sim::exchange {

// Numbers are little-endian, in all of these files.
template <typename Number>
void append_number(std::string& to, Number number) {
    for (std::size_t byte = 0; byte < sizeof number; ++byte)
        to += static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * byte) & 0xff);
}

class TracepointRecords {
  public:
    // trace_cmd: why somebody leaves a CPU is prev_state as Linux has had it since 4.14, 0x100 for who was
    // preempted; flags say what happens in an interrupt.
    // perf: its `perf sched` takes that bit for a sleep, so prev_state is 0 there and another field tells;
    // and its text has no flags, so interrupts have records of their own.
    enum class Reader : std::uint8_t { trace_cmd, perf };

    // What happens at 0 stands one nanosecond later: KernelShark takes a time of 0 for none, and what has
    // none for what comes last (libkshark-tepdata.c, pick_next_cpu()); perf, too (ordered-events.c).
    static constexpr Nanos kFirstTime{1};

    static constexpr std::size_t kPage = 4096, kPageHeader = 16;  // as the header says

    explicit TracepointRecords(Reader reader) : reader_(reader) {}

    // From the magic number to the formats of printk; `version` is that of the file: "tracing6".
    static std::string header(std::string_view version, Reader reader);
    // What records begin with, in two bytes.
    static std::vector<std::uint16_t> ids(Reader reader);

    // Each as bytes, until the next call of any of them.
    const std::string& of(const SchedEvent& e, const Threads& threads);
    // For perf: that an interrupt has found `current`, and lets it go on.
    const std::string& interrupt_entry(const Thread& current);
    const std::string& interrupt_exit(const Thread& current);
    // For perf, which adds these up: `current` had the CPU for so long.
    const std::string& ran_for(const Thread& current, Nanos time);

  private:
    void begin(std::uint16_t id, std::uint8_t flags, const Thread& current);
    void append_thread(const Thread& thread);

    Reader reader_;
    std::string record_;
    std::vector<std::vector<const char*>> work_;  // by CPU: what has begun, the innermost last
};

}  // namespace sim::exchange
